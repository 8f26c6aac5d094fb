#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The JSON of the commands against the schema that is shipped.

schema=analyses/report/lacuna-1.schema.json

setup() {
	T=$BATS_TEST_TMPDIR
	python3 -c 'import jsonschema' 2>/dev/null || skip "no python3-jsonschema"
}

valid() { # FILE...: lists what is wrong
	python3 -W ignore - "$schema" "$@" <<-'PY'
	import json, sys, jsonschema
	schema = json.load(open(sys.argv[1]))
	check = jsonschema.Draft202012Validator
	check.check_schema(schema)
	bad = False
	for name in sys.argv[2:]:
	    for e in list(check(schema).iter_errors(json.load(open(name))))[:9]:
	        print(name, "/".join(map(str, e.absolute_path)), e.message[:300])
	        bad = True
	sys.exit(bad)
	PY
}

has() { # COMMAND: it is there
	"$LACUNA" help --list "$1" >/dev/null 2>&1 || skip "no $1 in this build"
}

@test "the schema is a schema, and refuses what it must" {
	echo '{"schema":"lacuna/1","command":"show","records":[]}' >"$T/good"
	valid "$T/good"
	for bad in '{}' '{"schema":"lacuna/2","command":"show","records":[]}' \
		'{"schema":"lacuna/1","command":"show"}' \
		'{"schema":"lacuna/1","command":"show","records":[{"name":"x"}]}' \
		'{"schema":"lacuna/1","command":"dance"}' \
		'{"schema":"lacuna/1","command":"bench","cells":[{"test":"bulk",
		"size":8,"variant":"aligned-cas","n":1,"simulated":{},
		"page_array":{},"hardware":{},"time_ns":{"value":null}}]}'; do
		echo "$bad" >"$T/bad"
		! valid "$T/bad" >/dev/null || false
	done
}

@test "show and list" {
	n=0
	for c in fixtures/cases/*.c; do
		"${CC:-cc}" -g -w -c -o "$T/x.o" "$c" 2>/dev/null || continue
		for cmd in show list; do
			"$LACUNA" $cmd -o json "$T/x.o" >"$T/$n.json" || continue
			n=$((n + 1))
		done
	done
	[ "$n" -gt 20 ]
	valid "$T"/*.json
}

@test "diff" {
	has diff
	for v in 1 2; do
		"${CC:-cc}" -g -w -c -o "$T/$v.o" fixtures/cases/50_diff_v1.c
	done
	"${CC:-cc}" -g -w -c -o "$T/2.o" fixtures/cases/51_diff_v2.c
	for pair in "1 2" "2 1" "1 1"; do
		set -- $pair
		code=0
		"$LACUNA" diff -o json "$T/$1.o" "$T/$2.o" >"$T/d.json" || code=$?
		[ "$code" -le 1 ]
		valid "$T/d.json"
	done
}

@test "page and bench" {
	"$LACUNA" page -o json >"$T/page.json"
	"$LACUNA" bench --no-time -t bulk,pair -s 8,256 -n 500 -o json \
		>"$T/bench.json"
	valid "$T/page.json" "$T/bench.json"
}

@test "perfstat" {
	has perfstat
	n=0
	for f in fixtures/perf-samples/*.*; do
		"$LACUNA" perfstat -o json "$f" >"$T/$n.json" 2>/dev/null ||
			{ rm -f "$T/$n.json"; continue; }
		n=$((n + 1))
	done
	[ "$n" -gt 15 ]
	for pair in "rt-old.txt rt-new.txt" "c-comma.csv c-human-table.txt" \
		"de-comma.csv c-lines.json" "rt-old.txt era-3.13.txt"; do
		code=0
		(cd fixtures/perf-samples && "$LACUNA" perfstat -o json $pair) \
			>"$T/pair-$n.json" || code=$?
		[ "$code" -le 1 ]
		n=$((n + 1))
	done
	valid "$T"/*.json
}
