#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# cachegrind.sh BUILD TEST SIZE N VARIANT [PADDING] - D1 misses of the allocator
# and its loops in four rounds: those that cachegrind counts in the untraced
# program, and those that slab-sim counts.  Prints both.  Six rounds less two, so
# that how the program starts does not count.  PADDING bytes of environment move
# the stack of the untraced program.
set -eu
fixtures=$1/fixtures test=$2 size=$3 n=$4 variant=$5
padding=$(head -c "${6:-1}" /dev/zero | tr '\0' x)
out=$(mktemp)
trap 'rm -f "$out"' EXIT

theirs() { # ROUNDS
	env -i PATH="$PATH" PADDING="$padding" \
		valgrind --tool=cachegrind --cache-sim=yes --D1=32768,8,64 \
		--LL=33554432,16,64 --cachegrind-out-file="$out" \
		"$fixtures/slab-time-$variant.0" --test "$test" \
		--size "$size" --n "$n" --warmup 0 --blocks 1 \
		--ops-per-block $((n * $1)) >/dev/null 2>&1
	# columns: line Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
	awk '/^f[lie]=/ {
			ours = /\/(alloc|free|partial|pages|slabs)\.c$/ ||
				/\/(desc|sync|kernels)\.h$/ ||
				/\/workload\.c$/ }
		/^[0-9]/ && ours { n += $6 + $9 }
		END { print n + 0 }' "$out"
}
ours() { # ROUNDS
	"$fixtures/slab-sim-$variant" --test "$test" --size "$size" --n "$n" \
		--warmup-rounds 0 --rounds "$1" --cache L1=32K/8 --trace-order \
		--attribute misses |
		sed 's/.*"other":[0-9]*,"straddles":[0-9]*,"l1_misses":\([0-9]*\).*/\1/'
}
echo "$(($(theirs 6) - $(theirs 2))) $(($(ours 6) - $(ours 2)))"
