#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# one.sh TEST - run one test file so that it speaks TAP.
case $1 in
*.bats) exec bats --formatter tap "$1" ;;
*/fuzz/fuzz_*) exec sh tests/replay.sh "$1" ;;
*) exec "$1" ;;
esac
