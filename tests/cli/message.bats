#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna bench --test message: two locks side by side.

setup() {
	T=$BATS_TEST_TMPDIR
	[ -x "$BUILD/fixtures/slab-time-aligned-cas.0" ] || skip "no slab-time"
	command -v jq >/dev/null || skip "no jq"
}

# A program that answers with figures that are known: 1 to 4 and its lock.
fake() {
	mkdir "$T/lib"
	cat >"$T/lib/slab-time-packed-lock.0" <<-'SH'
	#!/bin/sh
	echo "$*" >>"$(dirname "$0")/calls"
	n=$(grep -c -e "--list-lock $4" "$(dirname "$0")/calls")
	[ "$4" = sleeping ] && n=$((n + 10))
	echo "{\"message\":{\"messages\":7,\"task_clock_ns\":${n}000000,\
	\"elapsed_ns\":2000000.0,\"cpus_utilized\":$n,\
	\"context_switches\":null,\"migrations\":0}}"
	SH
	chmod +x "$T/lib/slab-time-packed-lock.0"
	ln -s "$BUILD/fixtures/slab-sim-packed-lock" "$T/lib"
	export LACUNA_LIBEXEC=$T/lib
}

@test "means and standard errors of known figures, the locks in turn" {
	fake
	"$LACUNA" bench -t message --variant packed-lock --repeat 4 \
		--groups 3 --size 64 -o json >"$T/out"
	# too few pairs for an interval; the median of
	# 11/1, 12/2, 13/3, 14/4
	jq -e '.message.rows[0].ratio | (.value - 5.0990 | fabs < 0.001) and
		.low == null and (.status | test("fewer than 6"))' "$T/out"
	# 1 2 3 4: mean 2.5, standard error sqrt(5/3) / 2
	jq -e '.message.rows[0].raw | .value == 2.5 and
		((.error_percent - 25.8199) | fabs < 0.001)' "$T/out"
	jq -e '.message.rows[0].sleeping.value == 12.5' "$T/out"
	jq -e '.message.rows[2].raw | .value == 2 and .error_percent == 0' \
		"$T/out"
	jq -e '.message.rows[3].raw | .value == null and
		.status == "not measured"' "$T/out"
	# the control: sleeping 12 / 11, raw 3 / 2, and the other way 13 / 14
	jq -e '.message.rows[0] | (.control.value - 12 / 11 | fabs < 1e-6) and
		.control.low == null and .words == "not resolved"' "$T/out"
	[ "$(grep -c -e '--size 64 --groups 3' "$T/lib/calls")" = 8 ]
	[ "$(sed 's/.*lock \([a-z]*\) .*/\1/' "$T/lib/calls" | head -4 |
		tr '\n' ' ')" = "raw sleeping sleeping raw " ]
	"$LACUNA" bench -t message --variant packed-lock --repeat 1 \
		-o json >"$T/out"
	jq -e '.message.rows[0] | .raw.error_percent == null and
		.control.value == null and .words == "not resolved"' "$T/out"
}

# steady FACTOR: a run takes 1, and with the sleeping lock FACTOR; the longer the
# later, so that each run of a lock differs from the one before.
steady() {
	mkdir "$T/lib"
	for b in 0 1 2; do
		cat >"$T/lib/slab-time-packed-lock.$b" <<-SH
		#!/bin/sh
		echo "\$0 \$4" >>"$T/lib/calls"
		n=\$(grep -c . "$T/lib/calls")
		[ "\$4" = raw ] && f=1 || f=$1
		echo "\$n \$f" | awk '{ printf "{\"message\":{\"messages\":7," \
			"\"task_clock_ns\":%.0f,\"elapsed_ns\":1e6," \
			"\"cpus_utilized\":1,\"context_switches\":null," \
			"\"migrations\":0}}\n", 1e9 * \$2 * (1 + \$1 / 100) }'
		SH
		chmod +x "$T/lib/slab-time-packed-lock.$b"
	done
	ln -s "$BUILD/fixtures/slab-sim-packed-lock" "$T/lib"
	export LACUNA_LIBEXEC=$T/lib
}

@test "a difference is one that the same lock against itself does not show" {
	for f in 1:"not resolved" 1.001:"not resolved" 1.5:higher 0.5:lower; do
		rm -rf "${T:?}/lib"
		steady "${f%%:*}"
		"$LACUNA" bench -t message --variant packed-lock --repeat 12 \
			--loops 1 -o json >"$T/out"
		jq -e --arg w "${f#*:}" '.message.rows[0].words == $w' "$T/out"
		jq -e '.message.rows[0].control | .low <= 1 and .high >= 1 and
			.low > 0.98 and .high < 1.02' "$T/out"
		jq -e '.message.rows[1].words == "not resolved"' "$T/out"
	done
	# both runs of a pair from one build, and all builds in turn
	[ "$(sed 's/.*\.\([0-9]\) .*/\1/' "$T/lib/calls" | head -8 |
		tr -d '\n')" = 00112200 ]
	"$LACUNA" bench -t message --variant packed-lock --repeat 12 --loops 1 \
		--width 0 | tr '\n' ' ' >"$T/text"
	! grep -q "no difference" "$T/text" || false
	grep -q "1 loop of it" "$T/text"
	grep -q "two more, of 2 and 3 loops" "$T/text"
}

@test "the real one runs" {
	"$LACUNA" bench -t message --repeat 2 --loops 20 -o json >"$T/out"
	jq -e '.message.messages == 80' "$T/out"
	jq -e '[.message.rows[0, 2] | .raw, .sleeping | .value > 0] | all' \
		"$T/out"
}

@test "tasks on virtual CPUs: exact counts, by struct and member, that add up" {
	for i in 1 2; do
		"$LACUNA" bench -t message --no-time --groups 2 --fds 4 \
			--loops 20 --cpus 4 -o json >"$T/out$i"
	done
	cmp "$T/out1" "$T/out2"
	jq -e '.message.simulated | .cpus == 4 and .tasks == 16 and
		(.variants | length == 4) and
		all(.variants[]; .messages == 640 and .task_switches > 0)' \
		"$T/out1"
	# the members add up to the total of each variant
	jq -e '.message.simulated | . as $s | .variants | all(.[];
		. as $v | all("hitm", "true_sharing", "false_sharing",
			"l1_misses", "l2_misses", "accesses"; . as $k |
			([$s.members[][$v.variant][$k] // 0] | add) as $sum |
			$sum / $v.messages - $v[$k].value | fabs < 1e-9))' \
		"$T/out1"
	# what a sender allocates and a receiver frees moves, and so do the
	# descriptor's words; each variant has its own
	jq -e '.message.simulated.members | map(select(.struct == "page" and
		.member == "freelist"))[0] | ."packed-cas".hitm > 0 and
		."aligned-lock".hitm > 0' "$T/out1"
	jq -e '.message.simulated.pairs | map(select(.struct == "page" and
		.elements == "neighbours")) | all(.[]; ."aligned-cas" == null)' \
		"$T/out1"
	# an interval with enough pairs, around the median of their ratios
	"$LACUNA" bench -t message --repeat 6 --loops 20 \
		--variant aligned-cas -o json >"$T/out"
	jq -e '.message.rows[0].ratio | .low <= .value and .value <= .high' \
		"$T/out"
	jq -e '.message.simulated.variants | length == 1' "$T/out"
}

@test "400 tasks, hackbench's own number, as threads and on 128 virtual CPUs" {
	"$LACUNA" bench -t message --groups 10 --fds 20 --loops 1 --repeat 1 \
		--variant aligned-cas -o json >"$T/out"
	jq -e '.message.messages == 4000 and .message.simulated.tasks == 400 and
		.message.simulated.cpus == 128' "$T/out"
}

@test "^C ends it with the pairs of runs that are complete" {
	fake
	set -m # ^C is ignored in the background otherwise
	"$LACUNA" bench -t message --variant packed-lock --repeat 1000 \
		-o json >"$T/out" 2>"$T/err" &
	pid=$!
	until [ "$(cat "$T/lib/calls" 2>/dev/null | wc -l)" -ge 6 ]; do
		sleep 0.01
	done
	kill -INT $pid
	code=0
	wait $pid || code=$?
	[ "$code" = 0 ]
	jq -e '.message | .interrupted and .repeat >= 1 and .repeat < 1000 and
		.rows[0].raw.value > 0 and .rows[0].sleeping.value > 0 and
		.simulated == null and .simulated_status == "interrupted"' "$T/out"
}

# ^C when the simulation of a variant hangs: of_sim VARIANT ARGUMENT...
of_sim() {
	hangs=$1
	shift
	mkdir "$T/lib"
	cat >"$T/lib/slab-time-aligned-cas.0" <<-'SH'
	#!/bin/sh
	echo '{"message":{"messages":7,"task_clock_ns":1,"elapsed_ns":1}}'
	SH
	printf '#!/bin/sh\n>"%s/hangs"\nexec sleep 100\n' "$T" \
		>"$T/lib/slab-sim-$hangs"
	chmod +x "$T"/lib/*
	for v in aligned-cas aligned-lock packed-lock packed-cas; do
		[ -e "$T/lib/slab-sim-$v" ] ||
			ln -s "$BUILD/fixtures/slab-sim-$v" "$T/lib"
	done
	set -m # ^C is ignored in the background otherwise
	LACUNA_LIBEXEC=$T/lib "$LACUNA" bench -t message --loops 3 "$@" \
		>"$T/out" 2>"$T/err" 3>&- &
	pid=$!
	until [ -e "$T/hangs" ]; do
		kill -0 $pid # it has not failed
		sleep 0.01
	done
	kill -INT $pid
	code=0
	wait $pid || code=$?
	rm -r "${T:?}/lib" "$T/hangs"
}

@test "^C while it simulates keeps the variants that are complete" {
	for o in "--repeat 2" --no-time; do
		of_sim packed-lock $o -o json
		[ "$code" = 0 ]
		jq -e '.message | .interrupted and (.simulated | .cpus == 4 and
			(.variants | map(.variant) == ["aligned-cas",
			"aligned-lock", "packed-lock", "packed-cas"]) and
			all(.variants[:2][]; .hitm.value > 0 and
				.status == "simulated") and
			all(.variants[2:][]; .status == "interrupted" and
				.messages == null and .hitm.value == null and
				.hitm.status == "interrupted") and
			(.members | length > 3 and all(.[]; has("packed-lock") or
				has("packed-cas") | not)))' "$T/out"
	done
	jq -e '.message | .rows == null and .rows_status == "not timed"' "$T/out"
	of_sim packed-lock --no-time
	[ "$code" = 0 ]
	grep -q "Interrupted: what was finished is shown" "$T/out"
	grep -q "^aligned-lock .*\[" "$T/out"
	grep -q "^packed-lock .*interrupted" "$T/out"
}

@test "^C before any variant is complete: the times alone, or nothing and status 3" {
	of_sim aligned-cas --repeat 2 -o json
	[ "$code" = 0 ]
	jq -e '.message | .interrupted and .simulated == null and .repeat == 2 and
		.simulated_status == "interrupted" and
		.rows[0].raw.value > 0' "$T/out"
	of_sim aligned-cas --no-time -o json
	[ "$code" = 3 ]
	[ ! -s "$T/out" ]
	grep -q interrupted "$T/err"
}

@test "what it does not have is refused" {
	for o in "-t message --repeat 0" "-t message --groups 257" \
		"-t message --no-time --repeat 3" "-t message,bulk" \
		"-t message --groups 26 --fds 20" "-t message --cpus 5" \
		"-t bulk --cpus 2" "-t message --preset z80" "-t bulk --groups 2" \
		"-t message --variant x"; do
		code=0
		"$LACUNA" bench $o >"$T/out" 2>/dev/null || code=$?
		[ "$code" = 2 ] || { echo "$o: $code"; false; }
		[ ! -s "$T/out" ]
	done
}

@test "a load above the number of processors: that is said" {
	. tests/cli/load.bash
	fake
	warns_of_load "$LACUNA" bench -t message --variant packed-lock \
		--repeat 1 --loops 1 --groups 1 --fds 2
}
