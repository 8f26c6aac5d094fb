#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
bats_require_minimum_version 1.5.0
# slab-sim and slab-time as programs: the same bytes on every run, known ratios,
# and what they refuse.

sim() { # VARIANT OPTION...
	v=$1
	shift
	"$BUILD/fixtures/slab-sim-$v" "$@"
}

# The number at .KEY of the array NAME, or of the whole without NAME.
of() { # JSON KEY [NAME]
	echo "$1" | python3 -c 'import json, sys
j = json.load(sys.stdin)
if len(sys.argv) > 2:
	j = next(a for a in j["arrays"] if a["name"] == sys.argv[2])
print(j[sys.argv[1]])' "$2" ${3+"$3"}
}

same_bytes() {
	a=$("$@")
	[ -n "$a" ]
	for _ in 1 2; do
		[ "$a" = "$("$@")" ]
	done
	if setarch -R true 2>/dev/null; then
		[ "$a" = "$(setarch -R "$@")" ]
	fi
	[ "$a" = "$(env -i PADDING="$(seq 200 | tr -d '\n')" "$@")" ]
}

@test "one CPU: the same bytes on every run, with and without ASLR" {
	for v in aligned-cas aligned-lock packed-lock packed-cas; do
		same_bytes "$BUILD/fixtures/slab-sim-$v" --test bulk-random \
			--n 2000 --write
	done
}

@test "many CPUs: the same bytes on every run, with and without ASLR" {
	same_bytes "$BUILD/fixtures/slab-sim-packed-lock" --test remote \
		--cpus 32 --n 100 --rounds 3
	same_bytes "$BUILD/fixtures/slab-sim-packed-cas" --test remote \
		--cpus 128 --n 20 --quantum 0
}

@test "messages: the same bytes on every run, each message as it was sent" {
	for e in v3.13 v6.12; do
		same_bytes "$BUILD/fixtures/slab-sim-packed-lock" --era $e \
			--test message --size 4096 --groups 2 --fds 3 --loops 20
	done
	# hackbench's own numbers: 400 tasks, on 128 and on 16 virtual CPUs
	for c in "" "--cpus 16"; do
		# shellcheck disable=SC2086
		same_bytes "$BUILD/fixtures/slab-sim-aligned-cas" --test message \
			--groups 10 --fds 20 --loops 1 $c
		echo "$a" | grep -q '"tasks":400,"task_switches":[1-9]'
		[ "$(of "$a" ops)" = 4000 ]
		[ "$(of "$a" cpus)" = "$(($([ "$c" ] && echo 16 || echo 128)))" ]
	done
	j=$(sim aligned-cas --test message --size 100 --fds 2 --loops 300)
	[ "$(of "$j" ops)" = 1200 ]
	[ "$(of "$j" cpus)" = 4 ]
}

@test "messages between threads, raw and sleeping list_lock, rt" {
	for o in "--list-lock raw" "--list-lock sleeping" \
		"--list-lock sleeping --profile rt" "--cpu-partial off"; do
		# shellcheck disable=SC2086
		j=$("$BUILD/fixtures/slab-time-packed-lock.0" --test message \
			--size 4096 --fds 3 --loops 100 $o)
		echo "$j" | python3 -c 'import json, sys
j = json.load(sys.stdin)
m = j["message"]
assert m["messages"] == 900
assert m["elapsed_ns"] > 0 and m["task_clock_ns"] > 0
# a descriptor and a head a message
s = j["statistics"]
assert s["free_fastpath"] + s["free_slowpath"] == 1800, s'
	done
}

@test "other eras: the same bytes, fields where that era has them" {
	for e in v5.10 v6.1 v6.12; do
		same_bytes "$BUILD/fixtures/slab-sim-packed-cas" --era $e \
			--n 1000
		j=$(sim aligned-cas --era $e --n 1000)
		[ "$(of "$j" era)" = $e ]
		[ "$(of "$j" program)" = slab-sim-aligned-cas-$e ]
		echo "$j" | grep -q '"offset":32'
	done
}

@test "256-byte objects freed at random: fewer lines, more misses when packed" {
	for e in v3.13 v6.1; do
		a=$(sim aligned-cas --test bulk-random --era $e --rounds 3)
		p=$(sim packed-lock --test bulk-random --era $e --rounds 3)
		lines=$(($(of "$p" lines_touched page_array) * 1000 /
			$(of "$a" lines_touched page_array)))
		misses=$(($(of "$p" l1_misses page_array) * 100 /
			$(of "$a" l1_misses page_array)))
		echo "$e: lines $lines/1000, misses $misses/100"
		[ "$lines" -ge 874 ]
		[ "$lines" -le 876 ]
		[ "$misses" -ge 140 ]
		[ "$misses" -le 158 ]
	done
}

@test "freed in address order, packing saves both" {
	a=$(sim aligned-cas --rounds 3)
	p=$(sim packed-lock --rounds 3)
	[ "$(of "$p" l1_misses page_array)" -lt \
		"$(of "$a" l1_misses page_array)" ]
}

@test "the lock changes no miss, only accesses" {
	for t in bulk bulk-random pair; do
		a=$(sim aligned-cas --test $t --n 3000)
		l=$(sim aligned-lock --test $t --n 3000)
		for k in l1_misses l2_misses llc_misses; do
			[ "$(of "$a" $k)" = "$(of "$l" $k)" ]
		done
		[ $t = pair ] || [ "$(of "$l" accesses)" -gt \
			"$(of "$a" accesses)" ]
	done
}

@test "the pair loop takes no slow path and misses nothing, in every variant" {
	for v in aligned-cas aligned-lock packed-lock packed-cas; do
		j=$(sim $v --test pair --n 5000)
		[ "$(of "$j" l1_misses)" = 0 ]
		echo "$j" | grep -q '"alloc_fastpath":9999,'
		echo "$j" | grep -q '"free_fastpath":10000,'
		echo "$j" | grep -q '"free_slowpath":0,'
	done
}

@test "sums over the arrays are the totals, sums over offsets the arrays'" {
	for v in packed-lock packed-cas; do
		for c in 1 4; do
			sim $v --test bulk-random --n 3000 --cpus $c |
				python3 -c 'import json, sys
j = json.load(sys.stdin)
for k in "l1_misses", "l2_misses":
    assert sum(a[k] for a in j["arrays"]) == j[k], k
    for a in j["arrays"]:
        assert sum(o[k] for o in a["by_offset"]) == a[k], (a["name"], k)
n = sum(a["accesses"] for a in j["arrays"])
assert n == j["accesses"] - j["other"], (n, j["accesses"], j["other"])
assert j["reads"] + j["writes"] + j["rmw"] == j["accesses"]'
		done
	done
}

@test "what cannot be done is refused with the range, status 2" {
	for bad in "--size 0" "--size 8193" "--size x" "--n 0" "--n -1" \
		"--n 1000000000" "--test bulky" "--preset pentium" \
		"--cache L1=32K/7" "--cache L1=32K/8 --line 48" "--era v2.6" \
		"--cpus 129" "--cpus 0" "--rounds 0" "--test remote" \
		"--list-lock soft" "--profile rt" "--dtlb 64/5" "--nonsense" \
		"--cpus 2 --prefetch adjacent" "stray" \
		"--test message --groups 26 --fds 20" \
		"--test message --cpus 5" "--test message --cpus 1" "--test message --size 40000" \
		"--preset zen3-milan --cache L1=32K/8"; do
		# shellcheck disable=SC2086
		run --separate-stderr sim aligned-cas $bad
		echo "$bad: $status $stderr"
		[ "$status" = 2 ]
		[ -z "$output" ]
		[ "${#stderr}" -gt 40 ]
	done
	for bad in "--blocks 0" "--threads 129" "--rounds 3" "--event x"; do
		# shellcheck disable=SC2086
		run --separate-stderr "$BUILD/fixtures/slab-time-packed-cas.0" $bad
		echo "$bad: $status $stderr"
		[ "$status" = 2 ]
		[ -z "$output" ]
	done
}

@test "output that cannot be written is told" {
	run sh -c "\"$BUILD/fixtures/slab-sim-packed-cas\" --n 100 >/dev/full"
	[ "$status" = 3 ]
}

@test "slab-time: one line, times and the paths that were taken" {
	for t in bulk pair bulk-random bulk-reverse fragmented; do
		j=$("$BUILD/fixtures/slab-time-packed-lock.0" --test $t --n 500 \
			--blocks 3 --ops-per-block 1200 --warmup 1)
		[ "$(of "$j" ops_per_block)" = 1500 ]
		echo "$j" | python3 -c 'import json, sys
j = json.load(sys.stdin)
for k in "cpu_ns", "wall_ns":
    assert 0 < j[k]["q10"] <= j[k]["median"] < 1e6
s = j["statistics"]
assert len(s) == 26
n = s["free_fastpath"] + s["free_slowpath"]
assert n >= 6000, n'
	done
}

@test "slab-time: several threads, and objects freed by another one" {
	j=$("$BUILD/fixtures/slab-time-packed-cas.0" --test remote --threads 4 \
		--n 500 --blocks 5 --ops-per-block 2000)
	[ "$(of "$j" threads)" = 4 ]
	echo "$j" | grep -qE '"free_slowpath":[1-9][0-9]{3}'
}

@test "placement builds hold the same code in other places" {
	f=$BUILD/fixtures/slab-time-aligned-cas
	[ -f "$f.1" ] || skip "one placement in this build"
	a=$(nm "$f.0" | awk '$3 == "slab_alloc" { print $1 }')
	b=$(nm "$f.1" | awk '$3 == "slab_alloc" { print $1 }')
	[ -n "$a" ]
	[ "$a" != "$b" ]
}

@test "torture: content, lists and locks of every variant under threads" {
	for v in aligned-cas aligned-lock packed-lock packed-cas; do
		"$BUILD/fixtures/slab-torture-$v" 3 5000
	done
}

@test "a planted line a free: found, at its member, and nowhere else" {
	planted=$BUILD/tests/planted
	[ -x "$planted/slab-sim-aligned-cas" ] || skip "not built: make tests"
	command -v jq >/dev/null || skip "no jq"
	for lib in "$BUILD/fixtures" "$planted"; do
		LACUNA_LIBEXEC=$lib "$LACUNA" bench --no-time -t bulk-random \
			-s 256 --variant aligned-cas -o json |
			jq '.cells[0].page_array | {l1_misses, members}' \
				>"$BATS_TEST_TMPDIR/$(basename "$lib")"
	done
	jq -e -n --slurpfile a "$BATS_TEST_TMPDIR/fixtures" \
		--slurpfile b "$BATS_TEST_TMPDIR/planted" '
		def of($p; $m): [$p.members[] | select(.member == $m)][0];
		def rest($p): [$p.members[] | select(.member != "planted") |
			.l1_misses] | add;
		$a[0] as $a | $b[0] as $b | of($b; "planted") as $planted |
		# one write a free, most of them of a line that is not there
		of($a; "planted") == null and $planted.accesses == 1 and
		$planted.l1_misses > 0.5 and $planted.l1_misses <= 1 and
		([$b.members[:2][].member] | sort) == ["flags", "planted"] and
		# what the others miss besides is what the larger array costs
		($b.l1_misses - rest($b) - $planted.l1_misses | fabs < 1e-9) and
		rest($b) >= rest($a) and rest($b) < rest($a) * 1.3'
}
