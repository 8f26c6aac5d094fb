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
	export LACUNA_LIBEXEC=$T/lib
}

@test "means and standard errors of known figures, the locks in turn" {
	fake
	"$LACUNA" bench -t message --variant packed-lock --repeat 4 \
		--groups 3 --size 64 -o json >"$T/out"
	# 1 2 3 4: mean 2.5, standard error sqrt(5/3) / 2
	jq -e '.message.rows[0].raw | .value == 2.5 and
		((.error_percent - 25.8199) | fabs < 0.001)' "$T/out"
	jq -e '.message.rows[0].sleeping.value == 12.5' "$T/out"
	jq -e '.message.rows[2].raw | .value == 2 and .error_percent == 0' \
		"$T/out"
	jq -e '.message.rows[3].raw | .value == null and
		.status == "not measured"' "$T/out"
	[ "$(grep -c -e '--size 64 --groups 3' "$T/lib/calls")" = 8 ]
	[ "$(sed 's/.*lock \([a-z]*\) .*/\1/' "$T/lib/calls" | head -4 |
		tr '\n' ' ')" = "raw sleeping sleeping raw " ]
	"$LACUNA" bench -t message --variant packed-lock --repeat 1 \
		-o json >"$T/out"
	jq -e '.message.rows[0].raw.error_percent == null' "$T/out"
}

@test "the real one runs" {
	"$LACUNA" bench -t message --repeat 2 --loops 20 -o json >"$T/out"
	jq -e '.message.messages == 80' "$T/out"
	jq -e '[.message.rows[0, 2] | .raw, .sleeping | .value > 0] | all' \
		"$T/out"
}

@test "what it does not have is refused" {
	for o in "-t message --repeat 0" "-t message --groups 257" \
		"-t message --no-time" "-t message,bulk" "-t bulk --groups 2" \
		"-t message --variant x"; do
		code=0
		"$LACUNA" bench $o >"$T/out" 2>/dev/null || code=$?
		[ "$code" = 2 ] || { echo "$o: $code"; false; }
		[ ! -s "$T/out" ]
	done
}
