#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Types that are too much to spell: functions that take functions that take
# functions share parts, and so do structs; spelled out, n of them are 2^n.

bats_require_minimum_version 1.5.0

# functions N TYPE - struct s with a function of more than 2^N parameters in
# all, of which the innermost have this type
functions() {
	echo "struct plain { int a; char b; } p; extern int (*f1)($2, int);"
	for ((k = 2; k <= $1; k++)); do
		p="__typeof__(f$((k - 1)))"
		echo "extern $p (*f$k)($p, $p);"
	done
	echo "struct s { __typeof__(f$1) m; int a; } v;"
}

# structs N - struct s with 2^N ints in structs without a name
structs() {
	echo "typedef int t0;"
	for ((k = 1; k <= $1; k++)); do
		echo "static struct { __typeof__(v$((k - 1))) a, b; } v$k;"
	done | sed 's/__typeof__(v0)/int/'
	echo "struct s { __typeof__(v$1) m; } v; struct plain { int a; } p;"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	functions 40 int >functions.c
	functions 40 long >other.c
	functions 4 int >few.c
	structs 20 >structs.c
	for c in functions other few structs; do
		gcc -g -c -o $c.o $c.c
		gcc -gbtf -c -o $c.btf.o $c.c
	done
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
}

# What would not end ends here, in time and in memory.
bounded() {
	LACUNA_MEMORY=1G run --separate-stderr timeout 60 "$LACUNA" "$@"
}

@test "a function of 2^40 parameters: show has a comment for the deepest" {
	for f in functions.o functions.btf.o; do
		for o in text json csv html; do
			bounded show $f -o $o
			[ "$status" -eq 0 ]
			[[ $output == *'/* ... */'* ]]
			[ ${#output} -lt 200000 ]
		done
		bounded show $f s
		[[ $output == *"size: 16, cachelines: 1, members: 2"* ]]
	done
}

@test "a function of 2^4 parameters is spelled, and compiles" {
	for f in few.o few.btf.o; do
		bounded show $f s
		[ "$status" -eq 0 ]
		[[ $output != *'...'* ]]
		bounded show --compile $f s
		[ "$status" -eq 0 ]
		gcc -w -x c -fsyntax-only - <<<"$output"
	done
}

@test "a function of 2^40 parameters: --compile says why there is no C" {
	for f in functions.o functions.btf.o; do
		bounded show --compile $f s
		[ "$status" -eq 3 ] && [ -z "$output" ]
		[[ $stderr == *"$f: member m of s: a type that takes more than"* ]]
		bounded show --compile $f
		[ "$status" -eq 0 ]
		[[ $output == *"member m of s: a type that takes more than"* ]]
		[[ $output == *"struct plain {"* ]]
		gcc -w -x c -fsyntax-only - <<<"$output"
		bounded show --compile -o json $f
		[ "$(jq -r '.records[] | select(.name == "s") | .source' \
			<<<"$output")" = null ]
	done
}

@test "a function of 2^40 parameters: diff tells two of them apart; check" {
	for f in functions.o functions.btf.o; do
		bounded diff $f functions.o
		[ "$status" -eq 0 ]
		bounded diff $f other.o
		[ "$status" -eq 1 ]
		[ "$(grep -c 'too long to spell out, digest' <<<"$output")" = 2 ]
		bounded check -r base.json $f
		[ "$status" -eq 0 ]
		bounded check -B base.json functions.o
		[ "$status" -eq 0 ]
	done
}

@test "structs of 2^20 members: the file, the type, and what there is" {
	for f in structs.o structs.btf.o; do
		bounded show $f s
		[ "$status" -eq 3 ] && [ -z "$output" ]
		[[ $stderr == *"$f: struct s takes more than 200000 lines"* ]]
		[[ $stderr == *"lacuna list"* && $stderr != *expand* ]]
		bounded show -E $f s
		[[ $stderr == *"$f: struct s takes"*"without --expand"* ]]
		bounded show --compile $f s
		[ "$status" -eq 3 ]
		[[ $stderr == *"$f: struct s takes more than 200000 lines"* ]]
		bounded show --compile $f
		[ "$status" -eq 0 ]
		[[ $output == *"struct plain {"* ]]
		gcc -w -x c -fsyntax-only - <<<"$output"
		bounded diff $f $f
		[ "$status" -eq 3 ]
		[[ $stderr == *"in struct s: $f: "*"more than 262144 members"* ]]
		bounded list -o csv $f s
		[ "$status" -eq 0 ]
		[[ $output == *"s,struct,4194304,"* ]]
	done
}

@test "structs nested 300 deep: no want of memory" {
	{
		printf 'struct s { struct {'
		printf ' struct {%.0s' {1..300}
		printf ' int x;'
		printf ' };%.0s' {1..300}
		echo ' } m; } v;'
	} >deep.c
	gcc -gbtf -c -o deep.btf.o deep.c
	bounded show deep.btf.o
	[ "$status" -eq 3 ]
	[[ $stderr == *"struct s"*deep.btf.o*"deeper than 256"* ]]
	[[ $stderr != *memory* ]]
	if command -v pahole >/dev/null; then
		bounded verify deep.btf.o
		[ "$status" -eq 3 ]
		[[ $stderr == *"deep.btf.o: pahole nests deeper than 64"* ]]
	fi
}
