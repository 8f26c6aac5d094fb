#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# list: every record, sorted and filtered.

bats_require_minimum_version 1.5.0

setup_file() {
	export O="$BATS_FILE_TMPDIR/t.o"
	cat >"$BATS_FILE_TMPDIR/t.c" <<-'END'
		struct tight { long a, b; };
		struct holed { char c; long l; char d; };
		union both { int i; char c[7]; };
		typedef struct { short s; } named_by_typedef;
		struct crossing { char c[63]; struct tight t[2] __attribute__((packed)); };
		struct outer { struct holed h[2]; struct { char x; int y; } inner; };
		struct tight t; struct holed h; union both u; named_by_typedef n;
		struct crossing c; struct outer o;
	END
	gcc -w -g -c -o "$O" "$BATS_FILE_TMPDIR/t.c"
}

names() {
	"$LACUNA" list -o json "$@" "$O" | sed -n 's/^ *"name": "\(.*\)",$/\1/p' | tr '\n' ' '
}

@test "every record once, by name or typedef" {
	[ "$(names)" = "both crossing holed named_by_typedef outer tight " ]
	[ "$(names --sort none)" = "tight holed both named_by_typedef crossing outer " ]
	[ "$(names --anonymous | wc -w)" -eq 6 ]
	run "$LACUNA" list -o json --anonymous "$O"
	[[ "$output" == *'"name": null'* ]]
}

@test "the figures" {
	run "$LACUNA" list -o json --type holed "$O"
	[ "$status" -eq 0 ]
	for text in '"kind": "struct"' '"size": 24' '"align": 8' \
		'"align_source": "natural"' '"members": 3' '"holes": 1' \
		'"hole_bits": 56' '"padding_bits": 56' '"lines": 1' \
		'"straddlers": 0' '"nested_hole_bits": 0'; do
		[[ "$output" == *"$text"* ]]
	done
	echo "$output" | grep -E '"decl": ".*t.c:2"'
	run "$LACUNA" list -o json --type outer "$O"
	[[ "$output" == *'"nested_hole_bits": 136'* ]] # 2 x 56 + 24
}

@test "filters" {
	[ "$(names --holes)" = "holed " ]
	[ "$(names --straddlers)" = "crossing " ]
	[ "$(names --kind union)" = "both " ]
	[ "$(names --type '*o*e*')" = "holed outer " ]
	[ "$(names --min-size 56)" = "crossing outer " ]
	[ "$(names --min-size 56 --type 'c*')" = "crossing " ]
	[ "$(names --min-size 1K)" = "" ]
	[ "$(names --decl '*t.c' | wc -w)" -eq 6 ]
	[ "$(names --kind union --kind struct | wc -w)" -eq 6 ]
	[ -z "$(names --type tight --holes)" ]
	run "$LACUNA" list --type tight --holes "$O"
	[ "$status" -eq 0 ]
}

@test "patterns behind FILE and --type" {
	all=$(names | wc -w)
	[ "$("$LACUNA" list -o csv "$O" 'h*' tight | cut -d, -f1 | paste -sd' ')" = \
		"name holed tight" ]
	[ "$("$LACUNA" list -o csv "$O" 'union *' | cut -d, -f1 | paste -sd' ')" = \
		"name both" ]
	[ "$(names --top 0 | wc -w)" = "$all" ]
	run --separate-stderr "$LACUNA" list "$O" holed nosuch
	[ "$status" -eq 3 ]
	[[ "$stderr" == *"no type named 'nosuch'"* ]]
}

@test "unnamed structs are the record's own: holes, straddlers, waste" {
	cat >"$BATS_TEST_TMPDIR/m.c" <<-'END'
	struct mm { struct { char a; long x; char b; long y; }; long bm[]; } m;
	struct over { struct { char c[60]; struct { short s, t[3]; } n;
		long l; }; } o;
	struct arms { union { struct { char c; long l; }; long both[2]; }; } a;
	END
	gcc -g -c -o "$BATS_TEST_TMPDIR/m.o" "$BATS_TEST_TMPDIR/m.c"
	"$LACUNA" list -o json "$BATS_TEST_TMPDIR/m.o" >"$BATS_TEST_TMPDIR/j"
	[ "$(jq -r '.records[] | [.name, .holes, .nested_hole_bits, .waste_bits,
		.straddlers] | join(" ")' "$BATS_TEST_TMPDIR/j" | paste -sd,)" = \
		"arms 0 56 0 0,mm 0 112 112 0,over 0 32 32 1" ]
	[ "$("$LACUNA" list --holes -o csv "$BATS_TEST_TMPDIR/m.o" |
		cut -d, -f1 | paste -sd' ')" = "name mm over" ]
	run "$LACUNA" list "$BATS_TEST_TMPDIR/m.o"
	[[ "$output" == *"waste"* ]]
}

@test "a filter that nothing matches is no empty answer: status 3" {
	set -f
	for none in "--type nosuch" "--type [" "--decl *.h" "--kind class" \
		"--kind class --kind variant"; do
		run --separate-stderr "$LACUNA" list $none "$O"
		[ "$status" -eq 3 ]
		[ -z "$output" ]
		[[ "$stderr" == *"t.o: no record matches "* ]] ||
			[[ "$stderr" == *"t.o: no type named 'nosuch'"* ]]
	done
}

@test "a named place that is not there: status 3" {
	for none in "--debug-dir=$BATS_TEST_TMPDIR/none" \
		"--base=$BATS_TEST_TMPDIR/none"; do
		run --separate-stderr "$LACUNA" list $none "$O"
		[ "$status" -eq 3 ]
		[[ "$stderr" == *"/none"* ]]
	done
}

@test "sorting: largest first, texts from a to z, and the other way" {
	[ "$(names --sort size --top 1)" = "crossing " ]
	[ "$(names --sort name)" = "both crossing holed named_by_typedef outer tight " ]
	[ "$(names --sort name --reverse --top 1)" = "tight " ]
	[ "$(names --reverse --top 1)" = "tight " ]
	[ "$(names --sort waste --top 1)" = "holed " ]
	[ "$(names --holes)" = "holed " ]
}

@test "every sort key that --help lists works, and no other is in the message" {
	keys=$("$LACUNA" help list | tr -s ' \n' ' ' |
		sed 's/.*largest first: \(.*\), as the debug info.*/\1/
			s/(the default)//; s/(of the two)//; s/(as --reorder has it)//
			s/; or /, /; s/,//g')
	n=0
	for k in $keys; do
		"$LACUNA" list --sort "$k" "$O" >"$BATS_TEST_TMPDIR/o"
		n=$((n + 1))
	done
	[ "$n" = 19 ]
	run "$LACUNA" list --sort colour "$O"
	for k in $keys; do [[ $output == *"$k"* ]]; done
}

@test "nested holes: of a union the arm that wastes most, once" {
	cat >"$BATS_TEST_TMPDIR/u.c" <<-'END'
	struct seven { char c; long l; };
	struct three { char c; int i; };
	union arms { struct seven s; struct seven again; struct three t; long l; };
	struct holds { union arms u[2]; struct seven s; };
	union arms u; struct holds h;
	END
	gcc -g -c -o "$BATS_TEST_TMPDIR/u.o" "$BATS_TEST_TMPDIR/u.c"
	"$LACUNA" list -o json "$BATS_TEST_TMPDIR/u.o" >"$BATS_TEST_TMPDIR/u.json"
	[ "$(jq -r '.records[] | "\(.name) \(.nested_hole_bits)"' \
		"$BATS_TEST_TMPDIR/u.json" | paste -sd' ')" = \
		"arms 56 holds 168 seven 0 three 0" ]
	# the padding inside of members is to be seen where it is sorted by
	echo 'struct in { long l; char c; }; struct out { struct in a[2]; } o;' |
		gcc -g -c -x c -o "$BATS_TEST_TMPDIR/p.o" -
	run "$LACUNA" list -s nested_padding_bits "$BATS_TEST_TMPDIR/p.o"
	[[ $output == *"nested padding"* ]]
	[ "$("$LACUNA" list -o csv "$BATS_TEST_TMPDIR/p.o" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "nested_padding_bits") c = i }
		$1 == "out" { print $c }')" = 112 ]
}

@test "the sum over the byte map is the size" {
	"$LACUNA" list -o json --anonymous "$O" |
		awk -F '[:,]' '
			/"size"/ { size = $2 * 8 }
			/"member_bits"/ { sum = $2 }
			/"(hole|padding|unknown)_bits"/ { sum += $2 }
			/"lines"/ { n++; if (sum != size) { print sum, size; bad = 1 } }
			END { exit bad || n < 7 }'
}

@test "mistakes: status 2" {
	for bad in "--sort colour" "--kind enumeration" "--top -1" \
		"--top=" "--min-size x" \
		"--min-size 99999999999999999999" "--line-size 65" \
		"--line-size 0" "--line-size=" "--threads 0" "--threads -1" \
		"--kind struct --kind enumeration" "--format stabs"; do
		run "$LACUNA" list $bad "$O"
		[ "$status" -eq 2 ]
	done
}

@test "a nameless struct reached through its typedef alone, as clang writes it" {
	command -v clang >/dev/null || skip "no clang"
	printf '#include <signal.h>\nstruct sigaction s;\n' >"$BATS_TEST_TMPDIR/s.c"
	clang -g -c -o "$BATS_TEST_TMPDIR/s.o" "$BATS_TEST_TMPDIR/s.c"
	"$LACUNA" list -o json "$BATS_TEST_TMPDIR/s.o" >"$BATS_TEST_TMPDIR/s.json"
	grep -q '"name": "siginfo_t"' "$BATS_TEST_TMPDIR/s.json"
	"$LACUNA" verify "$BATS_TEST_TMPDIR/s.o"
}

@test "an option that selects may be given again, and takes what either does" {
	[ "$(names -t tight -t both)" = "both tight " ]
	[ "$(names -t tight --type 'c*' -d nowhere.c -d t.c)" = \
		"crossing tight " ]
	# each has to be there
	run "$LACUNA" list -t tight -t nosuch "$O"
	[ "$status" -eq 3 ]
	[[ "$output" == *"'nosuch'"* ]]
	run "$LACUNA" list -d nosuch.c -d nosuch.h "$O"
	[ "$status" -eq 3 ]
}

@test "-n is --top, as of head" {
	[ "$(names -n 2)" = "$(names --top 2)" ]
	[ "$(names -n 2)" = "both crossing " ]
	run "$LACUNA" list --name tight "$O"
	[ "$status" -eq 2 ]
}

@test "a byte that no member of any arm of a union uses is waste, named or not" {
	cat >"$BATS_TEST_TMPDIR/u.c" <<-'END'
		struct A { union { struct { char a; int b; };
			struct { char c; int d; } hdr; }; long z; };
		struct B { union { struct { char a; int b; };
			struct { char c; int d; }; }; long z; };
		struct tag { char c; int d; };
		struct C { union { struct { char a; int b; };
			struct tag hdr; }; long z; };
		struct D { union { struct { char a; int b; }; int c[2]; }; long z; };
		struct E { union { struct { char a; int b; };
			struct { short c; int d; } hdr; }; long z; };
		struct F { union { struct { char a; int b; } x;
			struct { char c; int d; } y; }; long z; };
		union G { struct { char a; int b; };
			struct { char c; int d; } hdr; };
		struct A a; struct B b; struct C c; struct D d; struct E e;
		struct F f; union G g;
	END
	for cc in gcc clang; do
		command -v "$cc" >/dev/null || continue
		"$cc" -w -g -c -o "$BATS_TEST_TMPDIR/u.o" "$BATS_TEST_TMPDIR/u.c"
		"$LACUNA" list -o json "$BATS_TEST_TMPDIR/u.o" '?' >"$BATS_TEST_TMPDIR/j"
		[ "$(jq -r '.records[] | "\(.name)\(.waste_bits / 8)"' \
			"$BATS_TEST_TMPDIR/j" | tr '\n' ' ')" = \
			"A3 B3 C3 D0 E2 F0 G3 " ]
		# what the footer has is the sum of the column
		[ "$(jq '[.records[].waste_bits] | add == $t.waste_bits' \
			--argjson t "$(jq .totals "$BATS_TEST_TMPDIR/j")" \
			"$BATS_TEST_TMPDIR/j")" = true ]
		"$LACUNA" list "$BATS_TEST_TMPDIR/u.o" '?' | tr -s '\n ' ' ' |
			grep -q '7 records, 5 with waste of 14 bytes in all'
		# show and check have the same
		for t in A B C G; do
			"$LACUNA" show -o csv "$BATS_TEST_TMPDIR/u.o" "$t" |
				grep -q 'hole' || return 1
		done
		printf 'type [ABCG]: hole_bytes == 3, nested_hole_bytes == 0\n%s\n' \
			'type [DF]: hole_bytes == 0' >"$BATS_TEST_TMPDIR/budget"
		"$LACUNA" check -b "$BATS_TEST_TMPDIR/budget" "$BATS_TEST_TMPDIR/u.o"
	done
}

@test "--sort takes the titles and the keys of the columns that it can sort by" {
	for pair in record=name "in holes=hole_bits" padding=padding_bits \
		waste_bits=waste "nested holes=nested_hole_bits" \
		"nested padding=nested_padding_bits" "declared at=decl"; do
		[ "$(names --sort "${pair%=*}")" = "$(names --sort "${pair#*=}")" ]
	done
	run "$LACUNA" list --sort "align is" "$O"
	[ "$status" -eq 2 ]
}
