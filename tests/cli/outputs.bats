#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# An output never takes the place of an input; limits of the shell and missing
# files are named for what they are.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'struct s { int a; char b; } v;\n' >s.c
	gcc -g -c s.c
	cp s.o kept.o
	ln -s s.o link.o
	ln s.o hard.o
}

# spared WORDS ARGUMENTS... - refused with 2, and s.o is as it was
spared() {
	words=$1
	shift
	code=0
	"$LACUNA" "$@" >out 2>err || code=$?
	[ "$code" = 2 ] && [ ! -s out ] && grep -q -- "$words" err || {
		echo "$*: $code $(cat err)"
		false
	}
	cmp s.o kept.o
}

@test "-O that names an input is refused, in every command" {
	for to in s.o ./s.o link.o hard.o; do
		spared "is the input" list -O "$to" s.o
		spared "is the input" show -O "$to" s.o
		spared "is the input" page -O "$to" kept.o s.o
		spared "is the input" verify -O "$to" s.o
		spared "is the input" diff -O "$to" s.o kept.o
		spared "is the input" diff -O "$to" kept.o s.o
		spared "is the input" check -O "$to" --record r s.o
		spared "is the input\|names it" list -O "$to" --base s.o kept.o
		# found by the way, in a directory or by a link
		spared "ELF file" diff -O "$to" . .
		spared "ELF file" list -O "$to" kept.o
	done
	echo 'struct s: size <= 64' >b
	for o in ignore slabinfo; do
		spared "names it" diff -O b --$o b s.o kept.o
	done
	spared "is the input" diff -O ./b --ignore b s.o kept.o
	spared "names it" check -O b -b b s.o
	spared "is the input" perfstat -O b b
	[ "$("$LACUNA" perfstat -O b - <b 2>&1 >/dev/null |
		grep -c 'is the input')" = 1 ]
	[ "$(cat b)" = 'struct s: size <= 64' ]
	spared "names it" check -O new --record new s.o
	[ ! -e new ]
}

@test "other outputs spare the inputs, too" {
	echo 'struct s: size <= 64' >b
	spared "is the input" check --record s.o s.o
	spared "is the input" check --junit link.o --budget b s.o
	spared "is the input" check --junit b --budget b s.o
	spared "is the input" check --record b --budget b s.o
	spared "ELF file" bench --quick --raw s.o
}

@test "an empty name is no file" {
	for o in "list -O" "list --base" "list --debug-dir" "diff --ignore" \
		"diff --slabinfo" "check --record" "check --junit" \
		"check --baseline" "check --budget"; do
		[ "${o#diff}" = "$o" ] && second="" || second=s.o
		spared "is missing" $o "" s.o $second
	done
	for o in "bench --raw" "report --into"; do
		spared "is missing" $o ""
	done
}

@test "a name of a type is no file" {
	echo old >s
	"$LACUNA" show s.o s -O s
	grep -q 'struct s' s
	"$LACUNA" diff -t s -O s s.o kept.o
	"$LACUNA" list s.o -O /dev/null
}

@test "a limit on the size of files is not a malformed file" {
	printf 'struct big { int m0; %s } v;\n' \
		"$(seq -f 'int m%.0f;' 1 3000 | tr '\n' ' ')" >big.c
	gcc -g -c big.c
	(
		ulimit -f 8
		"$LACUNA" show big.o >out 2>err && exit 9
		[ $? = 3 ]
	)
	grep -q 'ulimit -f' err
	[ -z "$(grep malformed err)" ]
	for format in json html; do # written by libraries: nor out of memory
		(
			ulimit -f 8
			"$LACUNA" show -o $format big.o >out 2>err && exit 9
			[ $? = 3 ]
		)
		grep -q 'ulimit -f' err
	done
}

@test "diff blames the file that is missing" {
	mkdir d
	for pair in "d gone" "gone d" "s.o gone" "gone s.o"; do
		code=0
		# shellcheck disable=SC2086
		"$LACUNA" diff $pair 2>err || code=$?
		[ "$code" = 3 ]
		grep -q 'diff: gone: No such file' err
	done
}

@test "missing fixture programs: the path, and the way out" {
	mkdir empty
	export LACUNA_LIBEXEC=$PWD/empty
	for c in bench correlate report page; do
		code=0
		"$LACUNA" $c >out 2>err || code=$?
		[ "$code" = 3 ] && [ ! -s out ]
		grep -q "$PWD/empty" err && grep -q LACUNA_LIBEXEC err || {
			cat err
			false
		}
	done
}

@test "--raw without times is refused, and leaves no file" {
	spared "only one of them" bench --no-time --raw=raw
	[ ! -e raw ]
}
