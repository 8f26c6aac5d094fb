#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cachegrind.sh BUILD TEST SIZE N VARIANT [PADDING] - D1 misses of the allocator
# and its loops in four rounds: those that cachegrind counts in the untraced
# program, and those that slab-sim counts.  Prints both.  Eight rounds less four, so
# that what the start of the program leaves in the cache does not count: slab-sim
# starts with an empty one.  PADDING bytes of environment move the stack of the
# untraced program.
#
# PADDING "same": cachegrind counts on the same addresses.  The untraced program
# runs under lackey, which tells all its accesses; those to the arenas are made
# again, in a program that makes no other (refs.c).
set -eu
fixtures=$1/fixtures test=$2 size=$3 n=$4 variant=$5
refs=$1/tests/oracle/refs
out=$(mktemp)
trap 'rm -f "$out" "$out.refs"' EXIT
valgrind=$(command -v valgrind)
cachegrind="$valgrind --tool=cachegrind --cache-sim=yes --D1=32768,8,64
	--LL=33554432,16,64 --cachegrind-out-file=$out"

untraced() { # PADDING ROUNDS VALGRIND...
	padding=$(head -c "$1" /dev/zero | tr '\0' x) ops=$((n * $2))
	shift 2
	# nothing on the stack depends on whose machine it is
	(cd "$fixtures" && env -i PADDING="$padding" "$@" \
		"./slab-time-$variant.0" --test "$test" --size "$size" \
		--n "$n" --warmup 0 --blocks 1 --ops-per-block "$ops" \
		>/dev/null 2>&1)
}
# what PLACE, a pattern of the lines that begin a file or a function, missed
# columns: line Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
misses() { # PLACE
	awk -v place="$1" '/^f[lie]=/ { file = $0; inside = file ~ place }
		/^fn=/ { inside = (file " " $0) ~ place }
		/^[0-9]/ && inside { n += $6 + $9 }
		END { print n + 0 }' "$out"
}
theirs() { # ROUNDS
	# shellcheck disable=SC2086
	untraced "${padding:-1}" "$1" $cachegrind
	misses '/(alloc|free|partial|pages|slabs|workload)\.c( |$)|/(desc|sync|kernels)\.h( |$)'
}
# The arenas are windows 2 to 5; of the last but one only what lies before the
# statistics, which a kernel that does not count them has not got.
theirs_same() { # ROUNDS
	untraced 1 "$1" "$valgrind" --tool=lackey --trace-mem=yes \
		--log-file="$out"
	sed -nE 's/^ [LSM] ([235][0-9a-f]{11}|4000000[0-9a-f]{5}),.*/\1/p' \
		"$out" >"$out.refs"
	$cachegrind "$refs" <"$out.refs" >/dev/null 2>&1
	misses '=[?]+ fn=[?]+$' # code without a name
}
ours() { # ROUNDS
	"$fixtures/slab-sim-$variant" --test "$test" --size "$size" --n "$n" \
		--warmup-rounds 0 --rounds "$1" --cache L1=32K/8 --trace-order \
		--attribute misses |
		sed 's/.*"other":[0-9]*,"straddles":[0-9]*,"l1_misses":\([0-9]*\).*/\1/'
}
case ${6:-1} in
same) their=theirs_same ;;
*) their=theirs padding=${6:-1} ;;
esac
echo "$(($($their 8) - $($their 4))) $(($(ours 8) - $(ours 4)))"
