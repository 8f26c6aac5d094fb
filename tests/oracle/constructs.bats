#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Every construct of the layout cases, read from what each compiler wrote in
# each version of DWARF, against what that compiler says when it is asked now.

setup_file() {
	export CASES="$BATS_TEST_DIRNAME/../../fixtures/cases"
	export FLAT="$BUILD/tests/oracle/flat"
}

# compare WORDS... - every fact that the program prints, with the object
compare() {
	local t=$BATS_TEST_TMPDIR fact type n=0
	while read -r fact; do
		type=${fact%% |*}
		n=$((n + 1))
		"$LACUNA" show --expand -o json "$t/case.o" "$type" |
			"$FLAT" "$fact" >"$t/out" || {
			echo "$*: $type"
			cat "$t/out"
			return 1
		}
	# Rust calls the members of a tuple 0 and 1, its debug info __0 and __1
	done < <("$t/facts" | sed -n 's/^FACT //
		s/ \([0-9][[@]\)/ __\1/g
		s/(),char/(), char/
		/ | /p')
	[ "$n" -gt 0 ]
}

# agree CASE COMPILER [FLAG...]
agree() {
	local case=$1 t=$BATS_TEST_TMPDIR
	shift
	"$@" -w -DORACLE -o "$t/facts" "$case"
	"$@" -w -c -o "$t/case.o" "$case"
	compare "$@" "$case"
}

# each PATTERN COMPILER [FLAG...] - all cases of that name
each() {
	local pattern=$1 case n=0
	shift
	for case in "$CASES"/$pattern; do
		grep -q 'ifdef ORACLE' "$case" || continue
		agree "$case" "$@"
		n=$((n + 1))
	done
	[ "$n" -gt 0 ]
}

each_version() {
	each "$@" -gdwarf-5
	each "$@" -gdwarf-4
}

# both PATTERN [FLAG...] - by gcc and by clang
both() {
	local pattern=$1
	shift
	each_version "$pattern" "$CC_GNU" "$@"
	if command -v "$CC_LLVM" >/dev/null; then
		each_version "$pattern" "$CC_LLVM" "$@"
	fi
}
both_c() { CC_GNU=gcc CC_LLVM=clang both "$@"; }
both_cxx() { CC_GNU=g++ CC_LLVM=clang++ both "$@" -std=c++20; }

@test "bit-fields" { both_c '0[1-5]_*.c'; both_c '16_*.c'; }
@test "bit-fields, as DWARF 2 and 3 place them" {
	each '0[1-5]_*.c' gcc -gdwarf-2 -gstrict-dwarf
	each '0[1-5]_*.c' gcc -gdwarf-3 -gstrict-dwarf
	each '0[1-5]_*.c' clang -gdwarf-2
}
@test "flexible and zero-length arrays" { both_c '0[6-9]_*.c'; }
@test "alignment and packing" { both_c '1[01]_*.c'; both_c '25_*.c'; }
@test "_Atomic" { both_c '1[23]_*.c'; }
@test "arrays of _Atomic" {
	# DWARF 4 does not tell them from arrays of what is inside
	each '15_*.c' gcc -gdwarf-5
	each '15_*.c' clang -gdwarf-5
}
@test "scalars of every width" { both_c '17_*.c'; }
@test "sizes beyond 32 bits" { both_c '18_*.c'; both_c '24_*.c'; }
@test "empty, nameless, and arrays" {
	both_c '14_*.c'
	both_c '19_*.c'
	both_c '2[01]_*.c'
}

@test "C++: bases and empty members" {
	both_cxx '31_*.cpp'
	both_cxx '34_*.cpp'
	both_cxx '38_*.cpp'
}
@test "C++: pointers to members, references, nullptr_t, enums" {
	both_cxx '35_*.cpp'
}
@test "C++: scopes and templates" { both_cxx '37_*.cpp'; }
@test "Rust: variants and reordered fields" {
	command -v rustc >/dev/null || skip "no rustc"
	for case in "$CASES"/4*.rs; do
		rustc -A warnings -o "$BATS_TEST_TMPDIR/facts" "$case"
		for version in 4 5; do
			rustc -A warnings -g -C dwarf-version=$version \
				--emit=obj -o "$BATS_TEST_TMPDIR/case.o" "$case" ||
				skip "rustc takes no DWARF version"
			compare "$case"
		done
	done
}

# figures NAME FILE KEY... - of a record, as "key=value ..."
figures() {
	local name=$1 file=$2
	shift 2
	"$LACUNA" show -o json "$file" "$name" | python3 -c '
import json, sys
r, = json.load(sys.stdin)["records"]
for key in sys.argv[1:]:
    m = [m for m in r["members"] if key[1:] in (m["name"], m["type"].split()[-1])]
    print("%s=%s" % (key, "/".join(str(m[0][k]) for k in
          ("bit_offset", "bit_size", "certainty", "role"))
          if key[0] == "." else r[key]), end=" ")' "$@"
}

@test "C++: virtual bases have no place, and what they may use is not free" {
	t=$BATS_TEST_TMPDIR
	cat >"$t/v.cc" <<-'END'
		struct V { long v; }; struct E { virtual ~E() {} };
		struct None {}; struct alignas(32) Big { char b; };
		struct A : virtual V { char a; }; struct B : virtual V { int b; };
		struct Diamond : A, B { char d; };
		struct Plain : A { char p; }; struct OfNone : virtual None { char n; };
		struct OfBig : virtual Big { char o; }; struct Two : virtual V, virtual E { short t; };
		struct Member { char h; Diamond d; char t; };
		Diamond d; Plain p; OfNone n; OfBig b; Two w; Member m;
		long sizes[] = { sizeof(A), sizeof(Diamond), sizeof(Plain),
			sizeof(OfNone), sizeof(OfBig), sizeof(Two), sizeof(Member) };
	END
	for cc in g++ clang++; do
		command -v "$cc" >/dev/null || continue
		for v in 4 5; do
			"$cc" -gdwarf-$v -w -c -o "$t/v.o" "$t/v.cc"
			for r in A Diamond Plain OfNone OfBig Two; do
				run figures "$r" "$t/v.o" padding_bits hole_bits
				[ "$output" = "padding_bits=0 hole_bits=0 " ]
			done
			run figures A "$t/v.o" .V .a size
			[ "$output" = ".V=None/64/dynamic/virtual base .a=64/8/known/member size=24 " ] || { echo "$output"; return 1; }
			run figures Two "$t/v.o" .V .E .t
			[ "$output" = ".V=None/64/dynamic/virtual base .E=None/64/dynamic/virtual base .t=64/16/known/member " ] || { echo "$output"; return 1; }
			# as a member it is whole
			run figures Member "$t/v.o" .d .t size
			[ "$output" = ".d=64/320/known/member .t=384/8/known/member size=56 " ] || { echo "$output"; return 1; }
		done
	done
}

@test "a type that is only declared here is completed from where it is not" {
	t=$BATS_TEST_TMPDIR
	cat >"$t/part.h" <<-'END'
		struct part { long a; char b; };
	END
	cat >"$t/user.c" <<-'END'
		#include "part.h"
		struct user { char h; struct part p[2]; struct part q; char t; } user;
	END
	cat >"$t/part.c" <<-'END'
		#include "part.h"
		struct part part;
	END
	cd "$t"
	gcc -g -femit-struct-debug-baseonly -w -c -o user.o user.c
	gcc -g -femit-struct-debug-baseonly -w -c -o part.o part.c
	run figures user user.o .p .q size
	[ "$output" = ".p=64/None/unknown/member .q=320/None/unknown/member size=64 " ] || { echo "$output"; return 1; }
	ld -r -o both.o user.o part.o
	run figures user both.o .p .q size hole_bits
	[ "$output" = ".p=64/256/known/member .q=320/128/known/member size=64 hole_bits=56 " ] || { echo "$output"; return 1; }
	# two that differ: it cannot be known which
	echo 'struct part { char only; } part;' >other.c
	gcc -g -c -o other.o other.c
	objcopy --redefine-sym part=part2 other.o
	ld -r -o three.o user.o part.o other.o
	run figures user three.o .q
	[ "$output" = ".q=320/None/unknown/member " ] || { echo "$output"; return 1; }
}

@test "C++: a class whose key function is elsewhere is completed from there" {
	t=$BATS_TEST_TMPDIR
	cat >"$t/key.h" <<-'END'
		struct Key { virtual void key(); long a; char b; };
		struct Has { char h; Key k; char t; };
	END
	printf '#include "key.h"\nHas has;\n' >"$t/user.cc"
	printf '#include "key.h"\nvoid Key::key() {}\n' >"$t/key.cc"
	cd "$t"
	for cc in g++ clang++; do
		command -v "$cc" >/dev/null || continue
		"$cc" -g -c -o user.o user.cc
		"$cc" -g -c -o key.o key.cc
		run figures Has user.o .k .t size
		[ "$cc" = clang++ ] || [ "$output" = ".k=64/None/unknown/member .t=256/8/known/member size=40 " ] || { echo "$output"; return 1; }
		ld -r -o both.o user.o key.o
		run figures Has both.o .k .t size
		[ "$output" = ".k=64/192/known/member .t=256/8/known/member size=40 " ] || { echo "$output"; return 1; }
	done
}

@test "_Atomic: what two compilers make of one declaration, in one file" {
	command -v clang >/dev/null || skip "no clang"
	t=$BATS_TEST_TMPDIR
	cd "$t"
	cat >m.c <<-'END'
		struct a3 { char c[3]; };
		struct same { _Atomic(struct a3) v[2]; long x; } NAME;
		_Static_assert(sizeof(struct same) == 16, "");
		struct told { char v[sizeof(NAME.v)]; } AGAIN;
	END
	gcc -g -gdwarf-5 -DNAME=a -DAGAIN=b -c -o g.o m.c
	clang -g -gdwarf-5 -DNAME=c -DAGAIN=d -c -o c.o m.c
	ld -r -o both.o g.o c.o
	run "$LACUNA" show both.o same
	[[ "$output" == *"Definition 2 of 2"* ]]
	for r in same told; do
		"$LACUNA" show -o json both.o $r |
			grep -A 3 '"name": "v"' | grep bit_size | sort >$r
	done
	diff same told
	[ "$(wc -l <same)" -eq 2 ]
}
