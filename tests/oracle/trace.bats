#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# A program that is not ours, traced: its two planted faults are found, and bear
# the names that its debug information gives them.
bats_require_minimum_version 1.5.0

setup() {
	example=$BUILD/fixtures/trace-example
	out=$BATS_TEST_TMPDIR/out.json
}

traced() { # [VARIABLE=VALUE...]
	env LACUNA_TRACE_OUT="$out" LACUNA_TRACE_CPUS=2 "$@" "$example" >/dev/null
}

# accesses of the whole and of each registered array
counts() { # FILE
	python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
print([j[k] for k in ("reads", "writes", "rmw", "accesses")],
      [(a["name"], a["accesses"]) for a in j["arrays"]])' "$1"
}

# Evaluate over the output (j), arrays by type (a), and names (at) of members by
# type and byte offset as `lacuna show` reads them.
holds() {
	"$LACUNA" show -o json "$example" channel sample >"$out.show"
	python3 - "$out" "$out.show" "$1" <<'PY'
import json, sys
j = json.load(open(sys.argv[1]))
a = {r["type"]: r for r in j["arrays"]}
at = {(r["name"], m["bit_offset"] // 8): m["name"]
      for r in json.load(open(sys.argv[2]))["records"] for m in r["members"]}
assert eval("(" + sys.argv[3] + ")"), [a, at]
PY
}

@test "the falsely shared pair is the one that was planted" {
	traced
	holds '{at["channel", p] for r in [max(a["channel"]["pairs"],
		key=lambda r: r["false_sharing"])]
		for p in (r["offset"], r["other_offset"])}
		== {"produced", "consumed"}'
	holds 'a["channel"]["false_sharing"] > 30000'
	holds 'sum(r["false_sharing"] for r in a["sample"]["by_offset"]) == 0'
}

@test "the straddling field is the one that was planted" {
	traced
	holds 'at["sample", max(a["sample"]["by_offset"],
		key=lambda r: r["straddles"])["offset"]] == "weight"'
	# 24-byte elements: weight, bytes 4 to 12, crosses in 1 of 8
	holds 'abs(next(r["straddles"] / r["accesses"]
		for r in a["sample"]["by_offset"] if r["offset"] == 4)
		- 1 / 8) < 0.01'
}

@test "equal runs, equal counts; with one CPU nothing is shared" {
	# what the program does is the same wherever its stack lies ...
	traced
	counts "$out" >"$out.first"
	traced PADDING="$(seq 300 | tr -d '\n')"
	counts "$out" >"$out.second"
	cmp "$out.first" "$out.second"
	# ... and so is every miss, where addresses are not randomised: the stack
	# is no registered memory and is seen at its real addresses
	if setarch -R true 2>/dev/null; then
		traced setarch -R
		cp "$out" "$out.first"
		traced setarch -R
		cmp "$out" "$out.first"
	fi
	LACUNA_TRACE_OUT=$out run -3 "$example" # asks for two CPUs
	[[ $output == *"2 virtual CPUs are asked for, and the trace has 1"* ]]
}

@test "untraced, and compiled without anything, it does the same" {
	want=$("$example")
	[ "$want" = "20000 produced, 20000 consumed, sum 79980000" ]
	${CC:-cc} -I"$BUILD/fixtures" -o "$BATS_TEST_TMPDIR/plain" \
		fixtures/trace/example.c -pthread
	[ "$("$BATS_TEST_TMPDIR/plain")" = "$want" ]
}

@test "what the environment asks for is checked" {
	run -2 env LACUNA_TRACE_OUT="$out" LACUNA_TRACE_CPUS=x "$example"
	run -3 env LACUNA_TRACE_OUT="$out" LACUNA_TRACE_PRESET=z80 "$example"
	[[ $output == *westmere-ex* ]]
	run -3 env LACUNA_TRACE_OUT=/nonexistent/x "$example"
}
