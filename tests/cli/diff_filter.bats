#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: which differences are asked for: by name, file, cause, sort, and an
# ignore file.

load diff_pair

@test "--type, --decl, --min-bytes, --only" {
	cases gcc
	differ --type 'struct g*'
	is "$(lines gone grew)" "$(jq -r '.records[].name' "$T/j" | sort)"
	differ --type col
	is col "$(jq -r '.records[].name' "$T/j")"
	# what was looked at, and what is not there
	differ --decl t.c --type 'enum col' --only size
	[ "$code" = 0 ]
	for o in "--decl elsewhere*" "--type nosuch" "--type enum_moved" \
		"--type [" "--type=" "--decl=" "--decl t.c --type nosuch"; do
		for what in "" /t.o; do
			code=0
			# shellcheck disable=SC2086
			(set -f && "$LACUNA" diff $o "$T/old$what" \
				"$T/new$what" >"$T/out" 2>"$T/err") || code=$?
			[ "$code" = 3 ] && [ ! -s "$T/out" ]
			grep -q "no type matches" "$T/err"
		done
	done
	differ --decl t.c --type moved
	[ "$code" = 1 ]
	differ --min-bytes 12 --type 'struct *'
	is "$(lines algn pointee)" "$(jq -r '.records[].name // empty' "$T/j" |
		sort)"
	differ --only size
	is "$(lines algn anon arrl flex grew nest nest_in pointee)" \
		"$(jq -r '.records[] | select(.name) | .name' "$T/j" | sort)"
	is size "$(jq -r '.records[].changes[].class' "$T/j" | sort -u)"
	differ --only enum
	is col "$(jq -r '.records[].name' "$T/j")"
	differ --only layout
	jq -e '[.records[].name] | index("typech") | not' "$T/j"
	run "$LACUNA" diff --only sizes "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 2 ]
}

@test "--only lines and --cause: which records cross more lines, by what" {
	old <<-'E'
	typedef struct { int v; } lock_t;
	typedef struct { short v; } count_t;
	struct wide { char pad[60]; lock_t l; } w;
	struct cross { char pad[48]; lock_t l; int x; } c;
	struct same { long pad[4]; lock_t l; int x; } s;
	struct counted { char pad[62]; count_t n; } n;
	struct moved { char pad[62]; short i; } __attribute__((packed)) m;
	enum e { A } e;
	E
	new <<-'E'
	typedef struct { int v[5]; } lock_t;
	typedef struct { int v; } count_t;
	struct wide { char pad[60]; lock_t l; } w;
	struct cross { char pad[48]; lock_t l; int x; } c;
	struct same { long pad[4]; lock_t l; int x; } s;
	struct counted { char pad[62]; count_t n; } n;
	struct moved { char pad[63]; short i; } __attribute__((packed)) m;
	enum e { A, B } e;
	E
	pair c gcc
	differ --only lines
	[ "$code" = 1 ]
	is "$(lines counted cross moved wide)" "$(jq -r '.records[].name' \
		"$T/j" | sort)"
	is "1 2 1 2" "$(record wide '[.before.lines, .after.lines,
		.before.straddlers + 1, .after.straddlers + 1] |
		map(tostring) | join(" ")')"
	is "line-crossing size" "$(jq -r '[.records[].changes[].class] |
		unique | join(" ")' "$T/j")"
	# what an inner type explains is in the table, too
	"$LACUNA" diff --only lines "$T/old/t.o" "$T/new/t.o" >"$T/text" ||
		[ $? = 1 ]
	grep -q '^struct cross  *56  *72  *1  *2  *0  *1  *0  *lock_t$' "$T/text"
	differ --cause 'lock*'
	is "$(lines cross same wide)" "$(jq -r '.records[].name' "$T/j" | sort)"
	is lock_t "$(jq -r '.causes[].name' "$T/j")"
	differ --cause lock_t --only lines
	is "$(lines cross wide)" "$(jq -r '.records[].name' "$T/j" | sort)"
	# the held are those that hold it, the changed those of them that did
	differ
	is "$(lines "count_t 1 1" "lock_t 3 3")" "$(jq -r '.causes[] |
		"\(.name) \(.held_by) \(.records)"' "$T/j" | sort)"
	is "4 0 3 0" "$(jq -r '.summary | [.lines_more, .lines_less,
		.crossings_more, .crossings_less] | map(tostring) | join(" ")' \
		"$T/j")"
	run "$LACUNA" diff --cause lokc "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 3 ]
	[[ $output == *"no cause matches --cause 'lokc'"*lock_t* ]]
	"$LACUNA" diff --cause lock_t "$T/old/t.o" "$T/old/t.o"
}

@test "--ignore: patterns with reasons; errors with line and column" {
	cases gcc
	cat >"$T/ignore" <<-'E'
	# what is known
	struct moved: sorted by size in the last release
	n* : nested ones
	decl nowhere/*: nothing is there
	enum col: colours grow
	E
	differ --ignore "$T/ignore"
	jq -e '[.records[].name] | (index("moved") or index("nest") or
		index("col")) | not' "$T/j"
	is "1 2 0 1" "$(jq -r '[.ignored[].records] | map(tostring) |
		join(" ")' "$T/j")"
	printf 'moved: fine\n\n  nest*\n' >"$T/ignore"
	run "$LACUNA" diff --ignore "$T/ignore" "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 2 ]
	[[ $output == *"$T/ignore:3:8:"*reason* ]]
	run "$LACUNA" diff --ignore "$T/none" "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 3 ]
}

@test "an ignore rule is [KIND] PATTERN: REASON, and nothing else" {
	for d in old new; do
		[ $d = old ] && n=1 || n=2
		$d cc <<-E
		namespace n1 { template <class T, int N> struct Arr {
			T v[N * $n]; }; }
		struct Plain { int a[$n]; };
		n1::Arr<char, 4> w; n1::Arr<long int, 4> l; Plain p;
		E
	done
	pair cc g++
	left() { # RULE - what is left
		printf '%b\n' "$1" >"$T/ignore"
		differ --ignore "$T/ignore"
		jq -r '[.records[].name] | sort | join(" ")' "$T/j"
	}
	fault() { # COLUMN WORDS RULE
		printf '%b\n' "$3" >"$T/ignore"
		run "$LACUNA" diff --ignore "$T/ignore" "$T/old/t.o" \
			"$T/new/t.o"
		echo "$3: $output"
		[ "$status" = 2 ]
		[[ $output == *"$T/ignore:1:$1: "*"$2"* ]]
	}
	all=$(left 'nothing: here')
	is 'Plain n1::Arr<char, 4> n1::Arr<long int, 4>' "$all"
	is 'Plain n1::Arr<long int, 4>' "$(left 'n1::Arr<char, 4>: why')"
	is 'Plain n1::Arr<long int, 4>' "$(left '  struct  n1::Arr<char, 4> : a: b')"
	is 'Plain n1::Arr<long int, 4>' "$(left '"n1::Arr<char, 4>": why\r')"
	is 'n1::Arr<char, 4> n1::Arr<long int, 4>' "$(left 'type Pl*: why')"
	# a pattern to its colon: no type is called so
	is "$all" "$(left '* Arr<char: x')"
	# a type may be called as a kind
	is "$all" "$(left 'struct: why')"
	fault 1 "'strct' is no kind" 'strct n1::Arr<*: why'
	[[ $output == *"did you mean struct?"* ]]
	fault 3 "'Struct' is no kind" '  Struct Plain: why'
	fault 18 reason 'n1::* no colon it'
	fault 10 reason 'Plain:why'
	fault 7 reason 'Plain:'
	fault 8 reason 'Plain: # why'
	fault 1 'pattern is missing' ': why'
	fault 12 'quote is not closed' '"Plain: why'
	fault 9 "expected ':'" '"Plain" n1: why'
	fault 13 'zero byte' 'struct Plain\x00: why'
	is 'n1::Arr<char, 4> n1::Arr<long int, 4>' \
		"$(left '\xef\xbb\xbfPlain: why')"
}

@test "with --type, the causes and the kernel's own are those of that type" {
	for d in old new; do
		[ $d = old ] && n=1 || n=2
		$d <<-E
		struct lock { int x[$n]; };
		struct kmem_cache { int size; long y[$n]; };
		struct page { long flags; struct lock l; };
		struct other { struct lock l; };
		struct list { long n[$n]; };
		struct third { struct list l; };
		struct page p; struct other o; struct third t;
		struct kmem_cache k;
		E
	done
	pair c gcc
	differ
	is "list 1 lock 2" "$(jq -r '[.causes[] | "\(.name) \(.records)"] |
		sort | join(" ")' "$T/j")"
	is "kmem_cache page" "$(jq -r '[.kernel[].name] | sort | join(" ")' \
		"$T/j")"
	jq -e .page_memory "$T/j"
	differ -t page
	is "lock 1 1" "$(jq -r '.causes[] | "\(.name) \(.records) \(.alone)"' \
		"$T/j")"
	is page "$(jq -r '.kernel[].name' "$T/j")"
	differ -t third
	is "list" "$(jq -r '.causes[].name' "$T/j")"
	jq -e '(has("kernel") or has("page_memory")) | not' "$T/j"
	differ -t 'l*'
	is "" "$(jq -r '.causes[].name' "$T/j")"
	differ -d nowhere.c || true
	[ "$code" = 3 ]
	differ -d t.c --min-bytes 4 -t 'struct [op]*'
	# page has the lock, and room for it
	is "other lock 1" "$(jq -r '"\(.records[].name) " +
		(.causes[] | "\(.name) \(.records)")' "$T/j")"
	"$LACUNA" diff -t third "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	! grep -q "struct page" "$T/out" || false
}

@test "a cause that is none: 3, with near names, also where there is none" {
	none() { # CAUSE WORDS - on the pair
		code=0
		"$LACUNA" diff --cause "$1" "$T/old/t.o" "$T/new/t.o" \
			>"$T/out" 2>"$T/err" || code=$?
		[ "$code" = 3 ] && [ ! -s "$T/out" ]
		grep -qF "$2" "$T/err" || { cat "$T/err"; false; }
		grep -qF "$T/old/t.o, $T/new/t.o: no cause matches" "$T/err"
	}
	for d in old new; do
		[ $d = old ] && n=1 || n=2
		$d <<-E
		typedef struct { int v[$n]; } spinlock_t;
		struct a { spinlock_t l; } a;
		E
	done
	pair c gcc
	none spinlok_t "did you mean spinlock_t?"
	none nosuchtype "the causes are spinlock_t"
	# what differs has no inner type
	echo 'struct a { int x; } a;' | old
	echo 'struct a { int x, y; } a;' | new
	pair c gcc
	none nosuchtype "no inner type is behind"
	# nothing differs, because of nothing
	"$LACUNA" diff --cause nosuchtype "$T/old/t.o" "$T/old/t.o" >"$T/out"
	grep -q "^No difference in 1 record and" "$T/out"
}

@test "none of those selected is no difference, but how many there are is said" {
	cases gcc
	printf '*: all of them\n' >"$T/ignore"
	differ
	all=$(jq '.records | length' "$T/j")
	is "$all null" "$(jq -r '"\(.unfiltered.records) \(.filter)"' "$T/j")"
	for o in "--min-bytes 1M" "--type typech --only size" \
		"--ignore $T/ignore" "--cause nest_in --min-bytes 1M"; do
		# shellcheck disable=SC2086
		differ $o
		[ "$code" = 0 ]
		is "0 $all" "$(jq -r '"\(.records | length) " +
			"\(.unfiltered.records)"' "$T/j")"
		# shellcheck disable=SC2086
		"$LACUNA" diff $o "$T/old/t.o" "$T/new/t.o" >"$T/text"
		tr -s '\n ' ' ' <"$T/text" >"$T/line"
		grep -q "Of $all records that differ in all, none is selected by ${o%% *} " "$T/line"
		! grep -q "No difference" "$T/line" || false
	done
	differ --cause nest_in --min-bytes 1M
	is '{"cause":"nest_in","min_bytes":1048576}' "$(jq -cS '.filter |
		with_entries(select(.value))' "$T/j")"
	differ --type 'struct g*' --decl t.c --only size,layout
	[ "$code" = 1 ]
	is 't.c size,layout struct g*' "$(jq -r '.filter |
		"\(.decl) \(.only) \(.type)"' "$T/j")"
	"$LACUNA" diff --type 'struct g*' -o mail "$T/old/t.o" "$T/new/t.o" \
		>"$T/text" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/text" |
		grep -q "Of $all records that differ in all, 2 are selected by --type 'struct g\*'\."
	# nothing to select from
	"$LACUNA" diff --min-bytes 1M "$T/old/t.o" "$T/old/t.o" >"$T/text"
	grep -q "^No difference in" "$T/text"
	grep -q "none for --min-bytes '1M' to" "$T/text"
}

@test "what a name selects is counted, whether it differs or not" {
	cases gcc
	# the records and enumerations that list has
	named=$("$LACUNA" list -o json --type 'g*' "$T/new/t.o" |
		jq '.records | length')
	[ "$named" -ge 1 ]
	"$LACUNA" diff --type 'g*' -o json "$T/new/t.o" "$T/new/t.o" >"$T/j"
	is "$named $named" "$(jq -r '"\(.old.selected) \(.new.selected)"' "$T/j")"
	"$LACUNA" diff --type 'g*' "$T/new/t.o" "$T/new/t.o" | tr -s '\n ' ' ' |
		grep -q "No difference in .*, of which --type 'g\*' selects $named\."
	"$LACUNA" diff --type 'g*' --min-bytes 1M "$T/old/t.o" "$T/new/t.o" |
		tr -s '\n ' ' ' >"$T/line"
	grep -q "none is selected by --type 'g\*' --min-bytes '1M'\. --type 'g\*' selects $named of" "$T/line"
	differ --only size
	is null "$(jq .new.selected "$T/j")"
	# typedefs are looked at, and no records
	differ --decl 't.c'
	is "$(jq -c '[.new.records + .new.enums]' "$T/j")" \
		"$(jq -c '[.new.selected]' "$T/j")"
	mkdir -p "$T/d1" "$T/d2"
	for f in a.o b.o; do
		cp "$T/new/t.o" "$T/d1/$f"
		cp "$T/new/t.o" "$T/d2/$f"
	done
	"$LACUNA" diff --type 'g*' -o json "$T/d1" "$T/d2" >"$T/j"
	is $((2 * named)) "$(jq .new.selected "$T/j")"
}

@test "an option that selects may be given again, and takes what any does" {
	cases gcc
	for o in --type --only --ignore; do
		"$LACUNA" diff --help | tr -s ' \n' ' ' |
			grep -q -e "$o=[^=]*may be given again"
	done
	differ --type grew --type gone
	is "$(lines gone grew)" "$(jq -r '.records[].name' "$T/j" | sort)"
	is '["grew","gone"]' "$(jq -c .filter.types "$T/j")"
	differ --type grew --type gone --decl nowhere.c --decl t.c
	is "$(lines gone grew)" "$(jq -r '.records[].name' "$T/j" | sort)"
	differ --only enum
	enums=$(jq '.records | length' "$T/j")
	differ --only size
	sizes=$(jq '.records | length' "$T/j")
	differ --only size --only enum
	is $((enums + sizes)) "$(jq '.records | length' "$T/j")"
	# of both files, and by which
	echo 'grew: one' >"$T/one"
	echo 'gone: two' >"$T/two"
	differ --type grew --type gone --type col --ignore "$T/one" \
		--ignore "$T/two"
	is col "$(jq -r '.records[].name' "$T/j")"
	is "$(lines "$T/one 1" "$T/two 1")" "$(jq -r '.ignored[] |
		"\(.file) \(.line)"' "$T/j")"
	# each has to be there
	for what in "" /t.o; do
		run "$LACUNA" diff --type grew --type nosuch "$T/old$what" \
			"$T/new$what"
		[ "$status" = 3 ]
		[[ $output == *"no type matches --type 'nosuch'"* ]]
	done
}

@test "causes of --cause --cause: what either changed" {
	old <<-'E'
	typedef struct { int v; } one_t;
	typedef struct { int v; } two_t;
	struct a { one_t o; } a;
	struct b { two_t o; } b;
	E
	new <<-'E'
	typedef struct { int v[2]; } one_t;
	typedef struct { int v[2]; } two_t;
	struct a { one_t o; } a;
	struct b { two_t o; } b;
	E
	pair c gcc
	differ --cause one_t
	is a "$(jq -r '.records[].name' "$T/j")"
	differ --cause one_t --cause two_t
	is "$(lines a b)" "$(jq -r '.records[].name' "$T/j" | sort)"
	run "$LACUNA" diff --cause one_t --cause nosuch "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 3 ]
}
