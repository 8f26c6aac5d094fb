#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cachesim.sh - how fast the cache model is.
#
# End to end: against cachegrind on the same workload, a million operations,
# start-up included.  Both see the same data accesses; the ratio of the times is
# that of events per second.  slab-sim is timed in two modes: "misses by member",
# which does not count accesses that hit by member, as cachegrind counts none by
# member at all; and "accesses as well", which does, and is what `lacuna bench`
# runs.  A speed that is quoted anywhere says of which it is.
# In replay: the probes of the same runs, recorded in memory, through the default
# preset's L1, L2 and last level; CPU time alone.
# SIZES and TESTS say which cells, RUNS how often each is timed.
# usage: LACUNA=... PAIRED=... cachesim.sh
set -eu
fixtures=$(dirname "$LACUNA")/fixtures
command -v jq >/dev/null || { echo "bench: no jq" >&2; exit 3; }
tests=${TESTS:-bulk pair bulk-random bulk-reverse fragmented}
sizes=${SIZES:-64 256 1024 4096}
rounds=100

echo "== replay from memory, preset westmere-ex, 10000 objects, 5 rounds"
printf '%-13s %6s %10s %10s %10s %12s\n' test bytes probes "L1 misses" \
	"LL misses" "M probes/s"
for t in $tests; do
	for s in $sizes; do
		"$fixtures/slab-sim-aligned-cas" --test "$t" --size "$s" \
			--n 10000 --rounds 5 --replay 10 |
			jq -r '[.test, .size, .replay.probes,
				(1000 * .l1_misses / .accesses | round) / 10,
				(1000 * .llc_misses / .accesses | round) / 10,
				(1000 * .replay.probes * .replay.passes /
					.replay.cpu_ns | round)] | @tsv' |
			awk '{ printf "%-13s %6s %10s %9s%% %9s%% %12s\n",
				$1, $2, $3, $4, $5, $6 }'
	done
done

command -v valgrind >/dev/null || { echo "bench: no valgrind" >&2; exit 3; }
for t in $tests; do
	for s in $sizes; do
		common="--test $t --size $s --n 10000"
		sim="'$fixtures/slab-sim-aligned-cas' $common --warmup-rounds 0"
		events=$(sh -c "$sim --rounds $rounds" | jq .accesses)
		echo "== $t, $s bytes: $events accesses"
		$PAIRED "${RUNS:-3}" "cachegrind" \
			"valgrind -q --tool=cachegrind --cache-sim=yes \
			--cachegrind-out-file=/dev/null --D1=32768,8,64 \
			--LL=33554432,16,64 '$fixtures/slab-time-aligned-cas.0' \
			$common --warmup 0 --blocks 1 \
			--ops-per-block $((rounds * 10000)) 2>/dev/null" \
			"slab-sim, misses by member" \
			"$sim --rounds $rounds --attribute misses" \
			"slab-sim, accesses as well" "$sim --rounds $rounds"
	done
done
