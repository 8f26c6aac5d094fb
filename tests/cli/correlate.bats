#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
bats_require_minimum_version 1.5.0
# lacuna correlate: the verdict, on the allocator library itself.

bats_require_minimum_version 1.5.0

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

row() { # TEST SIZE FILTER
	jq -e ".findings[] | select(.test == \"$1\") | .rows[] |
		select(.size == $2) | $3" "$T/out"
}

@test "prediction and simulation agree within 1 % in every cell" {
	library
	try "$LACUNA" correlate --no-time -n 4000 -o json
	[ "$code" = 0 ]
	jq -e '[.findings[].rows[].prediction_error < 0.01] | all' "$T/out"
	jq -e '[.findings[].rows[]] | length == 15' "$T/out"
	# freed in order, packing saves an eighth of the lines; the lock, none
	row bulk 256 '(.lines_touched.size_share + 0.125) | fabs < 0.01'
	row bulk 256 '.lines_touched.update_effect == 0'
	row bulk 256 '.page_array_l1_misses.size_share < 0'
	# the lock adds references and no misses
	row bulk 256 '.accesses.update_effect > 3'
	row bulk 256 '.l1_misses.update_effect | fabs < 0.01'
}

@test "random frees of 256 bytes: fewer lines, and more misses" {
	library
	try "$LACUNA" correlate --no-time -s 256 -o json
	[ "$code" = 0 ]
	row bulk-random 256 '(.lines_touched.size_share + 0.125) | fabs < 0.01'
	row bulk-random 256 '.page_array_l1_misses.size_share > 0.3'
	row bulk-random 256 '.l1_misses.size_share > 0.08'
	row bulk-random 256 '.elsewhere | length >= 2'
	row bulk 256 '.page_array_l1_misses.size_share < -0.1'
	"$LACUNA" correlate --no-time -s 256 -o mail >"$T/mail"
	grep -q "Fewer lines and yet more misses" "$T/mail"
	grep -q "pays for every line" "$T/mail"
	[ "$(awk 'length > 72' "$T/mail" | wc -l)" = 0 ]
}

@test "test 2: no footprint, no update, and so no explanation of 2013" {
	library
	try "$LACUNA" correlate --no-time -t pair -s 256 -o json
	[ "$code" = 0 ]
	row pair 256 '.page_array_l1_misses | [.["aligned-cas"],
		.["aligned-lock"], .["packed-lock"], .["packed-cas"]] |
		map(. < 0.001) | all'
	row pair 256 '.updates < 0.001 and .fastpath_share > 0.999'
	row pair 256 '.published_2013.aligned_cas_ns == 57.4'
	row pair 256 '.sentence | contains("No variant misses")'
	"$LACUNA" correlate --no-time -t pair -s 256 -o mail >"$T/mail"
	grep -q "cannot come from the" "$T/mail"
	grep -q "sign is wrong" "$T/mail"
}

@test "an era with a word for the memory controller: built without it, and that is said" {
	library
	said() { # ERA: the note, in the text as in the data
		"$LACUNA" correlate --no-time -t bulk-random -s 256 -n 1000 \
			--era $1 -o json >"$T/out"
		note=$(jq -r .settings.era_note "$T/out")
		"$LACUNA" correlate --no-time -t bulk-random -s 256 -n 1000 \
			--era $1 -o text | tr -s '\n ' ' ' >"$T/text"
		grep -qF "$(echo "$note" | tr -s ' ')" "$T/text"
	}
	said v6.1
	[[ $note == "The struct page of era v6.1 is built here without memcg_data (CONFIG_MEMCG off): 64 bytes aligned, 56 packed."*"fills these 8 bytes: struct page has 64 either way"* ]]
	said v5.10
	[[ $note == *"era v5.10 is built here without mem_cgroup "* ]]
	# v3.13 has no such word; the v6.1 beside it has
	said v3.13
	[[ $note == "The same is counted in other eras, too"*"era v6.1 is built here without memcg_data "* ]]
	grep -q "Linux 6.1.192, .*tinyconfig with SLUB and SMP and without MEMCG.* QEMU" "$T/text"
	"$LACUNA" bench --no-time -t bulk -s 8 --era v6.1 | tr -s '
 ' ' ' |
		grep -q "era v6.1 is built here without memcg_data"
	"$LACUNA" bench --no-time -t bulk -s 8 >"$T/text"
	! grep -q "is built here without" "$T/text" || false
	# and the layouts have no such member
	for era in v5.10 v6.1; do
		f=$BUILD/fixtures/slab-sim-aligned-cas-$era
		[ -x "$f" ] || continue
		"$LACUNA" show "$f" page >"$T/page"
		! grep -q "mem_cgroup\|memcg_data" "$T/page" || false
	done
}

@test "a planted gap in test 2 is found, and not explained" {
	mkdir "$T/fake"
	sh tests/cli/fake-slab.sh install "$T/fake" 8
	export LACUNA_LIBEXEC=$T/fake FAKE_NOISE=$T/calls
	try "$LACUNA" correlate --quick -t pair -s 256 -o json \
		--planted packed-lock=0.73
	[ "$code" = 0 ]
	row pair 256 '.explained_by == "not explained"'
	row pair 256 '.packed_lock_to_aligned_cas.verdict == "faster"'
}

@test "a load above the number of processors: that is said" {
	. tests/cli/load.bash
	mkdir "$T/fake"
	sh tests/cli/fake-slab.sh install "$T/fake" 8
	export LACUNA_LIBEXEC=$T/fake FAKE_NOISE=$T/calls
	warns_of_load "$LACUNA" correlate --quick -t pair -s 8
}

@test "nothing planted, nothing found" {
	mkdir "$T/fake"
	sh tests/cli/fake-slab.sh install "$T/fake" 8
	export LACUNA_LIBEXEC=$T/fake FAKE_NOISE=$T/calls
	try "$LACUNA" correlate --quick -s 8,256 -o json
	[ "$code" = 0 ]
	jq -e '[.findings[].rows[].explained_by == "not resolved"] |
		all' "$T/out"
}

@test "the heat of struct page is what the cells say, member by member" {
	run --separate-stderr "$LACUNA" correlate --no-time -s 256 -n 1000 -o json
	[ "$status" -eq 0 ]
	heat=$(echo "$output" | jq -c '.figures["page-heat"].maps[1].spans |
		map(select(.heat) | {(.label): .heat}) | add')
	cell=$(echo "$output" | jq -c '.cells[] | select(.test == "bulk-random"
		and .size == 256 and .variant == "packed-lock") |
		.page_array.members | map({(.member): .l1_misses}) | add')
	[ "$(jq -n "$heat == $cell")" = true ]
	# it covers every byte once
	[ "$(echo "$output" | jq -c '[.figures["page-heat"].maps[] |
		([.spans[].bit_size] | add) / 8, .size] | unique')" = "[56,64]" ]
}

@test "the heat of struct page is drawn over the lines that were simulated" {
	for line in 64 128; do
		preset=westmere-ex
		[ $line = 64 ] || preset=power9
		"$LACUNA" correlate --no-time -t bulk-random -s 256 -n 1000 \
			--preset $preset -o json >"$T/$line"
		[ "$(jq '.figures["page-heat"].line_size' "$T/$line")" = $line ]
		"$LACUNA" correlate --no-time -t bulk-random -s 256 -n 1000 \
			--preset $preset -o html | tr '\n' ' ' >"$T/html$line"
	done
	grep -q "lines of 64 bytes, .* aligned descriptors, each, .* one in 8\\." \
		"$T/html64"
	grep -q "lines of 128 bytes, .* descriptors, one in 2, .* one in 16\\." \
		"$T/html128"
	# offsets 56 k within lines of 64, and within lines of 128
	grep -q "56 bytes (6 of 8 lie on two lines of 64 bytes)" "$T/html64"
	grep -q "56 bytes (6 of 16 lie on two lines of 128 bytes)" "$T/html128"
}

@test "a correlation over too few sizes is no number, and says why" {
	[ -x "$BUILD/fixtures/slab-sim-aligned-cas" ] || skip "no slab-sim"
	"$LACUNA" correlate --no-time -t bulk -s 64,256,1024 -n 500 -o json >"$T/c"
	jq -e '.correlations | length == 5 and all(.[]; .value == null and
		(.status | length > 0) and (.sizes == 3 or .sizes == 0))' "$T/c"
	"$LACUNA" correlate --no-time -t bulk-random -n 2000 -o json >"$T/c"
	jq -e '.correlations[0] | .value >= -1 and .value <= 1 and
		.low <= .value and .sizes == 7' "$T/c"
}

@test "the words on a time and what they rest on say the same" {
	[ -x "$BUILD/fixtures/slab-sim-aligned-cas" ] || skip "no slab-sim"
	"$LACUNA" correlate --quick -t bulk,pair -s 64 -n 500 -o json >"$T/c"
	# a word follows from the three clocks and the controls beside it
	jq -e '[.findings[] | .rests_on as $r | $r[0] as $n |
		$r[] | select(.what != "the controls") | . as $c |
		["cpu_q10", "cpu_median", "wall_median"] as $k |
		(if ($k | all(. as $x | $c[$x].low > $n[$x].high)) then "slower"
		elif ($k | all(. as $x | $c[$x].high < $n[$x].low)) then "faster"
		else "not resolved" end) == .words and
		((.why == "") == (.words != "not resolved"))] |
		length >= 6 and all' "$T/c"
	# and the findings have the same words
	jq -e '[.findings[] | . as $f | [.rests_on[1, 2, 3].words] ==
		($f.rows[0].time | [.size, .update, .interaction |
			.verdict])] | length >= 1 and all' "$T/c"
}

@test "fewer than four variants: no empty verdict, but usage" {
	for cmd in correlate report; do
		run --separate-stderr "$LACUNA" $cmd --no-time -s 256 -n 100 \
			--variant aligned-cas,packed-lock
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[[ $stderr == *"--variant aligned-cas,packed-lock"*"all four"* ]]
	done
}

@test "what follows for each size is told in words that fit the page" {
	library
	"$LACUNA" correlate --no-time -t bulk,pair -s 64,256 -n 500 -o json >"$T/j"
	"$LACUNA" correlate --no-time -t bulk,pair -s 64,256 -n 500 >"$T/text"
	# a size's words begin a line, and no line of them is too long
	! grep -E '^[0-9, ]+ bytes: .{70}' "$T/text" || false
	tr -s '\n ' ' ' <"$T/text" >"$T/w"
	jq -r '.findings[].sentences[] |
		"\(.sizes | map(tostring) | join(", ")) bytes: \(.sentence)"' \
		"$T/j" >"$T/sentences"
	[ -s "$T/sentences" ]
	while read -r sentence; do
		grep -qF "$sentence" "$T/w"
	done <"$T/sentences"
}
