#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# reader.sh - lacuna against pahole on real kernels, side by side.
# usage: LACUNA=... PAIRED=... reader.sh VMLINUX...
set -eu
[ $# -gt 0 ] || { echo "bench: no kernel: make kernels" >&2; exit 3; }
command -v pahole >/dev/null || { echo "bench: no pahole" >&2; exit 3; }
for k; do
	echo "== $(basename "$k"): every record, DWARF"
	$PAIRED "${RUNS:-3}" "pahole -j -F dwarf -s" "pahole -j -F dwarf -s '$k'" \
		"lacuna list" "'$LACUNA' list --format dwarf '$k'"
	echo "== $(basename "$k"): one type by name, DWARF"
	$PAIRED "${RUNS:-3}" "pahole -C page" "pahole -F dwarf -C page '$k'" \
		"lacuna show page" "'$LACUNA' show --format dwarf '$k' page" \
		"lacuna show --no-cache page" \
		"'$LACUNA' show --no-cache --format dwarf '$k' page"
	if readelf -SW "$k" | grep -q '\.BTF '; then
		echo "== $(basename "$k"): every record, BTF"
		$PAIRED "${RUNS:-3}" "pahole -F btf -s" "pahole -F btf -s '$k'" \
			"lacuna list --format btf" "'$LACUNA' list --format btf '$k'"
	fi
done
