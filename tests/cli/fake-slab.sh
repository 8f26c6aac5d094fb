#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# fake-slab.sh - plays the allocator programs: answers at once, with made-up
# figures that depend on its name and arguments only, plus a little noise from
# FAKE_NOISE (a file that counts the calls).  FAKE_SLOW=VARIANT makes one
# variant half as slow again; FAKE_FAIL=VARIANT makes it fail; FAKE_HANG=VARIANT
# makes it wait for a minute.
#
#   fake-slab.sh install DIR [BUILDS]   lay it out in DIR under their names
set -eu
if [ "${1:-}" = install ]; then
	for v in aligned-cas aligned-lock packed-lock packed-cas; do
		ln -sf "$(readlink -f "$0")" "$2/slab-sim-$v"
		b=0
		while [ "$b" -lt "${3:-8}" ]; do
			ln -sf "$(readlink -f "$0")" "$2/slab-time-$v.$b"
			b=$((b + 1))
		done
	done
	exit 0
fi
name=${0##*/}
kind=${name#slab-}
variant=${kind#*-}
kind=${kind%%-*}
build=${variant##*.}
variant=${variant%.*}
test=bulk size=256 n=20000 blocks=60 ops=20000 line=64 seed=1
while [ $# -gt 0 ]; do
	case $1 in
	--test) test=$2 ;;
	--size) size=$2 ;;
	--n) n=$2 ;;
	--blocks) blocks=$2 ;;
	--ops-per-block) ops=$2 ;;
	--line) line=$2 ;;
	--seed) seed=$2 ;;
	esac
	shift
done
if [ "${FAKE_FAIL:-}" = "$variant" ]; then
	echo "$name: --n $n: from 1 to 4 objects fit into memory" >&2
	exit 2
fi
[ "${FAKE_HANG:-}" = "$variant" ] && exec sleep 60
time=20000
[ "${FAKE_SLOW:-}" = "$variant" ] && time=30000
case $variant in
packed-*) stride=56 ;;
*) stride=64 ;;
esac
if [ "$kind" = time ]; then
	calls=0
	if [ -n "${FAKE_NOISE:-}" ]; then
		echo x >>"$FAKE_NOISE"
		calls=$(($(wc -l <"$FAKE_NOISE") * 7919 % 101))
	fi
	t=$((time + calls * 4 + build * 3))
	printf '{"schema":"lacuna-slab-time/1","program":"%s","variant":"%s",
"build":%s,"test":"%s","size":%s,"n":%s,"blocks":%s,"ops_per_block":%s,
"cpu_ns":{"q10":%s.5e-3,"median":%s.6e-3},"wall_ns":{"median":%s.9e-3},
"zero_blocks":0,"counters":{"cycles":{"value":null,"status":"unsupported"},
"page_faults":{"value":%s,"status":"measured","enabled_ns":10,"running_ns":10}},
"statistics":{"alloc_fastpath":%s,"alloc_slowpath":0,"free_fastpath":%s,
"free_slowpath":0}}\n' "$name" "$variant" "$build" "$test" "$size" "$n" \
		"$blocks" "$ops" "$t" "$t" "$t" "$((blocks * ops))" \
		"$((blocks * ops))" "$((blocks * ops))"
	exit 0
fi
printf '{"schema":"lacuna-slab-sim/1","program":"%s","variant":"%s",
"test":"%s","size":%s,"class_size":%s,"n":%s,"seed":%s,"order":0,
"objects_per_slab":16,"page_stride":%s,"preset":"westmere-ex",
"line_bytes":%s,"caches":[{"name":"L1","size":32768,"ways":8,"sets":64},
{"name":"L3","size":31457280,"ways":24,"sets":20480}],"ops":%s,
"accesses":%s,"straddles":0,"l1_misses":%s,"l2_misses":%s,"llc_misses":%s,
"statistics":{"alloc_fastpath":%s},
"arrays":[{"name":"page_array","type":null,"view":null,"stride":%s,"period":1,
"accesses":%s,"lines_touched":%s,"lines_footprint":%s,"l1_misses":%s,
"l2_misses":1,"llc_misses":1,"by_offset":[{"offset":0,"accesses":null,
"l1_misses":%s,"l2_misses":1,"llc_misses":1}]}]}\n' "$name" "$variant" \
	"$test" "$size" "$size" "$n" "$seed" "$stride" "$line" "$n" \
	"$((n * 27))" "$((n * 2))" "$n" "$((n / 2))" "$n" "$stride" \
	"$((n * 11))" "$((n / 16 * stride / 64))" "$((n / 16 * stride / 64))" \
	"$((n / 16 * stride / 64))" "$((n / 16 * stride / 64))"
