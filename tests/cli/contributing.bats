#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# CONTRIBUTING.md names files, targets and functions: they must be there.

quoted() { # every `word` of CONTRIBUTING.md
	tr '\n' ' ' <CONTRIBUTING.md | grep -oE '`[^`]+`' | tr -d '`'
}

@test "the files that are named exist" {
	n=0
	for f in $(quoted | grep -E '^[a-z.]+/?[A-Za-z0-9_./-]*$' |
		grep -E '/|^\.clang' | grep -v NAME); do
		[ -e "$f" ] || { echo "no $f"; false; }
		n=$((n + 1))
	done
	[ "$n" -gt 20 ]
}

@test "the make targets that are named exist" {
	for t in $(grep -oE '(^ +|`)make [a-z-]+' CONTRIBUTING.md |
		sed 's/.*make //' | grep -v '^-'); do
		make -n "$t" >/dev/null 2>&1 || { echo "no target $t"; false; }
	done
}

@test "the functions and tables that are named exist" {
	for s in $(quoted | grep -oE '^(lac|bench)_[a-z_]+' | grep -v NAME); do
		case $s in lac_noun_verb) continue ;; esac
		grep -rqE "\b$s\b" analyses tools fixtures ||
			{ echo "no $s"; false; }
	done
}

@test "commands and formats have what CONTRIBUTING.md asks of them" {
	commands=$("$LACUNA" help --list | awk -F '\t' '!$2 && !$3 { print $1 }')
	[ -n "$commands" ]
	for c in $commands; do
		[ -e "tools/cmd_$c.c" ] || { echo "no tools/cmd_$c.c"; false; }
		grep -q "lac_cmd_$c\b" tools/commands.c
	done
	for f in $(sed -n 's/.*&lac_renderer_\([a-z]*\),.*/\1/p' \
		analyses/render/formats.c); do
		grep -rq "struct lac_renderer lac_renderer_$f = " analyses/render
	done
}

@test "the change log begins with the version of the program" {
	version=$("$LACUNA" --version | awk '{ print $2; exit }')
	[ -n "$version" ]
	grep -m1 '^## ' CHANGELOG.md | grep -qF "$version"
}
