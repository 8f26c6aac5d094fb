#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna report: measured once, rendered in every form.

setup() {
	T=$BATS_TEST_TMPDIR
	command -v jq >/dev/null || skip "no jq"
}

try() {
	code=0
	"$@" >"$T/out" 2>"$T/err" || code=$?
	out=$(cat "$T/out") msg=$(cat "$T/err")
}

library() {
	[ -x "$BUILD/fixtures/slab-sim-packed-cas" ] || skip "no slab-sim"
}

@test "a planted factor is said first, in every file" {
	library
	mkdir "$T/r"
	try "$LACUNA" report --quick --rounds 1 -t pair -s 8 -n 500 \
		--planted packed-cas=0.9 --into "$T/r/s" -o mail
	[ "$code" = 0 ]
	what="Warning: --planted: the times of packed-cas are multiplied by 0.9"
	for f in txt mail md csv; do
		[[ $(head -3 "$T/r/s/report.$f" | tr -d '\\' |
			tr -s '\n ' ' ') == *"$what"* ]] || {
			head -3 "$T/r/s/report.$f"
			false
		}
	done
	grep -q "$what" "$T/r/s/report.html"
	jq -e '.settings.planted.factor == 0.9' "$T/r/s/report.json"
}

@test "one document has layouts, kernels and the verdict, with its head" {
	library
	mkdir "$T/r"
	try "$LACUNA" report --quick -s 256 -n 2000 -o mail --into "$T/r/s"
	[ "$code" = 0 ]
	for words in "lacuna [0-9]" "compiled by" "64-byte lines" "load" \
		"hardware counters" "The layouts" "The alloc/free kernels" \
		"The verdict" "cannot come from the footprint" \
		"Fewer lines and yet more misses" "rank correlation"; do
		tr '\n' ' ' <"$T/r/s/report.txt" | tr -s ' ' |
			grep -q "$words" || {
			echo "lacks: $words"
			false
		}
	done
	[ "$(awk 'length > 72' "$T/out" | wc -l)" = 0 ]
	# every form is of the same run
	cmp "$T/out" "$T/r/s/report.mail"
	for f in txt mail md json; do
		[ -s "$T/r/s/report.$f" ]
	done
	jq -e '.command == "report" and (.cells | length) > 0 and
		(.findings | length) > 0 and (.page | length) > 0' \
		"$T/r/s/report.json"
	value=$(jq -r '.cells[0].page_array.lines_touched * 10000 | floor' \
		"$T/r/s/report.json")
	[ "$value" -gt 0 ]
	[ -z "$(ls -A "$T/r/s" | grep '^\.')" ]
}

@test "a directory that cannot be made or written: exit 3, before the work" {
	try "$LACUNA" report --into /proc/nowhere/x
	[ "$code" = 3 ] && [ -z "$out" ]
	case $msg in */proc/nowhere*) ;; *) false ;; esac
	touch "$T/file"
	try "$LACUNA" report --into "$T/file/x"
	[ "$code" = 3 ] && [ -z "$out" ]
}

@test "--into: one directory, with a name; every file, or none" {
	try "$LACUNA" report --into=
	[ "$code" = 2 ] && [ -z "$out" ]
	try "$LACUNA" report --into "$T/typo/dir"
	[ "$code" = 3 ] && [ ! -e "$T/typo" ]
	case $msg in *"$T/typo/dir"*"one directory"*) ;; *) false ;; esac
	library
	mkdir -p "$T/into/report.md"
	try "$LACUNA" report --no-time -t pair -s 8 -n 50 --into "$T/into"
	[ "$code" = 3 ] && [ -z "$out" ]
	case $msg in *"$T/into/report.md"*) ;; *) false ;; esac
	[ "$(ls -A "$T/into")" = report.md ]
}
