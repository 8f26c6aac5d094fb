#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# calibrate.sh - does the protocol of the times keep its promises here?
#
#   same     the four "variants" are all aligned-cas, placed differently: what
#            is resolved is false; promised: at most 5 % of the comparisons
#   planted  the times of packed-lock are multiplied by 1.05, --thorough;
#            promised: found in at least 90 % of the runs
#
# SAME (comparisons, default 200) and PLANTED (runs, default 5) say how much.
set -u
LACUNA=${LACUNA:-build/lacuna}
command -v jq >/dev/null || { echo "needs jq"; exit 3; }
lib=${LACUNA_LIBEXEC:-$(dirname "$LACUNA")/fixtures}
[ -x "$lib/slab-time-aligned-cas.1" ] || { echo "needs make"; exit 3; }
lib=$(cd "$lib" && pwd)
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

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
	shift=$((shift + 1))
done

verdicts='[.tests[].rows[] | ([.ratio[], .effects[]][].verdict)] |
	"\(length) \(map(select(. != "not resolved")) | length)"'
start=$(date +%s) tested=0 found=0 seed=1
while [ "$tested" -lt "${SAME:-200}" ]; do
	set -- $(LACUNA_LIBEXEC=$tmp "$LACUNA" bench --seed $seed --budget 12 \
		-s 8,64,256 -n 5000 -o json | jq -r "$verdicts")
	[ $# = 2 ] || exit 1
	tested=$((tested + $1)) found=$((found + $2)) seed=$((seed + 1))
done
echo "same against same: $found of $tested resolved, promised at most 5 %" \
	"($(($(date +%s) - start)) s, load $(cut -d' ' -f1 /proc/loadavg))"
bad=0
[ $((found * 20)) -le "$tested" ] || bad=1

start=$(date +%s) runs=0 found=0
while [ "$runs" -lt "${PLANTED:-5}" ]; do
	runs=$((runs + 1))
	# on one variant against itself: the whole effect is the planted one
	v=$(LACUNA_LIBEXEC=$tmp "$LACUNA" bench --thorough --seed $runs \
		-t bulk -s 64 -n 5000 --planted packed-lock=1.05 -o json |
		jq -r '.tests[0].rows[0].ratio["packed-lock"] |
			"\(.verdict): \(.value) [\(.low), \(.high)]"')
	echo "planted 1.05: $v"
	case $v in slower:*) found=$((found + 1)) ;; esac
done
echo "planted: $found of $runs found, promised at least 90 %" \
	"($(($(date +%s) - start)) s)"
[ $((found * 10)) -ge $((runs * 9)) ] || bad=1
exit $bad
