#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna perfstat: the command line, the documents, and a real perf.

setup() {
	S=fixtures/perf-samples
}

perfstat() {
	run --separate-stderr "$LACUNA" perfstat "$@"
}

# JQ-FILTER: what it gives on the output of the last run
json() {
	echo "$output" | jq -r "$1"
}

bats_require_minimum_version 1.5.0

@test "two outputs as a mail has them: elapsed 5.1766 times, all but page-faults resolved" {
	perfstat -o json "$S/rt-old.txt" "$S/rt-new.txt"
	[ "$status" = 1 ]
	[ "$(json .schema)" = lacuna/1 ]
	[ "$(json .command)" = perfstat ]
	[ "$(json '.comparison.rows[0] | .event, (.ratio.value * 1e4 | round)' |
		paste -sd' ')" = "elapsed time 51766" ]
	[ "$(json '[.comparison.rows[] | select(.resolved != true) | .event] |
		join(" ")')" = page-faults ]
	[ "$(json '.outputs[].events[0].metrics[0].computed * 1e3 | round' |
		paste -sd' ')" = "27220 4782" ]
}

@test "one mail with both says the same as two files" {
	perfstat -o json "$S/rt-old.txt" "$S/rt-new.txt"
	want=$(json .comparison)
	for f in mail wrapped rewrapped archive filled qp; do
		perfstat -o json --pick 1,2 "$S/rt-$f.txt"
		[ "$status" = 1 ]
		[ "$(json .comparison)" = "$want" ]
	done
}

@test "the mail form is ASCII within 72 columns, headline and waiting included" {
	perfstat -o mail "$S/rt-old.txt" "$S/rt-new.txt"
	[ "$status" = 1 ]
	[ -z "$(echo "$output" | LC_ALL=C grep -n '[^ -~]')" ]
	[ -z "$(echo "$output" | grep -nE '^.{73}')" ]
	[[ $output == *"10 of 11 lines differ by more than their errors"* ]]
	[[ $output == *"The processors were"*"less busy"* ]]
}

@test "every form writes every sample" {
	for f in "$S"/*.csv "$S"/*.json "$S"/rt-*.txt "$S"/*-human*.txt; do
		for form in text mail markdown json csv; do
			perfstat -o "$form" "$f"
			[ "$status" = 0 ] || { echo "$f $form: $stderr"; false; }
			[ -n "$output" ]
		done
	done
}

@test "nothing differs from itself: exit status 0" {
	for f in rt-old.txt c-comma.csv de-lines.json per-cpu.txt; do
		perfstat "$S/$f" "$S/$f"
		[ "$status" = 0 ]
	done
}

@test "- is standard input, on one side" {
	run --separate-stderr sh -c \
		"'$LACUNA' perfstat -o json $S/rt-old.txt - <$S/rt-new.txt"
	[ "$status" = 1 ]
	[ "$(json '.outputs[1].file')" = "standard input" ]
	perfstat - -
	[ "$status" = 2 ]
	[[ $stderr == *"only once"* ]]
}

@test "several outputs are not chosen from by guess" {
	perfstat "$S/rt-mail.txt" "$S/rt-new.txt"
	[ "$status" = 2 ]
	[ -z "$output" ]
	[[ $stderr == *"rt-mail.txt"*"line 3"*"line 21"*"--pick"* ]]
	perfstat --pick 2,1 "$S/rt-mail.txt" "$S/rt-new.txt"
	[ "$status" = 0 ]
	perfstat --pick 3 "$S/rt-mail.txt"
	[ "$status" = 2 ]
	perfstat "$S/rt-mail.txt"
	[ "$status" = 0 ]
	[[ $output == *"Output 2"* ]]
}

@test "bad options are usage errors" {
	for o in "--pick 0" "--pick 1,2,3" "--pick x" "--confidence 0" \
		"--confidence 100" "--confidence nan" "--runs -1"; do
		perfstat $o "$S/rt-old.txt" "$S/rt-new.txt"
		[ "$status" = 2 ] || { echo "$o"; false; }
	done
	perfstat
	[ "$status" = 2 ]
}

@test "what cannot be read is status 3, with the file and the way out" {
	perfstat "$S/interval.txt"
	[ "$status" = 3 ]
	[ -z "$output" ]
	[[ $stderr == *"interval.txt"*"--summary"* ]]
	perfstat "$S/metric-only.txt"
	[ "$status" = 3 ]
	[[ $stderr == *"--metric-only"* ]]
	perfstat README.md
	[ "$status" = 3 ]
	perfstat no-such-file
	[ "$status" = 3 ]
	[[ $stderr == *"no-such-file"*"No such file"* ]]
	perfstat tests
	[ "$status" = 3 ]
}

@test "last runs are flagged, and compared with the error of one run" {
	perfstat -o json "$S/c-human-table.txt" "$S/de-human.txt"
	[ "$(json '.outputs[].counts_are' | sort -u)" = "last run" ]
	[ "$(json '.notes | length')" = 2 ]
	[ "$(json '.comparison.rows[] | select(.event == "page-faults") |
		.old.status, (.old.error_percent * 100 | round)' |
		paste -sd' ')" = "last run 124" ]
	[ "$(json '.comparison.rows[] | select(.event == "task-clock") |
		.old.status')" = "mean by the rates" ]
}

@test "derived figures are of the values in the rows, the last runs' clocks included" {
	# each figure again, from the rows of the same document
	again='(.rows | map(select(.event == "task-clock"))[0]) as $clock |
		.rows[0] as $elapsed | .rows as $rows | .figures[] |
		. as $f | ("old", "new") as $side |
		(if $f.figure == "CPUs utilized" then
			$clock[$side].value / 1e3 / $elapsed[$side].value
		else
			($rows[] | select(.event == ($f.figure |
				split(" ")[0]))[$side].value) /
				($clock[$side].value / 1e3) /
				{"K/sec": 1e3, "/sec": 1}[$f.unit]
		end) / $f[$side].value | . > 0.999999 and . < 1.000001'
	for old in c-human-table de-human fr-human; do
		perfstat -o json "$S/$old.txt" "$S/fr-human.txt"
		[ "$(json ".comparison | [$again] | length, all" |
			paste -sd' ')" = "8 true" ] || { echo "$old"; false; }
	done
	perfstat -o json "$S/fr-human.txt" "$S/de-human.txt"
	[ "$(json '.comparison.figures[] | select(.figure ==
		"CPUs utilized").old | (.value * 1e3 | round), .status' |
		paste -sd' ')" = "1462 mean by the rates" ]
}

@test "--means is not believed where the rates contradict it, and that is said" {
	for f in c-human-table fr-human; do
		perfstat -o json "$S/$f.txt"
		[ "$(json '.notes | length')" = 1 ]
		perfstat -o json --means "$S/$f.txt"
		[ "$(json '.outputs[0].counts_are')" = "last run" ]
		[[ $(json '.notes[].text') == *"--means is not applied: the rates"*"contradict it"* ]]
	done
	perfstat --means "$S/fr-human.txt" "$S/de-human.txt"
	[ "$(echo "$output" | tr -s '\n' ' ' | grep -o -- "--means is not applied" |
		wc -l)" = 2 ]
	perfstat -o json --means "$S/rt-old.txt"
	[ "$(json '.outputs[0].counts_are, (.notes | length)' | paste -sd' ')" = \
		"means 0" ]
}

@test "--runs and --means supply what CSV does not say" {
	perfstat -o json "$S/de-comma.csv"
	[ "$(json '.outputs[0] | .runs, .counts_are' | paste -sd' ')" = \
		"null undecided" ]
	perfstat -o json --runs 5 --means "$S/de-comma.csv"
	[ "$(json '.outputs[0] | .runs, .counts_are' | paste -sd' ')" = \
		"5 means" ]
}

@test "an absent count is null with its status, never 0" {
	perfstat -o json "$S/c-lines.json"
	[ "$(json '.outputs[0].events[] | select(.event == "cycles") |
		.value, .status' | paste -sd' ')" = "null unsupported" ]
	perfstat "$S/c-lines.json"
	[[ $output == *"cycles"*"unsupported"* ]]
}

# --- against perf itself

perf_works() {
	command -v perf >/dev/null && perf stat true >/dev/null 2>&1 ||
		skip "no perf that may count"
}

# The counts of -x and -j are those of the same counters; two runs of the same
# program differ, so only what perf prints twice is compared: event names,
# statuses, and that all is understood.
@test "what this machine's perf prints is read in every form" {
	perf_works
	d=$BATS_TEST_TMPDIR
	perf stat -r 3 -o "$d/human" true
	perf stat -r 3 --table -o "$d/table" true
	perf stat -r 3 -x, -o "$d/comma" true
	perf stat -r 3 -x';' -o "$d/semicolon" true
	perf stat -r 3 -x'\t' -o "$d/tab" true
	perf stat -r 3 -x'::' -o "$d/colons" true
	forms="human table comma semicolon tab colons"
	if perf stat -j -o "$d/lines" true 2>/dev/null; then
		perf stat -r 3 -j -o "$d/lines" true
		forms="$forms lines"
	fi
	for f in $forms; do
		perfstat -o json "$d/$f"
		[ "$status" = 0 ] || { echo "$f: $stderr"; cat "$d/$f"; false; }
		names=$(json '.outputs | length, .[0].events[] |
			if type == "object" then .event, .unit else . end')
		[ "$f" != human ] || want=$names
		[ "$names" = "$want" ] || { echo "$f: $names"; false; }
		[ "$(json '[.outputs[].events[].metrics[].check |
			select(. == "disagrees" or . == "no formula")] |
			length')" = 0 ] || { echo "$f"; cat "$d/$f"; false; }
		[ "$(json '[.notes[].text | select(test("not understood"))] |
			length')" = 0 ]
	done
}

@test "what this machine's perf prints in a comma locale is the same" {
	perf_works
	[ -e /usr/share/i18n/locales/de_DE ] || skip "no locale sources"
	d=$BATS_TEST_TMPDIR
	localedef -i de_DE -f UTF-8 "$d/de_DE.UTF-8" || skip "no localedef"
	comma="env LOCPATH=$d LC_ALL=de_DE.UTF-8"
	$comma perf stat -r 3 -o "$d/human" true
	$comma perf stat -r 3 -x, -o "$d/comma" true
	$comma perf stat -r 3 -x';' -o "$d/semicolon" true
	$comma perf stat -x, -o "$d/single" true
	forms="human comma semicolon single"
	if perf stat -j -o "$d/lines" true 2>/dev/null; then
		$comma perf stat -r 3 -j -o "$d/lines" true
		forms="$forms lines"
	fi
	for f in $forms; do
		perfstat -o json "$d/$f"
		[ "$status" = 0 ] || { echo "$f: $stderr"; cat "$d/$f"; false; }
		[ "$(json '.outputs[0].decimal_mark')" = , ]
		names=$(json '.outputs[0].events[] | .event, .unit')
		[ "$f" != human ] || want=$names
		[ "$names" = "$want" ] || { echo "$f: $names"; false; }
	done
}

# The table of --table gives the mean, whatever the version prints elsewhere.
@test "the elapsed time of this machine's perf is the mean of its table" {
	perf_works
	perf stat -r 4 --table -o "$BATS_TEST_TMPDIR/t" true
	perfstat -o json "$BATS_TEST_TMPDIR/t"
	[ "$(json '.outputs[0].runs_s | length')" = 4 ]
	[ "$(json '.outputs[0] | ((.runs_s | add) / 4 / .elapsed_s.value - 1) |
		fabs < 0.02')" = true ]
}

# HEADER-LINES: an output of a last run under them
under_header() {
	printf '%s\n\n' "$1"
	cat <<-'END'
	              0.59 msec task-clock   #    0.856 CPUs utilized  ( +-  4.95% )
	                 0      cpu-migrations   #    0.000 /sec
	                49      page-faults  #   77.462 K/sec          ( +-  0.30% )

	         0.0006918 +- 0.0000772 seconds time elapsed  ( +- 11.15% )
	END
}

@test "the number of runs is read from any form of the header" {
	head=" Performance counter stats for 'true'"
	for h in "$head (10 runs):" "$head (10"$'\n'"runs):" "$head (10 runs) :" \
		"$head ( 10 runs ):" "$head (10 runs)" "$head"$'\n'"(10 runs):" \
		"$head (2 runs)' (10 runs):" "(10 runs):"; do
		under_header "$h" >"$BATS_TEST_TMPDIR/a"
		perfstat -o json "$BATS_TEST_TMPDIR/a"
		[ "$(json '.outputs[0].runs')" = 10 ] || { echo "$h"; false; }
	done
	under_header "$head (x runs):" >"$BATS_TEST_TMPDIR/a"
	perfstat -o json "$BATS_TEST_TMPDIR/a"
	[ "$(json '.outputs[0].runs')" = null ]
}

@test "a count of 0 without an error is not blamed on the number of runs" {
	under_header " Performance counter stats for 'true' (10 runs):" \
		>"$BATS_TEST_TMPDIR/a"
	perfstat -o json "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/a"
	[ "$(json '.comparison.rows[] | select(.event == "cpu-migrations") |
		.why')" = "no error printed" ]
}

@test "a last run is claimed with figures that differ, and only past rounding" {
	sample() {
		printf '{"counter-value" : "0.%s", "unit" : "msec", "event" : "task-clock", "variance" : 1.20, "event-runtime" : 1, "pcnt-running" : 100.00, "metric-value" : 0.9, "metric-unit" : "CPUs utilized"}\n' "$1"
		printf '{"counter-value" : "48.000000", "unit" : "", "event" : "page-faults", "variance" : 0.42, "event-runtime" : 1, "pcnt-running" : 100.00, "metric-value" : %s, "metric-unit" : "K/sec"}\n' "$2"
	}
	# 48 / 70.588235 K = 0.680000 ms
	sample 678400 70.588235 >"$BATS_TEST_TMPDIR/a"
	perfstat -o json "$BATS_TEST_TMPDIR/a"
	[[ $(json '.notes[].text') == *"0.680000 msec where 0.678400"* ]]
	sample 680000 70.588235 >"$BATS_TEST_TMPDIR/a"
	perfstat -o json "$BATS_TEST_TMPDIR/a"
	[ "$(json '.notes | length')" = 0 ]
}

@test "outputs of two commands: that is said" {
	sed "s/hackbench -g200/sleep/" "$S/rt-new.txt" >"$BATS_TEST_TMPDIR/b"
	perfstat "$S/rt-old.txt" "$BATS_TEST_TMPDIR/b"
	[[ $output == *"The commands differ: 'hackbench"*" against 'sleep"* ]]
	perfstat -o json "$S/rt-old.txt" "$BATS_TEST_TMPDIR/b"
	[ "$(json .comparison.same_command)" = false ]
	# a wrapped header is no other command
	perfstat -o json --pick 1,2 "$S/rt-rewrapped.txt"
	[ "$(json .comparison.same_command)" = true ]
	perfstat "$S/rt-old.txt" "$S/rt-new.txt"
	[[ $output != *"commands differ"* ]]
}

# COUNT EVENT [PLACE]: an output of one run
one_run() {
	printf " Performance counter stats for 'x':\n\n %s %s\n\n" "$1" "$2"
	printf ' 1.000000000 seconds time elapsed\n'
}

@test "small ratios keep digits, and one run has no error called measured" {
	one_run 12045 context-switches >"$BATS_TEST_TMPDIR/a"
	one_run 1 context-switches >"$BATS_TEST_TMPDIR/b"
	perfstat "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	[ "$status" = 0 ]
	[[ $output == *0.000083* ]]
	[[ $output != *0.0000\ * ]]
	[[ $output != *measured* ]]
	[[ $output == *"none printed"* ]]
}

@test "a plain count has no decimals" {
	for n in 12,34 1.234,56 12.34; do
		one_run $n instructions | sed 's/1.000000000/1,000000000/' \
			>"$BATS_TEST_TMPDIR/a"
		perfstat "$BATS_TEST_TMPDIR/a"
		[ "$status" = 3 ]
		[ -z "$output" ]
		[[ $stderr == *"a:3: instructions with decimals"* ]]
	done
	printf '12.34,,instructions,100,100.00,,\n' >"$BATS_TEST_TMPDIR/a"
	perfstat "$BATS_TEST_TMPDIR/a"
	[ "$status" = 3 ]
}

@test "figures that the counts contradict: exit status 1" {
	sed 's/27,220 CPUs/17,220 CPUs/' "$S/rt-old.txt" >"$BATS_TEST_TMPDIR/a"
	perfstat "$BATS_TEST_TMPDIR/a"
	[ "$status" = 1 ]
	[[ $output == *disagrees* ]]
	perfstat "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/a"
	[ "$status" = 1 ]
}

@test "quoted and filled again, with the marks inside of the lines" {
	perfstat -o json "$S/rt-old.txt" "$S/rt-new.txt"
	want=$(json .comparison)
	for mark in '>' '> >' '>>' '|'; do
		for f in old new; do
			grep -v '^$' "$S/rt-$f.txt" | sed "s/^/$mark /" |
				tr -s ' \n' ' ' | fold -s -w 70 |
				sed "s/^/$mark /" >"$BATS_TEST_TMPDIR/$f"
		done
		perfstat -o json "$BATS_TEST_TMPDIR/old" "$BATS_TEST_TMPDIR/new"
		[ "$(json .comparison)" = "$want" ] || {
			cat "$BATS_TEST_TMPDIR/old"; false; }
	done
}

@test "what looks like an event and is not read is counted" {
	{
		echo '1.234 context-switches # 0,1 K/sec ( +- 1,00% )'
		echo 'here we have 464.967,20 task-clock # 27,220 CPUs utilized'
		echo 'and ever so many cycles # 0,017 M/sec ( +- 0,86% ) in it'
		echo 'the cycles went up by 5% (+- 2) in 3 runs # see above'
	} >"$BATS_TEST_TMPDIR/a"
	perfstat -o json "$BATS_TEST_TMPDIR/a"
	[ "$status" = 0 ]
	[[ $(json '.notes[].text') == "2 lines with the look of events"* ]]
	[ "$(json '.notes[].line')" = 2 ]
	perfstat -o json "$S/rt-mail.txt"
	[ "$(json '[.notes[].text | select(test("look of events"))] |
		length')" = 0 ]
}

@test "a byte order mark before an output is none of it" {
	f=$S/c-comma.csv
	mark=$BATS_TEST_TMPDIR/mark
	(printf '\xef\xbb\xbf'; cat "$f") >"$mark"
	perfstat -o json "$f" "$f"
	bare=$output
	perfstat -o json "$mark" "$mark"
	[ "$(jq -r '.outputs[0].file' <<<"$output")" = "$mark" ]
	[ "${output//"$mark"/"$f"}" = "$bare" ]
}
