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
		for cmd in show list "show --reorder" "list --reorder"; do
			"$LACUNA" $cmd -o json "$T/x.o" >"$T/$n.json" || continue
			n=$((n + 1))
		done
	done
	[ "$n" -gt 20 ]
	echo 'enum e { A = -1, B } e; enum f { C = 0xffffffffffffffff } f;' |
		"${CC:-cc}" -g -w -c -o "$T/x.o" -x c -
	"$LACUNA" show -o json "$T/x.o" e f >"$T/enums.json"
	jq -e '.enumerations | length == 2' "$T/enums.json"
	valid "$T"/*.json
}

# closed FILE...: and no member of a diff is left undescribed
closed() {
	python3 -W ignore - "$schema" "$@" <<-'PY'
	import json, sys, jsonschema
	schema = json.load(open(sys.argv[1]))
	defs = schema["$defs"]
	shut = ["diffed", "change", "cause", "shape", "allocator", "slab_fit",
	        "live", "diff_side", "build_facts"]
	def shut_up(s):
	    if isinstance(s, dict):
	        if isinstance(s.get("properties"), dict):
	            s["additionalProperties"] = False
	        for v in s.values():
	            shut_up(v)
	    elif isinstance(s, list):
	        for v in s:
	            shut_up(v)
	for name in shut:
	    shut_up(defs[name])
	for name in ("summary", "filter", "unfiltered"):
	    shut_up(defs["diff_body"]["properties"][name])
	top = set(defs["diff_body"]["properties"]) | {"schema", "command", "version"}
	bad, seen = False, set()
	for name in sys.argv[2:]:
	    doc = json.load(open(name))
	    for key in set(doc) - top - set(schema["properties"]):
	        print(name, key, "is not described")
	        bad = True
	    for e in list(jsonschema.Draft202012Validator(schema).iter_errors(doc))[:9]:
	        print(name, "/".join(map(str, e.absolute_path)), e.message[:300])
	        bad = True
	    for r in doc["records"]:
	        for c in r["changes"]:
	            seen |= set(c)
	# and each of a change's was met
	for key in set(defs["change"]["properties"]) - seen:
	    print(key, "is described, but was not met")
	    bad = True
	sys.exit(bad)
	PY
}

@test "diff: every member that it writes is described" {
	for v in 1 2; do
		"${CC:-cc}" -g -w -c -o "$T/$v.o" fixtures/cases/5$((v - 1))_diff_v$v.c
		mkdir -p "$T/d$v"
		cp "$T/$v.o" "$T/d$v/x.o"
		[ $v = 1 ] && n=1 || n=3
		"${CC:-cc}" -g -c -o "$T/k$v.o" -x c - <<-E
		typedef struct { int v[$n]; } lock_t;
		typedef int word_t[$n]; typedef word_t words_t;
		struct kmem_cache { long m[20][$n]; lock_t l; words_t w; } k;
		struct kmem_cache_node { lock_t list_lock; } n;
		struct page { long flags; struct { long x$([ $n = 1 ] || echo ', u'), y; }; } p;
		struct t$n { long one; char *two; struct t$n *three; } t;
		struct g { union { struct { long a[$n]; };
			struct { long a[$n]; } group; }; } g;
		E
	done
	echo 'struct gr*: known' >"$T/ignore"
	printf 'slabinfo - version: 2.1\ngrew 100 102 8 512 1\n' >"$T/info"
	n=0
	mk() {
		"$LACUNA" diff "$@" -o json >"$T/diff-$n.json" || [ $? = 1 ]
		n=$((n + 1))
	}
	mk "$T/1.o" "$T/2.o"
	mk "$T/2.o" "$T/1.o"
	mk "$T/k1.o" "$T/k2.o"
	mk "$T/d1" "$T/d2"
	mk --ignore "$T/ignore" --min-bytes 2 "$T/2.o" "$T/1.o"
	mk --slabinfo "$T/info" "$T/1.o" "$T/2.o"
	jq -e '.records[] | select(.name == "grew").live.new_slot' \
		"$T/diff-$((n - 1)).json"
	mk "$T/1.o" "$T/1.o"
	closed "$T"/diff-*.json
}

@test "perfstat" {
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

# A document of every command and form of it, as $T/COMMAND-N.json.
documents() {
	p=fixtures/perf-samples
	mk() { # NAME ARGUMENTS
		code=0 name=$1
		shift
		"$LACUNA" "$@" -o json >"$T/$name.json" || code=$?
		[ "$code" -le 1 ] || { echo "$name: status $code"; return 1; }
	}
	for v in 1 2; do
		"${CC:-cc}" -g -w -c -o "$T/$v.o" fixtures/cases/5$((v - 1))_diff_v$v.c
	done
	echo 'struct grew: size <= 8' >"$T/budget"
	mk show-1 show "$T/1.o"
	mk list-1 list "$T/1.o"
	mk page-1 page
	mk page-2 page "$BUILD/fixtures/slab-sim-packed-lock"
	mk diff-1 diff "$T/1.o" "$T/2.o"
	mk check-1 check --budget "$T/budget" "$T/2.o"
	mk bench-1 bench --quick -t bulk -s 8,256 -n 1000
	mk bench-2 bench --no-time -t bulk,pair -s 8,256 -n 500
	mk bench-3 bench -t message --loops 2 --repeat 2
	mk bench-4 bench -t message --loops 2 --no-time --variant packed-cas
	mk bench-5 bench --no-time -t bulk -s 8 -n 500 --prefetch --dtlb 64/4
	mk bench-6 bench --no-time -t remote -s 8 -n 500
	mk correlate-1 correlate --no-time -s 256 -n 500
	mk correlate-2 correlate "$T/1.o" "$T/2.o" \
		--perfstat $p/rt-old.txt $p/rt-new.txt
	mk perfstat-1 perfstat $p/rt-old.txt $p/c-lines.json
	mk perfstat-2 perfstat $p/rt-mail.txt
	mk report-1 report --no-time -s 256 -n 500
	mk report-2 report "$T/1.o" "$T/2.o"
	mk report-3 report "$T/1.o" "$T/2.o" --perfstat $p/rt-mail.txt
	mk trace-1 trace
	if command -v pahole >/dev/null; then mk verify-1 verify "$T/1.o"; fi
}

@test "every command's document is valid, and invalid once broken" {
	documents
	[ "$(ls "$T"/*-*.json | wc -l)" -ge 16 ]
	valid "$T"/*-*.json
	# anything in the place of a part of it must be refused
	python3 -W ignore - "$schema" "$T"/*-*.json <<-'PY'
	import copy, json, sys, jsonschema
	check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
	free = {"figures", "files", "cpus_agree", "slabinfo"}
	bad = []
	for name in sys.argv[2:]:
	    doc = json.load(open(name))
	    for key in set(doc) - free:
	        broken = dict(doc)
	        broken[key] = 7.5 if key != "command" else "dance"
	        if check.is_valid(broken):
	            bad.append((name, key, "replaced"))
	for name, path in [
	    ("show-1", "records 0 members 0 bit_offset"),
	    ("list-1", "records 0 size"),
	    ("page-1", "builds 0 pair aligned"),
	    ("page-1", "builds 0 era"),
	    ("page-1", "memory 0 ram"),
	    ("page-1", "lines 0 straddling"),
	    ("page-1", "kfree 0 lines"),
	    ("page-2", "array_map arrays 0 elements"),
	    ("diff-1", "records 0 headline"),
	    ("diff-1", "summary changed"),
	    ("diff-1", "old build byte_order"),
	    ("check-1", "findings 0 rule"),
	    ("bench-1", "cells 0 time_ns status"),
	    ("bench-1", "tests 0 rows 0 n"),
	    ("bench-2", "machine cpus"),
	    ("bench-2", "settings seed"),
	    ("bench-2", "settings prefetch"),
	    ("bench-2", "cells 0 simulated"),
	    ("bench-3", "message rows"),
	    ("bench-3", "message rows 0 control"),
	    ("bench-3", "message simulated"),
	    ("bench-3", "message simulated variants 0 hitm"),
	    ("bench-3", "message simulated variants 3 task_switches"),
	    ("bench-3", "message simulated members 0 aligned-cas"),
	    ("bench-3", "message simulated pairs 0 elements"),
	    ("bench-4", "message interrupted"),
	    ("bench-4", "message rows"),
	    ("bench-5", "cells 0 simulated prefetches"),
	    ("bench-5", "cells 0 simulated dtlb_misses"),
	    ("bench-5", "settings dtlb"),
	    ("bench-6", "cells 0 simulated hitm"),
	    ("correlate-1", "figures page-heat heat_title"),
	    ("correlate-1", "figures page-heat maps 0 spans 0 heat"),
	    ("correlate-1", "findings 0 rows 0 lines_touched size_share"),
	    ("correlate-1", "findings 0 sentences 0 sizes"),
	    ("correlate-1", "correlations 0 what"),
	    ("correlate-2", "beside verdict"),
	    ("correlate-2", "perfstat comparison rows 0 ratio"),
	    ("correlate-2", "beside may_not_conclude 0"),
	    ("perfstat-1", "outputs 0 events 0 status"),
	    ("perfstat-2", "outputs 1 elapsed_s"),
	    ("report-1", "page builds 0 size"),
	    ("report-1", "findings 0 rows 0 updates"),
	    ("report-3", "perfstat outputs"),
	    ("report-3", "causes 0 records"),
	    ("trace-1", "compile"),
	]:
	    broken = json.load(open(sys.argv[2].rsplit("/", 1)[0] + "/" + name + ".json"))
	    *way, last = [int(w) if w.isdigit() else w for w in path.split()]
	    at = broken
	    for w in way:
	        at = at[w]
	    at[last]  # is there
	    at[last] = {"no": "such"}
	    if check.is_valid(broken):
	        bad.append((name, path))
	for name, path in [
	    ("bench-5", "cells 0 simulated prefetches"),
	    ("bench-5", "cells 0 simulated dtlb_misses"),
	    ("bench-5", "cells 0 simulated status"),
	    ("bench-3", "message simulated"),
	    ("bench-3", "message simulated variants"),
	    ("bench-3", "message simulated variants 0 task_switches"),
	    ("bench-3", "message simulated variants 0 hitm value"),
	    ("bench-3", "message rows 0 words"),
	    ("bench-4", "message rows_status"),
	    ("bench-4", "message interrupted"),
	    ("correlate-1", "figures page-heat heat_title"),
	]:
	    broken = json.load(open(sys.argv[2].rsplit("/", 1)[0] + "/" + name + ".json"))
	    *way, last = [int(w) if w.isdigit() else w for w in path.split()]
	    at = broken
	    for w in way:
	        at = at[w]
	    del at[last]
	    if check.is_valid(broken):
	        bad.append((name, path, "removed"))
	for b in bad:
	    print("accepted, though broken:", *b)
	sys.exit(bool(bad))
	PY
}
