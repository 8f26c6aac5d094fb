#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Help of every command there is, from its option table.

bats_require_minimum_version 1.5.0

setup() {
	T=$BATS_TEST_TMPDIR
	commands=$("$LACUNA" help | awk '/^commands:/ { on = 1; next }
		/^$/ { on = 0 } on && $1 != "help" { print $1 }')
}

@test "there are commands" {
	[ -n "$commands" ]
}

@test "COMMAND --help and help COMMAND say the same, on standard output" {
	for c in $commands; do
		"$LACUNA" "$c" --help >"$T/a" 2>"$T/err"
		[ ! -s "$T/err" ]
		"$LACUNA" help "$c" >"$T/b"
		cmp "$T/a" "$T/b"
		grep -q "^usage: lacuna $c" "$T/a"
		for o in --output-format --output --color --width --help; do
			grep -q -e "$o" "$T/a"
		done
	done
}

@test "help needs no arguments of the command and does nothing else" {
	for c in $commands; do
		"$LACUNA" "$c" --help --no-such-option >"$T/a"
		cmp "$T/a" <("$LACUNA" help "$c")
	done
}

@test "help in another form, or in a file, is refused, not forgotten" {
	for c in $commands; do
		for o in "-O $T/none" "-o json"; do
			# shellcheck disable=SC2086
			run --separate-stderr "$LACUNA" "$c" $o --help
			[ "$status" -eq 2 ]
			[ -z "$output" ]
			[[ "$stderr" == *"--help"*"${o#* }"* ]]
		done
		[ ! -e "$T/none" ]
		"$LACUNA" "$c" -O - -o text --help | cmp - <("$LACUNA" help "$c")
	done
}

@test "help fits 80 columns" {
	for c in $commands; do
		"$LACUNA" help "$c" | awk -v c="$c" 'length($0) > 80 {
			print c ": " $0; bad = 1 } END { exit bad }'
	done
	"$LACUNA" help | awk 'length($0) > 80 { exit 1 }'
}

@test "every option has a description, and an argument's name where it takes one" {
	"$LACUNA" help --list >"$T/list"
	awk -F '\t' 'NF < 5 || NF > 6 || $5 == "" { print; bad = 1 } END { exit bad }' \
		"$T/list"
	for c in $commands; do
		"$LACUNA" help --list "$c" >"$T/one"
		grep "^$c	" "$T/list" | cmp - "$T/one"
		# what the help shows is what the list has
		awk -F '\t' '$3 { print $3 }' "$T/one" | while read -r o; do
			"$LACUNA" help "$c" | grep -q -e " $o\>"
		done
	done
}

@test "no command gives a common option's letter or name another meaning" {
	"$LACUNA" help --list | awk -F '\t' '
		$2 && seen[$1, $2]++ || $3 && seen[$1, $3]++ {
			print "twice: " $1, $2, $3; bad = 1 } END { exit bad }'
}

@test "every command takes every common option wrongly the same way" {
	for c in $commands; do
		for o in "-o nothing" "--color what" "--width 1" --no-such-option; do
			code=0
			"$LACUNA" "$c" $o >"$T/out" 2>"$T/err" || code=$?
			[ "$code" = 2 ] && [ ! -s "$T/out" ] && [ -s "$T/err" ]
		done
	done
}

@test "-o's description names every format, and they all work" {
	formats=$("$LACUNA" help | awk '/^formats/ { on = 1; next }
		/^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
	[ -n "$formats" ]
	for f in $formats; do
		"$LACUNA" help show | grep -e --output-format | grep -qw "$f"
		"$BUILD/tests/fake" demo -o "$f" >"$T/out"
		[ -s "$T/out" ]
	done
}

@test "an option whose last text would silently win is refused the second time" {
	"$LACUNA" help --list | awk -F '\t' '$3 && $4 != "" &&
		$5 !~ /given again|a second --perfstat/ { print $1, $3 }' >"$T/once"
	[ "$(wc -l <"$T/once")" -gt 40 ]
	while read -r c o; do
		status=0
		"$LACUNA" "$c" "$o=1" "$o=1" >"$T/out" 2>"$T/err" </dev/null ||
			status=$?
		[ "$status" -eq 2 ]
		grep -q -e "$o is given more than once" "$T/err" ||
			{ echo "$c $o"; cat "$T/err"; return 1; }
	done <"$T/once"
	# by letter and by name they are one
	run "$LACUNA" list -o csv --output-format=json nowhere
	[ "$status" -eq 2 ]
	[[ $output == *"--output-format is given more than once"* ]]
}
