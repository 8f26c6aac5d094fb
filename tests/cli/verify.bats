#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# verify: lacuna against pahole, and against programs that play it.

bats_require_minimum_version 1.5.0

setup_file() {
	export O="$BATS_FILE_TMPDIR/t.o"
	cat >"$BATS_FILE_TMPDIR/t.c" <<-'END'
		struct one { char c; long l; unsigned bits:3, more:7; };
		union two { int i; struct { short a; char b[5]; }; };
		struct one o; union two t;
	END
	gcc -w -g -c -o "$O" "$BATS_FILE_TMPDIR/t.c"
}

# play TEXT [STATUS] - a pahole that prints this
play() {
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '%s\n' "$1" >"$BATS_TEST_TMPDIR/text"
	cat >"$BATS_TEST_TMPDIR/bin/pahole" <<-END
		#!/bin/sh
		cat "$BATS_TEST_TMPDIR/text"
		[ "${2:-0}" = 0 ] || echo "it went wrong" >&2
		exit ${2:-0}
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/pahole"
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin:$PATH" \
		"$LACUNA" verify "$O"
}

one='struct one {
	char                       c;                    /*     0     1 */

	/* XXX 7 bytes hole, try to pack */

	long int                   l;                    /*     8     8 */
	unsigned int               bits:3;               /*    16: 0  4 */
	unsigned int               more:7;               /*    16: 3  4 */

	/* size: 24, cachelines: 1, members: 4 */
	/* sum members: 9, holes: 1, sum holes: 7 */
	/* sum bitfield members: 10 bits (1 bytes) */
	/* padding: 6 */
	/* bit_padding: 6 bits */
};'

@test "agreement" {
	run "$LACUNA" verify "$O"
	[ "$status" -eq 0 ]
	[[ "$output" == *"2 records compared with pahole: 2 agree, 0 differ only"*", 0 differ."* ]]
	play "$one"
	[ "$status" -eq 0 ]
	[[ "$output" == *"1 record compared"*": 1 agrees,"* ]]
	# and which
	[ "$(tr -s ' \n' ' ' <<<"$output" |
		grep -o "1 record is not in pahole's output and not compared: [a-z_]*\.")" ]
}

# differs SED WHAT - one thing changed in pahole's text is found
differs() {
	play "$(echo "$one" | sed "$1")"
	[ "$status" -eq 1 ]
	[[ "$output" == *"$2"* ]]
}

@test "every kind of difference is found" {
	differs 's/size: 24/size: 32/' size
	differs 's/ 8     8 / 9     8 /' "l"
	differs 's/ 8     8 / 8     4 /' "l"
	differs 's/16: 3/16: 4/' more
	differs 's/more:7/more:8/' more
	differs '/ bits:3/d' bits
	differs 's/sum holes: 7/sum holes: 6/; s/XXX 7 bytes/XXX 6 bytes/' holes
	differs 's,/\* padding: 6,/* padding: 5,' padding
	differs 's/bit_padding: 6/bit_padding: 7/' padding
	differs 's/long int .*/garbled line/' unread
	differs 's/struct one/struct eleven/' eleven
}

@test "JSON" {
	run "$LACUNA" verify -o json "$O"
	[ "$status" -eq 0 ]
	for text in '"compared": 2' '"agreed": 2' '"differences": []' \
		'"pahole_defects": []' '"not_in_pahole": []'; do
		[[ "$output" == *"$text"* ]]
	done
}

@test "no pahole: status 3, and what to install" {
	mkdir -p "$BATS_TEST_TMPDIR/empty"
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR/empty" "$LACUNA" verify "$O"
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	[[ "$stderr" == *"pahole is not installed"* ]]
}

@test "a pahole that fails, or says nothing: status 3" {
	play "$one" 4
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	[[ "$stderr" == *"status 4"*"it went wrong"* ]]
	play ""
	[ "$status" -eq 3 ]
	[[ "$stderr" == *"no record"* ]]
}

@test "pahole's known defects come with the proof" {
	cat >"$BATS_TEST_TMPDIR/big.c" <<-'END'
		struct big { char a; char b[70000] __attribute__((aligned(131072))); } g;
	END
	gcc -w -g -c -o "$BATS_TEST_TMPDIR/big.o" "$BATS_TEST_TMPDIR/big.c"
	run "$LACUNA" verify "$BATS_TEST_TMPDIR/big.o"
	[ "$status" -eq 0 ]
	if [[ "$output" == *"Defects of pahole"* ]]; then
		[[ "$(echo "$output" | tr -s ' \n' ' ')" == *"16 bits"* ]]
		run "$LACUNA" verify --strict "$BATS_TEST_TMPDIR/big.o"
		[ "$status" -eq 1 ]
	fi
}

@test "records and figures are counted apart" {
	# one record with three figures that differ
	play "$(echo "$one" | sed 's/size: 24/size: 32/; s/ 8     8 / 8     4 /;
		s/padding: 6/padding: 5/')"
	[ "$status" -eq 1 ]
	[[ "$output" == *"1 record compared with pahole: 0 agree,"*"1 differs."* ]]
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin:$PATH" \
		"$LACUNA" verify -o json "$O"
	[ "$(echo "$output" | jq -c '[.compared, .agreed, .excused, .differing,
		.agreed + .excused + .differing == .compared,
		(.differences | length > 1)]')" = "[1,0,0,1,true,true]" ]
}

@test "a virtual base at byte 4294967295 is pahole's defect, by the file" {
	cat >"$BATS_TEST_TMPDIR/v.cpp" <<-'END'
		struct base { int a; };
		struct one : virtual base { char c; } o;
	END
	g++ -w -g -c -o "$BATS_TEST_TMPDIR/v.o" "$BATS_TEST_TMPDIR/v.cpp"
	O=$BATS_TEST_TMPDIR/v.o
	text='struct one : virtual base {
	/* struct base                <ancestor>; */     /* 4294967295     4 */
	char                       c;                    /*     8     1 */

	/* size: 16, cachelines: 1, members: 2 */
	/* sum members: 5, holes: 0, sum holes: 0 */
	/* padding: 3 */
	/* last cacheline: 16 bytes */
};'
	play "$text"
	echo "$output"
	[[ "$output" == *"virtual base at byte"*4294967295* ]]
	[[ "$output" != *"bit 34359738360"*"calls free"* ]]
	# at another byte it is a difference
	play "$(echo "$text" | sed 's/4294967295/       12/')"
	[ "$status" -eq 1 ]
}
