#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh BUILD - every test there is, on what lies in BUILD, through prove.
set -u
build=${1:?usage: run.sh BUILD}
cd "$(dirname "$0")/.." || exit 3
LACUNA=$PWD/$build/lacuna
BUILD=$PWD/$build
export LACUNA BUILD
export CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C
unset NO_COLOR LACUNA_WIDTH LACUNA_CACHE_MIN LACUNA_CACHE_MAX
# what is tested reads its files, unless a test is about what is kept of them
XDG_CACHE_HOME=/dev/null
export XDG_CACHE_HOME
# the one kernel that the tests know figures of, unless told
if [ -z "${LACUNA_VMLINUX:-}" ]; then
	for k in build/kernels/vmlinux-*-cloud-amd64; do
		[ -f "$k" ] && LACUNA_VMLINUX=$PWD/$k && export LACUNA_VMLINUX && break
	done
fi

set --
for t in "$build"/tests/unit/test_* "$build"/tests/fuzz/fuzz_* \
	tests/cli/*.bats tests/oracle/*.bats; do
	[ -f "$t" ] && set -- "$@" "$t"
done
exec prove --quiet --merge -j "$(nproc)" --exec 'sh tests/one.sh' "$@"
