#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: what is a difference and what is its cause, in C, C++ and Rust.

load diff_pair

verdicts() { # of the pair 50, 51
	is "$(lines algn anon arrl bitmv bitw col flex fresh gone grew inpad \
		moved nest nest_in pointee ren typech)" \
		"$(jq -r '.records[] | select(.name) | .name' "$T/j" | sort)"
	is "$(lines "holes - 1 0" "member-moved a 0 64" "member-moved b 32 96" \
		"member-moved c 64 0" "padding - 0 24")" "$(changes moved)"
	is "$(lines "align - 4 8" "member-added n null 64" "size - 8 16")" \
		"$(changes grew)"
	is "$(lines "member-added added null 72" "padding - 56 48")" \
		"$(changes inpad)"
	is "$(lines "member-retyped a int float" \
		"member-retyped b unsigned int int" \
		"member-retyped p void * long")" "$(changes typech)"
	is "member-renamed new_name old_name new_name" "$(changes ren)"
	is true "$(record ren '.changes[0].guess')"
	is "$(lines "bit-width a 3 4" "member-moved b 3 4" "padding - 24 23")" \
		"$(changes bitw)"
	is "$(lines "array-length n 16 24" "member-moved k 128 192" \
		"size - 20 28")" "$(changes arrl)"
	is "$(lines "holes - 0 1" "member-moved f 32 64" \
		"member-moved union {x, ...} 32 64" "member-moved x 32 64" \
		"member-moved z 64 128" "member-resized f 32 64" \
		"member-resized union {x, ...} 32 64" \
		"member-retyped f float double" "padding union {x, ...} 0 0" \
		"size - 16 24" | grep -v 'padding union')" \
		"$(changes anon | grep -v '^padding union')"
	is "$(lines "member-added r null 32" "size - 4 8")" "$(changes nest_in)"
	is "$(lines "member-resized in 32 64" "size - 8 12")" "$(changes nest)"
	is nest_in "$(record nest .cause)"
	is null "$(record nest_in .cause)"
	is "$(lines "align - 4 64" "padding - 0 448" "size - 8 64")" \
		"$(changes algn)"
	is "$(lines "enumerator-added BLUE null 1" \
		"enumerator-value GREEN 1 2")" "$(changes col)"
	is "$(lines "member-moved a 0 5" "member-moved b 3 0")" \
		"$(changes bitmv)"
	is removed "$(record gone .change)"
	is added "$(record fresh .change)"
	is "$(lines "align - 4 8" "holes - 0 1" "member-moved d 32 64" \
		"member-retyped d char [] long []" "size - 4 8")" \
		"$(changes flex)"
	is "$(lines "align - 4 8" "holes - 0 1" "member-added y null 64" \
		"size - 4 16")" "$(changes pointee)"
}

@test "the pair 50, 51, fully classified, gcc" {
	cases gcc
	differ
	[ "$code" = 1 ]
	verdicts
	is "nest_in size 4 8 1" "$(jq -r '.causes[] | select(.name == "nest_in")
		| "\(.name) \(.change) \(.old) \(.new) \(.alone)"' "$T/j")"
}

@test "the pair 50, 51, clang and DWARF 4" {
	cases clang -gdwarf-4
	differ
	verdicts
}

@test "the pair 50, 51, gcc against clang: the compiler is no difference" {
	cases gcc
	(cd "$T/new" && clang -w -g -c -o t.o t.c)
	differ
	verdicts
	cp "$T/old/t.c" "$T/new/t.c"
	(cd "$T/new" && clang -w -g -c -o t.o t.c)
	differ
	is 0 "$(jq '.records | length' "$T/j")"
	[ "$code" = 0 ]
}

@test "the pair 50, 51 as two file names" {
	cases gcc
	cp "$T/old/t.c" "$T/old/v1.c"
	cp "$T/new/t.c" "$T/new/v2.c"
	(cd "$T/old" && gcc -w -g -c -o t.o v1.c)
	(cd "$T/new" && gcc -w -g -c -o t.o v2.c)
	differ
	verdicts
}

@test "moved between files is no difference; renamed is a guess" {
	old <<-'E'
	struct here { int a; long b; char c; } h;
	struct was_called { int one; long two; char *three; } r;
	struct was_called *p;
	E
	new <<-'E'
	#include "t.h"
	struct here h;
	struct is_called { int one; long two; char *three; } r;
	struct is_called *p;
	E
	echo 'struct here { int a; long b; char c; };' >"$T/new/t.h"
	pair c gcc
	differ
	is is_called "$(jq -r '.records[].name' "$T/j")"
	is "renamed was_called true" "$(record is_called \
		'"\(.change) \(.old_name) \(.guess)"')"
}

@test "several layouts of one name pair with their like" {
	for d in old new; do
		mkdir -p "$T/$d"
		echo 'struct s { int a; } a;' >"$T/$d/a.c"
		echo 'struct s { long x, y; } b;' >"$T/$d/b.c"
	done
	echo 'struct s { long x, y, z; } b;' >"$T/new/b.c"
	for d in old new; do
		(cd "$T/$d" && gcc -g -c a.c && gcc -g -c b.c &&
			ld -r -o t.o a.o b.o)
	done
	differ
	is "$(lines "member-added z null 128" "size - 16 24")" "$(changes s)"
}

@test "union arms, kind, packed, member alignment, typedefs" {
	old <<-'E'
	union u { int a; char b[8]; } u;
	struct k { int x, y, z; } k;
	struct p { char c; int i; char d; } p;
	struct m { char c; int v; } m;
	typedef int amount;
	struct t { amount n; char c; } t;
	struct t2 { struct t in; amount more; } t2;
	E
	new <<-'E'
	union u { int a; char b[8]; long c[2]; } u;
	union k { int x, y, z; } k;
	struct __attribute__((packed)) p { char c; int i; char d; } p;
	struct m { char c; int v __attribute__((aligned(32))); } m;
	typedef long amount;
	struct t { amount n; char c; } t;
	struct t2 { struct t in; amount more; } t2;
	E
	pair c gcc
	differ
	changes u | grep -qx 'member-added c null 0'
	changes k | grep -qx 'kind - struct union'
	changes p | grep -qx 'packed - no inferred'
	changes p | grep -qx 'size - 12 6'
	changes m | grep -qx 'align v 0 32'
	changes m | grep -qx 'align - 4 32'
	is "amount size 4 8" "$(jq -r '.causes[] |
		"\(.name) \(.change) \(.old) \(.new)"' "$T/j")"
	is "amount amount" "$(record t .cause) $(record t2 .cause)"
}

@test "an inner type explains outer ones, but not what they did themselves" {
	old <<-'E'
	typedef struct { int v; } lock_t;
	struct a { lock_t l; long x; } a;
	struct b { struct a a; char c; } b;
	struct c { lock_t l; int own; } c;
	struct d { long pad[7]; lock_t l; int x; } d;
	E
	new <<-'E'
	typedef struct { int v; long w[3]; } lock_t;
	struct a { lock_t l; long x; } a;
	struct b { struct a a; char c; } b;
	struct c { lock_t l; int own, more; } c;
	struct d { long pad[7]; lock_t l; int x; } d;
	E
	pair c gcc
	differ
	is "lock_t size 4 32 4 3 1" "$(jq -r '.causes[] | [.name, .change, .old,
		.new, .records, .alone, .lines_more] | join(" ")' "$T/j")"
	is "lock_t lock_t null" \
		"$(record a .cause) $(record b .cause) $(record c .cause)"
	is "member-added more" "$(record c '.changes[] |
		select(.inherited | not) | "\(.class) \(.member)"' |
		grep -v '^padding\|^size')"
	# the text leaves out what is explained, unless told
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || true
	! grep -q '^struct b ' "$T/text" || false
	"$LACUNA" diff --all "$T/old/t.o" "$T/new/t.o" >"$T/text" || true
	grep -q '^struct b ' "$T/text"
}

@test "line crossings gained and lost" {
	old <<-'E'
	struct s { char pad[60]; int in; } __attribute__((packed)) s;
	struct l { char pad[62]; int x; } __attribute__((packed)) l;
	E
	new <<-'E'
	struct s { char pad[62]; int in; } __attribute__((packed)) s;
	struct l { char pad[64]; int x; } __attribute__((packed)) l;
	E
	pair c gcc
	differ
	changes s | grep -qx 'line-crossing in 0 1'
	changes l | grep -qx 'line-crossing x 1 0'
}

@test "members of named and unnamed inner structs, at absolute places" {
	old <<-'E'
	struct s { long a; struct { int x, y; } in; struct { int p, q; }; } s;
	E
	new <<-'E'
	struct s { long a; struct { int x, z, y; } in; struct { int q, p; }; } s;
	E
	pair c gcc
	differ
	changes s | grep -qx 'member-added in.z null 96'
	changes s | grep -qx 'member-moved in.y 96 128'
	changes s | grep -qx 'member-moved p 128 192'
	changes s | grep -qx 'member-moved q 160 160' && false
	true
}

@test "C++: bases, namespaces, templates" {
	old cc <<-'E'
	namespace n1 { struct Box { int a; }; }
	namespace n2 { struct Box { long a; }; }
	struct Base { virtual ~Base() {} int b; };
	struct Derived : Base { int d; };
	template <class T, int N> struct Arr { T v[N]; };
	n1::Box x; n2::Box y; Derived z; Arr<char, 4> w; Arr<long, 2> v;
	E
	new cc <<-'E'
	namespace n1 { struct Box { int a; }; }
	namespace n2 { struct Box { long a; int more; }; }
	struct Base { virtual ~Base() {} int b; long c; };
	struct Derived : Base { int d; };
	template <class T, int N> struct Arr { T v[N]; };
	n1::Box x; n2::Box y; Derived z; Arr<char, 4> w; Arr<long, 2> v;
	E
	pair cc g++
	differ
	is "$(lines Base Derived n2::Box)" "$(jq -r '.records[].name' "$T/j" |
		sort)"
	is Base "$(record Derived .cause)"
	changes n2::Box | grep -qx 'member-added more null 64'
}

@test "Rust: fields by offset, variants" {
	command -v rustc >/dev/null || skip "no rustc"
	old rs <<-'E'
	#![allow(dead_code)]
	pub struct Plain { a: u8, b: u64, c: u16 }
	pub enum Shape { Dot, Line(u32), Box { w: u64, h: u64 } }
	#[repr(C)] pub struct Same { x: u32, y: u64 }
	#[no_mangle] pub fn f(p: Plain, s: Shape, q: Same) -> u64
	{ p.b + q.y + match s { Shape::Line(n) => n as u64, _ => 0 } }
	E
	sed 's/c: u16/c: u16, d: u64/; s/h: u64 }/h: u64, d: u64 }/' \
		"$T/old/t.rs" | new rs
	for d in old new; do
		(cd "$T/$d" && rustc -g --crate-type=lib --emit=obj \
			-o t.o t.rs)
	done
	differ
	[ "$code" = 1 ]
	name=$(jq -r '.records[].name // empty' "$T/j" | grep 'Plain$')
	changes "$name" | grep -q '^member-added d '
	jq -e '[.records[].name // ""] | any(endswith("Same")) | not' "$T/j"
	jq -e '[.records[].name // ""] | any(endswith("Shape"))' "$T/j"
}

@test "bit-fields of unnamed structs are listed once" {
	old <<-'E'
	struct s { long a; struct { unsigned x:3, y:4; int z; }; } s;
	struct t { long a; struct { unsigned x:3, y:4; }; } t;
	E
	new <<-'E'
	struct s { long a, b; struct { unsigned x:3, y:4; int z; }; } s;
	struct t { long a; } t;
	E
	pair c gcc
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
	is "$(printf '%s\n' 'struct t {' '    [...]' '-   unsigned int x:3;' \
		'-   unsigned int y:4;')" \
		"$(sed -n '/^struct t {/,/^}/{s, */\*.*,,;/^}/!p}' "$T/text")"
	grep -q '3 members moved' "$T/text"
	differ
	is "struct {x, ...} struct {x, ...}" "$(jq -r '[.records[].changes[] |
		select(.unnamed).member] | join(" ")' "$T/j")"
}

@test "anonymous records nested as deep as show takes them" {
	for d in old new; do
		{
			echo 'struct s {'
			seq -f 'struct { int m%.0f;' 200
			[ $d = old ] && echo 'int x;' || echo 'long x;'
			yes '};' | head -n 200
			echo '} s;'
		} | $d
	done
	pair c gcc
	"$LACUNA" show "$T/old/t.o" s >"$T/out"
	"$LACUNA" diff "$T/old/t.o" "$T/old/t.o"
	differ
	[ "$code" = 1 ]
	is "int long" "$(jq -r '.records[] | select(.name == "s") | .changes[] |
		select(.class == "member-retyped" and .member == "x") |
		"\(.old) \(.new)"' "$T/j")"
}

@test "DWARF against BTF: what BTF cannot show is no difference" {
	command -v pahole >/dev/null || skip "no pahole"
	# BTF has one struct for the two of a kind, and an enum without values
	# for one that is only declared
	cat >"$T/a.c" <<-'E'
	typedef struct { unsigned v; } uid_like_t;
	typedef struct { unsigned v; } gid_like_t;
	struct held { uid_like_t u; gid_like_t g; int m[2][3]; } held;
	struct aligned { int x; } __attribute__((aligned(64))) al;
	enum later;
	struct told { int (*f)(enum later e); } told;
	E
	cat >"$T/b.c" <<-'E'
	enum later { ONE, TWO };
	struct told { int (*f)(enum later e); } told2;
	E
	(cd "$T" && gcc -g -c a.c b.c && ld -r -o t.o a.o b.o)
	pahole --btf_encode_detached="$T/btf" "$T/t.o" ||
		skip "this pahole cannot"
	for pair in "$T/t.o $T/btf" "$T/btf $T/t.o"; do
		# shellcheck disable=SC2086
		"$LACUNA" diff -o json $pair >"$T/j" ||
			{ jq -c '.records[]' "$T/j"; false; }
		[ "$(jq '.records | length' "$T/j")" = 0 ]
		jq -e '.notes[0] | startswith("DWARF against BTF")' "$T/j"
	done
	# and what it shows is one: one of the two that BTF has as one
	sed 's/v; } gid_like_t/v, w; } gid_like_t/' "$T/a.c" >"$T/c.c"
	gcc -g -c -o "$T/c.o" "$T/c.c"
	"$LACUNA" diff -o json "$T/btf" "$T/c.o" >"$T/j" || [ $? = 1 ]
	is "changed 4 8" "$(record gid_like_t \
		'"\(.change) \(.before.size) \(.after.size)"')"
	is gid_like_t "$(record held .cause)"
	! jq -e '.records[] | select(.name == "uid_like_t")' "$T/j" || false
	"$LACUNA" diff -o json "$T/c.o" "$T/btf" >"$T/j" || [ $? = 1 ]
	is "changed 8 4" "$(record gid_like_t \
		'"\(.change) \(.before.size) \(.after.size)"')"
}

@test "what BTF does not tell is unknown in the text as it is in the data" {
	command -v pahole >/dev/null || skip "no pahole"
	echo 'struct s { int a; } s;' >"$T/a.c"
	echo 'struct s { int a, b; } s;' >"$T/b.c"
	(cd "$T" && gcc -g -c a.c b.c)
	pahole --btf_encode_detached="$T/btf" "$T/b.o" ||
		skip "this pahole cannot"
	"$LACUNA" diff -o json "$T/a.o" "$T/btf" >"$T/j" || [ $? = 1 ]
	is "4 null" "$(record s '"\(.before.align) \(.after.align)"')"
	"$LACUNA" diff "$T/a.o" "$T/btf" >"$T/text" || [ $? = 1 ]
	grep -q '/\* size 4 -> 8, align 4 -> unknown \*/$' "$T/text"
	"$LACUNA" diff "$T/btf" "$T/a.o" >"$T/text" || [ $? = 1 ]
	grep -q '/\* size 8 -> 4, align unknown -> 4 \*/$' "$T/text"
}

# what both builds hold by value, and nothing else, is a cause
@test "an inner record is no cause for a member that became something else" {
	old <<-'E'
	struct in { int a[4]; } keep;
	struct small { int b; };
	typedef struct in also_in;
	union un { int u; } keep_un;
	enum en { SMALL } keep_en;
	struct pointer { struct small b; struct in e; long z; } pointer;
	struct bytes { struct small b; struct in e; long z; } bytes;
	struct other { struct small b; union un e; long z; } other;
	struct by_typedef { struct small b; also_in e; long z; } by_typedef;
	struct nested { struct small b; struct { int x; struct in e; } n;
			union { struct in f; long g; }; } nested;
	struct number { struct small b; enum en e; long z; } number;
	struct gone { struct small b; long z; struct in e; } gone;
	struct array { struct small b; struct in e; } array;
	struct spelled { also_in e; } spelled;
	E
	new <<-'E'
	struct in { int a[40]; } keep;
	struct small { int b[3]; };
	typedef struct in also_in;
	union un { int u[9]; } keep_un;
	enum en { SMALL = 1l << 40 } keep_en;
	struct pointer { struct small b; struct in *e; long z; } pointer;
	struct bytes { struct small b; char e[160]; long z; } bytes;
	struct other { struct small b; float e; long z; } other;
	struct by_typedef { struct small b; also_in *e; long z; } by_typedef;
	struct nested { struct small b; struct { int x; struct in *e; } n;
			union { struct in *f; long g; }; } nested;
	struct number { struct small b; long e; long z; } number;
	struct gone { struct small b; long z; } gone;
	struct array { struct small b; struct in e[2]; } array;
	struct spelled { struct in e; } spelled;
	E
	for cc in gcc clang; do
		command -v "$cc" || continue
		pair c "$cc"
		differ
		for name in pointer bytes other by_typedef nested number gone; do
			is "$name small" "$name $(record "$name" \
				'.causes | join(", ")')"
		done
		is "in, small" "$(record array '.causes | sort | join(", ")')"
		is "in" "$(record spelled '.causes | join(", ")')"
		is "" "$(jq -r '.causes[] | select(.held_by < .records) | .name' \
			"$T/j")"
		is "in 16 160 2" "$(jq -r '.causes[] | select(.name == "in") |
			"\(.name) \(.old) \(.new) \(.records)"' "$T/j")"
	done
}

@test "nothing compared is no \"no difference\": refused with the way out" {
	old <<<'int x;'
	new <<<'struct s { int a; };' # that nothing uses
	pair c gcc
	for order in "old new" "new old"; do
		read -r a b <<<"$order"
		run "$LACUNA" diff "$T/$a/t.o" "$T/$b/t.o"
		[ "$status" -eq 3 ]
		[[ "$output" == *"$a/t.o: "*"-fno-eliminate-unused-debug-types"* ]]
	done
	# with it they are there, in either compiler
	for cc in gcc clang; do
		command -v "$cc" || continue
		pair c "$cc" -fno-eliminate-unused-debug-types
		run "$LACUNA" diff "$T/new/t.o" "$T/new/t.o"
		[ "$status" -eq 0 ]
		[[ "$output" == *"No difference in 1 record and"* ]]
	done
}

@test "an enumeration is named as a cause, by a typedef if it has no tag" {
	old <<-'E'
	typedef enum { A, B } known_t;
	enum tagged { Z1 = 3, Y1 = 1, X1 = 2 };
	struct by_typedef { known_t e; int x; } by_typedef;
	struct by_tag { enum tagged e[2]; int x; } by_tag;
	enum moved { V1 = 7, W1 = -2, U1 = 5, T1 = 9 } moved;
	E
	new <<-'E'
	typedef enum { A, B, C = 1l << 40 } known_t;
	enum tagged { Z1 = 3, Y1 = 1, X1 = 2, W = 1l << 40 };
	struct by_typedef { known_t e; int x; } by_typedef;
	struct by_tag { enum tagged e[2]; int x; } by_tag;
	enum moved { V1 = 8, W1 = -3, U1 = 6, NEW1 = 2 } moved;
	E
	pair c gcc
	differ
	is "known_t" "$(record by_typedef '.causes | join(" ")')"
	is "tagged" "$(record by_tag '.causes | join(" ")')"
	# in the order of values
	is "W1 NEW1 U1 V1 T1" "$(record moved '[.changes[] |
		select(.class | startswith("enumerator")).member] | join(" ")')"
	differ --cause known_t
	is by_typedef "$(jq -r '.records[] | select(.kind == "struct").name' "$T/j")"
}
