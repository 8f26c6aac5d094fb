#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Random records, and what the compiler itself says of their alignment: an
# answer that is called declared or natural must be right.

# agree COMPILER FLAGS... - as many records as $RECORDS for each seed
agree() {
	local t=$BATS_TEST_TMPDIR seed sure=0 right=0 guesses=0
	for seed in 1 2 3; do
		"$BUILD/tests/oracle/random_records" "$seed" 60 >"$t/r.c"
		"$@" -w -o "$t/r" "$t/r.c"
		"$t/r" | sort >"$t/real"
		"$LACUNA" list -o json "$t/r" | awk -F '[:,] *' '
			function bare(s) { gsub(/[" ]/, "", s); return s }
			/"name"/ { name = bare($2) }
			/"size"/ { size = bare($2) }
			/"align"/ { align = bare($2) }
			/"align_source"/ { print name, align, size, bare($2) }
			' | grep '^r[0-9]' | sort >"$t/told"
		join "$t/real" "$t/told" >"$t/both"
		[ "$(wc -l <"$t/both")" -eq 60 ]
		awk -v seed="$seed" '
			$3 != $5 { print "seed", seed ": size: " $0; bad = 1 }
			($6 == "declared" || $6 == "natural") && $2 != $4 {
				print "seed", seed ": " $0; bad = 1 }
			END { exit bad }' "$t/both"
		sure=$((sure + $(grep -cE 'declared$|natural$' "$t/both" || :)))
		guesses=$((guesses + $(grep -c 'inferred$' "$t/both" || :)))
		right=$((right + $(awk '$6 == "inferred" && $2 == $4' "$t/both" | wc -l)))
	done
	echo "# of 180: $sure sure, $guesses inferred, $right of them right" >&3
	# it is no answer to call everything inferred
	[ "$sure" -ge "$LEAST" ]
}

@test "random records: gcc, DWARF 5" { LEAST=90 agree gcc -gdwarf-5; }
@test "random records: gcc, DWARF 4" { LEAST=90 agree gcc -gdwarf-4; }
@test "random records: clang, DWARF 5" { LEAST=45 agree clang -gdwarf-5; }
@test "random records: clang, DWARF 4" { LEAST=45 agree clang -gdwarf-4; }

# told RECORD ALIGN SOURCE FILE
told() {
	run "$LACUNA" list -o csv -t "$1" "$4"
	[[ "$output" == *$'\n'"$1,struct,"*",$2,$3,"* ]] || { echo "$output"; return 1; }
}

@test "what is declared wins over what the members ask for" {
	t=$BATS_TEST_TMPDIR
	cat >"$t/d.c" <<-'END'
		struct __attribute__((packed, aligned(2))) zero {
			long x; char c; int : 0; int m; } a;
		struct __attribute__((aligned(16))) i { int a; };
		struct __attribute__((packed)) inner {
			struct i x; char c; int : 0; int m; } b;
		struct __attribute__((packed, aligned(8))) wide { __int128 a, b; } c;
		_Static_assert(_Alignof(struct zero) == 2, "");
		_Static_assert(_Alignof(struct inner) == 1, "");
		_Static_assert(_Alignof(struct wide) == 8, "");
	END
	gcc -g -c -o "$t/d.o" "$t/d.c"
	told zero 2 declared "$t/d.o"
	told inner 1 declared "$t/d.o"
	told wide 8 declared "$t/d.o"
	run "$LACUNA" show --compile "$t/d.o" zero
	[ "$status" -eq 0 ]
	[[ "$output" != *"no declaration in C"* ]]
}

@test "an attribute below what the members ask for: clang's is inferred" {
	t=$BATS_TEST_TMPDIR
	cat >"$t/d.c" <<-'END'
		struct __attribute__((aligned(8))) loose { __int128 a, b; } a;
		struct __attribute__((aligned(64))) a64 { char c; };
		struct __attribute__((packed)) held { struct a64 m[3]; } b;
		struct __attribute__((packed)) moved { char c; struct a64 m; } c;
		_Static_assert(_Alignof(struct loose) == 16, "");
		_Static_assert(_Alignof(struct held) == 1, "");
	END
	gcc -g -c -o "$t/d.o" "$t/d.c"
	told loose 16 declared "$t/d.o"
	told held 1 declared "$t/d.o"
	for version in 4 5; do
		clang -gdwarf-$version -c -o "$t/d.o" "$t/d.c"
		told loose 8 inferred "$t/d.o"
		told held 64 inferred "$t/d.o"
		told moved 1 inferred "$t/d.o"
	done
}

@test "strict DWARF 4 writes no alignment: nothing is certain" {
	t=$BATS_TEST_TMPDIR
	echo 'struct __attribute__((aligned(16))) w { char c; long l; } v;' >"$t/d.c"
	gcc -gdwarf-4 -gstrict-dwarf -c -o "$t/d.o" "$t/d.c"
	told w 8 inferred "$t/d.o"
	gcc -gdwarf-5 -gstrict-dwarf -c -o "$t/d.o" "$t/d.c"
	told w 16 declared "$t/d.o"
}

@test "Rust writes each record's own alignment" {
	command -v rustc >/dev/null || skip "no rustc"
	t=$BATS_TEST_TMPDIR
	cat >"$t/d.rs" <<-'END'
		#[repr(C, packed)] pub struct P { pub a: u8, pub b: u64 }
		#[repr(C)] pub struct N { pub a: u8, pub b: u64 }
		#[no_mangle] pub static A: P = P { a: 1, b: 2 };
		#[no_mangle] pub static B: N = N { a: 1, b: 2 };
	END
	rustc -g --crate-type=lib --emit=obj -o "$t/d.o" "$t/d.rs"
	told d::P 1 told "$t/d.o"
	told d::N 8 told "$t/d.o"
}
