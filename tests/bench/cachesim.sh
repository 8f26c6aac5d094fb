#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cachesim.sh - the cache model against cachegrind, on the same workload: a
# million operations, start-up included.  Both see the same data accesses; the
# ratio of the times is that of events per second.
# usage: LACUNA=... PAIRED=... cachesim.sh
set -eu
fixtures=$(dirname "$LACUNA")/fixtures
command -v valgrind >/dev/null || { echo "bench: no valgrind" >&2; exit 3; }
for t in bulk pair bulk-random; do
	common="--test $t --size 64 --n 10000"
	sim="'$fixtures/slab-sim-aligned-cas' $common --warmup-rounds 0"
	events=$(sh -c "$sim --rounds 100" |
		sed 's/.*"accesses":\([0-9]*\),"reads".*/\1/')
	echo "== $t: $events accesses in 1000000 operations"
	$PAIRED "${RUNS:-3}" "cachegrind" \
		"valgrind -q --tool=cachegrind --cache-sim=yes \
			--cachegrind-out-file=/dev/null --D1=32768,8,64 \
			--LL=33554432,16,64 '$fixtures/slab-time-aligned-cas.0' \
			$common --warmup 0 --blocks 1 --ops-per-block 1000000" \
		"slab-sim, misses by member" \
		"$sim --rounds 100 --attribute misses" \
		"slab-sim, accesses as well" "$sim --rounds 100"
done
