#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# --reorder: what another order of the members would save.  That what it prints
# compiles is in oracle/reorder.bats.

setup_file() {
	export T=$BATS_FILE_TMPDIR
	cat >"$T/r.c" <<-'END'
		struct gain { char a; long b; char c; int x:3, y:4; };
		struct least { long b; char a; };
		struct two { struct gain g; char c; };
		union u { int a; };
		struct tight { char a; int b; } __attribute__((packed));
		typedef struct { char a; long b; char c; } untagged;
		struct many { char a; long b; char c; long d; char e; long f;
			char g; long h; } many;
		struct gain g; struct least l; struct two t; union u u;
		struct tight p; untagged n;
	END
	gcc -g -c -o "$T/r.o" "$T/r.c"
}

reorder() {
	run "$LACUNA" show --reorder "$T/r.o" "$@"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "the record as it is, what is saved, and the record in its new order" {
	reorder gain
	[[ "$output" == *"size: 24, cachelines: 1, members: 5"* ]]
	[[ "${output//$'\n'/ }" == *" struct gain: 8 bytes less: 24 -> 16; 1 line as before; moved: c to y behind a. No order is smaller. Inferred in part. "* ]]
	[[ "${output#*8 bytes less}" == *"struct gain {"*"a;"*"c;"*"x:3;"*"b;"*"/* size: 16, cachelines: 1, members: 5 */"* ]]
	# bytes are not accesses
	[[ "$output" == *"what it does to accesses is another matter"* ]]
	"$LACUNA" show "$T/r.o" gain >"$T/plain"
	[[ "$output" == "$(cat "$T/plain")"* ]]
	[ "$(grep -c 'less:' "$T/plain")" -eq 0 ]
}

@test "no smaller order, or none at all, with the reason" {
	reorder least
	[[ "$output" == *"struct least: no order is smaller than 16 bytes."* ]]
	[[ "$output" != *"another matter"* ]]
	reorder u tight
	[[ "$output" == *"union u: no other order was looked for: the members of a union"* ]]
	[[ "$output" == *"struct tight: no other order was looked for: it is packed."* ]]
	cat >"$T/c.cc" <<-'END'
		struct base { int a; virtual void f(); };
		struct derived : base { char c; long l; char d; } g;
		void base::f() {}
	END
	g++ -g -c -o "$T/c.o" "$T/c.cc"
	run "$LACUNA" show --reorder "$T/c.o" base derived
	[ "$status" -eq 0 ]
	[[ "$output" == *"base: no other order was looked for: it has virtual functions."* ]]
	[[ "$output" == *"derived: no other order was looked for: it has a base class."* ]]
}

@test "what is too much to work out is not called the least" {
	{
		echo "struct lines { char c __attribute__((aligned(64)));"
		for i in $(seq 34 62); do
			echo "char m$i[$i] __attribute__((aligned(64)));"
		done
		echo "} lines;"
	} >"$T/l.c"
	gcc -g -c -o "$T/l.o" "$T/l.c"
	run "$LACUNA" show --reorder "$T/l.o" lines
	[ "$status" -eq 0 ]
	[[ "$output" == *"struct lines: no order was found that is smaller than 1920 bytes."* ]]
	run "$LACUNA" list --reorder -o csv "$T/l.o"
	[[ "$output" == *",,none found"* ]]
}

@test "a record that embeds another is laid out with that as it is" {
	reorder two
	[[ "$output" == *"struct two: no order is smaller than 32 bytes."* ]]
}

@test "with --compile it is C of the new order, a text for each" {
	for type in gain untagged two many; do
		reorder --compile $type
		echo "$output" >"$T/new.c"
		for cc in gcc clang; do
			$cc -Wall -Werror -Wno-unused -c -o "$T/new.o" "$T/new.c"
		done
	done
	reorder --compile gain
	[[ "$output" == *"_Static_assert(sizeof(struct gain) == 16,"* ]]
	[[ "$output" == *"/* struct gain: 8 bytes less: "* ]]
	# what embeds it has it as it was
	run "$LACUNA" show --reorder --compile -o json "$T/r.o" two gain
	jq -r '.records[0].source' <<<"$output" >"$T/two.c"
	jq -r '.records[1].source' <<<"$output" >"$T/gain.c"
	gcc -c -o "$T/x.o" "$T/two.c"
	gcc -c -o "$T/x.o" "$T/gain.c"
	grep -q 'sizeof(struct gain) == 24' "$T/two.c"
	# of what has no other order, C of what it is
	reorder --compile least
	[[ "$output" == *"sizeof(struct least) == 16"*"/* struct least: no order is smaller than 16 bytes. */"* ]]
}

@test "JSON: moves and new offsets; nothing without the option" {
	run "$LACUNA" show --reorder -o json "$T/r.o" gain least tight
	[ "$status" -eq 0 ]
	echo "$output" >"$T/doc.json"
	jq -e '.records[0] | .size == 24 and (.members | length) == 5 and
		(.reorder | .status == "smaller" and .saves == 8 and
		.size == 16 and .lines == 1 and .least and
		.certainty == "inferred" and .moves == [{name: "c",
		bit_offset: 128, members: 3, behind: "a",
		behind_bit_offset: 0}] and
		([.members[].bit_offset] == [0, 8, 16, 19, 64]))' "$T/doc.json"
	jq -e '.records[1].reorder == {status: "least", reason: null,
		saves: 0}' "$T/doc.json"
	jq -e '.records[2].reorder == {status: "unsupported",
		reason: "it is packed", saves: null}' "$T/doc.json"
	run "$LACUNA" show -o json "$T/r.o"
	jq -e '[.records[] | has("reorder")] | any | not' <<<"$output"
}

@test "CSV has the rows of both orders" {
	reorder -o csv gain
	[ "$(grep -c '^struct gain,member' <<<"$output")" -eq 5 ]
	[ "$(grep -c '^"struct gain, reordered",member' <<<"$output")" -eq 5 ]
}

@test "BTF tells no alignment: the answer is inferred, and says so" {
	command -v pahole >/dev/null || skip "no pahole"
	cp "$T/r.o" "$T/b.o"
	pahole -J "$T/b.o"
	run "$LACUNA" show --format btf --reorder "$T/b.o" gain
	[ "$status" -eq 0 ]
	[[ "${output//$'\n'/ }" == *"24 -> 16;"*"Inferred in part."* ]]
}

@test "list --reorder: what each would save; --sort saves ranks, and implies it" {
	"$LACUNA" list --reorder -o json "$T/r.o" >"$T/list.json"
	jq -r '.records[] | "\(.name) \(.saves) \(.saves_status)"' \
		"$T/list.json" >"$T/got"
	cat >"$T/want" <<-'END'
		gain 8 null
		least 0 null
		many 24 null
		tight null unsupported
		two 0 null
		u null unsupported
		untagged 8 null
	END
	diff "$T/want" "$T/got"
	jq -e '.totals | .smaller == 3 and .saves == 40' "$T/list.json"
	run "$LACUNA" list --sort saves --top 2 "$T/r.o"
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == *saves ]]
	[[ "${lines[2]}" == many*" 24" ]]
	[[ "${lines[3]}" == gain*" 8" ]]
	[[ "${output//$'\n'/ }" == *"3 of these would be smaller, by 40 bytes in all."* ]]
	run "$LACUNA" list -o json "$T/r.o"
	jq -e '[.records[], .totals | has("saves")] | any | not' <<<"$output"
}

@test "list and show agree on every layout case" {
	n=0
	for case in "$BATS_TEST_DIRNAME"/../../fixtures/cases/*.c; do
		gcc -w -g -c -o "$T/x.o" "$case" || continue
		"$LACUNA" list --reorder --sort none -o json "$T/x.o" |
			jq -c '.records[] | [.name, .saves]' >"$T/list"
		"$LACUNA" show --reorder -o json "$T/x.o" |
			jq -c '.records[] | [.name, .reorder.saves]' >"$T/show"
		diff "$T/list" "$T/show"
		n=$((n + $(wc -l <"$T/list")))
	done
	[ "$n" -gt 100 ]
}
