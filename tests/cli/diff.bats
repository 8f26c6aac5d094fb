#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: every class of change, in C, C++ and Rust, and the command line.

setup() {
	T=$BATS_TEST_TMPDIR
	CASES=$BATS_TEST_DIRNAME/../../fixtures/cases
}

# pair SUFFIX COMPILER... - $T/old/t.SUFFIX and $T/new/t.SUFFIX become objects
pair() {
	suffix=$1
	shift
	for d in old new; do
		(cd "$T/$d" && "$@" -g -c -o t.o "t.$suffix")
	done
}

# old and new read a side's source from standard input
old() { mkdir -p "$T/old" && cat >"$T/old/t.${1:-c}"; }
new() { mkdir -p "$T/new" && cat >"$T/new/t.${1:-c}"; }

# differ [OPTION...] - $T/j is the JSON of the pair, $code the status
differ() {
	code=0
	"$LACUNA" diff "$@" -o json "$T/old/t.o" "$T/new/t.o" >"$T/j" || code=$?
}

# changes NAME - "class member old new", a line each, of one record
changes() {
	jq -r --arg n "$1" '.records[] | select(.name == $n) | .changes[] |
		"\(.class) \(.member // "-") \(.old) \(.new)"' "$T/j" | sort
}

record() { # NAME JQ - something of one record
	jq -r --arg n "$1" ".records[] | select(.name == \$n) | $2" "$T/j"
}

is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'wanted:\n%s\ngot:\n%s\n' "$1" "$2"; false; }
}

lines() { printf '%s\n' "$@" | sort; }

cases() { # COMPILER... - the pair 50, 51 as one file name
	mkdir -p "$T/old" "$T/new"
	cp "$CASES/50_diff_v1.c" "$T/old/t.c"
	cp "$CASES/51_diff_v2.c" "$T/new/t.c"
	pair c "$@" -w
}

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

@test "--ignore: patterns with reasons; errors with line and column" {
	cases gcc
	cat >"$T/ignore" <<-'E'
	# what is known
	struct moved: sorted by size in the last release
	n* : nested ones
	decl nowhere/*: nothing is there
	enum col  colours grow
	E
	differ --ignore "$T/ignore"
	jq -e '[.records[].name] | (index("moved") or index("nest") or
		index("col")) | not' "$T/j"
	is "1 2 0 1" "$(jq -r '[.ignored[].records] | map(tostring) |
		join(" ")' "$T/j")"
	printf 'moved: fine\n\n  nest*\n' >"$T/ignore"
	run "$LACUNA" diff --ignore "$T/ignore" "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 3 ]
	[[ $output == *"$T/ignore:3:8:"*reason* ]]
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

@test "struct page: variant, pair, memory at --ram" {
	src='struct page { unsigned long flags; union { void *lru[2]; };
		void *mapping; void *freelist; unsigned long counters;
		int rest[2]; }'
	echo "$src __attribute__((aligned(16))) p;
		struct kmem_cache { int size; } c;
		struct kmem_cache_node { int list_lock; } n;" | old
	echo "$src p; struct kmem_cache { int size; } c;
		struct kmem_cache_node { long list_lock[4]; } n;" | new
	pair c gcc
	differ --ram 1T
	is "64 aligned true 56 packed false" "$(jq -r '.kernel[] |
		select(.name == "page") | [.before, .after | .size, .variant,
		.pair_aligned] | join(" ")' "$T/j")"
	is -2147483648 "$(jq .page_memory.delta "$T/j")"
	is "int 4 long [4] 32" "$(jq -r '.kernel[] |
		select(.name == "kmem_cache_node") | [.before, .after |
		.lock_type, .lock_size] | join(" ")' "$T/j")"
}

@test "two directories, file by file, merged" {
	mkdir -p "$T/a/sub" "$T/b/sub"
	echo 'struct s { int a; } s; struct t { int x, y, z; } t;' >"$T/s.c"
	gcc -g -c -o "$T/a/one.o" "$T/s.c"
	cp "$T/a/one.o" "$T/a/sub/two.o"
	sed -i 's/int a;/int a, b;/' "$T/s.c"
	gcc -g -c -o "$T/b/one.o" "$T/s.c"
	cp "$T/b/one.o" "$T/b/sub/two.o"
	cp "$T/b/one.o" "$T/b/three.o"
	echo text >"$T/a/README"
	run "$LACUNA" diff -o json "$T/a" "$T/b"
	[ "$status" = 1 ]
	is "s one.o,sub/two.o 2 three.o" "$(echo "$output" | jq -r '[
		.records[0].name, (.records[0].files | join(",")),
		.files.compared, .files.only_new[0].file] | join(" ")')"
	is 1 "$(echo "$output" | jq '.records | length')"
	"$LACUNA" diff "$T/a" "$T/a"
	run "$LACUNA" diff "$T/a" "$T/b/one.o"
	[ "$status" = 2 ]
	mkdir "$T/empty"
	run "$LACUNA" diff "$T/a" "$T/empty"
	[ "$status" = 3 ]
}

@test "statuses: 0 equal, 1 differ, 2 usage, 3 trouble" {
	cases gcc
	"$LACUNA" diff "$T/old/t.o" "$T/old/t.o"
	run "$LACUNA" diff "$T/old/t.o" "$T/new/t.o"
	[ "$status" = 1 ]
	run "$LACUNA" diff "$T/old/t.o"
	[ "$status" = 2 ]
	for o in "--top -1" "--cpus -3" "--ram none" "--ram 0" "--min-bytes x"
	do
		# shellcheck disable=SC2086
		run "$LACUNA" diff $o "$T/old/t.o" "$T/new/t.o"
		[ "$status" = 2 ]
	done
	run "$LACUNA" diff "$T/old/t.o" "$T/none.o"
	[ "$status" = 3 ]
	[[ $output == *none.o* ]]
	strip -o "$T/stripped.o" "$T/new/t.o"
	run "$LACUNA" diff "$T/old/t.o" "$T/stripped.o"
	[ "$status" = 3 ]
	[[ $output == *stripped.o* ]]
}

@test "every format says it; mail stays within 72 columns of ASCII" {
	cases gcc
	for f in text mail markdown csv html json; do
		"$LACUNA" diff -o $f "$T/old/t.o" "$T/new/t.o" >"$T/out" ||
			[ $? = 1 ]
		grep -q moved "$T/out"
	done
	"$LACUNA" diff -o mail "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	! LC_ALL=C grep -q '[^ -~	]' "$T/out" || false
	awk 'length($0) > 72 { print; bad = 1 } END { exit bad }' "$T/out"
	# before and after, only what changed
	grep -q '^-  *char n\[16\]; ' "$T/out"
	grep -q '^+  *char n\[24\]; ' "$T/out"
	grep -qF '[...]' "$T/out"
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

@test "the costliest 20 causes, in columns of a readable width" {
	for d in old new; do
		[ $d = old ] && t=int || t=float
		{
			for i in $(seq 25); do
				printf 'struct c%s { %s x; %s };\n' "$i" "$t" \
					"$([ $d = old ] || echo int y\;)"
				printf 'struct h%s { struct c%s c; } h%s;\n' \
					"$i" "$i" "$i"
			done
			printf 'typedef %s (*fn)(%s);\n' "$t" \
				"$(seq -f 'struct a_long_name_%.0f *' -s, 1 30)"
			echo 'struct user { fn f; } user; struct more { fn f; } m;'
		} | $d
	done
	pair c gcc -w
	differ
	is 26 "$(jq '.causes | length' "$T/j")"
	jq -e '.causes[] | select(.name == "fn") | .old | length > 400' "$T/j"
	for f in text mail markdown html; do
		"$LACUNA" diff -o $f --width 0 "$T/old/t.o" "$T/new/t.o" \
			>"$T/out" || true
		is 6 "$(grep -o '[0-9]* more causes' "$T/out" | cut -d' ' -f1)"
		[ "$f" = html ] || [ "$(sed '/Changed records/q' "$T/out" |
			awk '{ n = length($0) > n ? length($0) : n }
				END { print n }')" -lt 260 ]
	done
	"$LACUNA" diff --top 24 "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	grep -q '^2 more causes' "$T/out"
	"$LACUNA" diff --top 0 "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	! grep -q 'more causes' "$T/out" || false
	"$LACUNA" diff -o csv "$T/old/t.o" "$T/new/t.o" >"$T/out" || true
	is 26 "$(grep -c '^causes,' "$T/out")"
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
