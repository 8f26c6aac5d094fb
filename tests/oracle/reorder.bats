#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What show --reorder prints, given to the compilers: the size and the offsets
# are those that it says, and the declarations those that there were.

setup() {
	t=$BATS_TEST_TMPDIR
	cases="$BATS_TEST_DIRNAME/../../fixtures/cases"
}

same='def bare: map({name, type, bit_size, role,
		declared_align}) | sort_by(tojson);
	.records[] | select(.reorder.status == "smaller") |
	(.members | bare) == (.reorder.members | bare) and
	.size - .reorder.saves == .reorder.size and .reorder.saves > 0'

# Where its members are, bit-fields too.
places='map({name, bit_offset, bit_size})'

# holds FILE [TYPE...] - $n counts the records that can be smaller
holds() {
	local i source name
	n=0
	"$LACUNA" show --reorder --compile -o json "$@" >"$t/all.json"
	jq -e "[$same] | all" "$t/all.json"
	jq -r '.records[] | select(.reorder.status == "smaller") |
		select(.source) | [.name, (.source | @base64),
		(.reorder.members | tojson | @base64)] | join(" ")' \
		"$t/all.json" >"$t/each"
	while read -r name source members; do
		base64 -d <<<"$source" >"$t/new.c"
		grep -q "_Static_assert(sizeof" "$t/new.c"
		gcc -w -g -fno-eliminate-unused-debug-types -c \
			-o "$t/new.o" "$t/new.c"
		# which rounds the size of an _Atomic up, and lacks a type
		grep -qE '_Atomic|_Float128' "$t/new.c" ||
			clang -w -fsyntax-only "$t/new.c"
		n=$((n + 1))
		"$LACUNA" show -o json "$t/new.o" "$name" |
			jq -c ".records[0].members | $places" >"$t/read"
		base64 -d <<<"$members" | jq -c "$places" >"$t/told"
		diff "$t/read" "$t/told"
	done <"$t/each"
}

@test "the layout cases" {
	all=0
	for case in "$cases"/*.c; do
		gcc -w -g -c -o "$t/x.o" "$case" || continue
		holds "$t/x.o"
		all=$((all + n))
	done
	echo "# $all records of the cases in a smaller order" >&3
	[ "$all" -ge 10 ]
}

@test "what pahole gets wrong: as small as anyone found it" {
	for cc in gcc clang; do
		$cc -w -g -c -o "$t/x.o" "$cases"/52_*.c
		"$LACUNA" show --reorder -o json "$t/x.o" |
			jq -r '.records[] | "\(.name) \(.reorder.size)"' \
			>"$t/got"
		printf '%s\n' 'r1 16' 'r3 64' 'r4 24' 'r7 16' 'r8 16' >"$t/want"
		diff <(sort "$t/got") "$t/want"
	done
}

# random COMPILER FLAGS...
random() {
	local seed all=0
	for seed in 11 12; do
		"$BUILD/tests/oracle/random_records" $seed 60 >"$t/r.c"
		"$@" -w -c -o "$t/r.o" "$t/r.c"
		holds "$t/r.o"
		all=$((all + n))
	done
	echo "# $all random records in a smaller order" >&3
	[ "$all" -ge 5 ]
}

@test "random records: gcc" { random gcc -g; }
@test "random records: gcc, DWARF 4" { random gcc -gdwarf-4; }
@test "random records: clang" { random clang -g; }

@test "a kernel's records" {
	[ -n "${LACUNA_VMLINUX:-}" ] || skip "no kernel: make kernels"
	"$LACUNA" show --reorder -o json "$LACUNA_VMLINUX" '*' |
		jq -r '.records[] | select(.reorder.status == "smaller") |
			.name' | sort -u >"$t/names"
	# 300 of them, spread over the alphabet
	lines=$(wc -l <"$t/names")
	[ "$lines" -gt 100 ]
	awk -v step=$(((lines + 299) / 300)) 'NR % step == 0' "$t/names" \
		>"$t/some"
	mapfile -t names <"$t/some"
	holds "$LACUNA_VMLINUX" "${names[@]}"
	echo "# $n records of a kernel in a smaller order" >&3
	[ "$n" -ge ${#names[@]} ]
}
