#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# run.sh - everything that `make bench` times.  A part whose peer or input is
# not there says so and is left out.
set -u
cd "$(dirname "$0")/../.." || exit 3
bad=0
for part in tests/bench/*.sh; do
	case $part in */run.sh) continue ;; esac
	echo "=== $(basename "$part" .sh)"
	sh "$part" $(ls build/kernels/vmlinux* 2>/dev/null)
	case $? in 0 | 3) ;; *) bad=1 ;; esac
done
exit $bad
