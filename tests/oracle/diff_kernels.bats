#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff on two kernels, against pahole's sizes from their BTF.
# The second kernel is $LACUNA_VMLINUX2, or another one in build/kernels.

setup() {
	T=$BATS_TEST_TMPDIR
	export LC_ALL=C # one order for sort and join
	K=
	for k in "${LACUNA_VMLINUX:-}" "${LACUNA_VMLINUX2:-}" \
		"$BATS_TEST_DIRNAME"/../../build/kernels/vmlinux*; do
		case $k in *.gz | *.xz | *.zst) continue ;; esac
		[ -f "$k" ] || continue
		# one kernel under two names is one kernel
		for seen in $K; do [ "$k" -ef "$seen" ] && continue 2; done
		K="$K $k"
	done
	# shellcheck disable=SC2086
	set -- $K
	[ $# -ge 2 ] || skip "no two kernels: set LACUNA_VMLINUX and LACUNA_VMLINUX2"
	OLD=$1 NEW=$2
	command -v pahole >/dev/null || skip "no pahole"
}

# names whose set of sizes differs, counted without lacuna
sizes() { # FILE - "name: size size", sorted by name
	pahole -F btf -s "$1" 2>/dev/null | awk -F '\t' '{ print $1, $2 }' | sort -u |
		awk '$1 == n { s = s " " $2; next }
		{ if (n) print n ":" s; n = $1; s = " " $2 }
		END { print n ":" s }' | sort -t : -k 1,1
}

changed_by_pahole() {
	sizes "$OLD" >"$T/old"
	sizes "$NEW" >"$T/new"
	join -t : "$T/old" "$T/new" | awk -F : '$2 != $3 { print $1 }' | sort
}

@test "the records whose size changed are those that pahole's sizes give" {
	changed_by_pahole >"$T/want"
	for format in dwarf btf; do
		"$LACUNA" diff --format $format -o json "$OLD" "$NEW" \
			>"$T/j" || [ $? = 1 ]
		# typedef names of anonymous structs are not in pahole's list
		jq -r '.records[] | select((.label | test("^(struct|union) ")) and
			.change == "changed" and .name and any(.changes[]; .class == "size")) |
			.name' "$T/j" | sort -u >"$T/got"
		# several layouts of one name: pahole lists one of them
		pahole -F btf -s "$OLD" 2>/dev/null | cut -f 1 | sort | uniq -d >"$T/several"
		comm -3 "$T/want" "$T/got" | tr -d '\t' |
			grep -vxFf "$T/several" >"$T/differ" || true
		[ ! -s "$T/differ" ] || { head -20 "$T/differ"; false; }
	done
	[ "$(wc -l <"$T/want")" -gt 0 ] || [ "$OLD" = "$NEW" ]
}

@test "a kernel against itself is no difference, in DWARF and in BTF" {
	for format in dwarf btf; do
		"$LACUNA" diff --format $format "$NEW" "$NEW" >"$T/out"
	done
}

@test "the DWARF of each against its BTF is no difference, either way" {
	for k in "$OLD" "$NEW"; do
		objcopy --only-section=.BTF --dump-section .BTF="$T/btf" "$k" \
			"$T/copy" 2>/dev/null
		rm -f "$T/copy"
		"$LACUNA" diff -o json "$k" "$T/btf" >"$T/j" ||
			{ jq -c '.records[:9]' "$T/j"; false; }
		[ "$(jq '.records | length' "$T/j")" = 0 ]
		jq -e '.notes[0] | startswith("DWARF against BTF")' "$T/j"
		"$LACUNA" diff "$T/btf" "$k" >"$T/out"
	done
}

@test "the mirror has the same records and sizes the other way round" {
	"$LACUNA" diff --format btf -o json "$OLD" "$NEW" >"$T/j" || [ $? = 1 ]
	"$LACUNA" diff --format btf -o json "$NEW" "$OLD" >"$T/m" || [ $? = 1 ]
	# what is called by another name, or by what it holds, aside
	jq -S '[.records[] | select(.change != "renamed" and .name) |
		[.name, .before.size, .after.size]] | sort' \
		"$T/j" >"$T/1"
	jq -S '[.records[] | select(.change != "renamed" and .name) |
		[.old_name // .name, .after.size, .before.size]] | sort' \
		"$T/m" >"$T/2"
	cmp "$T/1" "$T/2"
}

@test "the mirror has every change the other way round, in DWARF" {
	"$LACUNA" diff -o json "$OLD" "$NEW" >"$T/j" || [ $? = 1 ]
	"$LACUNA" diff -o json "$NEW" "$OLD" >"$T/m" || [ $? = 1 ]
	side='{name, before, after, changes: ([.changes[] |
		{class, member, old, new}] | sort)}'
	jq -S "[.records[] | select(.change != \"renamed\") | .name =
		(.old_name // .name) | $side] | sort" "$T/m" >"$T/1"
	jq -S "[.records[] | select(.change != \"renamed\") | {name,
		before: .after, after: .before, changes: ([.changes[] |
		{class: (.class | {\"member-added\": \"member-removed\",
		\"member-removed\": \"member-added\",
		\"enumerator-added\": \"enumerator-removed\",
		\"enumerator-removed\": \"enumerator-added\"}[.] // .),
		member: (.old_member // .member), old: .new, new: .old}] |
		sort)}] | sort" "$T/j" >"$T/2"
	diff "$T/1" "$T/2" | head -20
	cmp "$T/1" "$T/2"
}

@test "the members that cross a line in one build only add up to the counts" {
	for format in dwarf btf; do
		"$LACUNA" diff --format $format -o json "$OLD" "$NEW" \
			>"$T/j" || [ $? = 1 ]
		jq -r '.records[] | select(.kind != "enum" and .before and
			.after) | select(([.changes[] |
			select(.class == "line-crossing") |
			(if .new > 0 then 1 else 0 end) -
			(if .old > 0 then 1 else 0 end)] | add // 0) !=
			.after.straddlers - .before.straddlers) | .label' \
			"$T/j" >"$T/differ"
		[ ! -s "$T/differ" ] || { head -20 "$T/differ"; false; }
		all=$(jq -c '.summary | [.crossings_more, .crossings_less]' \
			"$T/j")
		"$LACUNA" diff --format $format --only lines -o json "$OLD" \
			"$NEW" >"$T/j" || [ $? = 1 ]
		[ "$all" = "$(jq -c '.summary | [.crossings_more,
			.crossings_less]' "$T/j")" ]
	done
}
