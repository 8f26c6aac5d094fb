#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna bench: on programs that answer at once (fake-slab.sh), so that every
# figure is known, and once on the allocator library itself.

setup() {
	T=$BATS_TEST_TMPDIR
	mkdir -p "$T/fake"
	sh tests/cli/fake-slab.sh install "$T/fake" 8
	export LACUNA_LIBEXEC=$T/fake FAKE_NOISE=$T/calls
	command -v jq >/dev/null || skip "no jq"
}

try() {
	code=0
	"$@" >"$T/out" 2>"$T/err" || code=$?
	out=$(cat "$T/out") msg=$(cat "$T/err")
}

# Usage: exit 2, a message that has the words, nothing on standard output.
refuses() { # WORDS ARGUMENTS...
	words=$1
	shift
	try "$LACUNA" bench "$@"
	[ "$code" = 2 ]
	[ -z "$out" ]
	case $msg in *"$words"*) ;; *) echo "$msg" && false ;; esac
}

@test "every cell of the table has its figures, none of them a made-up 0" {
	try "$LACUNA" bench --quick -s 8,256 -o json
	[ "$code" = 0 ]
	echo "$out" | jq -e '.schema == "lacuna/1" and .command == "bench"'
	echo "$out" | jq -e '.cells | length == 16'
	echo "$out" | jq -e '[.cells[] | .time_ns.status == "measured" and
		.time_ns.low <= .time_ns.value and
		.time_ns.value <= .time_ns.high] | all'
	echo "$out" | jq -e '[.cells[].hardware.cycles |
		.value == null and .status == "unsupported"] | all'
	echo "$out" | jq -e '[.cells[].simulated.accesses == 27] | all'
	echo "$out" | jq -e '[.cells[].page_array |
		.lines_predicted == null and
		.lines_predicted_status == "not predictable"] | all'
	echo "$out" | jq -e '.tests[0].rows[0].controls |
		.again.value != null and .rebuilt.value != null'
}

@test "what is slower by half is found, and what is the same is not" {
	export FAKE_SLOW=packed-lock
	try "$LACUNA" bench --quick -t bulk -s 256 -o json
	[ "$code" = 0 ]
	echo "$out" | jq -e '.tests[0].rows[0] |
		.resolved == "packed-lock slower" and
		.ratio["packed-cas"].verdict == "not resolved" and
		.ratio["packed-lock"].low > 1.4'
}

@test "a load above the number of processors: that is said, where there are times" {
	. tests/cli/load.bash
	warns_of_load "$LACUNA" bench --quick -t bulk -s 8
	out=$(under_load 1000 "$LACUNA" bench --no-time -t bulk -s 8)
	[[ $out == *"Nothing was timed"* && $out != *"Warning: the load"* ]]
}

@test "a planted factor is said first, in every format" {
	what="the times of packed-lock are multiplied by 1.05"
	for c in bench correlate; do
		figure=pair-figure
		[ $c != bench ] || figure=pair-time-figure
		for form in text mail markdown html csv svg json; do
			set -- "$LACUNA" $c --quick -t pair -s 8,16 \
				--planted packed-lock=1.05 -o $form
			# of a document with several figures one is to be chosen
			[ $form != svg ] || set -- "$@" --figure $figure
			try "$@"
			[ "$code" = 0 ] || { echo "$c $form: $msg"; false; }
			case $form in
			json)
				echo "$out" | jq -e '.settings.planted |
					.variant == "packed-lock" and
					.factor == 1.05'
				continue ;;
			html | svg) shown=$(echo "$out" | tr -s '\n ' ' ') ;;
			*) shown=$(echo "$out" | head -3 | tr -s '\n ' ' ') ;;
			esac
			[[ ${shown//\\/} == *"Warning: --planted: $what"* ]] || {
				echo "$c $form: $shown"
				false
			}
		done
	done
	try "$LACUNA" bench --quick -t pair -s 8
	[[ $out != *lanted* ]]
	try "$LACUNA" bench --quick -t pair -s 8 -o json
	echo "$out" | jq -e '.settings | has("planted") and .planted == null'
	refuses "takes --size" -t message --planted packed-lock=1.05
}

@test "a mail fits 72 columns of ASCII" {
	try "$LACUNA" bench --quick -s 8,8192 -o mail
	[ "$code" = 0 ]
	[ "$(awk 'length > 72' "$T/out" | wc -l)" = 0 ]
	[ "$(LC_ALL=C grep -c '[^ -~]' "$T/out")" = 0 ]
}

@test "the same seed draws the same order, LAC_SEED as well as --seed" {
	order() {
		rm -f "$T/raw"
		"$LACUNA" bench --rounds 6 -t bulk -s 8 --raw "$T/raw" "$@" \
			>/dev/null
		jq -r .program "$T/raw"
	}
	a=$(order --seed 5)
	[ "$(echo "$a" | wc -l)" -ge 72 ]
	[ "$(order --seed 5)" = "$a" ]
	[ "$(LAC_SEED=5 order)" = "$a" ]
	[ "$(order --seed 6)" != "$a" ]
}

@test "what cannot be asked is refused with what can" {
	refuses "from 1 to 8192" --size 8193
	refuses "from 1 to 8192" --size 0
	refuses "from 1 to 8192" --size 8,x
	refuses "from 1 to 8192" --size -5
	refuses "bulk, pair, bulk-random" --test bulky
	refuses "aligned-cas, aligned-lock" --variant aligned
	refuses "from 1 to 2147483647" -n -3
	refuses "from 1 to 10000" --rounds 10001
	refuses "only one of them" --quick --thorough
	refuses "only one of them" --preset x --cache L1=32K/8
	refuses "power of two" --line 48
	refuses "from 32 to 256" --line 8192
	refuses "libpfm4" --event no-such-event
	refuses "0.1 to 10" --planted packed-lock=99
	refuses "VARIANT=FACTOR" --planted packed-lock
	refuses "only one of them" --planted packed-lock=1.05 --no-time
	refuses "--seed" --seed x
	refuses "empty list" --size ,
	refuses "too many arguments" file
	LAC_SEED=1x refuses "LAC_SEED"
}

@test "what a program refuses is said with its words" {
	FAKE_FAIL=packed-cas refuses "from 1 to 4 objects fit" -n 100000000 -s 8
}

@test "what the real programs refuse: status 2 with the valid range" {
	[ -x "$BUILD/fixtures/slab-sim-aligned-cas" ] || skip "no slab-sim"
	export LACUNA_LIBEXEC=$BUILD/fixtures
	refuses "power9, or host" --no-time --preset z80
	refuses "ways is not known" --no-time --preset apple-m1-e
	refuses "whole number of sets" --no-time --cache L1=32K/7
	refuses "1 to 32" --no-time --cache L1=32K/64
	refuses "expected L1=SIZE/WAYS" --no-time --cache 32K
	refuses "goes with --cache" --no-time --line 128
	refuses "v3.13, v5.10, v6.1, v6.12" --no-time --era v2.6
	refuses "do not fit into memory; up to" --no-time -s 8192 -n 1000000000
	refuses "2 to 128" -t remote --cpus 129
	refuses "2 to 128" -t message --cpus 129
	refuses "from 2 to 1024 are possible" -t message --groups 300 --fds 2
	refuses "from 1 to 36544" -t message --size 36545
}

@test "without the programs: exit 3, and what to do" {
	LACUNA_LIBEXEC=/nonexistent try "$LACUNA" bench
	[ "$code" = 3 ] && [ -z "$out" ]
	case $msg in *LACUNA_LIBEXEC*) ;; *) false ;; esac
	mkdir "$T/empty"
	LACUNA_LIBEXEC=$T/empty try "$LACUNA" bench
	[ "$code" = 3 ] && [ -z "$out" ]
	case $msg in *slab-*) ;; *) false ;; esac
}

@test "output that cannot be written: exit 3" {
	code=0
	"$LACUNA" bench --no-time -s 8 >/dev/full 2>"$T/err" || code=$?
	[ "$code" = 3 ]
	try "$LACUNA" bench --quick -s 8 -t bulk --raw /nonexistent/raw
	[ "$code" = 3 ] && [ -z "$out" ]
	try "$LACUNA" bench --quick -s 8 -t bulk --raw /dev/full
	[ "$code" = 3 ] && [ -z "$out" ]
}

@test "^C keeps what there is, says so, and leaves no process" {
	FAKE_HANG=packed-cas "$LACUNA" bench -t bulk -s 8 -o json \
		>"$T/out" 2>"$T/err" 3>&- &
	pid=$!
	i=0
	# a program hangs; ^C at a terminal reaches it, too, but not by kill
	while ! pgrep -P "$pid" >/dev/null && [ $i -lt 100 ]; do
		sleep 0.1
		i=$((i + 1))
	done
	sleep 0.5
	children=$(pgrep -P "$pid" | tr '\n' ' ')
	[ -n "$children" ]
	# a shell without job control starts its jobs with SIGINT ignored
	if grep -q '^SigIgn:.*[2367abef]$' "/proc/$pid/status"; then
		kill -TERM "$pid"
		wait "$pid" || true
	else
		kill -INT "$pid"
		wait "$pid"
		jq -e '.settings.interrupted' "$T/out"
	fi
	sleep 0.2
	for c in $children; do # gone, or dead and not yet buried
		case $(cut -d' ' -f3 "/proc/$c/stat" 2>/dev/null) in
		'' | Z | X) ;;
		*) false ;;
		esac
	done
}

@test "fewer variants, another base" {
	try "$LACUNA" bench --quick -t pair -s 64 \
		--variant packed-cas,aligned-cas -o json
	[ "$code" = 0 ]
	echo "$out" | jq -e '.cells | length == 2'
	echo "$out" | jq -e '.settings.base == "packed-cas"'
	echo "$out" | jq -e '.tests[0].rows[0].ratio | keys == ["aligned-cas"]'
	try "$LACUNA" bench --quick -t pair -s 64 --variant packed-cas
	[ "$code" = 0 ]
}

@test "on the library: the layout predicts the lines, twice the same bytes" {
	unset LACUNA_LIBEXEC
	[ -x "$BUILD/fixtures/slab-sim-packed-cas" ] || skip "no slab-sim"
	try "$LACUNA" bench --no-time -s 256,8192 -n 3000 -o json
	[ "$code" = 0 ]
	echo "$out" | jq -e '[.cells[].page_array |
		(.lines_predicted / .lines_touched - 1) | fabs < 0.01] | all'
	echo "$out" | jq -e '[.cells[] | select(.test == "bulk") |
		.page_array.members | map(.member) |
		index("freelist") != null and index("slab_cache") != null] | all'
	# a member's misses are those of the array, not a hand-made share
	echo "$out" | jq -e '[.cells[].page_array |
		((.members | map(.l1_misses) | add) - .l1_misses) |
		fabs < 1e-9] | all'
	echo "$out" | jq -e '[.cells[].time_ns.status == "not timed"] | all'
	a=$(echo "$out" | jq -c .cells)
	try "$LACUNA" bench --no-time -s 256,8192 -n 3000 -o json
	[ "$(echo "$out" | jq -c .cells)" = "$a" ]
}

@test "on the library: times and their paths" {
	unset LACUNA_LIBEXEC
	[ -x "$BUILD/fixtures/slab-time-packed-cas.0" ] || skip "no slab-time"
	try "$LACUNA" bench --quick -t pair -s 256 -n 2000 -o json
	[ "$code" = 0 ]
	echo "$out" | jq -e '[.cells[].time_ns.value > 0] | all'
	# the pair loop takes the fast path only, once it is warm
	echo "$out" | jq -e '[.cells[].statistics |
		.free_slowpath < 0.001 and .alloc_fastpath > 0.99] | all'
	echo "$out" | jq -e '[.cells[].software.task_clock_ns |
		(.status == "measured" and .value > 0) or
		(.value == null and .status != "measured")] | all'
}

@test "remote: several CPUs, and no last level that nobody simulated" {
	[ -x "$BUILD/fixtures/slab-sim-aligned-cas" ] || skip "no slab-sim"
	export LACUNA_LIBEXEC=$BUILD/fixtures
	"$LACUNA" bench -t remote --no-time -s 64 -n 500 --cpus 3 -o json \
		>"$T/out"
	jq -e 'all(.cells[]; .simulated | .cpus == 3 and .hitm > 0 and
		.llc_misses == null and (.llc_misses_status | length > 0))' \
		"$T/out"
	code=0
	"$LACUNA" correlate -t remote >"$T/out" 2>&1 || code=$?
	[ "$code" = 2 ]
}

@test "a prefetcher and a TLB on request, and null without" {
	[ -x "$BUILD/fixtures/slab-sim-aligned-cas" ] || skip "no slab-sim"
	export LACUNA_LIBEXEC=$BUILD/fixtures
	"$LACUNA" bench --no-time -t bulk-random -s 256 -n 4000 -o json >"$T/a"
	"$LACUNA" bench --no-time -t bulk-random -s 256 -n 4000 --prefetch \
		--dtlb 64/4 -o json >"$T/b"
	jq -e -n --slurpfile a "$T/a" --slurpfile b "$T/b" '
		$a[0].cells[0].simulated as $a | $b[0].cells[0].simulated as $b |
		$a.prefetches == null and $a.dtlb_misses == null and
		$a.prefetches_status == "not simulated" and
		$b.prefetches > 0 and $b.dtlb_misses > 0 and
		$b.l1_misses == $a.l1_misses and $b.accesses == $a.accesses'
	refuses "divide the entries" --no-time --dtlb 64/5
	refuses "ENTRIES/WAYS" --no-time --dtlb 64
}

@test "--help, the words to complete and the refusal have one list of tests" {
	for command in bench correlate report; do
		run "$LACUNA" "$command" --no-time --test nosuch
		[ "$status" -eq 2 ]
		refused=$(sed -n 's/.*one of //p' <<<"$output" | tr -d ,)
		helped=$("$LACUNA" "$command" --help |
			sed -n '/--test=LIST/,/--size/p' | tr -s '\n ' ' ' |
			sed 's/ -s,.*//; s/.*LIST //')
		[ "$command" = bench ] &&
			words=$(sed 's/; or message alone/, message/' <<<"$helped") ||
			words=$helped
		words=$(sed 's/; several with commas (default [a-z,]*)//' \
			<<<"$words" | tr -d ,)
		[ "$words" = "$refused" ]
		# and it runs each of them
		for test in $refused; do
			run "$LACUNA" "$command" --no-time --test "$test" \
				--size 8 --n 2
			[[ "$output" != *"--test"* && "$output" != *"unknown"* ]] ||
				[ "$test" = message ]
		done
	done
	for command in correlate report; do
		run "$LACUNA" "$command" --test message
		[ "$status" -eq 2 ]
		[[ "$output" == *"only in lacuna bench"* ]]
	done
}
