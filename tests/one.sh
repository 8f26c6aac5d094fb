#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# one.sh TEST - run one test file so that it speaks TAP.
#
# cmocka (seen in 1.1.5) prints a skipped test as "not ok N # SKIP name", which
# prove takes for a failure.  The exit status stays the program's: a leak that a
# sanitizer finds at the end comes after the last test.
case $1 in
*.bats) exec bats --formatter tap "$1" ;;
*/fuzz/fuzz_*) exec sh tests/replay.sh "$1" ;;
*)
	out=$("$1")
	rc=$?
	printf '%s\n' "$out" | sed 's/^not ok \([0-9]* # SKIP\)/ok \1/'
	exit $rc
	;;
esac
