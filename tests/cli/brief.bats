#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What a mail leaves out, says so, and never cuts in the middle of a word.

bats_require_minimum_version 1.5.0

S=fixtures/perf-samples

@test "mail is brief and says what it leaves out; --full has all" {
	run --separate-stderr "$LACUNA" report --no-time -n 500 -o mail
	[ "$status" = 0 ]
	[[ $(tr -s ' \n' ' ' <<<"$output") == \
		*"Left out for brevity: "*" tables, "*"--full has all."* ]]
	brief=$(echo "$output" | wc -l)
	[ "$brief" -le 200 ]
	run --separate-stderr "$LACUNA" report --no-time -n 500 -o mail --full
	[[ $output != *"Left out"* ]]
	[ "$(echo "$output" | wc -l)" -gt $((2 * brief)) ]
	[ -z "$(echo "$output" | grep -nE '^.{73}')" ]
}

@test "--brief in every form; what programs read is never brief" {
	for form in text markdown html; do
		run --separate-stderr "$LACUNA" perfstat $S/rt-old.txt \
			$S/rt-new.txt --brief -o $form
		[[ $output == *"Left out for brevity: 2 tables"* ]]
		[[ $output != *"Derived from the counts"* ]]
		run --separate-stderr "$LACUNA" perfstat $S/rt-old.txt \
			$S/rt-new.txt -o $form
		[[ $output != *"Left out"* ]]
		[[ $output == *"Derived from the counts"* ]]
	done
	for form in json csv; do
		"$LACUNA" perfstat $S/rt-old.txt $S/rt-new.txt --brief \
			-o $form >"$BATS_TEST_TMPDIR/a" || true
		"$LACUNA" perfstat $S/rt-old.txt $S/rt-new.txt \
			-o $form >"$BATS_TEST_TMPDIR/b" || true
		[ -s "$BATS_TEST_TMPDIR/a" ]
		cmp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	done
	run --separate-stderr "$LACUNA" report --brief --full
	[ "$status" = 2 ]
}

@test "a name that is too long for its column breaks at its parts" {
	cd "$BATS_TEST_TMPDIR"
	cat >a.c <<-'END'
	struct hrtimer_cpu_base_of_a_long_name { int a; };
	struct seqcount_raw_spinlock { struct hrtimer_cpu_base_of_a_long_name n; };
	struct seqcount_raw_spinlock s;
	END
	sed 's/int a/long a, b/' a.c >b.c
	for f in a b; do "${CC:-cc}" -g -c -o $f.o $f.c; done
	run --separate-stderr "$LACUNA" diff a.o b.o -o mail
	[ "$status" = 1 ]
	# the table's first column, glued together where a line ends in "_"
	echo "$output" | sed -n '/^Record  /,/^$/p' |
		sed 's/  .*//; s/^struct \(.*\)/\1/' | paste -sd' ' |
		sed 's/_ /_/g' >names
	grep -q hrtimer_cpu_base_of_a_long_name names || {
		cat names
		false
	}
}

@test "no heading stands over nothing in a brief document" {
	run --separate-stderr "$LACUNA" report --no-time -n 500 -o mail
	[[ $output != *"pair: allocate one and free it at once (test 2 of the 2013 mail)"$'\n\n'"bulk"* ]]
	run --separate-stderr "$LACUNA" report --no-time -n 500 -o markdown --brief
	[ -z "$(echo "$output" | grep -A2 '^### ' | grep -B2 '^#* .*' |
		awk '/^#/ && last { print last } { last = /^###/ ? $0 : NF ? "" : last }')" ]
}
