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
