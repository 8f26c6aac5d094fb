#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The layout cases against what the compiler itself said about them.

setup_file() {
	export CASES="$BATS_TEST_DIRNAME/../../fixtures/cases"
	export FLAT="$BUILD/tests/oracle/flat"
}

# expectations CASE LABEL - the EXPECT lines that hold for this compiler: one
# with the label in brackets replaces the plain one of the same type
expectations() {
	sed -n 's,^// EXPECT\(\[[^]]*\]\)\{0\,1\} \([^(].* | .*\)$,\1\t\2,p' "$1" |
		awk -F '\t' -v label="[$2]" '
			{ type = $2; sub(/ \|.*/, "", type) }
			$1 == "" && !(type in own) { line[type] = $2 }
			$1 == label { line[type] = $2; own[type] = 1 }
			!(type in seen) { seen[type] = 1; order[++n] = type }
			END { for (i = 1; i <= n; i++)
				if (order[i] in line) print line[order[i]] }'
}

# agree OBJECT CASE LABEL [OPTION...] - every expectation of the case
agree() {
	local object=$1 case=$2 label=$3 line type n=0
	shift 3
	while read -r line; do
		type=${line%% |*}
		n=$((n + 1))
		"$LACUNA" show "$@" -o json "$object" "$type" |
			"$FLAT" "$line" >"$BATS_TEST_TMPDIR/out" || {
			echo "$object: $type"
			cat "$BATS_TEST_TMPDIR/out"
			return 1
		}
	done < <(expectations "$case" "$label")
	[ "$n" -gt 0 ]
}

# c_cases COMPILER LABEL FLAGS... - all of the C cases that build alone
c_cases() {
	local cc=$1 label=$2 case object
	shift 2
	for case in "$CASES"/{01,03,05,07,09,10,11,12,14,16,18,19,21,22,23,25}_*.c; do
		object="$BATS_TEST_TMPDIR/$(basename "$case" .c).o"
		"$cc" "$@" -w -g -c -o "$object" "$case"
		agree "$object" "$case" "$label"
	done
}

@test "C cases, gcc, DWARF 5" { c_cases gcc gcc -gdwarf-5; }
@test "C cases, gcc, DWARF 4" { c_cases gcc gcc -gdwarf-4; }
@test "C cases, gcc, optimised" { c_cases gcc gcc -O2; }
@test "C cases, clang, DWARF 5" { c_cases clang clang -gdwarf-5; }
@test "C cases, clang, DWARF 4" { c_cases clang clang -gdwarf-4; }

@test "bit-fields in strict DWARF 2" {
	o="$BATS_TEST_TMPDIR/01.o"
	gcc -w -g -gdwarf-2 -gstrict-dwarf -c -o "$o" "$CASES"/01_*.c
	agree "$o" "$CASES"/01_*.c gcc
}

@test "32-bit alignment" {
	o="$BATS_TEST_TMPDIR/27.o"
	gcc -m32 -w -g -c -o "$o" "$CASES"/27_*.c
	agree "$o" "$CASES"/27_*.c -m32
	gcc -w -g -c -o "$o" "$CASES"/27_*.c
	agree "$o" "$CASES"/27_*.c gcc
}

@test "same name, two layouts in one file: both are there" {
	t=$BATS_TEST_TMPDIR
	gcc -w -g -c -o "$t/a.o" "$CASES"/22_*.c
	gcc -w -g -c -o "$t/b.o" "$CASES"/23_*.c
	ld -r -o "$t/both.o" "$t/a.o" "$t/b.o"
	agree "$t/both.o" "$CASES"/22_*.c gcc
	agree "$t/both.o" "$CASES"/23_*.c gcc
	run "$LACUNA" show "$t/both.o" "struct workspace"
	[[ "$output" == *"Definition 1 of 2"*"22_same_name_a.c"* ]]
	[[ "$output" == *"Definition 2 of 2"*"23_same_name_b.c"* ]]
}

@test "C++ cases, gcc and clang" {
	for cc in g++ clang++; do
		for case in "$CASES"/{34,38}_*.cpp; do
			o="$BATS_TEST_TMPDIR/$(basename "$case" .cpp).o"
			$cc -std=c++20 -w -g -c -o "$o" "$case"
			agree "$o" "$case" "$cc" --expand
		done
	done
}

@test "C++ templates by the name that the compiler gives them" {
	o="$BATS_TEST_TMPDIR/36.o"
	for cc in "g++:long int" "clang++:long"; do
		sed "s/EXPECT AL3/EXPECT Arr<${cc#*:}, 3>/
			s/EXPECT AC5/EXPECT Arr<char, 5>/
			s/EXPECT AI/EXPECT Arr<${cc#*:}, 3>::Iter/" \
			"$CASES"/36_*.cpp >"$BATS_TEST_TMPDIR/named"
		# clang drops what nothing uses
		[[ $cc == clang* ]] && sed -i '/EXPECT Anon/d' "$BATS_TEST_TMPDIR/named"
		"${cc%%:*}" -std=c++20 -w -g -c -o "$o" "$CASES"/36_*.cpp
		agree "$o" "$BATS_TEST_TMPDIR/named" "$cc"
	done
}

@test "a member of unknown size is not called a hole" {
	o="$BATS_TEST_TMPDIR/29.o"
	gcc -w -g -femit-struct-debug-baseonly -c -o "$o" "$CASES"/29_inc*.c
	run "$LACUNA" show -o json "$o" bufx
	[ "$status" -eq 0 ]
	[[ "$output" == *'"unknown_bits": 192'* ]]
	[[ "$output" == *'"holes": []'* || "$output" == *'"hole_bits": 0'* ]]
	gcc -w -g -c -o "$o" "$CASES"/29_inc*.c
	agree "$o" "$CASES"/29_inc*.c gcc
}

@test "what a virtual base may use is not called free" {
	o="$BATS_TEST_TMPDIR/32.o"
	g++ -std=c++20 -w -g -c -o "$o" "$CASES"/32_*.cpp
	run "$LACUNA" show -o json "$o" D
	[ "$status" -eq 0 ]
	[[ "$output" == *'"padding_bits": 0'* ]]
	[[ "$output" == *'"certainty": "dynamic"'* || "$output" == *'"unknown_bits": '[1-9]* ]]
}

@test "a member may start in a base's tail padding" {
	o="$BATS_TEST_TMPDIR/30.o"
	clang++ -std=c++20 -w -g -c -o "$o" "$CASES"/30_*.cpp
	run "$LACUNA" show -o json "$o" Spell
	[ "$status" -eq 0 ]
	[[ "$output" == *'"hole_bits": 0'* ]]
	[[ "$output" == *'"padding_bits": 56'* ]]
}
