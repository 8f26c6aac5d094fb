#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The manual pages and the completions, against the option tables.

setup() {
	T=$BATS_TEST_TMPDIR
	commands=$("$LACUNA" help --list | awk -F '\t' '!$2 && !$3 { print $1 }')
}

# Every page, made from its source, in $T.
pages() {
	command -v scdoc >/dev/null || skip "no scdoc"
	"$LACUNA" help --list >"$T/list"
	for p in tools/man/*.scd; do
		name=$(basename "$p" .1.scd)
		awk -f tools/man/options.awk -v "cmd=${name#lacuna-}" \
			"$T/list" "$p" | scdoc >"$T/$name.1"
	done
}

# What a page says, in one line of plain text.
words() {
	mandoc -Tascii "$1" | sed 's/.\x08//g' | tr -s ' \n' ' '
}

@test "every command has a manual page, and every page a command" {
	for c in $commands; do
		[ -f "tools/man/lacuna-$c.1.scd" ] || { echo "no page: $c"; false; }
	done
	for p in tools/man/lacuna-*.1.scd; do
		c=$(basename "$p" .1.scd)
		echo "$commands" | grep -qx "${c#lacuna-}" ||
			{ echo "no command: $c"; false; }
	done
}

@test "mandoc finds no fault with the pages" {
	command -v mandoc >/dev/null || skip "no mandoc"
	pages
	# scdoc's paragraphs are sometimes empty, which shows nowhere
	for p in "$T"/*.1; do
		mandoc -Tlint -W warning "$p" |
			grep -v 'skipping paragraph macro: PP' >"$T/lint" || true
		cat "$T/lint"
		[ ! -s "$T/lint" ]
	done
}

@test "no line of a paragraph is taken for an item of a list, or a table" {
	# what scdoc takes a line for, it is only after a blank line here
	awk 'FNR == 1 { last = "" }
		/^([-.] |[][|])/ && last != "" && last !~ /^([-.] |  |[][|])/ {
			print FILENAME ":" FNR ": " $0; bad = 1 }
		{ last = $0 }
		END { exit bad }' tools/man/*.scd
}

@test "every option is in its command's page, with its description" {
	command -v mandoc >/dev/null || skip "no mandoc"
	pages
	common=$(words "$T/lacuna.1")
	for c in $commands; do
		page=$(words "$T/lacuna-$c.1")
		[[ $page == *"lacuna $c"* ]]
		"$LACUNA" help --list "$c" >"$T/one"
		while IFS= read -r line; do
			long=$(cut -f 3 <<<"$line") text=$(cut -f 5 <<<"$line")
			short=$(cut -f 2 <<<"$line")
			[ -n "$long$short" ] || continue
			# hyphenation may cut words: compare without
			want=$(tr -d ' -' <<<"$text")
			[[ "$(tr -d ' -' <<<"$page$common")" == *"$want"* ]] ||
				{ echo "$c: $text"; false; }
			[[ "$page$common" == *"${long:-$short}"* ]] ||
				{ echo "$c: $long"; false; }
		done <"$T/one"
	done
}

@test "a page names no option that its command does not have" {
	for p in tools/man/lacuna-*.1.scd; do
		c=$(basename "$p" .1.scd)
		c=${c#lacuna-}
		"$LACUNA" help --list "$c" | cut -f 2,3 | tr '\t' '\n' >"$T/have"
		# in its examples and prose
		grep -oE '(^|[ *])--?[a-z][a-z-]*' "$p" | tr -d ' *' |
			grep -E '^(--[a-z]|-[a-zA-Z]$)' | while read -r o; do
			grep -qx -e "$o" "$T/have" || { echo "$c: $o"; false; }
		done
	done
}

@test "the environment variables of the manual are those of the program" {
	sed -n '/^# ENVIRONMENT/,/^# /s/^\*\([A-Z_]*\)\*$/\1/p' \
		tools/man/lacuna.1.scd | sort >"$T/manual"
	grep -rhoE 'getenv\("[A-Z_]+"\)' analyses tools --include=*.c |
		grep -oE '[A-Z_]{3,}' | grep -vxE 'HOME|PATH|PERF_.*' |
		sort -u >"$T/program"
	diff "$T/manual" "$T/program"
}

bash_completes() { # WORD...: the last one is completed
	PATH=$(dirname "$LACUNA"):$PATH bash -c '
		. tools/completion/lacuna.bash
		COMP_WORDS=(lacuna "$@") COMP_CWORD=$#
		_lacuna
		printf "%s\n" "${COMPREPLY[@]}"' - "$@"
}

@test "bash completes commands, options, formats and files" {
	[[ " $(bash_completes '' | tr '\n' ' ')" == *" show "*" help "* ]]
	[ "$(bash_completes sho)" = show ]
	[[ "$(bash_completes help lis | tr '\n' ' ')" == *list* ]]
	for c in $commands; do
		bash_completes "$c" - | sort >"$T/got"
		"$LACUNA" help --list "$c" | cut -f 2,3 | tr '\t' '\n' |
			grep . | sort >"$T/want"
		diff "$T/got" "$T/want"
	done
	[ "$(bash_completes show -o mark)" = markdown ]
	[ "$(bash_completes show --output-format = ht)" = html ]
	[ "$(bash_completes show --color n)" = never ]
	[ "$(bash_completes list --sort was)" = waste ]
	[ "$(bash_completes list -s was)" = waste ]
	[ "$(bash_completes bench --era = v3)" = v3.13 ]
	[ "$(bash_completes bench --preset zen3)" = zen3-milan ]
	[ "$(bash_completes show tools/mai)" = tools/main.c ]
}

@test "what is completed for an option, the option takes" {
	printf 'struct s { int a; } s;\n' >"$T/v.c"
	"${CC:-cc}" -g -c -o "$T/v.o" "$T/v.c"
	"$LACUNA" help --list | awk -F '\t' '$6 { print $1, $3, $6 }' >"$T/values"
	[ "$(cut -d' ' -f2 "$T/values" | sort -u | wc -l)" -ge 8 ]
	while read -r c o values; do
		text=$("$LACUNA" help --list "$c" | awk -F '\t' -v o="$o" '$3 == o { print $5 }')
		for v in $values; do
			[ "$o" = --preset ] || [[ $text == *"$v"* ]] ||
				{ echo "$c $o: $v is not in: $text"; false; }
			[ "$c" = list ] && [ "$o" != --kind ] || continue
			"$LACUNA" list "$o" "$v" "$T/v.o" >"$T/out" 2>"$T/err" ||
				! grep -e "$o" "$T/err"
		done
	done <"$T/values"
}

@test "bash completes the types of a file" {
	printf 'struct widget_one { int a; }; struct widget_two { long b; };
	struct widget_one x; struct widget_two y;\n' >"$T/w.c"
	"${CC:-cc}" -g -c -o "$T/w.o" "$T/w.c"
	[ "$(bash_completes show "$T/w.o" widget_t)" = widget_two ]
	[ "$(bash_completes show "$T/w.o" widget | wc -l)" = 2 ]
}

@test "fish completes commands, options and formats" {
	command -v fish >/dev/null || skip "no fish"
	try() {
		PATH=$(dirname "$LACUNA"):$PATH HOME=$T fish --no-config -c \
			"source tools/completion/lacuna.fish; complete -C '$1'" |
			cut -f 1
	}
	[ "$(try 'lacuna sho')" = show ]
	try 'lacuna show --' | grep -qx -e --expand
	[ "$(try 'lacuna show -o mark')" = markdown ]
	[ "$(try 'lacuna help lis')" = list ]
}

@test "zsh has well-formed completions for every command" {
	command -v zsh >/dev/null || skip "no zsh"
	zsh -n tools/completion/_lacuna
	for c in $commands; do
		PATH=$(dirname "$LACUNA"):$PATH zsh -f -c '
			autoload -U compinit; compinit -u -d "$2/dump"
			source tools/completion/_lacuna
			_lacuna_specs $1' - "$c" "$T" >"$T/specs"
		n=$("$LACUNA" help --list "$c" | cut -f 2,3 | tr '\t' '\n' |
			grep -c .)
		[ "$(wc -l <"$T/specs")" = "$n" ]
		# NAME[description]:argument:action
		# what may be given again is offered again
		[ "$(grep -c '^\*' "$T/specs")" = "$("$LACUNA" help --list "$c" |
			awk -F '\t' '$5 ~ /given again/' | cut -f 2,3 |
			tr '\t' '\n' | grep -c .)" ]
		! grep -vE '^(\*|\([^)]*\))?--?[a-zA-Z0-9-]+[+=]?\[.*\](:[^:]*:.*)?$' \
			"$T/specs" || false
	done
}
