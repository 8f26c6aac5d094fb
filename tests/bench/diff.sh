#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# diff.sh - lacuna diff against codiff on two real kernels, side by side.
# usage: LACUNA=... PAIRED=... diff.sh OLD NEW...
set -eu
[ $# -gt 1 ] || { echo "bench: no two kernels: make kernels" >&2; exit 3; }
command -v codiff >/dev/null || { echo "bench: no codiff" >&2; exit 3; }
# codiff ends with 0 whatever it finds, lacuna with 1 for a difference
echo "== $(basename "$1") against $(basename "$2"): every record, DWARF"
$PAIRED "${RUNS:-3}" "codiff -sq" "codiff -sq '$1' '$2'" \
	"lacuna diff" "'$LACUNA' diff --no-cache --format dwarf '$1' '$2' || [ \$? = 1 ]"
