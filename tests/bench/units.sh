#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# units.sh - reading time against the number of units.
# usage: UNITS=... units.sh VMLINUX...
set -eu
[ $# -gt 0 ] || { echo "bench: no kernel: make kernels" >&2; exit 3; }
for k; do
	echo "== $(basename "$k"): the first 1/8, 1/4, 1/2 of its units, and all"
	"$UNITS" "${RUNS:-5}" "$k"
done
