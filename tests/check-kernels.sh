#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# check-kernels.sh LACUNA - every record of each kernel in build/kernels (or of
# $LACUNA_VMLINUX) against pahole.  Ends with a line that counts; 77 if there
# is no kernel.
set -u
cd "$(dirname "$0")/.." || exit 3
lacuna=${1:?usage: check-kernels.sh LACUNA}
passed=0 failed=0
set -- ${LACUNA_VMLINUX:-build/kernels/vmlinux*}
if [ ! -e "$1" ]; then
	echo "check-kernels: no kernel; run make kernels, or set LACUNA_VMLINUX"
	exit 77
fi
for kernel; do
	echo "== $(basename "$kernel")"
	if "$lacuna" verify "$kernel"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "check-kernels: $passed passed, $failed failed"
[ "$failed" = 0 ]
