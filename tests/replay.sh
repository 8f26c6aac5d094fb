#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# replay.sh PROGRAM - a fuzz target over its committed corpus, as TAP.
name=$(basename "$1" | sed 's/^fuzz_//')
n=0
for f in tests/fuzz/corpus/"$name"/*; do
	[ -f "$f" ] || continue
	n=$((n + 1))
	if out=$("$1" "$f" 2>&1); then
		echo "ok $n - $name: $(basename "$f")"
	else
		echo "not ok $n - $name: $(basename "$f")"
		echo "$out" | sed 's/^/# /'
	fi
done
[ "$n" -gt 0 ] || { n=1; echo "not ok 1 - $name: no corpus"; }
echo "1..$n"
