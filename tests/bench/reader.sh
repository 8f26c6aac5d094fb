#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# reader.sh - lacuna against pahole on real kernels, side by side.  Nothing is
# kept but where it says so.
# usage: LACUNA=... PAIRED=... reader.sh VMLINUX...
set -eu
[ $# -gt 0 ] || { echo "bench: no kernel: make kernels" >&2; exit 3; }
command -v pahole >/dev/null || { echo "bench: no pahole" >&2; exit 3; }
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
trap 'exit 130' INT TERM
for k; do
	echo "== $(basename "$k"): every record, DWARF"
	$PAIRED "${RUNS:-3}" "pahole -j -F dwarf -s" "pahole -j -F dwarf -s '$k'" \
		"lacuna list" "'$LACUNA' list --no-cache --format dwarf '$k'"
	# pahole stops at the first unit that has it; lacuna tells every
	# definition that differs
	show="'$LACUNA' show --format dwarf '$k' page"
	echo "== $(basename "$k"): one type by name, DWARF, milliseconds"
	MS=1 $PAIRED "${SHORT_RUNS:-30}" \
		"pahole -C page" "pahole -F dwarf -C page '$k'" \
		"lacuna show, kept" "$show"
	echo "== $(basename "$k"): one type by name, DWARF, the first time"
	$PAIRED "${RUNS:-3}" "pahole -C page" "pahole -F dwarf -C page '$k'" \
		"lacuna show, to be kept" \
		"rm -rf '$XDG_CACHE_HOME/lacuna'; $show" \
		"lacuna show --no-cache" "$show --no-cache"
	echo "== $(basename "$k"): every record once more, DWARF"
	$PAIRED "${RUNS:-3}" "lacuna list --no-cache" \
		"'$LACUNA' list --no-cache --format dwarf '$k'" \
		"lacuna list, kept" "'$LACUNA' list --format dwarf '$k'"
	if readelf -SW "$k" | grep -q '\.BTF '; then
		echo "== $(basename "$k"): every record, BTF, milliseconds"
		MS=1 $PAIRED "${SHORT_RUNS:-30}" \
			"pahole -F btf -s" "pahole -F btf -s '$k'" \
			"lacuna list --format btf" \
			"'$LACUNA' list --no-cache --format btf '$k'"
	fi
done
