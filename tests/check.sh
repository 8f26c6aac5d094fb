#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check.sh [--kernels] - every build that is promised, tested; with --kernels
# also a real kernel, which is fetched if it is not there.  Ends with one line
# that counts the steps: N passed, N failed.
set -u
cd "$(dirname "$0")/.." || exit 3
passed=0 failed=0
jobs=-j$(nproc)

step() { # NAME COMMAND...
	name=$1
	shift
	echo "== $name"
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "== $name FAILED"
	fi
}

tested() { # MAKE-ARGUMENTS... - build quietly, then test
	make $jobs --no-print-directory all tests "$@" >build/check.log 2>&1 || {
		tail -n 30 build/check.log
		return 1
	}
	make --no-print-directory test "$@"
}

mkdir -p build
step "layers: includes follow the arrows" sh tests/layers.sh
# first, so that the tests that want a kernel have one
[ "${1:-}" != --kernels ] ||
	step "a kernel is there" make --no-print-directory kernels
step "gcc" tested CC=gcc BUILD=build
step "clang" tested CC=clang BUILD=build/clang
step "gcc, ASan and UBSan" tested CC=gcc BUILD=build/asan SAN=address,undefined
step "TSan: the allocator's variants under real threads" \
	make $jobs --no-print-directory BUILD=build/tsan SAN=thread slab-torture
if [ "${1:-}" = --kernels ]; then
	step "every record of the kernel against pahole" \
		make --no-print-directory check-kernels
fi
echo "check: $passed passed, $failed failed"
[ "$failed" = 0 ]
