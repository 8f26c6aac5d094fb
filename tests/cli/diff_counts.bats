#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: its text can be added up, and says the same as its figures.

load diff_pair

# words - the text that diff prints, on one line
words() {
	"$LACUNA" diff "$@" "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/text"
}

@test "who names a type gets it in full, also if an inner type explains it" {
	for n in 1 8; do
		[ $n = 1 ] && d=old || d=new
		{
			echo "typedef struct { int v[$n]; } lock_t;"
			for r in a b c d e f g; do
				echo "struct r$r { lock_t l; long x; } $r;"
			done
		} | $d
	done
	pair c gcc
	for f in text mail markdown; do
		for o in 'struct ra' 'r[a-c]'; do
			words -o $f --type "$o" >"$T/w"
			grep -q 'Changed records' "$T/w"
			grep -q '^- *lock_t l; ' "$T/text"
			grep -q '^+ *lock_t l; ' "$T/text"
			grep -q 'struct ra: 16 .* 40 bytes' "$T/w"
		done
	done
	# many are not shown unasked, and nothing looks like nothing
	words --type 'struct r*' >"$T/w"
	! grep -q 'struct ra' "$T/w" || false
	grep -q '7 records change only because of an inner type; --all lists' \
		"$T/w"
}

@test "members across a line: the counts, and each member that makes them" {
	old <<-'E'
	struct pair { long a, b; };
	struct s {
		char pad[60]; int in; struct pair was[3]; char name[40];
		int gone; int last;
	} __attribute__((packed)) s;
	E
	new <<-'E'
	struct pair { long a, b; };
	struct s {
		char pad[62]; int in; struct pair was[9]; char name[40];
		char text[80]; int fresh; int last;
	} __attribute__((packed)) s;
	E
	pair c gcc
	differ
	# old: in 60, was 64 to 112, name 112 to 152 (no element crosses), gone
	# 152; new: in 62, was 66: [3] from 114 and [7] from 178, text 250 to
	# 330, fresh 330
	is "0 2" "$(record s '"\(.before.straddlers) \(.after.straddlers)"')"
	is "$(lines "line-crossing in 0 1" "line-crossing was 0 2")" \
		"$(changes s | grep line-crossing)"
	words | grep -q 'Members across a line: 0 -> 2\. Now across one: in, was (2 elements)\.'
	mv "$T/old" "$T/x" && mv "$T/new" "$T/old" && mv "$T/x" "$T/new"
	words | grep -q 'Members across a line: 2 -> 0\. No longer: in, was (2 elements)\.'
	# one element crosses before, two after; one is new, one is gone
	old <<-'E'
	struct pair { long a, b; };
	struct s { char pad[56]; struct pair p[2]; char x[54]; int gone; }
		__attribute__((packed)) s;
	E
	new <<-'E'
	struct pair { long a, b; };
	struct s { char pad[56]; struct pair p[6]; char x[38]; long fresh; }
		__attribute__((packed)) s;
	E
	pair c gcc
	words >"$T/w"
	grep -q 'Members across a line: 1 -> 2\. Now across one: fresh (new)\.' "$T/w"
	grep -q 'With other numbers of elements: p (1 -> 2)\.' "$T/w"
}

@test "the counts of crossings are one, however they are asked for" {
	old <<-'E'
	struct a { char pad[60]; int x; } __attribute__((packed)) a;
	struct b { char pad[60]; char name[2]; long y; } __attribute__((packed)) b;
	struct c { char pad[40]; char name[40]; } c;
	struct d { char pad[60]; short n[6]; } d;
	struct e { char pad[56]; struct { int x; union { long y; char z[9]; }; }; } e;
	E
	new <<-'E'
	struct a { char pad[62]; int x; } __attribute__((packed)) a;
	struct b { char pad[60]; char name[4]; long y; } __attribute__((packed)) b;
	struct c { char pad[41]; char name[40]; } c;
	struct d { char pad[61]; short n[6]; } __attribute__((packed)) d;
	struct e { char pad[56]; struct { int x; union { long y; char z[9]; }; } __attribute__((packed)); } e;
	E
	pair c gcc
	differ
	all=$(jq -c '.summary | [.crossings_more, .crossings_less]' "$T/j")
	is '[3,1]' "$all"
	is '[3,1]' "$(jq -c '[.records[] | .after.straddlers -
		.before.straddlers] | [(map(select(. > 0)) | length),
		(map(select(. < 0)) | length)]' "$T/j")"
	differ --only lines
	is "$all" "$(jq -c '.summary | [.crossings_more, .crossings_less]' "$T/j")"
	is "a b d e" "$(jq -r '[.records[].name] | sort | join(" ")' "$T/j")"
	# and the same of every command; c has none in either build
	for side in old new; do
		[ $side = old ] && at=before || at=after
		want=$(jq -r ".records[] | \"\(.name) \(.$at.straddlers)\"" \
			"$T/j" | sort)
		is "$want" "$("$LACUNA" list -o json "$T/$side/t.o" |
			jq -r '.records[] | select(.name) |
			select(.name != "c") | "\(.name) \(.straddlers)"' |
			sort)"
		is "$want" "$("$LACUNA" show -o json "$T/$side/t.o" |
			jq -r '.records[] | select(.name) |
			select(.name != "c") |
			"\(.name) \(.straddlers | length)"' | sort)"
		echo "$want" | sed 's/\(.*\) \(.*\)/struct \1: straddlers == \2/' \
			>"$T/budget"
		"$LACUNA" check --budget "$T/budget" "$T/$side/t.o"
	done
}

@test "what is left out of a listing is said, and the sizes add up" {
	old <<-'E'
	typedef struct { int v; } lock_t;
	struct s { lock_t a, b; long x; lock_t c; int own; char same[8]; } s;
	E
	new <<-'E'
	typedef struct { int v[8]; } lock_t;
	struct s { lock_t a, b; long x; lock_t c; int own, more[3]; char same[8]; } s;
	E
	pair c gcc
	words >"$T/w"
	# 28 bytes each for three locks, 12 for more: 32 -> 128
	grep -q 'struct s: 32 -> 128 bytes (+96' "$T/w"
	grep -q '^    \[... 3 members grew because of lock_t\] */\* by +84 bytes \*/' "$T/text"
	grep -q '^+ *int more\[3\]; ' "$T/text"
}

@test "slab facts: for every type of a kernel, whatever selects it, if they differ" {
	for n in 10 12; do
		[ $n = 10 ] && d=old || d=new
		$d <<-E
		struct page { unsigned long flags; } p;
		struct kmem_cache { int size; } k;
		struct mine { long x[$n]; } m;
		struct more { long x[$((n * 3))]; } o;
		struct tiny { long x[$((n - 9))]; } t;
		typedef struct { long x[$n]; } value_t; value_t v;
		struct huge { long x[$((n * 2048))]; } h;
		E
	done
	pair c gcc
	# 80 bytes: 51 a page, 96: 42; both from kmalloc-96
	for o in --type=mine --decl=t.c --min-bytes=1; do
		words $o --top 0 >"$T/w"
		grep -q 'slab orders for 16 processors' "$T/w"
		grep -q 'struct mine: 80 -> 96 bytes (+16, +20.0 %), 2 lines either way; in a cache of its own, 51 -> 42 objects a slab of order 0 ' "$T/w"
		[ $o = --decl=t.c ] ||
			! grep -qi 'struct page and' "$T/w" || false
	done
	words --type more >"$T/w"
	# two pages for 24 of them
	grep -q 'struct more: 240 -> 288 bytes.*, 34 -> 28 objects a slab of order 1; by kmalloc(), kmalloc-256 -> 512 ' "$T/w" ||
		{ cat "$T/w"; false; }
	words --type huge >"$T/w"
	! grep -q 'by kmalloc\|objects a slab\|1 -> 1' "$T/w" || false
	words --type value_t >"$T/w"
	grep -q '^.*value_t: 80 -> 96 bytes' "$T/w"
	! grep -q 'by kmalloc\|objects a slab' "$T/w" || false
}

@test "a record without a name is told by a member and its place" {
	echo 'struct { int first, n[2]; } *p;' | old
	echo 'struct { int first, n[3]; } *p;' | new
	pair c gcc
	words --all >"$T/w"
	grep -q 'struct {first, ...} at t\.c:1' "$T/w" ||
		{ cat "$T/w"; false; }
}

@test "slab orders are counted of what may lie in a slab: no page, no folio" {
	for n in 2 30; do
		[ $n = 2 ] && d=old || d=new
		$d <<-E
		struct in { long x[$n]; };
		struct page { struct in i; } p;
		struct folio { struct in i; } f;
		struct slab { unsigned long __page_flags; struct in i; } s;
		struct kmem_cache { int size; } k;
		struct mine { struct in i; } m;
		typedef struct { struct in i; } value_t; value_t v;
		E
	done
	pair c gcc
	differ
	# in and mine; as many as the records say, and as their cause does
	is '[2,0]' "$(jq -c '.summary | [.order_more, .order_less]' "$T/j")"
	is 'in mine' "$(jq -r '[.records[] | select(.allocator_after) |
		select(.allocator_before.slab.order < .allocator_after.slab.order) |
		.name] | sort | join(" ")' "$T/j")"
	is 'in mine' "$(jq -r '[.records[] | select(.headline |
		test("slabs of order 0 -> 1")) | .name] | sort | join(" ")' "$T/j")"
	is '[1,0]' "$(jq -c '.causes[] | select(.name == "struct in" or .name == "in") |
		[.order_more, .order_less]' "$T/j")"
	differ --type 'f*'
	is '[0,0]' "$(jq -c '.summary | [.order_more, .order_less]' "$T/j")"
	words >"$T/w"
	grep -q '2 would have slabs of a higher order' "$T/w"
}

# members N: so many at random, the last of them a nest
members() {
	local types=(char short int long "void *") i
	for ((i = 0; i < $1; i++)); do
		[ $((RANDOM % 4)) = 0 ] && continue
		# no two of one type, or one may be taken for another
		echo "${types[RANDOM % 5]} m${i}[$((i + 1))];"
	done
	echo "union { struct { ${types[RANDOM % 5]} u; int w; };
		struct { ${types[RANDOM % 2]} v; } nest; long y; };"
}

@test "the members of a struct_group() change once, as those of a plain struct do" {
	RANDOM=7
	for round in 1 2 3 4 5 6; do
		for side in old new; do
			members 8 >"$T/m"
			echo "struct s { long head; struct {
				$(cat "$T/m") }; char tail; } s;" >"$T/$side.plain"
			echo "struct s { long head; union {
				struct { $(cat "$T/m") };
				struct { $(cat "$T/m") } group; };
				char tail; } s;" >"$T/$side.group"
		done
		for form in plain group; do
			old <"$T/old.$form"
			new <"$T/new.$form"
			pair c gcc
			differ
			jq -c '.records[0].changes[] | select(.unnamed | not) |
				select(.member != "group") |
				[.class, .member, .old, .new]' "$T/j" |
				sort >"$T/changes.$form"
			words >"$T/w"
			grep '^[-+] ' "$T/text" | grep -v ' group;' |
				sed 's/, also .* \*/ */; s/  */ /g' >"$T/lines.$form"
		done
		[ -s "$T/changes.plain" ]
		diff "$T/changes.plain" "$T/changes.group"
		diff "$T/lines.plain" "$T/lines.group"
		# each says its other name
		jq -e '[.records[0].changes[] | select(.unnamed | not) |
			select(.member) | .member as $m |
			select(["tail", "head", "group"] | index($m) | not) |
			(.also // "") | split(", ") |
			index("group." + $m) != null] | length > 0 and all' \
			"$T/j"
	done
	# an arm that is another one is no group
	echo 'struct s { union { struct { int a; int b; }; struct { int a; int c; } g; }; } s;' | old
	echo 'struct s { union { struct { long a; int b; }; struct { long a; int c; } g; }; } s;' | new
	pair c gcc
	differ
	is 'a b g.a g.c' "$(jq -r '[.records[0].changes[] |
		select(.unnamed | not) | .member // empty |
		select(. != "g")] | unique | join(" ")' "$T/j")"
}

@test "values beyond the integers of JSON are no negative ones" {
	echo 'enum big { A = 1, B = 0xfffffffffffffff0ull } b;
		enum neg { C = -2 } n;' | old
	echo 'enum big { A = 1, B = 0xfffffffffffffff8ull } b;
		enum neg { C = -1 } n;' | new
	pair c gcc
	differ
	is '["18446744073709551600","18446744073709551608"]' \
		"$(record big '.changes[0] | [.old, .new] | tojson')"
	is '[-2,-1]' "$(record neg '.changes[0] | [.old, .new] | tojson')"
}

@test "kmalloc's caches go by the names that they have in slabinfo" {
	old <<<'struct s { char c[1000]; } s; struct t { char c[4096]; } t; struct kmem_cache { int a; } k; struct page { long a; } p;'
	new <<<'struct s { char c[1100]; } s; struct t { char c[4100]; } t; struct kmem_cache { int a; } k; struct page { long a; } p;'
	pair c gcc
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/text" >"$T/w"
	grep -q 'kmalloc-1k -> 2k' "$T/w"
	grep -q 'kmalloc-4k -> 8k' "$T/w"
}
