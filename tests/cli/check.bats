#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna check: budgets, baselines, and what CI reads.

setup() {
	T=$BATS_TEST_TMPDIR
	BUDGETS=$BATS_TEST_DIRNAME/../../fixtures/budgets
	cd "$T"
	cat >t.c <<-'E'
	struct page { unsigned long flags; union { void *lru[2]; };
		void *mapping; void *freelist; unsigned long counters; int a;
	} __attribute__((aligned(16)));
	struct holey { char c; long l; char d; };
	struct open { int n; char d[]; };
	enum zone_type { DMA, NORMAL };
	struct page p; struct holey h; struct open *o; enum zone_type z;
	E
	gcc -g -c -o t.o t.c
}

# try ARGUMENT... - $code, and both streams apart in $T/out and $T/err
try() {
	code=0
	"$LACUNA" check "$@" >"$T/out" 2>"$T/err" || code=$?
}

budget() { cat >"$T/b"; }

is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'wanted:\n%s\ngot:\n%s\n' "$1" "$2"; false; }
}

@test "rules that hold: status 0" {
	budget <<-'E'
	# a comment
	struct page: size <= 64, size > 63, size != 65, size == 0x40 # here too
	struct page: align >= 16, lines <= 1, holes == 0, hole_bytes == 0
	struct page: padding == 12, straddlers < 1, members >= 6
	member page.freelist, page.counters: same line, offset >= 32, size == 8
	member page.lru: in one line
	enum zone_type: size == 4, members == 2
	type *: size < 1K
	optional struct absent: size == 1
	E
	try --budget b t.o
	cat out err
	[ "$code" = 0 ]
}

@test "each broken rule is one line: file, rule, wanted, found, declared" {
	budget <<-'E'
	struct page: size <= 56, align >= 16
	struct holey: holes == 0, size < 16
	E
	try --budget b t.o
	[ "$code" = 1 ]
	is 3 "$(grep -c broken out)"
	grep -q '^b:1:14: struct page: size <= 56: broken; found 64 (declared at t.c:1)$' out
	grep -q '^b:2:15: struct holey: holes == 0: broken; found 1 ' out
	grep -q '^b:2:27: struct holey: size < 16: broken; found 24 ' out
	try --budget b -o json t.o
	is "6 3 broken b 1 14 size <= 56 64 t.c 1" "$(jq -r '[.checked + 2,
		.failed, (.findings[0] | .status, .file, .line, .column, .wanted,
		.found, .decl_file, .decl_line)] | join(" ")' out)"
}

@test "a rule that no type matches is broken, unless optional" {
	echo 'struct pgae: size <= 64' | budget
	try --budget b t.o
	[ "$code" = 1 ]
	grep -q 'struct pgae.*no match' out
	echo 'union page: size <= 64' | budget
	try --budget b t.o
	[ "$code" = 1 ]
	echo 'member page.freelists: offset == 32' | budget
	try --budget b t.o
	[ "$code" = 1 ]
	grep -q "found no member 'freelists' in struct page" out
	echo 'optional struct pgae: size <= 64' | budget
	try --budget b t.o
	[ "$code" = 0 ]
}

@test "lines: same, different, one; of a line size of choice" {
	cat >l.c <<-'E'
	struct ring { long a; char pad[52]; int x; int y; long b; } r;
	E
	gcc -g -c -o l.o l.c
	echo 'member ring.a, ring.b: same line' | budget
	try --budget b l.o
	[ "$code" = 1 ]
	grep -q 'a in line 0, b in line 1' out
	try --budget b --line-size 128 l.o
	[ "$code" = 0 ]
	echo 'member ring.a, ring.b: different lines' | budget
	try --budget b l.o
	[ "$code" = 0 ]
	echo 'member ring.a, ring.pad: different lines' | budget
	try --budget b l.o
	[ "$code" = 1 ]
}

@test "what BTF does not tell cannot be decided, and that is a failure" {
	command -v pahole >/dev/null || skip "no pahole"
	pahole -J t.o
	objcopy --dump-section .BTF=t.btf t.o
	budget <<-'E'
	struct page: size <= 64
	struct page: align >= 16
	struct page: align >= 8
	struct page: align <= 4
	E
	try --budget b t.btf
	cat out err
	[ "$code" = 1 ]
	is 2 "$(grep -c '^b:' out)"
	grep -q '^b:2:14: .*cannot be decided; found unknown, from 8 to 64' out
	grep -q '^b:4:14: .*broken' out
}

@test "a broken budget: status 2, line and column" {
	while IFS='|' read -r at text; do
		printf '# first\n%s\n' "$text" | budget
		try --budget b t.o
		[ "$code" = 2 ] || { echo "$text: $code"; false; }
		grep -q "b:2:$at:" err || { echo "$text:"; cat err; false; }
		[ ! -s out ]
	done <<-'E'
	1|page: size <= 64
	1|strukt page: size <= 64
	13|struct page size <= 64
	13|struct page:
	14|struct page: sizes <= 64
	19|struct page: size 64
	19|struct page: size = 64
	22|struct page: size <= many
	22|struct page: size <= 64X
	22|struct page: size <= 99999999999999999999
	25|struct page: size <= 64 align >= 16
	25|struct page: size <= 64,
	8|struct : size <= 64
	8|member page: offset == 0
	20|member page.flags, holey.c: same line
	14|struct page: offset == 8
	20|member page.flags: align == 8
	20|member page.flags: no new holes
	E
	: >b
	try --budget b t.o
	[ "$code" = 2 ]
	try --budget none t.o
	[ "$code" = 3 ]
}

@test "names of C++: colons, commas, blanks" {
	cat >n.cc <<-'E'
	namespace n1 { template <class T, int N> struct Arr { T v[N]; }; }
	struct Plain { int a; };
	n1::Arr<char, 4> w; Plain p;
	E
	g++ -g -c -o n.o n.cc
	budget <<-'E'
	struct "n1::Arr<char, 4>": size == 4
	struct n1::Arr*: size <= 4
	type Plain: size == 4
	E
	try --budget b n.o
	cat out
	[ "$code" = 0 ]
}

@test "--record: text, sorted, the same every time; --baseline compares" {
	try --record base t.o
	[ "$code" = 0 ]
	cp base first
	try --record base t.o
	cmp first base
	is '# lacuna baseline 2, lines of 64 bytes' "$(head -1 base)"
	is '# end' "$(tail -1 base)"
	grep -q '^struct page size=64 align=16 lines=1 holes=0 hole_bits=0 padding_bits=96 straddlers=0 members=6$' base
	grep -v '^#' base | LC_ALL=C sort -c
	try --baseline base t.o
	[ "$code" = 0 ]
	sed 's/char d; }/char d; long m; }/' t.c >u.c
	gcc -g -c -o u.o u.c
	try --baseline base u.o
	[ "$code" = 1 ]
	is 1 "$(grep -c '^base:' out)"
	grep -q '^base:[0-9]*:1: struct holey: no worse: broken; found size 24 -> 32, holes 1 -> 2, hole_bits 56 -> 112 ' out
	sed '/struct holey/d; s/struct holey h;//' t.c >u.c
	gcc -g -c -o u.o u.c
	try --baseline base u.o
	[ "$code" = 1 ]
	grep -q 'struct holey.*it is gone' out
}

@test "a baseline is a ratchet: worse fails, better is a note" {
	cat >t.c <<-'E'
	struct less { char c; long l; char d; } a;
	struct more { long l; char d; } b;
	struct moved { long l; int i; char d; } c;
	struct same { long l; } d;
	struct cross { char pad[60]; int i; } e;
	E
	gcc -g -c -o t.o t.c
	try --record base t.o
	cat >u.c <<-'E'
	struct less { long l; char c, d; } a;
	struct more { char d; long l; } b;
	struct moved { long l; int i; char d, e; } c;
	struct same { long l; } d;
	struct cross { char pad[60]; int i; } e;
	E
	gcc -g -c -o u.o u.c
	try --baseline base u.o
	[ "$code" = 1 ]
	grep -q '^u.o: 5 checked, 1 failed: 1 with more holes\.$' out
	is 'base:4:1: struct more: no worse: broken; found holes 0 -> 1, hole_bits 0 -> 56 (declared at u.c:2)' \
		"$(grep ': broken;' out)"
	# a hole that was padding was there before; a hole less is for the better
	grep -q '^2 changed for no worse ' out
	is 'base:3:1: struct less: no worse: holds, but is not as recorded; found size 24 -> 16, holes 1 -> 0, hole_bits 56 -> 0, padding_bits 56 -> 48 (declared at u.c:1)
base:5:1: struct moved: no worse: holds, but is not as recorded; found padding_bits 24 -> 16, members 3 -> 4 (declared at u.c:3)' \
		"$(grep ': holds' out)"
	sed -i 's/char d; long l; } b/long l; char d; } b/' u.c
	gcc -g -c -o u.o u.c
	try --baseline base --junit r.xml u.o
	[ "$code" = 0 ]
	grep -q 'tests="5" failures="0"' r.xml
	is 2 "$(grep -c '<system-out>base:' r.xml)"
	try --baseline base -o json u.o
	is "0 2 2 better size 24 -> 16" "$(jq -r '[.failed, .better,
		(.improvements | length), (.improvements[0] | .status,
		.found[:13])] | join(" ")' out)"
	try --baseline base --annotations github u.o
	[ "$code" = 0 ]
	is 2 "$(grep -c '^::notice file=u.c,' out)"
	try --baseline base --annotations gitlab u.o
	is "info info" "$(jq -r '[.[].severity] | join(" ")' out)"
	# crossing a line that was not crossed
	sed -i 's/pad\[60\]; int i; } e/pad[62]; int i; } __attribute__((packed)) e/' u.c
	gcc -g -c -o u.o u.c
	try --baseline base u.o
	[ "$code" = 1 ]
	grep -q 'struct cross: no worse: broken; found size 64 -> 66, lines 1 -> 2, straddlers 0 -> 1 ' out
}

@test "--exact: any change fails; in a budget: no worse, no change" {
	try --record base t.o
	sed 's/char c; long l; char d;/long l; char c, d;/' t.c >u.c
	gcc -g -c -o u.o u.c
	try --baseline base --exact u.o
	[ "$code" = 1 ]
	grep -q 'struct holey: no change: broken; found size 24 -> 16' out
	try --baseline base --exact t.o
	[ "$code" = 0 ]
	try --exact t.o --record base
	[ "$code" = 2 ]
	echo 'struct *: no worse' | budget
	try --budget b --baseline base u.o
	[ "$code" = 0 ]
	try --budget b --baseline base --exact u.o
	[ "$code" = 2 ]
	grep -q "no change" err
	sed 's/char c; long l; char d;/char c; long l; char d; long e;/' t.c \
		>u.c
	gcc -g -c -o u.o u.c
	try --budget b --baseline base u.o
	[ "$code" = 1 ]
	grep -q 'b:1:11: struct holey: no worse: broken' out
}

@test "a told figure breaks a rule, whatever is not told beside it" {
	echo 'struct s { int a, b, c, d; } s;' >u.c
	gcc -g -c -o u.o u.c
	try --record base u.o
	grep -q '^struct s size=16 .* hole_bits=0 ' base
	sed 's/ size=16 / size=12 /; s/ hole_bits=0 / hole_bits=? /' base >worse
	try --baseline worse --junit j.xml u.o
	[ "$code" = 1 ]
	grep -q 'struct s: no worse: broken; found .*size 12 -> 16' out
	grep -q 'hole_bits unknown' out
	grep -q '<failure type="broken"' j.xml
	# nothing that is told breaks it
	sed 's/ hole_bits=0 / hole_bits=? /' base >unknown
	try --baseline unknown --junit j.xml u.o
	[ "$code" = 1 ]
	grep -q 'struct s: no worse: cannot be decided; found hole_bits unknown' out
	grep -q '<failure type="undecided"' j.xml
	sed 's/ size=16 / size=20 /; s/ hole_bits=0 / hole_bits=? /' base >better
	try --baseline better u.o
	grep -q 'struct s: no worse: cannot be decided; found hole_bits unknown' out
	try --baseline better --exact u.o
	grep -q 'struct s: no change: broken; .*size 20 -> 16' out
}

@test "members that are told break a rule, wherever a virtual base may be" {
	cat >u.cc <<-'E'
	struct V { long v; };
	struct D : virtual V { char a[40]; long near, far[4]; D(); };
	D::D() {}
	E
	g++ -g -c -o u.o u.cc
	budget <<-'E'
	member D.a, D.far, "D.base struct V": same line
	member "D.base struct V", D.far: in one line
	member D.near, "D.base struct V": same line, in one line
	E
	try --budget b u.o
	[ "$code" = 1 ]
	grep -q '^b:1:.*same line: broken; found a in line 0, far in lines 0 to 1, base struct V in lines that are not told' out
	grep -q '^b:2:.*in one line: broken' out
	grep -q '^b:3:.*same line: cannot be decided; found near in line 0' out
	grep -q '^b:3:.*in one line: cannot be decided' out
}

@test "--record of chosen types; several layouts are numbered" {
	try --record base t.o 'struct h*' zone_type
	is "enum zone_type struct holey" "$(sed -n 's/ size=.*//p' base |
		tr '\n' ' ' | sed 's/ $//')"
	try --record base t.o 'nothing*'
	[ "$code" = 3 ]
	echo 'struct s { int a; } a;' >a.c
	echo 'struct s { long a, b; } b;' >b.c
	gcc -g -c a.c && gcc -g -c b.c && ld -r -o ab.o a.o b.o
	try --record base ab.o
	grep -q '^struct s size=4 ' base
	grep -q '^struct s #2 size=16 ' base
	try --baseline base ab.o
	[ "$code" = 0 ]
}

@test "no new holes, no growth, no change: against a baseline" {
	try --record base t.o
	echo 'struct *: no new holes, no growth, no change' | budget
	try --budget b --baseline base t.o
	[ "$code" = 0 ]
	sed 's/char c; long l;/int c; short s; long l;/' t.c >u.c
	gcc -g -c -o u.o u.c
	echo 'struct *: no new holes, no growth' | budget
	try --budget b --baseline base u.o
	[ "$code" = 0 ] # a smaller hole is no new one
	cat >u.c <<-'E'
	struct holey { char c; long l; char d; int e, f; } h;
	struct fresh { char c; long l; } n;
	E
	gcc -g -c -o u.o u.c
	try --budget b --baseline base u.o
	[ "$code" = 1 ]
	grep -q 'struct holey: no new holes: broken' out
	grep -q 'struct holey: no growth: broken; found size 24 -> 32' out
	grep -q 'struct fresh: no new holes: broken.*not in the baseline' out
	if grep -q 'struct fresh: no growth' out; then false; fi
	try --budget b t.o
	[ "$code" = 2 ]
	grep -q 'b:1:1:.*--baseline' err
}

@test "a baseline that is none, or merged badly: status 2" {
	echo hello >base
	try --baseline base t.o
	[ "$code" = 2 ]
	grep -q 'base:1:1:' err
	try --record base t.o
	grep 'struct page' base >twice
	sed -i "\$e cat twice" base
	try --baseline base t.o
	[ "$code" = 2 ]
	grep -q 'twice' err
	try --record base t.o
	sed -i 's/align=16/align=x/' base
	try --baseline base t.o
	[ "$code" = 2 ]
	grep -q "base:[0-9]*:20: 'align='" err
}

refused() { # PATTERN - 2, and nothing but that on standard error
	[ "$code" = 2 ] && [ ! -s out ] || { cat out err; false; }
	grep -q "$1" err || { cat err; false; }
}

@test "a baseline that is empty, cut at any byte, or of other lines is refused" {
	try --record base t.o
	n=$(stat -c %s base)
	# all but the last line feed is needed
	for k in 0 1 20 40 100 $((n - 8)) $((n - 7)) $((n - 6)) $((n - 2)); do
		head -c $k base >short
		try --baseline short t.o
		refused '^lacuna check: short:[0-9]*:[0-9]*: '
	done
	head -c $((n - 1)) base >short
	try --baseline short t.o
	[ "$code" = 0 ]
	head -n -1 base >short
	try --baseline short t.o
	refused "'# end', is missing.*--record"
	sed -n '1p;$p' base >none
	try --baseline none t.o
	refused 'none: .*nothing would be checked'
	(cat base; grep 'struct page' base) >longer
	try --baseline longer t.o
	refused "longer:$(wc -l <longer):1: something follows '# end'"
	# as the first ones were
	sed '1s/.*/# lacuna baseline 1/;$d' base >old
	try --baseline old t.o
	refused 'old:1:1: .*--record'
	for h in '# lacuna baseline 10' '# lacuna baseline 2' \
		'# lacuna baseline 2, lines of 0 bytes' \
		'# lacuna baseline 2, lines of 48 bytes' \
		'# lacuna baseline 2, lines of 64 bytes and more'; do
		sed "1s/.*/$h/" base >other
		try --baseline other t.o
		refused 'other:1:1: '
	done
	sed 's/$/\r/' base >dos
	try --baseline dos t.o
	[ "$code" = 0 ]
}

@test "a baseline is compared at the line size that it was recorded with" {
	try --record base --line-size 32 t.o
	is '# lacuna baseline 2, lines of 32 bytes' "$(head -1 base)"
	try --baseline base t.o
	refused 'base:1:1: .*lines of 32 bytes.*of 64; give --line-size 32'
	try --baseline base --line-size 32 t.o
	[ "$code" = 0 ]
	grep -q ' 0 failed' out
	echo 'struct page: no worse' | budget
	try --budget b --baseline base t.o
	refused 'give --line-size 32'
}

@test "what was recorded and is not told any more cannot be decided" {
	try --record base t.o
	sed -i 's/align=16/align=?/' base
	try --baseline base t.o
	[ "$code" = 0 ]
	grep -q 'struct page: no worse: holds, .*align unknown -> 16' out
	command -v pahole >/dev/null || skip "no pahole"
	try --record base t.o page
	pahole -J t.o
	objcopy --dump-section .BTF=t.btf t.o
	try --baseline base t.btf
	[ "$code" = 1 ]
	grep -q 'struct page: no worse: cannot be decided; found align 16 -> unknown' out
	try --record base t.btf page
	grep -q ' align=? ' base
	try --baseline base t.btf
	[ "$code" = 0 ]
}

@test "a zero byte is a fault wherever it is, a byte order mark is none" {
	printf 'struct page: size <= 64\0000\n' | budget
	try --budget b t.o
	refused '^lacuna check: b:1:24: a zero byte'
	printf '# x\n\nstruct pa\0ge: size <= 64\n' | budget
	try --budget b t.o
	refused 'b:3:10: a zero byte'
	try --record base t.o
	sed 's/members=6/members=6\x00/' base >nul
	try --baseline nul t.o
	refused 'nul:[0-9]*:[0-9]*: a zero byte'
	printf '\xef\xbb\xbfstruct page: size <= 64\n' | budget
	try --budget b t.o
	[ "$code" = 0 ]
	(printf '\xef\xbb\xbf'; cat base) >mark
	try --baseline mark t.o
	[ "$code" = 0 ]
	try --budget - t.o <b
	[ "$code" = 0 ]
	# one only, and before the first character only
	printf 'struct page: \xef\xbb\xbfsize <= 64\n' | budget
	try --budget b t.o
	refused 'b:1:14: unknown condition'
}

@test "what a message quotes is short, and visible" {
	long=$(printf '%05000d' 0)
	echo "struct $long size <= 64" | budget
	try --budget b t.o
	refused "expected ':' after 'struct 0*\.\.\.'"
	[ "$(wc -c <err)" -lt 300 ]
	for rule in 'struct P<int, char>: size <= 64' \
		'member P<int, char>.x, P<int, char>.y: same line'; do
		echo "$rule" | budget
		try --budget b t.o
		refused "'[^']*P<int,*'; a name with blanks or commas stands in double quotes"
	done
	echo "struct page: size <= 64, align == x$long" | budget
	try --budget b t.o
	refused "not 'x0*\.\.\.'"
	printf 'struct page: size <= \033[2J\n' | budget
	try --budget b t.o
	refused "not '\\\\x1b\[2J'"
	echo "struct x$long: size <= 64" | budget
	try --budget b t.o
	[ "$code" = 1 ]
	[ "$(wc -c <out)" -lt 2500 ]
	try --budget b -o json t.o
	is "struct x$long" "$(jq -r '.findings[0].rule' out)"
}

@test "--annotations github and gitlab, and nothing but them" {
	printf 'struct page: size <= 56\nstruct gone: size == 1\n' | budget
	try --budget b --annotations github t.o
	[ "$code" = 1 ]
	is '::error file=t.c,line=1,title=lacuna::struct page: wanted size <= 56, found 64 (b:1)
::error file=b,line=2,title=lacuna::struct gone: wanted size == 1, found no such type (b:2)' \
		"$(cat out)"
	try --budget b --annotations gitlab t.o
	is "2 t.c 1 major b 2" "$(jq -r '[length, .[0].location.path,
		.[0].location.lines.begin, .[0].severity, .[1].location.path,
		.[1].location.lines.begin] | join(" ")' out)"
	is 2 "$(jq -r '.[].fingerprint' out | sort -u | wc -l)"
	try --budget b --annotations svn t.o
	[ "$code" = 2 ]
	echo 'struct page: size <= 64' | budget
	try --budget b --annotations gitlab t.o
	is '[]' "$(jq -c . out)"
	try --budget b --annotations github t.o
	[ "$code" = 0 ] && [ ! -s out ]
}

@test "--strip and --prefix: files as the repository has them" {
	mkdir -p sub
	cp t.c sub/old.c
	(cd sub && gcc -g -c old.c)
	echo 'struct page: size <= 56' | budget
	place() { try --budget b --annotations github "$@"; sed 's/.*file=\([^,]*\),.*/\1/' out; }
	is old.c "$(place sub/old.o)"
	is sub/old.c "$(place --prefix sub sub/old.o)"
	is sub/old.c "$(place --prefix sub/ sub/old.o)"
	(cd /usr && gcc -g -c -o "$T/sub/abs.o" "$T/sub/old.c")
	is old.c "$(place --strip "$T/sub" sub/abs.o)"
	is x/sub/old.c "$(place --strip "$T/" --prefix x sub/abs.o)"
	is sub/old.c "$(place --strip "${T%?}" sub/abs.o)" # relative to here
	try --budget b --prefix sub sub/old.o
	grep -q '(declared at sub/old.c:1)' out
}

@test "-o csv: a row for each finding, the same columns for none" {
	printf 'struct page: size <= 56, align == 8\nstruct no: size == 1\n' | budget
	try --budget b -o csv t.o
	[ "$code" = 1 ]
	is "status,file,line,column,rule,wanted,found,decl_file,decl_line
broken,b,1,14,struct page,size <= 56,64,t.c,1
broken,b,1,26,struct page,align == 8,16,t.c,1
no-match,b,2,12,struct no,size == 1,no such type,," "$(tr -d '\r' <out)"
	echo 'struct page: size <= 64' | budget
	try --budget b -o csv t.o
	[ "$code" = 0 ]
	is "status,file,line,column,rule,wanted,found,decl_file,decl_line" \
		"$(tr -d '\r' <out)"
}

@test "unnamed structs and unions are transparent, named ones are not" {
	cat >m.c <<-'E'
	struct in { char c; long l; int a[3]; };
	struct mm { struct { char a; long x; char b; long y; }; long bm[]; } m;
	struct un { union { struct { char a; long x; }; long z[2]; }; } u;
	struct named { struct in i[2]; struct { char a; short s; } n; } n;
	struct over { struct { char c[60]; struct { int x, y; } i; }; } o;
	struct array { struct { char c[60]; int i[2]; }; } a;
	E
	gcc -g -c m.c
	budget <<-'E'
	struct mm: holes == 2, hole_bytes == 14, members == 5, padding == 0
	struct mm: nested_hole_bytes == 0, straddlers == 0
	struct un: holes == 0, members == 3, nested_hole_bytes == 0
	struct named: holes == 0, nested_hole_bytes == 15, members == 2
	struct over: straddlers == 1, holes == 0, hole_bytes == 0
	struct array: straddlers == 0
	E
	try --budget b m.o
	cat out
	[ "$code" = 0 ]
	echo 'struct mm: no new holes' | budget
	try --record base t.o
	try --budget b --baseline base m.o
	[ "$code" = 1 ]
	# and a baseline of it is a ratchet on what is inside
	try --record base m.o
	sed -i 's/char a; long x; char b;/char a; char b; long x;/' m.c
	gcc -g -c m.c
	try --baseline base m.o
	[ "$code" = 0 ]
	grep -q 'struct mm.*holes 2 -> 1' out
	try --record base m.o
	sed -i 's/char a; char b; long x;/char a; long x; char b;/' m.c
	gcc -g -c m.c
	try --baseline base m.o
	[ "$code" = 1 ]
}

@test "paths of members as C names them" {
	cat >m.c <<-'E'
	struct in { char c; long l; int a[3]; };
	struct out { int first; struct in i; struct in arr[2][2];
		struct { struct in deep; } n; union { struct in u; long z; };
		struct in *p; struct no *q; };
	struct out o;
	#define IS(path) _Static_assert(__builtin_offsetof(struct out, path) == OFF, "")
	E
	for path in i i.l i.a[2] arr[1][1].l arr[1] n.deep.a u.l n.deep; do
		off=$(printf '%s\nunsigned long v = __builtin_offsetof(struct out, %s);\n' \
			"$(cat m.c)" "$path" | gcc -x c -S -o - - |
			sed -n '/^v:/,/zero\|quad/s/.*\.quad[[:blank:]]*//p')
		echo "member out.$path: offset == ${off:-0}"
	done | budget
	grep -q 'deep: offset == [1-9]' b
	gcc -g -c m.c
	try --budget b m.o
	cat out
	[ "$code" = 0 ]
	budget <<-'E'
	member out.i.l, out.i.a: same line, size >= 8
	member out.arr[].l, out.arr.l: offset == 48
	member out.i.a[1]: size == 4
	E
	try --budget b m.o
	cat out
	[ "$code" = 0 ]
	for bad in "i.x|no member 'x' in struct out.i" "i.a[3]|only 3 elements" \
		"i.l.x|which is no struct" "p.c|which is a pointer" \
		"i[1]|which is no array" "i.a[x]|no number"; do
		echo "member out.${bad%%|*}: size == 1" | budget
		try --budget b m.o
		[ "$code" = 1 ]
		grep -q "found .*${bad#*|}" out || { cat out; false; }
		echo "optional member out.${bad%%|*}: size == 1" | budget
		try --budget b m.o
		[ "$code" = 0 ]
	done
}

@test "--junit: well-formed, counts, whole or not at all" {
	printf 'struct page: size <= 56, align == 16\n' | budget
	try --budget b --junit r.xml t.o
	[ "$code" = 1 ]
	if command -v xmllint >/dev/null; then
		xmllint --noout r.xml
	fi
	grep -q '<testsuite name="lacuna check" tests="2" failures="1"' r.xml
	is 2 "$(grep -c '<testcase ' r.xml)"
	grep -q '<failure type="broken" message="struct page: wanted size &lt;= 56, found 64">' r.xml
	"$LACUNA" check --budget b --junit - t.o >o.xml || [ $? = 1 ]
	cmp r.xml o.xml
	[ ! -e - ]
	try --budget b --junit - --annotations github t.o
	[ "$code" = 2 ]
	# the findings have a place of their own, or none
	"$LACUNA" check --budget b --junit - -O found t.o >o.xml || [ $? = 1 ]
	cmp r.xml o.xml
	grep -q '2 checked, 1 failed' found
	try --budget b --junit - -O - t.o
	[ "$code" = 2 ] && [ ! -s out ]
	grep -q -e '--junit - and -O - are both for standard output' err
	try --record r t.o
	"$LACUNA" check --record - t.o >o
	cmp r o
	try --budget b --junit nowhere/r.xml t.o
	[ "$code" = 3 ]
	[ ! -s out ]
}

@test "--junit: a rule has one name, holding or broken or without a match" {
	budget <<-'E'
	struct page: size <= 64, align == 16
	member page.freelist, page.counters: same line, offset >= 32
	struct h*: holes <= 1
	E
	names() { sed -n 's/.*<testcase \(classname="[^"]*" name="[^"]*"\).*/\1/p' "$1"; }
	try --budget b --junit 1.xml t.o
	[ "$code" = 0 ]
	sed 's/int a;/int a[9];/; s/aligned(16)/aligned(8)/; s/void \*freelist; unsigned long counters;/char c[16]; void *freelist; unsigned long counters;/; s/char d; }/char d; long x; }/' t.c >u.c
	gcc -g -c -o u.o u.c
	try --budget b --junit 2.xml u.o
	[ "$code" = 1 ]
	names 1.xml >n1
	names 2.xml >n2
	is 6 "$(wc -l <n1)"
	cmp n1 n2
	# none of them is there
	echo 'int i; struct holey { char c; long l; char d; } h;' >v.c
	gcc -g -c -o v.o v.c
	try --budget b --junit 3.xml v.o
	[ "$code" = 1 ]
	names 3.xml >n3
	cmp n1 n3
	is 6 "$(sort -u n1 | wc -l)"
}

@test "usage: something to check, and no types without --record" {
	try t.o
	[ "$code" = 2 ]
	echo 'struct page: size <= 64' | budget
	try --budget b t.o page
	[ "$code" = 2 ]
	try --record base --junit x t.o
	[ "$code" = 2 ]
	try --budget b none.o
	[ "$code" = 3 ]
	grep -q none.o err
}

@test "the example for a user-space project" {
	cat >e.c <<-'E'
	struct ev_node { void *head, *tail; int fd, events; } n;
	struct ev_ring { long produced;
		long consumed __attribute__((aligned(64)));
	} r;
	E
	gcc -g -c -o e.o e.c
	try --record base e.o 'struct ev_*'
	try --budget "$BUDGETS/library.budget" --baseline base e.o
	cat out err
	[ "$code" = 0 ] # the hole between the counters was there before
	sed -i 's/ __attribute__((aligned(64)))//' e.c
	gcc -g -c -o e.o e.c
	try --budget "$BUDGETS/library.budget" --baseline base e.o
	[ "$code" = 1 ]
	grep -q 'ev_ring.produced, ev_ring.consumed.*different lines: broken' out
	grep -q 'struct ev_ring: align >= 64: broken; found 8' out
}

@test "the example for a kernel tree" {
	k=${LACUNA_VMLINUX:-}
	[ -f "$k" ] || skip "no kernel: set LACUNA_VMLINUX"
	try --budget "$BUDGETS/kernel.budget" "$k"
	cat out err
	[ "$code" = 0 ] || [ "$code" = 1 ]
	! grep -q 'struct page' out
}

@test "every word of the grammar is in the manual page, and the other way" {
	page=$BATS_TEST_DIRNAME/../../tools/man/lacuna-check.1.scd
	for subject in "struct page" "member page.flags"; do
		echo "$subject: nonsense" | budget
		try --budget b t.o
		[ "$code" = 2 ]
		sed -n '/unknown/{s/.*unknown condition; //; s/, /\n/g; p}' err
	done | sort -u >words
	[ "$(wc -l <words)" = 17 ]
	while read -r w; do
		grep -q "^\*$w\*\|, \*$w\*\|^\*$w\* _OPERATOR_" "$page" ||
			{ echo "not in the page: $w"; false; }
	done <words
	# what the page has as a term of its own is one of them
	sed -n '/^## Conditions/,/^## What/s/^\*\([a-z_ ]*\)\*.*/\1/p' "$page" |
		sort >terms
	comm -13 words terms | tee more
	[ ! -s more ]
	echo 'struct page: size =! 3' | budget
	try --budget b t.o
	grep -q 'one of == != < <= > >=' err
}

@test "the first line counts the kinds of failure; what is gone stands apart" {
	cat >t.c <<-'E'
	struct g1 { int a; } g1; struct g2 { int a; } g2; struct h { long a; long b; } h;
	struct x { char pad[60]; int i; } x; struct gone1 { int a; } n1;
	struct gone2 { int a; } n2; struct same { int a; } s;
	E
	gcc -g -c -o t.o t.c
	try --record base t.o
	cat >u.c <<-'E'
	struct g1 { long a; } g1; struct g2 { int a; long b; } g2;
	struct h { int a; long b; } h; struct same { int a; } s;
	struct x { char pad[62]; short i; } x;
	E
	gcc -g -c -o u.o u.c
	try --baseline base u.o
	[ "$code" = 1 ]
	is 'u.o: 7 checked, 5 failed: 2 grew, 1 with more holes, 2 gone.' \
		"$(head -1 out)"
	# those that are gone come behind their own line
	awk '/^Gone/ { gone = 1 } /gone[12]: no worse/ && !gone { exit 1 }
		/ (g1|g2|h): no worse/ && gone { exit 1 }' out
	is 2 "$(sed -n '/^Gone/,$p' out | grep -c 'gone[12]: no worse')"
	try --baseline base -o json u.o
	is '{"grew":2,"more-holes":1,"other":0,"gone":2}' \
		"$(jq -c .failed_kinds out)"
	is "gone gone grew grew more-holes" "$(jq -r '[.findings[].kind] |
		sort | join(" ")' out)"
}

@test "found holes that show would count otherwise say how it does" {
	cat >u.c <<-'E'
	struct s { char a; int b; struct { char c; long d; }; } s;
	struct t { char a; int b; } t;
	E
	gcc -g -c -o u.o u.c
	budget <<-'E'
	struct s: holes <= 0, hole_bytes <= 9
	struct t: holes <= 0
	E
	try --budget b u.o
	[ "$code" = 1 ]
	grep -q '^b:1:11: .*; found 2 with unnamed structs and unions opened, 1 without, as `show` counts (declared' out
	grep -q '^b:1:23: .*; found 10 with .* opened, 3 without' out
	grep -q '^b:2:11: .*; found 1 (declared' out
	"$LACUNA" show u.o s | grep -q 'holes: 1, sum holes: 3 bytes'
}

@test "cachelines is another word for lines" {
	budget <<-'E'
	struct page: cachelines <= 1
	struct page: lines <= 1
	E
	try --budget b t.o
	is "$(sed -n 's/^b:1:14.*\(broken\|holds\)/\1/p' out)" \
		"$(sed -n 's/^b:2:14.*\(broken\|holds\)/\1/p' out)"
	budget <<<'struct page: cachelines < 1'
	try --budget b t.o
	[ "$code" = 1 ]
	grep -q '^b:1:14: struct page: cachelines < 1: broken; found 1 ' out
}
