#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# layers.sh - an include may only go against the flow of the data.
# Each line: a module and the modules that it may include besides base.
cd "$(dirname "$0")/.." || exit 3
rules='
base
object
dbginfo object
layout dbginfo
page dbginfo layout
diff dbginfo layout page
workload
cachesim
perfctr
stats
bench perfctr stats
perfstat stats
correlate dbginfo layout page bench stats
lacuna dbginfo layout
report
render report
'
bad=0
for dir in analyses/*/; do
	m=$(basename "$dir")
	allowed=$(echo "$rules" | awk -v m="$m" '$1 == m { found = 1
		for (i = 2; i <= NF; i++) printf "%s ", $i } END { exit !found }') || {
		echo "$dir has no rule in tests/layers.sh"; bad=1; continue; }
	for inc in $(grep -hoE '^#include "[a-z]+/' "$dir"* 2>/dev/null |
		sed 's/.*"//; s,/,,' | sort -u); do
		case " base $m $allowed " in
		*" $inc "*) ;;
		*) echo "analyses/$m includes $inc/"; bad=1 ;;
		esac
	done
done
only() { # HEADER FILES... - no other file may include HEADER
	h=$1
	shift
	for f in $(grep -lE "^#include <([a-z-]+/)?$h>" -r analyses tools fixtures); do
		case " $* " in *" $f "*) ;; *) echo "$f includes $h"; bad=1 ;; esac
	done
}
only libdwarf.h analyses/dbginfo/dwarf.c
only btf.h analyses/dbginfo/btf_place.h analyses/dbginfo/btf_kinds.h
only libbpf.h analyses/dbginfo/btf.c
for f in $(grep -lE '^#include <(gelf|libelf)\.h>' -r analyses tools fixtures); do
	case $f in analyses/object/*) ;; *) echo "$f includes libelf"; bad=1 ;; esac
done
for f in $(grep -lE '\b(printf|puts|putchar|exit) *\(' -r analyses --include=*.c); do
	grep -nE '(^|[^a-z_])(printf|puts|putchar|exit) *\(' "$f" | grep -v '_printf' |
		sed "s|^|$f: an analysis neither prints nor exits: |" | grep . && bad=1
done
exit $bad
