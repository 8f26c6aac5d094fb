#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check.sh - every build that is promised, tested.  Ends with one line that
# counts the builds' test files: N passed, N failed.
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

step "layers: includes follow the arrows" sh tests/layers.sh
step "gcc" make $jobs CC=gcc BUILD=build test
step "clang" make $jobs CC=clang BUILD=build/clang test
step "gcc, ASan and UBSan" make $jobs CC=gcc BUILD=build/asan \
	SAN=address,undefined test
echo "check: $passed passed, $failed failed"
[ "$failed" = 0 ]
