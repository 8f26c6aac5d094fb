#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Help of every command there is, from its option table.

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
		"$LACUNA" "$c" --help -O "$T/none"
		[ ! -e "$T/none" ]
	done
}

@test "help fits 80 columns" {
	for c in $commands; do
		"$LACUNA" help "$c" | awk -v c="$c" 'length($0) > 80 {
			print c ": " $0; bad = 1 } END { exit bad }'
	done
	"$LACUNA" help | awk 'length($0) > 80 { exit 1 }'
}

@test "every option has a description" {
	for c in $commands; do
		"$LACUNA" help "$c" | awk -v c="$c" '
			/^ +-/ { if (held) { print c ": " held; bad = 1 }
				held = NF < 3 && $0 !~ /  [a-z]/ ? $0 : "" ; next }
			held && /^ {30}[^ ]/ { held = "" }
			END { exit bad || held != "" }'
	done
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
