#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Types in units of their own are the same types: a file compiled with
# -fdebug-types-section does not differ from the one compiled without.

bats_require_minimum_version 1.5.0

same() { # compiler, file
	for v in 4 5; do
		$1 -g -gdwarf-$v -c -o "$BATS_TEST_TMPDIR/whole.o" "$2"
		$1 -g -gdwarf-$v -fdebug-types-section -c \
			-o "$BATS_TEST_TMPDIR/apart.o" "$2"
		readelf -SW "$BATS_TEST_TMPDIR/apart.o" |
			grep -qE 'debug_types|GROUP'
		run -0 --separate-stderr "$LACUNA" diff -o json \
			"$BATS_TEST_TMPDIR/whole.o" "$BATS_TEST_TMPDIR/apart.o"
		"$LACUNA" list -a -o json "$BATS_TEST_TMPDIR/apart.o" |
			jq -e 'all(.records[]; .size != null)'
	done
}

# By value, by pointer, in arrays, without a name, an enumeration.
setup() {
	cat >"$BATS_TEST_TMPDIR/t.c" <<-'END'
	enum e { E_A, E_B = 1000 };
	union u { int a; char b; };
	struct in { int a; char b; enum e e; };
	struct out {
		char c;
		struct in one;
		union u two, three[3];
		const struct in *p;
		struct { union u u; long l; } own;
		union { struct in x; short s[9]; };
	};
	struct other { struct out o; union u u; enum e e; };
	struct out out; struct other other;
	END
}

@test "gcc" { same gcc "$BATS_TEST_TMPDIR/t.c"; }
@test "g++" { same "g++ -x c++" "$BATS_TEST_TMPDIR/t.c"; }
@test "clang++, which does so for C++ only" {
	command -v clang >/dev/null || skip "no clang"
	same "clang++ -x c++" "$BATS_TEST_TMPDIR/t.c"
}
