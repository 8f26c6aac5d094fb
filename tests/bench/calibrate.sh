#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# calibrate.sh - does the protocol of the times keep its promises here?
#
#   same     the four "variants" are all aligned-cas, placed differently: what
#            is resolved is false; promised: at most 5 % of the comparisons
#   planted  the times of packed-lock are multiplied, --thorough; promised: 1.05
#            is found in at least 90 % of the runs.  1.02 is tried as often, and
#            how often it is found is what is reached.
#
# CALIBRATE=N: N comparisons of the same, and N / 20 runs of each planted one.
# CALIBRATE=200 takes some 12 minutes on two cores, and fails if a share is not as
# promised.  Fewer, by default 36, three of 1.05 and one of 1.02, have no share to
# speak of: they fail if what was found would happen to a protocol that keeps its
# promise once in a thousand times or less.
# Status: 0 kept, 1 broken, 2 usage, 3 it could not be tried.
set -u
LACUNA=${LACUNA:-build/lacuna}
command -v jq >/dev/null || { echo "needs jq"; exit 3; }
lib=${LACUNA_LIBEXEC:-$(dirname "$LACUNA")/fixtures}
[ -x "$lib/slab-time-aligned-cas.1" ] || { echo "needs make"; exit 3; }
lib=$(cd "$lib" && pwd)
same=${CALIBRATE:-36}
case $same in
*[!0-9]* | "" | 0* | ???????*)
	echo "CALIBRATE=$same: a number from 1 to 999999" >&2
	exit 2
	;;
esac

# kept GOOD N PERCENT MANY: of N, GOOD were as promised, which is at least PERCENT;
# MANY are enough for a share.
kept() {
	awk -v good="$1" -v n="$2" -v share="$3" -v many="$4" 'BEGIN {
		if (n >= many)
			exit 100 * good < share * n
		# the probability of so few, or fewer
		p = share / 100
		term = (1 - p) ^ n
		for (k = 0; k <= good; k++) {
			sum += term
			term *= (n - k) / (k + 1) * p / (1 - p)
		}
		exit sum <= 0.001 + 1e-9 }'
}
failed() {
	echo "calibrate: $1" >&2
	exit 3
}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
load() { cut -d' ' -f1 /proc/loadavg; }

# every variant a view of the builds of one, each shifted against the others
builds=0
while [ -x "$lib/slab-time-aligned-cas.$builds" ]; do
	builds=$((builds + 1))
done
shift=0
for v in aligned-cas aligned-lock packed-lock packed-cas; do
	ln -s "$lib/slab-sim-aligned-cas" "$tmp/slab-sim-$v"
	b=0
	while [ "$b" -lt "$builds" ]; do
		ln -s "$lib/slab-time-aligned-cas.$(((b + shift) % builds))" \
			"$tmp/slab-time-$v.$b"
		b=$((b + 1))
	done
	# 0, 1, 6, 11: of another alignment each time
	shift=$((shift + (shift ? 5 : 1)))
done

verdicts='[.tests[].rows[] | ([.ratio[], .effects[]][].verdict)] |
	if all(. == "not resolved" or . == "faster" or . == "slower") then
	"\(length) \(map(select(. != "not resolved")) | length)"
	else error("a comparison without verdict") end'
start=$(date +%s) tested=0 found=0 seed=1
while [ "$tested" -lt "$same" ]; do
	set -- $(LACUNA_LIBEXEC=$tmp "$LACUNA" bench --seed $seed --budget 12 \
		-s 8,64,256 -n 5000 -o json | jq -r "$verdicts")
	[ $# = 2 ] && [ "$1" -gt 0 ] || failed "bench gave no verdicts"
	tested=$((tested + $1)) found=$((found + $2)) seed=$((seed + 1))
done
echo "same against same: $found of $tested resolved, promised at most 5 %" \
	"($(($(date +%s) - start)) s, load $(load))"
bad=0
kept $((tested - found)) "$tested" 95 200 || bad=1

for factor in 1.05 1.02; do
	start=$(date +%s) runs=0 found=0 planted=$(((same + 19) / 20))
	if [ -z "${CALIBRATE:-}" ]; then
		[ $factor = 1.05 ] && planted=3 || planted=1
	fi
	while [ "$runs" -lt "$planted" ]; do
		runs=$((runs + 1))
		# on one variant against itself: the whole effect is planted
		v=$(LACUNA_LIBEXEC=$tmp "$LACUNA" bench --thorough --seed $runs \
			-t bulk -s 64 -n 5000 \
			--variant aligned-cas,packed-lock \
			--planted packed-lock=$factor -o json |
			jq -r '.tests[0].rows[0].ratio["packed-lock"] |
				"\(.verdict): \(.value) [\(.low), \(.high)]"')
		echo "planted $factor: $v"
		case $v in
		slower:*) found=$((found + 1)) ;;
		faster:* | "not resolved:"*) ;;
		*) failed "bench gave no verdict on the planted $factor" ;;
		esac
	done
	promised=
	if [ $factor = 1.05 ]; then
		promised=", promised at least 90 %"
		kept "$found" "$runs" 90 10 || bad=1
	fi
	echo "planted $factor: $found of $runs found$promised" \
		"($(($(date +%s) - start)) s, load $(load))"
done
[ $bad = 0 ] || echo "calibrate: a promise is broken" >&2
exit $bad
