#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The simulated L1 misses against cachegrind's, of the same allocator untraced:
# within 1 %, or 8 misses where there are hardly any.  A sample of the cells;
# LACUNA_ALL_CELLS=1 takes every test, size and variant that cachegrind can run,
# but for 8-byte objects freed at random: nearly all misses are the shuffle's own,
# and half of what it touches (its stack) is no part of the model.

setup() {
	command -v valgrind >/dev/null || skip "valgrind is not installed"
	ldd "$BUILD/fixtures/slab-time-aligned-cas.0" | grep -q asan &&
		skip "valgrind cannot run a sanitizer build"
	# 3.19 gives up on what clang 14 writes as DWARF 5
	if valgrind --tool=none "$BUILD/fixtures/slab-time-aligned-cas.0" --help 2>&1 |
		grep -q 'debuginfo reader:'; then
		skip "this valgrind cannot read this compiler's debug info"
	fi
	return 0
}

cells() { # VARIANT
	if [ -z "${LACUNA_ALL_CELLS-}" ]; then
		echo "bulk 256
bulk 4096
bulk-random 256
bulk-random 1024
fragmented 512
pair 64"
		return
	fi
	for t in bulk bulk-random bulk-reverse fragmented pair; do
		for s in 8 32 128 256 1024 4096 8192; do
			[ "$t $s" = "bulk-random 8" ] || echo "$t $s"
		done
	done
}

agree() { # VARIANT
	cells | while read -r t s; do
		# shellcheck disable=SC2046
		set -- "$1" $(sh tests/oracle/cachegrind.sh "$BUILD" "$t" "$s" \
			$((s > 128 ? 600 : 5000)) "$1")
		echo "$1 $t $s: cachegrind $2, lacuna $3"
		awk -v a="$2" -v b="$3" 'BEGIN { d = a > b ? a - b : b - a
			exit !(a != "" && b != "" && (d <= 8 || d <= a / 100)) }' ||
			exit 1
	done
}

@test "aligned-cas: L1 misses as cachegrind counts them" { agree aligned-cas; }
@test "aligned-lock: L1 misses as cachegrind counts them" { agree aligned-lock; }
@test "packed-lock: L1 misses as cachegrind counts them" { agree packed-lock; }
@test "packed-cas: L1 misses as cachegrind counts them" { agree packed-cas; }
