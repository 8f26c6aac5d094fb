#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# show: the C form, the JSON, and C that compiles.

bats_require_minimum_version 1.5.0

setup_file() {
	export CASES="$BATS_TEST_DIRNAME/../../fixtures/cases"
	for case in "$CASES"/{01,03,05,07,09,10,11,14,16,18,19,21,25}_*.c; do
		gcc -w -g -c -o "$BATS_FILE_TMPDIR/$(basename "$case" | cut -c1-2).o" "$case"
	done
	cat >"$BATS_FILE_TMPDIR/lines.c" <<-'END'
		struct elem { char c[24]; };
		struct lines {
			char first[60];
			struct elem pair __attribute__((packed));
			struct elem many[8];
			char buffer[100];
			long last;
		};
		struct lines g;
	END
	gcc -w -g -c -o "$BATS_FILE_TMPDIR/lines.o" "$BATS_FILE_TMPDIR/lines.c"
}

show() {
	local o=$1
	shift
	run "$LACUNA" show "$BATS_FILE_TMPDIR/$o.o" "$@"
}

@test "the form that old threads are written in" {
	show 25 page_a
	[ "$status" -eq 0 ]
	[[ "$output" == *"struct page_a {"* ]]
	echo "$output" | grep -E '^	long unsigned int +flags; +/\* +0 +8 \*/$'
	echo "$output" | grep -E '^		void \* +freelist; +/\* +16 +8 \*/$'
	[[ "$output" == *"/* size: 64, cachelines: 1, members: 6 */"* ]]
	[[ "$output" == *"/* padding: 8 bytes */"* ]]
	[[ "$output" == *"/* alignment: 16 (declared) */"* ]]
	[[ "$output" == *"} __attribute__((__aligned__(16)));"* ]]
}

@test "holes, cache-line borders, attributes where they belong" {
	show 10 ca
	[[ "$output" == *"/* XXX 60 bytes hole, try to pack */"* ]]
	[[ "$output" == *"/* --- cacheline 1 boundary (64 bytes) --- */"* ]]
	[[ "$output" == *"cold[10] __attribute__((__aligned__(64)));"* ]]
	show 10 cb
	[[ "$output" == *"} __attribute__((__aligned__(64))) in;"* ]]
	show 10 cc
	[[ "$output" == *"} in __attribute__((__aligned__(64)));"* ]]
}

@test "bit-fields by unit, bit and size; unnamed ones are said to be guesses" {
	show 01 dbo
	echo "$output" | grep -E 'a:1; +/\* +24:32 +8 \*/'
	show 03 unn
	[[ "$output" == *"unsigned short :10;"*"/* unnamed, inferred */"* ]]
	show 05 zw
	[[ "$output" == *"unsigned int :0;"* ]]
}

@test "who crosses a line" {
	show lines lines
	[[ "$output" == *"crosses a line: pair, byte 60 to 83"* ]]
	[[ "$output" == *"crosses a line: 3 elements of many, the first is [1]"* ]]
	# char buffer[100] lies across borders, but none of its elements does
	[[ "$output" != *"crosses a line: buffer"* ]]
	show lines lines --line-size 128
	[[ "$output" != *"crosses a line: pair"* ]]
	[[ "$output" == *"cachelines: 3,"* ]]
}

@test "--line-size has to be a power of two" {
	for bad in 48 -64 131072 4 x; do
		show lines lines --line-size "$bad"
		[ "$status" -eq 2 ]
	done
}

@test "--expand opens what has a name, --hex counts in sixteens" {
	show 21 ar --expand
	[[ "$output" == *"struct el {"*"} e[3];"* ]]
	show 25 page_a --hex
	echo "$output" | grep -E '/\* +0x10 +0x8 \*/'
}

@test "by tag, by typedef, with struct in front" {
	for name in xy xyt2 xyt xys "struct xys"; do
		show 14 "$name"
		[ "$status" -eq 0 ]
	done
	show 14 xy
	[[ "$output" == *"typedef struct {"*"} xy;"* ]]
}

@test "a type that is not there: status 3, near names, nothing on stdout" {
	run --separate-stderr "$LACUNA" show "$BATS_FILE_TMPDIR/25.o" page_b
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	[[ "$stderr" == *"page_a"* ]]
	[[ "$stderr" == *"25.o"* ]]
}

@test "what nothing can be read from: status 3, one line, no output" {
	: >"$BATS_TEST_TMPDIR/empty"
	echo text >"$BATS_TEST_TMPDIR/text"
	echo 'int x;' | gcc -x c -c -o "$BATS_TEST_TMPDIR/nodebug.o" -
	head -c 300 "$BATS_FILE_TMPDIR/25.o" >"$BATS_TEST_TMPDIR/cut.o"
	for f in missing empty text nodebug.o cut.o .; do
		run --separate-stderr "$LACUNA" show "$BATS_TEST_TMPDIR/$f" page
		[ "$status" -eq 3 ]
		[ -z "$output" ]
		[ "$(echo "$stderr" | wc -l)" -eq 1 ]
	done
}

@test "no FILE is a mistake in the usage" {
	run "$LACUNA" show
	[ "$status" -eq 2 ]
}

@test "JSON: the keys of the contract" {
	show 25 page_a -o json
	[ "$status" -eq 0 ]
	for text in '"schema": "lacuna/1"' '"command": "show"' '"kind": "struct"' \
		'"size": 64' '"align": 16' '"align_source": "declared"' \
		'"packed": "no"' '"name": "flags"' '"bit_offset": 128' \
		'"bit_size": 64' '"certainty": "known"' '"holes": []' \
		'"padding_bits": 64' '"lines": 1' '"straddlers": []' \
		'"units": ['; do
		[[ "$output" == *"$text"* ]]
	done
	echo "$output" | grep -E '"decl": ".*25_struct_page_like.c:[0-9]+"'
}

@test "more than 4 GiB, and nothing takes long" {
	show 18 h5g
	[[ "$output" == *"/* size: 5368709136, cachelines: 83886081, members: 3 */"* ]]
	show 18 h64k
	[[ "$output" == *"XXX 131071 bytes hole"* ]]
}

@test "an empty struct has no lines" {
	show 19 e0
	[[ "$output" == *"/* size: 0, cachelines: 0, members: 0 */"* ]]
}

@test "a flexible array in the padding is said" {
	show 07 fip
	[[ "$output" == *"map starts inside the padding: sizeof + n is 4 bytes too much"* ]]
}

# facts OBJECT TYPE - the layout without what --compile may not keep
facts() {
	"$LACUNA" show -o json "$@" |
		grep -vE '"(decl|align_source|declared_align|type|units|name)"|\.c"' |
		grep -E '"(size|bit_offset|bit_size|packed|lines|holes|padding_bits|hole_bits|member_bits)"'
}

@test "--compile: compiled and read back, every case is the same" {
	for o in 01 03 05 07 09 10 11 14 16 19 21 25 lines; do
		file="$BATS_FILE_TMPDIR/$o.o"
		"$LACUNA" show --compile "$file" >"$BATS_TEST_TMPDIR/out.c"
		for cc in gcc clang; do
			$cc -w -g -fno-eliminate-unused-debug-types -c \
				-o "$BATS_TEST_TMPDIR/out.o" "$BATS_TEST_TMPDIR/out.c"
		done
		gcc -w -g -fno-eliminate-unused-debug-types -c \
			-o "$BATS_TEST_TMPDIR/out.o" "$BATS_TEST_TMPDIR/out.c"
		types=$("$LACUNA" list -o json "$file" |
			sed -n 's/^ *"name": "\(.*\)",$/\1/p')
		[ -n "$types" ]
		for type in $types; do
			[ -n "$(facts "$file" "$type")" ]
			diff <(facts "$file" "$type") \
				<(facts "$BATS_TEST_TMPDIR/out.o" "$type")
		done
	done
}

@test "--compile names two meanings of one tag apart" {
	t=$BATS_TEST_TMPDIR
	gcc -w -g -c -o "$t/a.o" "$CASES"/22_*.c
	gcc -w -g -c -o "$t/b.o" "$CASES"/23_*.c
	ld -r -o "$t/both.o" "$t/a.o" "$t/b.o"
	"$LACUNA" show --compile "$t/both.o" workspace workspace_u >"$t/out.c"
	grep -q 'struct workspace {' "$t/out.c"
	grep -q 'struct workspace__2 {' "$t/out.c"
	gcc -w -c -o "$t/out.o" "$t/out.c"
}

@test "--compile of C++ is refused" {
	g++ -std=c++20 -w -g -c -o "$BATS_TEST_TMPDIR/36.o" "$CASES"/36_*.cpp
	run "$LACUNA" show --compile "$BATS_TEST_TMPDIR/36.o" n1::Box
	[ "$status" -eq 3 ]
}

@test "CSV has a row for each member, and text does not repeat them" {
	show 25 page_a -o csv
	[ "$status" -eq 0 ]
	head='record,kind,name,type,bit_offset,bit_size,first_line,last_line,certainty'
	[ "$(head -n 1 <<<"$output" | tr -d '\r')" = "$head" ]
	[ "$(echo "$output" | grep -c '^struct page_a,member,flags,')" -eq 1 ]
	show 25 page_a
	[[ "$output" != *"certainty"* ]]
}

@test "CSV: one table for one record and for many, with holes and padding" {
	d=$BATS_TEST_TMPDIR
	cat >"$d/c.c" <<-'END'
	struct a { char c; long l; char d; } a;
	struct b { char pad[60]; struct { short s; long l; }; } b;
	END
	gcc -g -c -o "$d/c.o" "$d/c.c"
	"$LACUNA" show -o csv "$d/c.o" | tr -d '\r' >"$d/all"
	cat >"$d/want" <<-'END'
	record,kind,name,type,bit_offset,bit_size,first_line,last_line,certainty
	struct a,member,c,char,0,8,0,0,known
	struct a,hole,,,8,56,0,0,known
	struct a,member,l,long int,64,64,0,0,known
	struct a,member,d,char,128,8,0,0,known
	struct a,padding,,,136,56,0,0,known
	struct b,member,pad,char [60],0,480,0,0,known
	struct b,hole,,,480,32,0,0,known
	struct b,member,s,short int,512,16,1,1,known
	struct b,hole,,,528,48,1,1,known
	struct b,member,l,long int,576,64,1,1,known
	END
	diff "$d/want" "$d/all"
	"$LACUNA" show -o csv "$d/c.o" a | tr -d '\r' >"$d/one"
	diff <(sed '/^struct b/d' "$d/all") "$d/one"
}

@test "the member inside an unnamed struct crosses the line, not the struct" {
	d=$BATS_TEST_TMPDIR
	echo 'struct o { struct { char c[60]; long deep[1]; struct {
		char e[50]; struct { int a[4]; } lock; }; }; } o;' >"$d/o.c"
	gcc -g -c -o "$d/o.o" "$d/o.c"
	run "$LACUNA" show "$d/o.o" o
	[[ "$output" == *"crosses a line: lock, byte "* ]]
	[[ "$output" != *"(unnamed)"* ]]
	run "$LACUNA" show -o json "$d/o.o" o
	[ "$(jq -r '[.records[0].straddlers[].name] | join(" ")' <<<"$output")" = lock ]
}

@test "patterns, and what is no record" {
	d=$BATS_TEST_TMPDIR
	cat >"$d/p.c" <<-'END'
	struct kmem_a { int i; } a; struct kmem_b { int i; } b;
	typedef unsigned long long u64_t; typedef u64_t again; again x;
	enum zone { DMA, NORMAL } z; struct has { struct opaque *o; } h;
	END
	gcc -g -c -o "$d/p.o" "$d/p.c"
	run "$LACUNA" show "$d/p.o" 'kmem_*' -o json
	[ "$(jq -r '[.records[].name] | join(" ")' <<<"$output")" = "kmem_a kmem_b" ]
	run "$LACUNA" show "$d/p.o" 'none_*'
	[ "$status" -eq 3 ]
	[[ "$output" == *"no record matches 'none_*'"* ]]
	for c in show list; do
		run "$LACUNA" $c "$d/p.o" again
		[ "$status" -eq 3 ]
		[[ "$output" == *"a typedef of u64_t (long long unsigned int)"* ]]
		[ $c = list ] || set -- --compile
		run "$LACUNA" $c "$@" "$d/p.o" 'enum zone'
		[ "$status" -eq 3 ]
		[[ "$output" == *"an enumeration of 2 values in 4 bytes"* ]]
		set --
		run "$LACUNA" $c "$d/p.o" 'struct opaque'
		[ "$status" -eq 3 ]
		[[ "$output" == *"only declared"* ]]
		run "$LACUNA" $c "$d/p.o" int
		[[ "$output" == *"a base type"* ]]
	done
}

@test "pointers to members of a class, as C++ writes them" {
	o="$BATS_TEST_TMPDIR/pm.o"
	cat >"$BATS_TEST_TMPDIR/pm.cc" <<-'END'
		class Cl { public: int x; void f(int); int g() const; };
		struct H {
			void (Cl::*pf)(int);
			int (Cl::*pg)() const;
			int Cl::*pd;
			void (Cl::*arr[3])(int, ...);
			void (*plain)(Cl *);
		} h;
	END
	for cc in g++ clang++; do
		$cc -g -c -o "$o" "$BATS_TEST_TMPDIR/pm.cc"
		run "$LACUNA" show "$o" H
		[ "$status" -eq 0 ]
		plain=$(echo "$output" | sed 's/  */ /g')
		for text in "void (Cl::*pf)(int);" "int (Cl::*pg)() const;" \
			"int Cl::* pd;" "void (Cl::*arr[3])(int, ...);" \
			"void (*plain)(class Cl *);"; do
			[[ "$plain" == *"$text"* ]] || { echo "$output"; return 1; }
		done
	done
}

@test "clang's DWARF 5: the primary source is file 0" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p sub
	echo 'struct in_header { int a; };' >sub/h.h
	printf '#include "sub/h.h"\nstruct s { struct in_header a; } v;\n' >zero.c
	for compiler in "clang -gdwarf-5" "clang -gdwarf-4" "gcc -gdwarf-5" \
		"gcc -gdwarf-4"; do
		$compiler -g -c -o zero.o zero.c
		run "$LACUNA" list -o csv zero.o
		[[ "$output" == *$'\n'"s,"*",zero.c:2"* ]]
		[[ "$output" == *$'\n'"in_header,"*"sub/h.h:1"* ]]
	done
}

@test "a record that cannot be is an error that names what is wrong" {
	cd "$BATS_TEST_TMPDIR"
	for wrong in "past:i:200:member past lies behind its end" \
		"self:s:0:it contains itself"; do
		IFS=: read -r name type at message <<<"$wrong"
		cat >bad.s <<-END
			.section .debug_abbrev,"",@progbits
			.uleb128 1,0x11
			.byte 1
			.uleb128 0,0
			.uleb128 2,0x13
			.byte 1
			.uleb128 3,8, 0xb,0xb, 0,0
			.uleb128 3,0xd
			.byte 0
			.uleb128 3,8, 0x49,0x13, 0x38,0xb, 0,0
			.uleb128 5,0x13
			.byte 1
			.uleb128 0xb,0xb, 0,0
			.uleb128 4,0x24
			.byte 0
			.uleb128 3,8, 0xb,0xb, 0x3e,0xb, 0,0
			.byte 0
			.section .debug_info,"",@progbits
			.long 2f-1f
			1: .value 4
			.long .debug_abbrev
			.byte 8
			.uleb128 1
			i: .uleb128 4
			.asciz "int"
			.byte 4, 5
			s: .uleb128 2
			.asciz "bad"
			.byte 16
			.uleb128 3
			.asciz "$name"
			.long $type-1b+4
			.byte $at
			.byte 0
			g: .uleb128 2
			.asciz "good"
			.byte 4
			.uleb128 3
			.asciz "i"
			.long i-1b+4
			.byte 0
			.byte 0
			.uleb128 2
			.asciz "holder" # of a nameless one that cannot be
			.byte 16
			.uleb128 3
			.asciz "in"
			.long n-1b+4
			.byte 0
			.byte 0
			n: .uleb128 5
			.byte 16
			.uleb128 3
			.asciz "n"
			.long i-1b+4
			.byte 99
			.byte 0
			.byte 0
			2:
		END
		as -o bad.o bad.s
		for command in show list; do
			run --separate-stderr "$LACUNA" $command bad.o
			[ "$status" -eq 3 ]
			[ -z "$output" ]
			[[ "$stderr" == *"bad.o: bad cannot be laid out: $message"* ]]
		done
		# the rest of the file is there, and what is not is said
		run "$LACUNA" list --partial -o csv bad.o
		[ "$status" -eq 0 ]
		[[ "$output" == *$'\n'"good,"* && "$output" != *$'\n'"bad,"* ]]
		[[ "$output" != *$'\n'"holder,"* ]]
		for command in show list; do
			run "$LACUNA" $command --partial bad.o
			[ "$status" -eq 0 ]
			[[ "$output" == *"Incomplete: "*"bad (malformed: $message"* ]]
			[[ "$output" == *"good"* ]]
		done
		"$LACUNA" show bad.o good
		run "$LACUNA" show --partial bad.o bad
		[ "$status" -eq 3 ]
		for files in "bad.o bad.o" "bad.o bad.o --partial"; do
			run --separate-stderr "$LACUNA" diff $files
			case $files in
			*partial) [ "$status" -eq 0 ]
				[[ "$output" == *"bad (malformed"* ]] ;;
			*) [ "$status" -eq 3 ]
				[[ "$stderr" == *"bad cannot be laid out"* ]] ;;
			esac
		done
		sed -i 's/\.long [is]-1b+4/.long i-1b+4/; s/\.long n-1b+4$/.long g-1b+4/; s/\.byte 200/.byte 12/; s/\.byte 99/.byte 12/' bad.s
		as -o bad.o bad.s
		"$LACUNA" show bad.o bad
	done
}

@test "Rust: what rustc tells of every type, nobody declared; a tag is no hole" {
	command -v rustc >/dev/null || skip "no rustc"
	d=$BATS_TEST_TMPDIR
	cat >"$d/r.rs" <<-'END'
	#![crate_type="lib"]
	pub enum Shape { Circle(f64), Small(u8), Nothing }
	pub struct Plain { a: u8, b: u64 }
	#[repr(align(64))] pub struct Wide { a: u8 }
	#[no_mangle] pub fn f(s: &Shape, p: &Plain, w: &Wide, o: Option<&u8>) -> u8 {
		match s { Shape::Nothing => p.a + (p.b as u8) + w.a + *o.unwrap(), _ => 1 } }
	END
	rustc -g --emit=obj -o "$d/r.o" "$d/r.rs"
	run "$LACUNA" show "$d/r.o" Shape Plain Wide
	[ "$status" -eq 0 ]
	[[ "$output" != *__attribute__* && "$output" != *"forced alignments"* ]]
	[[ "$output" != *declared* && "$output" != *unnamed* ]]
	[[ "$output" == *"alignment: 64 (told)"* && "$output" == *"<tag>"* ]]
	"$LACUNA" show -o json "$d/r.o" Shape Wide >"$d/j"
	# the byte of the tag is neither a hole nor padding of a variant
	[ "$(jq -r '.records[0].members[] | select(.record) | .record |
		[.name, .hole_bits, .padding_bits, .member_bits] | join(" ")' "$d/j" |
		sed 's/.*:://' | sort | paste -sd,)" = \
		"Circle 56 0 72,Nothing 0 120 8,Small 0 112 16" ]
	[ "$(jq -r '.records[1] | [.align, .align_source] | join(" ")' "$d/j")" = \
		"64 told" ]
	[ "$("$LACUNA" list -o csv "$d/r.o" '*Option<&u8>::None' |
		cut -d, -f 7-9 | tail -n 1)" = "0,0,0" ]
}

@test "link-time optimization: no debug info yet, and why" {
	d=$BATS_TEST_TMPDIR
	echo 'struct s { char c; long l; } s; int main(void) { return (int)s.l; }' >"$d/l.c"
	gcc -g -flto -c -o "$d/l.o" "$d/l.c"
	run "$LACUNA" show "$d/l.o" s
	[ "$status" -eq 3 ]
	[[ "$output" == *"link-time optimization"*"-ffat-lto-objects"* ]]
	gcc -g -flto -ffat-lto-objects -c -o "$d/f.o" "$d/l.c"
	"$LACUNA" show "$d/f.o" s >"$d/out"
	gcc -g -flto -o "$d/l" "$d/l.o"
	"$LACUNA" show "$d/l" s >"$d/out"
	ar cr "$d/l.a" "$d/l.o"
	run "$LACUNA" show "$d/l.a" s
	[ "$status" -eq 3 ]
	[[ "$output" == *"link-time optimization"* ]]
	command -v clang >/dev/null || return 0
	clang -g -flto -c -o "$d/b.o" "$d/l.c"
	run "$LACUNA" show "$d/b.o" s
	[ "$status" -eq 3 ]
	[[ "$output" == *"LLVM bitcode"* ]]
}

@test "what C cannot say is said to be so, and why" {
	d=$BATS_TEST_TMPDIR
	echo 'struct P { int i; char c; ~P(); }; struct Q : P { char q; } q;' >"$d/q.cc"
	g++ -g -c -o "$d/q.o" "$d/q.cc"
	run "$LACUNA" show "$d/q.o" Q
	[[ "$output" == *"struct Q cannot be said in C, it has a base class"* ]]
}

@test "a line is as long as the machine of the file has it, unless told" {
	clang --version >/dev/null 2>&1 || skip "no clang"
	d=$BATS_TEST_TMPDIR
	echo 'struct s { char a[120]; long long b[20]; }; struct s s;' >"$d/s.c"
	for t in x86_64:64:machine s390x:256:machine powerpc64le:128:machine \
		powerpc64:128:machine aarch64:64:assumed i386:64:assumed; do
		IFS=: read -r arch bytes source <<<"$t"
		clang -w -g -c --target="$arch-linux-gnu" -o "$d/s.o" "$d/s.c" ||
			skip "clang has no $arch"
		for c in show list; do
			run --separate-stderr "$LACUNA" $c -o json "$d/s.o"
			[ "$(echo "$output" |
				jq -c '[.line_size, .line_size_source]')" = \
				"[$bytes,\"$source\"]" ] || { echo "$c $t"; false; }
			run --separate-stderr "$LACUNA" $c -c 32 -o json "$d/s.o"
			[ "$(echo "$output" |
				jq -c '[.line_size, .line_size_source]')" = \
				'[32,"option"]' ]
		done
		run --separate-stderr "$LACUNA" show -o json "$d/s.o" s
		[ "$(echo "$output" | jq '.records[0].lines')" = \
			$(((280 + bytes - 1) / bytes)) ]
		run --separate-stderr "$LACUNA" show -o mail "$d/s.o" s
		[[ $output == *"Cache lines of $bytes bytes"* ]]
		[ "$(grep -c assumed <<<"$output")" = \
			"$([ $source = assumed ] && echo 1 || echo 0)" ]
		sed 's/a\[120\]/a[100]/' "$d/s.c" >"$d/t.c"
		clang -w -g -c --target="$arch-linux-gnu" -o "$d/t.o" "$d/t.c"
		run --separate-stderr "$LACUNA" diff -o mail "$d/s.o" "$d/t.o"
		[ "$status" = 1 ]
		[[ $output == *"Cache lines of $bytes bytes"* ]]
	done
}

@test "padding in an unnamed struct is shown where it lies, in the map, too" {
	cat >"$BATS_TEST_TMPDIR/p.c" <<-'END'
		struct T { struct { int x; } __attribute__((aligned(64))); int y; } t;
		struct U { union { struct { char a; int b; };
			struct { char c; int d; } h; }; long z; } u;
	END
	gcc -g -c -o "$BATS_TEST_TMPDIR/p.o" "$BATS_TEST_TMPDIR/p.c"
	"$LACUNA" show --map "$BATS_TEST_TMPDIR/p.o" T >"$BATS_TEST_TMPDIR/out"
	cat "$BATS_TEST_TMPDIR/out"
	grep -A3 ' x; ' "$BATS_TEST_TMPDIR/out" |
		grep -q 'XXX 60 bytes padding'
	grep -q '^  *0 |aaaa\.\{60\}$' "$BATS_TEST_TMPDIR/out"
	grep -q '^ *64 |bbbb_\{60\}$' "$BATS_TEST_TMPDIR/out"
	"$LACUNA" show --map "$BATS_TEST_TMPDIR/p.o" U | grep -q '^ *0 |a\.\.\.bbbbcccccccc$'
	# the spans of the figure are all of the record
	for t in T U; do
		"$LACUNA" show --map -o json "$BATS_TEST_TMPDIR/p.o" $t |
			jq -e '.figures.map1.maps[0] | (.size * 8) as $n |
			([.spans[].bit_size] | add) == $n'
	done
}

# what pahole says of the last struct: record, member, bytes
last_structs() {
	pahole "$1" 2>/dev/null | awk '
		/^(struct|union|class) .*\{$/ { record = $2 }
		/^\t+.*;/ {
			sub(/;.*/, "")
			sub(/ __attribute__.*/, "")
			member = $NF == "}" ? "null" : $NF
		}
		/last struct has/ { print record, member, $6 }' | sort -u
}

@test "a member whose type ends in padding, as pahole says, and where it does not" {
	command -v pahole >/dev/null || skip "pahole is not installed"
	d=$BATS_TEST_TMPDIR
	cat >"$d/e.c" <<-'END'
	struct in { long l; char c; };
	typedef struct in in_t;
	struct un { long a; struct { long p; char r; }; };
	struct full { long l; struct { char a, b; short s; int i; }; };
	struct o { struct in a; in_t b; struct in arr[3]; const struct in k;
		union { struct in u; long w; }; struct un un; struct full f;
		struct { int q; struct in z; } named; char end; } o;
	END
	gcc -g -c -o "$d/e.o" "$d/e.c"
	"$LACUNA" show "$d/e.o" o >"$d/text"
	sed -n 's,^.*/\* XXX \(.*\) of padding \*/$,\1,p' "$d/text" >"$d/notes"
	printf '%s ends in 7 bytes\n' a b "each element of arr" k u un z |
		diff - "$d/notes"
	found=0
	gcc -w -g -c -o "$d/f.o" "$CASES"/08_*.c
	for o in "$d/e.o" "$d/f.o"; do
		"$LACUNA" show -o json "$o" | jq -r '.records[] | .name as $r |
			.. | objects | select((.end_padding_bits? // 0) > 0) |
			"\($r) \(.name) \(.end_padding_bits / 8)"' |
			sort -u >"$d/ours"
		last_structs "$o" >"$d/theirs"
		found=$((found + $(wc -l <"$d/theirs")))
		[ -z "$(comm -13 "$d/ours" "$d/theirs")" ]
	done
	[ "$found" -ge 5 ]
}

@test "padding that a derived class uses is none of its base" {
	d=$BATS_TEST_TMPDIR
	echo 'struct P { int i; char c; ~P(); }; struct Q : P { char q; } q;
		struct R : P { long r; P p; } r;' >"$d/b.cc"
	g++ -g -c -o "$d/b.o" "$d/b.cc"
	"$LACUNA" show -o json "$d/b.o" Q R >"$d/json"
	[ "$(jq -c '[.records[].members[].end_padding_bits]' "$d/json")" = \
		"[0,null,24,null,24]" ]
	# nor is it counted as waste inside
	[ "$(jq -c '[.records[].nested_padding_bits]' "$d/json")" = "[0,48]" ]
	"$LACUNA" show "$d/b.o" Q >"$d/text"
	! grep 'ends in' "$d/text"
}

@test "an enumeration: what the compiler that reads it back has" {
	d=$BATS_TEST_TMPDIR
	cat >"$d/n.c" <<-'END'
	enum zone { DMA, NORMAL = 5, LOWER = -3, AGAIN = NORMAL } z;
	enum big { B = 0xffffffffffffffffull, C = 1 } b;
	typedef enum { RED, GREEN } colour; colour c;
	enum __attribute__((packed)) tiny { T1 } t;
	struct zone_of { enum zone z; } s;
	END
	for cc in gcc clang; do
		$cc -w -g -c -o "$d/n.o" "$d/n.c"
		"$LACUNA" show "$d/n.o" zone 'enum big' colour |
			grep -v '^/.*:[0-9]*$' >"$d/back.c"
		printf 'enum zone z; enum big b; colour c;\n' >>"$d/back.c"
		$cc -w -g -c -o "$d/back.o" "$d/back.c"
		for o in n back; do
			"$LACUNA" show -o json "$d/$o.o" zone big colour |
				jq -c '.records, [.enumerations[] | del(.decl)]' \
				>"$d/$o.json"
			"$LACUNA" show -o csv "$d/$o.o" zone big colour \
				>"$d/$o.csv"
		done
		diff "$d/n.json" "$d/back.json"
		diff "$d/n.csv" "$d/back.csv"
		"$LACUNA" show -o json "$d/n.o" zone big tiny >"$d/j"
		[ "$(jq -c '[.enumerations[] | [.name, .size, .signed]]' "$d/j")" = \
			'[["zone",4,true],["big",8,false],["tiny",1,false]]' ]
		[ "$(jq -c '[.enumerations[].values[].value]' "$d/j")" = \
			'[0,5,-3,5,"18446744073709551615",1,0]' ]
		[ "$("$LACUNA" show --hex "$d/n.o" zone | grep -c '= 0x5,$')" -eq 2 ]
		run "$LACUNA" show "$d/n.o" zone zone_of
		[ "$status" -eq 0 ]
		[[ "$output" == *"enum zone {"*"struct zone_of {"* ]]
		run "$LACUNA" show "$d/n.o" zone nosuch
		[ "$status" -eq 3 ]
	done
	echo 'enum class E : short { a = -1 }; namespace n { enum F { f }; } E e; n::F f;' \
		>"$d/n.cc"
	g++ -g -c -o "$d/n.o" "$d/n.cc"
	[ "$("$LACUNA" show -o json "$d/n.o" E F |
		jq -c '[.enumerations[] | [.name, .size, .signed]]')" = \
		'[["E",2,true],["n::F",4,false]]' ]
}

@test "a typedef beside the one that is shown is said to be the same type" {
	echo 'typedef struct { int a; } one, two; one x; two y;' |
		gcc -g -c -x c -o "$BATS_TEST_TMPDIR/two.o" -
	run "$LACUNA" show "$BATS_TEST_TMPDIR/two.o" two
	[ "$status" = 0 ]
	[[ $(tr '\n' ' ' <<<"$output") == *"two is another name of one: in this file they are one type"*"} one;"* ]]
	run "$LACUNA" show "$BATS_TEST_TMPDIR/two.o" one
	[[ $output != *"another name"* ]]
	is_as='[["one","two"],["one",null]]'
	for o in "" --compile; do
		# shellcheck disable=SC2086
		[ "$("$LACUNA" show $o -o json "$BATS_TEST_TMPDIR/two.o" two one |
			jq -c '[.records[] | [.name, .asked_as]]')" = "$is_as" ]
	done
}

@test "enumerations by a pattern, if it says enum" {
	echo 'enum ab_x { X = 1 } x; enum ab_y { Y = 2 } y; enum c { Z } z; struct ab_s { int i; } s;' |
		gcc -g -c -x c -o "$BATS_TEST_TMPDIR/e.o" -
	run "$LACUNA" show -o json "$BATS_TEST_TMPDIR/e.o" 'enum ab_*'
	[ "$status" = 0 ]
	[ "$(jq -c '[[.enumerations[].name], (.records | length)]' <<<"$output")" = '[["ab_x","ab_y"],0]' ]
	# without it, records only
	run "$LACUNA" show -o json "$BATS_TEST_TMPDIR/e.o" 'ab_*'
	[ "$(jq -c '[.enumerations, [.records[].name]]' <<<"$output")" = '[null,["ab_s"]]' ]
	run "$LACUNA" show "$BATS_TEST_TMPDIR/e.o" 'enum zz*'
	[ "$status" = 3 ]
	[[ $output == *"no enumeration matches 'enum zz*'"*"'enum *'"* ]]
	# one without a tag goes by its typedef, one with a tag by that
	echo 'typedef enum { E1 } ab_t; typedef enum q { Q } ab_q; typedef ab_t other_t;
		enum ab_z { Z }; ab_t a; ab_q b; other_t c; enum ab_z d; enum { N } e;' |
		gcc -g -c -x c -o "$BATS_TEST_TMPDIR/e.o" -
	found() { "$LACUNA" show -o json "$BATS_TEST_TMPDIR/e.o" "$1" | jq -c '[.enumerations[].name] | sort'; }
	[ "$(found 'enum ab_*')" = '["ab_t","ab_z"]' ]
	[ "$(found 'enum *')" = '["ab_t","ab_z","q"]' ]
	[ "$(found 'enum ab_t')" = '["ab_t"]' ]
	[ "$(found other_t)" = '["other_t"]' ]
	[ "$(found ab_q)" = '["q"]' ]
	run "$LACUNA" show "$BATS_TEST_TMPDIR/e.o" 'enum ab_t*'
	[[ $output == *"typedef enum {"*"} ab_t;"* ]]
}

@test "which member has the holes inside: they add up to those of the struct" {
	cat >"$BATS_TEST_TMPDIR/h.c" <<-'END'
	struct in { char c; long l; short s; };
	struct deep { struct in a[3]; char c; struct { char d; int i; }; };
	struct none { long l; };
	struct top { struct in i; struct none n; struct deep d[2]; int x;
		struct { struct in u; char v; } in_unnamed[1]; union { struct in w; long y[4]; } z; } t;
	END
	gcc -g -c -o "$BATS_TEST_TMPDIR/h.o" "$BATS_TEST_TMPDIR/h.c"
	"$LACUNA" show -o json "$BATS_TEST_TMPDIR/h.o" >"$BATS_TEST_TMPDIR/j"
	jq -e '[.records[] | select(.kind == "struct") |
		([.members[].inner_hole_bits // 0] | add) == .nested_hole_bits] |
		length == 4 and all' "$BATS_TEST_TMPDIR/j"
	[ "$(jq -c '.records[] | select(.name == "top") | [.members[] | .inner_hole_bits]' \
		"$BATS_TEST_TMPDIR/j")" = '[56,0,432,null,56,56]' ]
	run "$LACUNA" show "$BATS_TEST_TMPDIR/h.o" top
	[[ $output == *"in i: 7 bytes of holes"*"in d: 54 bytes of holes"*"in w: 7 bytes of holes"* ]]
}

@test "what lies in a virtual base is unknown, and no sum of it" {
	echo 'struct in { char c; long l; }; struct m : in { char z; in n; in f[]; };
		struct V : virtual in { char z; }; V v; m w;' |
		g++ -g -c -x c++ -o "$BATS_TEST_TMPDIR/v.o" -
	"$LACUNA" show -o json "$BATS_TEST_TMPDIR/v.o" V m >"$BATS_TEST_TMPDIR/j"
	[ "$(jq -c '.records[] | [.name, .nested_hole_bits, [.members[] |
		select(has("inner_hole_bits")) |
		[.role, .inner_hole_bits, .end_padding_bits]]]' "$BATS_TEST_TMPDIR/j")" = \
		'["V",0,[["virtual base",null,null]]]
["m",112,[["base",56,0],["member",56,0],["member",0,0]]]' ]
}

@test "a type that no member leads to may be one that is only declared" {
	T=$BATS_TEST_TMPDIR
	echo 'struct fw; struct fw *a; struct s { struct in *p; } s;' >"$T/d.c"
	cp "$T/d.c" "$T/d.cc"
	gcc -g -c -o "$T/d.o" "$T/d.c"
	gcc -g -c -o "$T/dcc.o" "$T/d.cc"
	for o in d dcc; do
		run "$LACUNA" show "$T/$o.o" fw
		[ "$status" -eq 3 ]
		[[ "$output" == *"only declared in this file"* ]]
		run "$LACUNA" show "$T/$o.o" in
		[ "$status" -eq 3 ]
		[[ "$output" == *"in is only declared in this file"* ]]
	done
}

@test "a member that cannot lie on fewer lines is larger than one" {
	T=$BATS_TEST_TMPDIR
	cat >"$T/l.c" <<-'END'
	struct big { char c[100]; };
	struct s {
		struct big fits;	/* 0 to 99: two lines, the fewest */
		int i;
		struct big late;	/* 104 to 203: three */
		struct { long a[3]; } end; /* 208 to 231 */
		struct { long a[8]; } whole; /* 232 to 295: two, one would do */
	} s;
	END
	gcc -g -c -o "$T/l.o" "$T/l.c"
	run "$LACUNA" show "$T/l.o" s
	[ "$status" -eq 0 ]
	[[ "$output" == *"/* larger than a line: fits, byte 0 to 99 */"* ]]
	[[ "$output" == *"/* crosses a line: late, byte 104 to 203 */"* ]]
	[[ "$output" == *"/* crosses a line: whole, byte 232 to 295 */"* ]]
	# the number is as it was
	run "$LACUNA" show -o json "$T/l.o" s
	[ "$(jq '.records[0].straddlers | length' <<<"$output")" = 3 ]
}

@test "of several names all that are not there are said, and nothing is shown" {
	T=$BATS_TEST_TMPDIR
	echo 'struct s { int a; } s;' >"$T/n.c"
	gcc -g -c -o "$T/n.o" "$T/n.c"
	run "$LACUNA" show -O "$T/out" "$T/n.o" nosuch s 'none_*' nothere
	[ "$status" -eq 3 ]
	[[ "$output" == *"'nosuch'"*"'none_*'"*"'nothere'"* ]]
	[ ! -e "$T/out" ]
}

@test "--hex is of every number: bit-fields and enumerators, too" {
	T=$BATS_TEST_TMPDIR
	cat >"$T/h.c" <<-'END'
	struct s { int a; unsigned b:4, c:13; enum e { A, B = 10, C = -1 } e; } s;
	END
	gcc -g -c -o "$T/h.o" "$T/h.c"
	run "$LACUNA" show --hex "$T/h.o" s e
	[ "$status" -eq 0 ]
	[[ "$output" == *"b:4;  /*   0x4: 0  0x4 */"* ]]
	[[ "$output" == *"c:13; /*   0x4:0x4  0x4 */"* ]]
	[[ "$output" == *"A = 0x0,"*"B = 0xa,"*"C = -0x1,"* ]]
	run "$LACUNA" show "$T/h.o" s e
	[[ "$output" == *"c:13; /*     4: 4  4 */"*"A = 0,"* ]]
}

@test "-o svg without a figure says which results have one, and they do" {
	T=$BATS_TEST_TMPDIR
	echo 'struct s { int a; } s;' >"$T/n.c"
	gcc -g -c -o "$T/n.o" "$T/n.c"
	for c in "show $T/n.o" "list $T/n.o"; do
		# shellcheck disable=SC2086
		run "$LACUNA" $c -o svg
		[ "$status" -eq 2 ]
		[[ "$output" == *"show FILE TYPE"* ]]
	done
	"$LACUNA" show "$T/n.o" s -o svg | grep -q '<svg'
}
