#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: the command line and its statuses, directories, every format.

load diff_pair

@test "two directories, file by file, merged" {
	mkdir -p "$T/a/sub" "$T/b/sub"
	echo 'struct s { int a; } s; struct t { int x, y, z; } t;' >"$T/s.c"
	gcc -g -c -o "$T/a/one.o" "$T/s.c"
	cp "$T/a/one.o" "$T/a/sub/two.o"
	sed -i 's/int a;/int a, b;/' "$T/s.c"
	gcc -g -c -o "$T/b/one.o" "$T/s.c"
	cp "$T/b/one.o" "$T/b/sub/two.o"
	cp "$T/b/one.o" "$T/b/three.o"
	echo text >"$T/a/README"
	run "$LACUNA" diff -o json "$T/a" "$T/b"
	[ "$status" = 1 ]
	is "s one.o,sub/two.o 2 three.o" "$(echo "$output" | jq -r '[
		.records[0].name, (.records[0].files | join(",")),
		.files.compared, .files.only_new[0].file] | join(" ")')"
	is 1 "$(echo "$output" | jq '.records | length')"
	"$LACUNA" diff "$T/a" "$T/a"
	# what was built without debug info is named, and no reason to give up
	gcc -c -o "$T/a/three.o" "$T/s.c"
	run "$LACUNA" diff -o json "$T/a" "$T/b"
	[ "$status" = 1 ]
	is "2 three.o" "$(echo "$output" | jq -r '.files |
		"\(.compared) \(.skipped[].file)"')"
	[[ $output == *"no debug info in"*three.o* ]]
	run "$LACUNA" diff "$T/a" "$T/b/one.o"
	[ "$status" = 2 ]
	mkdir "$T/empty"
	run "$LACUNA" diff "$T/a" "$T/empty"
	[ "$status" = 3 ]
}

@test "statuses: 0 equal, 1 differ, 2 usage, 3 trouble" {
	cases gcc
	"$LACUNA" diff "$T/old/t.o" "$T/old/t.o"
	run "$LACUNA" diff "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 1 ]
	run "$LACUNA" diff "$T/old/t.o"
	[ "$status" = 2 ]
	for o in "--top -1" "--cpus -3" "--ram none" "--ram 0" "--min-bytes x"
	do
		# shellcheck disable=SC2086
		run "$LACUNA" diff $o "$T/old/t.o" "$T/new/t.o"
		[ "$status" = 2 ]
	done
	run "$LACUNA" diff "$T/old/t.o" "$T/none.o"
	[ "$status" = 3 ]
	[[ $output == *none.o* ]]
	strip -o "$T/stripped.o" "$T/new/t.o"
	run "$LACUNA" diff "$T/old/t.o" "$T/stripped.o"
	[ "$status" = 3 ]
	[[ $output == *stripped.o* ]]
}

@test "every format says it; mail stays within 72 columns of ASCII" {
	cases gcc
	for f in text mail markdown csv html json; do
		"$LACUNA" diff -o $f "$T/old/t.o" "$T/new/t.o" >"$T/out" ||
			[ $? = 1 ]
		grep -q moved "$T/out"
	done
	"$LACUNA" diff -o mail "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	! LC_ALL=C grep -q '[^ -~	]' "$T/out" || false
	awk 'length($0) > 72 { print; bad = 1 } END { exit bad }' "$T/out"
	# before and after, only what changed
	grep -q '^-  *char n\[16\]; ' "$T/out"
	grep -q '^+  *char n\[24\]; ' "$T/out"
	grep -qF '[...]' "$T/out"
}

@test "the costliest 20 causes, in columns of a readable width" {
	for d in old new; do
		[ $d = old ] && t=int || t=float
		{
			for i in $(seq 25); do
				printf 'struct c%s { %s x; %s };\n' "$i" "$t" \
					"$([ $d = old ] || echo int y\;)"
				printf 'struct h%s { struct c%s c; } h%s;\n' \
					"$i" "$i" "$i"
			done
			printf 'typedef %s (*fn)(%s);\n' "$t" \
				"$(seq -f 'struct a_long_name_%.0f *' -s, 1 30)"
			echo 'struct user { fn f; } user; struct more { fn f; } m;'
		} | $d
	done
	pair c gcc -w
	differ
	is 26 "$(jq '.causes | length' "$T/j")"
	jq -e '.causes[] | select(.name == "fn") | .old | length > 400' "$T/j"
	for f in text mail markdown html; do
		"$LACUNA" diff -o $f --width 0 "$T/old/t.o" "$T/new/t.o" \
			>"$T/out" || true
		is 6 "$(grep -o '[0-9]* more causes' "$T/out" | cut -d' ' -f1)"
		[ "$f" = html ] || [ "$(sed '/Changed records/q' "$T/out" |
			awk '{ n = length($0) > n ? length($0) : n }
				END { print n }')" -lt 260 ]
	done
	"$LACUNA" diff --top 24 "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	grep -q '^2 more causes' "$T/out"
	"$LACUNA" diff --top 0 "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	! grep -q 'more causes' "$T/out" || false
	"$LACUNA" diff -o csv "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	is 26 "$(grep -c '^causes,' "$T/out")"
}

@test "the causes are one table in a mail, and every column in CSV" {
	for d in old new; do
		[ $d = old ] && n=1 || n=7
		$d <<-E
		typedef struct { int v[$n]; } spinlock_t;
		struct list { void *a; spinlock_t l; };
		struct queue_head { spinlock_t lock; struct list head; };
		struct read_write_lock { int a[$n]; };
		struct mutex_of_a_long_name { spinlock_t l;
			struct read_write_lock r; int o[$n]; } m;
		struct inode { struct mutex_of_a_long_name m;
			struct queue_head q; char c[60];
			struct read_write_lock r; } i;
		struct few { char c[62]; spinlock_t l; } f;
		struct last { spinlock_t l; char c[60]; int x; }
			__attribute__((packed)) x;
		struct away { char c[48]; spinlock_t l; char d[10]; int x; }
			__attribute__((packed)) y;
		E
	done
	echo 'struct u16 { long s[2]; } __attribute__((aligned(8)));
		struct h { struct u16 u; int i; } h;' >>"$T/old/t.c"
	echo 'struct u16 { long s[2]; } __attribute__((aligned(16)));
		struct h { struct u16 u; int i; } h;' >>"$T/new/t.c"
	pair c gcc
	"$LACUNA" diff --full -o mail "$T/old/t.o" "$T/new/t.o" >"$T/out" ||
		[ $? = 1 ]
	awk 'length($0) > 72 { print; bad = 1 } END { exit bad }' "$T/out"
	sed -n '/^Inner types/,/^Changed records/p' "$T/out" >"$T/table"
	is 1 "$(grep -c '^---.*  ---' "$T/table")"
	is 1 "$(grep -c '^spinlock_t ' "$T/table")"
	grep -q '^u16, aligned  *8  *16 ' "$T/table"
	# the same as in the data, merged
	differ
	jq -r 'def m(a; b): if a > 0 and b > 0 then "+\(a) -\(b)"
			elif a > 0 then "+\(a)" elif b > 0 then "-\(b)"
			else "0" end;
		.causes[] | select(.name == "spinlock_t") |
		[.name, .old, .new, .held_by, .records, .alone,
		m(.lines_more; .lines_less),
		m(.crossings_more; .crossings_less),
		m(.order_more; .order_less)] | join(" ")' "$T/j" >"$T/want"
	is "$(cat "$T/want")" "$(grep '^spinlock_t ' "$T/table" | tr -s ' ')"
	grep -q ' +[1-9]' "$T/want" # and there is something to merge
	"$LACUNA" diff -o csv "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	grep -q '^table,name,change,old,new,held_by,records,alone,lines_more,lines_less,crossings_more,crossings_less,order_more,order_less' "$T/out"
	is "$(jq -r '.causes[] | select(.name == "spinlock_t") | [.name,
		.change, .old, .new, .held_by, .records, .alone, .lines_more,
		.lines_less, .crossings_more, .crossings_less, .order_more,
		.order_less] | map(tostring) | join(",")' "$T/j")" \
		"$(sed -n 's/^causes,\(spinlock_t,.*\)\r$/\1/p' "$T/out")"
}

@test "--top limits every table for people; a brief mail of many is short" {
	for d in old new; do
		for i in $(seq 60); do
			printf 'struct s%s { int x[%s]; } s%s;\n' "$i" \
				"$([ $d = old ] && echo 1 || echo "$i + 1")" "$i"
			printf 'struct %s%s { int x; } %s%s;\n' $d "$i" $d "$i"
			# of another structure each, lest they are renamed ones
			[ $d = old ] ||
				printf 'struct w%s { int y%s[%s]; } w%s;\n' \
					"$i" "$i" "$((i + 70))" "$i"
		done | $d
	done
	pair c gcc -w
	differ
	changed=$(jq '[.records[] | select(.before and .after)] | length' "$T/j")
	[ "$changed" -ge 60 ]
	for f in text mail; do
		"$LACUNA" diff -o $f --full --top 3 "$T/old/t.o" "$T/new/t.o" \
			>"$T/out" || true
		is 3 "$(sed -n '/^Record  /,/^$/p' "$T/out" |
			grep -c '^struct s[0-9]')"
		grep -q "and $((changed - 3)) more records; --top N" "$T/out"
		is 3 "$(sed -n '/^Added and removed/,$p' "$T/out" |
			grep -c '^struct [a-z]*[0-9]')"
	done
	"$LACUNA" diff -o mail "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	[ "$(wc -l <"$T/out")" -le 60 ]
	grep -q "and $((changed - 20)) more records" "$T/out"
	grep -q -e '--full has' "$T/out"
	# what programs read is whole
	"$LACUNA" diff -o csv --top 3 "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	is "$changed" "$(grep -c '^records,' "$T/out")"
	jq 'del(.figures)' "$T/j" >"$T/all"
	differ --top 3
	jq 'del(.figures)' "$T/j" | cmp - "$T/all"
}

@test "the records that hold one are named, and --cause points to the rest" {
	old <<-'E'
	struct in { int a; }; struct a { struct in i; } a; struct b { struct a x; } b;
	struct c { struct in i[2]; } c; struct d { struct in i; long z; } d;
	E
	new <<-'E'
	struct in { int a, b; }; struct a { struct in i; } a; struct b { struct a x; } b;
	struct c { struct in i[2]; } c; struct d { struct in i; long z; } d;
	E
	pair c gcc
	differ --type in
	is 4 "$(jq '.records[0].embedded_by' "$T/j")"
	is '["a","c","d"]' "$(jq -c '.records[0].holders' "$T/j")"
	"$LACUNA" diff --type in "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/out" | grep -q \
		'in 4 other records (a, c, d, \.\.\.), see --cause in'
	# one that explains nothing points nowhere
	"$LACUNA" diff --type a "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/out" | grep -q 'in 1 other record (b)'
	! grep -q -e '--cause a' "$T/out" || false
}

@test "what is gone stands between its old neighbours; old and new keep order" {
	old <<-'E'
	typedef int lock_t;
	struct s { lock_t l1; char c, d; short gone1, gone2; lock_t l2; int x;
		union { int u1; struct { int gone3, u2; }; }; char far; int y; char gone4; } s;
	E
	new <<-'E'
	typedef struct { long a[4]; } lock_t;
	struct s { char far; lock_t l1; char c, d; lock_t l2; int x;
		union { int u1; struct { int u2; }; }; int y; } s;
	E
	pair c gcc
	"$LACUNA" diff --type s "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	# the order of each side is that of its declaration, but for what jumped
	side() { sed -nE "s/^[$1] .*[ *]([a-z0-9]+);.*/\1/p" "$T/out" | grep -vx far | tr '\n' ' '; }
	is "l1 c d gone1 gone2 l2 x u1 gone3 u2 y gone4 " "$(side -)"
	is "l1 c d l2 x u1 u2 y " "$(side +)"
}

@test "what is gone behind a union stands behind all its arms" {
	old <<-'E'
	struct s { int a; union { struct { int u1, u2, u3, u4; }; long z; };
		int gone; int b;
		union { struct { int v1, v2; }; struct { char w; short gone2; }; };
		int c; } s;
	E
	new <<-'E'
	struct s { int a; union { struct { int u1; unsigned u2; int u3; unsigned u4; }; long z; };
		int b;
		union { struct { int v1; unsigned v2; }; struct { char w; }; };
		int c; } s;
	E
	pair c gcc
	"$LACUNA" diff --type s "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	is "u2 u4 gone v2 gone2 c " "$(sed -nE 's/^- .*[ *]([a-z0-9]+);.*/\1/p' "$T/out" | tr '\n' ' ')"
}

@test "enumerators stand by their values, what is left out in its place" {
	old <<-'E'
	enum e { A, B } e; enum all { G = 4, H = 3 } all;
	enum s { Z = 7, M = -1, N = -5, GONE = 0, Y = 0 } s;
	enum big { P = 1, Q = 0xfffffffffffffff0ull } big;
	E
	new <<-'E'
	enum e { A, B, C } e; enum all { G = 5, H = 6 } all;
	enum s { Z = 7, M = -1, N = -4, K = -7, Y = 0, X = 8 } s;
	enum big { P = 1, R = 2, Q = 0xfffffffffffffff0ull } big;
	E
	pair c gcc
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/out" || [ $? = 1 ]
	body() { sed -n "/^enum $1 {/,/^}/{/^[-+ ]   /p}" "$T/out" | tr -s '\n ' ' '; }
	is " [...] + C = 2, " "$(body e)"
	is "- G = 4, + G = 5, - H = 3, + H = 6, " "$(body all)"
	is "+ K = -7, - N = -5, + N = -4, [...] - GONE = 0, [...] + X = 8, " "$(body s)"
	is " [...] + R = 2, [...] " "$(body big)"
}

@test "what grew in a union is said to be in one, whether it has a name or not" {
	for name in un ""; do
		old <<-E
		struct in { int a; };
		struct s { long z; union { int keep; struct in e; } $name; } s;
		E
		new <<-E
		struct in { int a[4]; };
		struct s { long z; union { float keep; struct in e; } $name; } s;
		E
		pair c gcc
		"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
		grep -q '1 member grew because of in\] */\* in a union \*/' "$T/text"
	done
}

@test "the last line of a listing has holes and padding as the tables have" {
	old <<<'struct s { char a; int b; char c; } s;'
	new <<<'struct s { char a; long b; char c:3; } s;'
	pair c gcc
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
	grep -q 'in holes 3 -> 7, padding 3 -> 7b5 \*/$' "$T/text"
}
