#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: a pair for every class of change there is, in C, C++ and Rust,
# with all that it is and nothing more; and the laws, on every input there is.

setup() {
	T=$BATS_TEST_TMPDIR
	ROOT=$BATS_TEST_DIRNAME/../..
	mkdir -p "$T/old" "$T/new"
}

is() { # WANT GOT
	[ "$1" = "$2" ] || { diff <(echo "$1") <(echo "$2"); false; }
}

compile() { # SUFFIX COMPILER... - of both sides
	suffix=$1
	shift
	for d in old new; do
		(cd "$T/$d" && cp t.src "t.$suffix" && "$@" -o t.o "t.$suffix")
	done
}

# what $T/j says, a line each: "NAME CHANGE", "NAME class member old new"
said() {
	jq -r '.records[] | (.name | sub(".*::"; "")) as $n |
		"\($n) \(.change)", (.changes[] |
		"\($n) \(.class) \(.member // "-") \(.old) \(.new)")' "$T/j" |
		grep -v ' changed$' | LC_ALL=C sort
}

classify() {
	"$LACUNA" diff -o json "$T/old/t.o" "$T/new/t.o" >"$T/j" || [ $? = 1 ]
	is "$(grep -v '^#' "$T/want" | LC_ALL=C sort)" "$(said)"
}

mirror() { # old and new of the JSON before, and what stays, exchanged
	jq -S '[.records[] | {name, before: .after, after: .before,
		changes: ([.changes[] | {class: (.class |
		{"member-added": "member-removed", "member-removed":
		"member-added", "enumerator-added": "enumerator-removed",
		"enumerator-removed": "enumerator-added"}[.] // .),
		member: (.old_member // .member), old: .new, new: .old}]
		| sort)}] | sort' "$1"
}

straight() {
	jq -S '[.records[] | {name: (.old_name // .name), before, after,
		changes: ([.changes[] |
		{class, member, old, new}] | sort)}] | sort' "$1"
}

mirrors() { # A B - diff B A says what diff A B does, the other way round
	"$LACUNA" diff -o json "$1" "$2" >"$T/ab" || [ $? = 1 ]
	"$LACUNA" diff -o json "$2" "$1" >"$T/ba" || [ $? = 1 ]
	mirror "$T/ab" >"$T/1"
	straight "$T/ba" >"$T/2"
	diff "$T/1" "$T/2" | head -20
	cmp "$T/1" "$T/2"
}

empty() { # FILE... - against themselves
	local f code
	for f; do
		code=0
		"$LACUNA" diff -o json "$f" "$f" >"$T/self" || code=$?
		[ "$code" = 0 ] || { echo "$f: $code"; return 1; }
		is "0 0 0 0" "$(jq -r '[(.records, .causes | length),
			.summary.old_unidentified, .summary.new_unidentified] |
			join(" ")' "$T/self")" || { echo "in $f"; return 1; }
	done
}

# What C and C++ have in common.
c_family() {
	cat >"$T/old/t.src" <<-'E'
	struct kind_ { int x, y; };
	struct size_ { int x; };
	struct align_ { int x; };
	struct packed_ { char c; int i; };
	struct add { int x; };
	struct take { int x; int y; };
	struct move { int x; int y; };
	struct retype { int x; };
	struct resize { short s; short t; int i; };
	struct rename { int called; long l; };
	struct malign { char c; int i; };
	struct bits { unsigned b : 3; };
	struct bitmove { unsigned a : 3, b : 5; };
	struct array { int a[4]; };
	struct matrix { char m[2][3]; };
	struct flexible { int n; int f[]; };
	enum values { ONE = 1, TWO = 2, GONE = 3 };
	struct padding_ { int x; char c; };
	struct holes_ { char c; short s; int i; };
	struct __attribute__((packed)) cross { char pad[57]; int i; char t[7]; };
	union arms { int i; float f; };
	struct unnamed { long l; union { int u; float v; }; };
	struct inner { int v; };
	struct outer { struct inner in; int w; };
	struct gone_ { long g; };
	struct before_ { short one; long two; char *three; };
	struct same { int untouched; };
	struct kind_ k; struct size_ s; struct align_ a; struct packed_ p;
	struct add ad; struct take ta; struct move mo; struct retype re;
	struct resize rs; struct rename rn; struct malign ma; struct bits b;
	struct flexible fl;
	struct bitmove bm; struct array ar; struct matrix mx; enum values v;
	struct padding_ pa; struct holes_ h; struct cross c; union arms arm;
	struct unnamed u; struct outer o; struct gone_ g; struct before_ be;
	struct same sm;
	E
	sed '
	s/struct kind_ { int x, y; };/union kind_ { int x, y; };/
	s/struct kind_ k;/union kind_ k;/
	s/struct size_ { int x; }/struct size_ { int x, y; }/
	s/struct align_ { int x; }/struct __attribute__((aligned(16))) align_ { int x; }/
	s/struct packed_ { char c; int i; }/struct __attribute__((packed)) packed_ { char c; int i; }/
	s/struct add { int x; }/struct add { int x; char y; }/
	s/struct take { int x; int y; }/struct take { int x; }/
	s/struct move { int x; int y; }/struct move { int y; int x; }/
	s/struct retype { int x; }/struct retype { float x; }/
	s/struct resize { short s; short t;/struct resize { int s;/
	s/int called;/int call_me;/
	s/struct malign { char c; int i; }/struct malign { char c; int i __attribute__((aligned(8))); }/
	s/unsigned b : 3; }/unsigned b : 4; }/
	s/unsigned a : 3, b : 5;/unsigned b : 5, a : 3;/
	s/int a\[4\]/int a[6]/
	s/m\[2\]\[3\]/m[2][4]/
	s/int f\[\]/int f[4]/
	s/ONE = 1, TWO = 2, GONE = 3/ONE = 1, TWO = 4, FRESH = 5/
	s/struct padding_ { int x; char c; }/struct padding_ { int x; char c, d; }/
	s/struct holes_ { char c; short s; int i; }/struct holes_ { char c; char s; int i; }/
	s/char pad\[57\]; int i; char t\[7\]/char pad[62]; int i; char t[2]/
	s/union arms { int i; float f; }/union arms { int i; double f; char c; }/
	s/union { int u; float v; };/union { int u; };/
	s/struct inner { int v; }/struct inner { int v[3]; }/
	s/struct gone_ { long g; };/struct fresh_ { char g; };/
	s/struct gone_ g;/struct fresh_ g;/
	s/before_/after_/g
	' "$T/old/t.src" >"$T/new/t.src"
	cat >"$T/want" <<-'E'
	kind_ kind - struct union
	kind_ member-moved y 32 0
	kind_ size - 8 4
	size_ member-added y null 32
	size_ size - 4 8
	align_ align - 4 16
	align_ padding - 0 96
	align_ size - 4 16
	packed_ align - 4 1
	packed_ holes - 1 0
	packed_ member-moved i 32 8
	packed_ packed - no inferred
	packed_ size - 8 5
	add member-added y null 32
	add padding - 0 24
	add size - 4 8
	take member-removed y 32 null
	take size - 8 4
	move member-moved x 0 32
	move member-moved y 32 0
	retype member-retyped x int float
	resize member-removed t 16 null
	resize member-resized s 16 32
	resize member-retyped s short int
	rename member-renamed call_me called call_me
	malign align - 4 8
	malign align i 0 8
	malign holes - 1 1
	malign member-moved i 32 64
	malign padding - 0 32
	malign size - 8 16
	bits bit-width b 3 4
	bits padding - 29 28
	bitmove member-moved a 0 5
	bitmove member-moved b 3 0
	array array-length a 4 6
	array size - 16 24
	flexible array-length f 0 4
	flexible member-resized f 0 128
	flexible size - 4 20
	matrix array-length m 3 4
	matrix size - 6 8
	values enumerator-added FRESH null 5
	values enumerator-removed GONE 3 null
	values enumerator-value TWO 2 4
	padding_ member-added d null 40
	padding_ padding - 24 16
	holes_ holes - 1 1
	holes_ member-moved s 16 8
	holes_ member-resized s 16 8
	holes_ member-retyped s short char
	cross array-length pad 57 62
	cross array-length t 7 2
	cross line-crossing i 0 1
	cross member-moved i 456 496
	cross member-moved t 488 528
	arms align - 4 8
	arms member-added c null 0
	arms member-resized f 32 64
	arms member-retyped f float double
	arms size - 4 8
	unnamed member-removed v 64 null
	inner member-resized v 32 96
	inner member-retyped v int int [3]
	inner size - 4 12
	outer member-moved w 32 96
	outer member-resized in 32 96
	outer size - 8 16
	gone_ removed
	fresh_ added
	after_ renamed
	E
}

# Each class is in what is wanted, but for those that a language has not.
every_class() { # CLASS_THAT_IS_NOT...
	sed -n 's/^[^ ]* \([a-z-]*\) .*/\1/p' "$T/want" | sort -u >"$T/have"
	sed -n '/enum lac_change_class/,/LAC_NCHANGE/{s/.*LAC_CHANGE_\([A-Z_]*\).*/\1/p}' \
		"$ROOT/analyses/diff/diff.h" | tr 'A-Z_' 'a-z-' |
		sed 's/member-aligned/align/' | sort -u >"$T/all"
	[ "$(wc -l <"$T/all")" -gt 15 ]
	is "$(printf '%s\n' "$@" | sort)" "$(comm -13 "$T/have" "$T/all")"
}

@test "every class of change in C, by gcc and clang, DWARF 4 and 5" {
	c_family
	every_class
	for cc in gcc clang; do
		command -v $cc >/dev/null || continue
		for v in 4 5; do
			compile c $cc -gdwarf-$v -w -c
			classify
			mirrors "$T/old/t.o" "$T/new/t.o"
			empty "$T/old/t.o" "$T/new/t.o"
		done
	done
}

@test "every class of change in C++, by g++ and clang++" {
	c_family
	for cxx in g++ clang++; do
		command -v $cxx >/dev/null || continue
		compile cc $cxx -g -w -c
		classify
		mirrors "$T/old/t.o" "$T/new/t.o"
		empty "$T/old/t.o" "$T/new/t.o"
	done
}

@test "every class of change in C, in BTF: all but what BTF cannot show" {
	command -v pahole >/dev/null || skip "no pahole"
	c_family
	compile c gcc -g -w -c
	for d in old new; do
		pahole --btf_encode_detached="$T/$d.btf" "$T/$d/t.o" ||
			skip "this pahole cannot"
	done
	"$LACUNA" diff -o json "$T/old.btf" "$T/new.btf" >"$T/j" || [ $? = 1 ]
	# an alignment is known where a size or an offset shows it
	# and an array of arrays is one array
	grep -v ' align ' "$T/want" | grep -v '^align_ padding' |
		sed 's/length m 3 4/length m 6 8/' |
		LC_ALL=C sort >"$T/1"
	said | grep -v ' align ' | grep -v '^align_ padding' >"$T/2"
	is "$(cat "$T/1")" "$(cat "$T/2")"
	mirrors "$T/old.btf" "$T/new.btf"
	empty "$T/old.btf" "$T/new.btf"
	# and against DWARF, either way
	for d in old new; do
		for pair in "$T/$d/t.o $T/$d.btf" "$T/$d.btf $T/$d/t.o"; do
			"$LACUNA" diff -o json $pair >"$T/j" ||
				{ said; false; }
		done
	done
}

@test "every class of change that Rust has" {
	command -v rustc >/dev/null || skip "no rustc"
	cat >"$T/old/t.src" <<-'E'
	#![allow(dead_code)]
	#[repr(C)] pub struct Kind { x: u32, y: u32 }
	#[repr(C)] pub struct Size { x: u32 }
	#[repr(C)] pub struct Align { x: u32 }
	#[repr(C)] pub struct Packed { c: u8, i: u32 }
	#[repr(C)] pub struct Add { x: u32 }
	#[repr(C)] pub struct Take { x: u32, y: u32 }
	#[repr(C)] pub struct Move { x: u32, y: u32 }
	#[repr(C)] pub struct Retype { x: u32 }
	#[repr(C)] pub struct Resize { s: u16, t: u16, i: u32 }
	#[repr(C)] pub struct Rename { called: u32, l: u64 }
	#[repr(C)] pub struct Array { a: [u32; 4] }
	#[repr(u8)] pub enum Values { One = 1, Two = 2, Gone = 3 }
	#[repr(C)] pub struct Padding { x: u32, c: u8 }
	#[repr(C)] pub struct Holes { c: u8, s: u16, i: u32 }
	#[repr(C, packed)] pub struct Cross { pad: [u8; 57], i: u32, t: [u8; 7] }
	#[repr(C)] pub union Arms { i: u32, f: f32 }
	#[repr(C)] pub struct Inner { v: u32 }
	#[repr(C)] pub struct Outer { i: Inner, w: u32 }
	#[repr(C)] pub struct Same { untouched: u32 }
	pub enum Shape { Dot, Line(u32), Box { w: u64, h: u64 } }
	#[no_mangle] pub fn f(_: &Kind, _: &Size, _: &Align, _: &Packed,
		_: &Add, _: &Take, _: &Move, _: &Retype, _: &Resize,
		_: &Rename, _: &Array, _: &Values, _: &Padding, _: &Holes,
		_: &Cross, _: &Arms, _: &Outer, _: &Same, _: &Shape) {}
	E
	sed '
	s/struct Kind/union Kind/
	s/struct Size { x: u32 }/struct Size { x: u32, y: u32 }/
	s/#\[repr(C)\] pub struct Align/#[repr(C, align(16))] pub struct Align/
	s/#\[repr(C)\] pub struct Packed/#[repr(C, packed)] pub struct Packed/
	s/struct Add { x: u32 }/struct Add { x: u32, y: u8 }/
	s/struct Take { x: u32, y: u32 }/struct Take { x: u32 }/
	s/struct Move { x: u32, y: u32 }/struct Move { y: u32, x: u32 }/
	s/struct Retype { x: u32 }/struct Retype { x: f32 }/
	s/s: u16, t: u16, i: u32/s: u32, i: u32/
	s/called/call_me/
	s/\[u32; 4\]/[u32; 6]/
	s/Two = 2, Gone = 3/Two = 4, Fresh = 5/
	s/x: u32, c: u8/x: u32, c: u8, d: u8/
	s/c: u8, s: u16, i: u32/c: u8, s: u8, i: u32/
	s/\[u8; 57\], i: u32, t: \[u8; 7\]/[u8; 62], i: u32, t: [u8; 2]/
	s/i: u32, f: f32/i: u32, f: f64, c: u8/
	s/struct Inner { v: u32 }/struct Inner { v: [u32; 3] }/
	s/w: u64, h: u64/w: u64, h: u64, d: u64/
	' "$T/old/t.src" >"$T/new/t.src"
	cat >"$T/want" <<-'E'
	Kind kind - struct union
	Kind member-moved y 32 0
	Kind size - 8 4
	Size member-added y null 32
	Size size - 4 8
	Align align - 4 16
	Align padding - 0 96
	Align size - 4 16
	Packed align - 4 1
	Packed holes - 1 0
	Packed member-moved i 32 8
	Packed packed - no inferred
	Packed size - 8 5
	Add member-added y null 32
	Add padding - 0 24
	Add size - 4 8
	Take member-removed y 32 null
	Take size - 8 4
	Move member-moved x 0 32
	Move member-moved y 32 0
	Retype member-retyped x u32 f32
	Resize member-removed t 16 null
	Resize member-resized s 16 32
	Resize member-retyped s u16 u32
	Rename member-renamed call_me called call_me
	Array array-length a 4 6
	Array size - 16 24
	Values enumerator-added Fresh null 5
	Values enumerator-removed Gone 3 null
	Values enumerator-value Two 2 4
	Padding member-added d null 40
	Padding padding - 24 16
	Holes holes - 1 1
	Holes member-moved s 16 8
	Holes member-resized s 16 8
	Holes member-retyped s u16 u8
	Cross array-length pad 57 62
	Cross array-length t 7 2
	Cross line-crossing i 0 1
	Cross member-moved i 456 496
	Cross member-moved t 488 528
	Arms align - 4 8
	Arms member-added c null 0
	Arms member-resized f 32 64
	Arms member-retyped f f32 f64
	Arms size - 4 8
	Inner member-resized v 32 96
	Inner member-retyped v u32 u32 [3]
	Inner size - 4 12
	Outer member-moved w 32 96
	Outer member-resized i 32 96
	Outer size - 8 16
	E
	every_class bit-width
	compile rs rustc -g --crate-type=lib --emit=obj
	"$LACUNA" diff -o json "$T/old/t.o" "$T/new/t.o" >"$T/j" || [ $? = 1 ]
	# of the enum with data the compiler chooses the layout
	is "$(LC_ALL=C sort "$T/want")" \
		"$(said | grep -v '^Shape \|^Box \|^Dot \|^Line ')"
	said | grep -q '^Shape size - 24 32$'
	said | grep -q '^Box member-added d '
	mirrors "$T/old/t.o" "$T/new/t.o"
	empty "$T/old/t.o" "$T/new/t.o"
}

@test "C++ of its own: bases, vptrs, templates, namespaces; and the mirror" {
	cat >"$T/old/t.src" <<-'E'
	namespace a { struct Box { int i; }; }
	namespace b { struct Box { long l; }; }
	struct Base { int b; };
	struct Poly { int p; };
	struct Derived : Base { int d; };
	struct Gains { int g; };
	template <class T, int N> struct Arr { T v[N]; };
	enum class byte : unsigned char {};
	enum class scoped : short { A = 1, B };
	a::Box x; b::Box y; Derived z; Poly p; Gains g; Arr<char, 4> w;
	byte t; scoped s;
	E
	sed '
	s/long l; }/long l; int more; }/
	s/struct Base { int b; }/struct Base { int b, c; }/
	s/struct Poly { int p; }/struct Poly { virtual ~Poly() {} int p; }/
	s/struct Gains { int g; }/struct Gains : Base { int g; }/
	s/B }/B = 7 }/
	' "$T/old/t.src" >"$T/new/t.src"
	cat >"$T/want" <<-'E'
	Box member-added more null 64
	Box padding - 0 32
	Box size - 8 16
	Base member-added c null 32
	Base size - 4 8
	Derived member-moved d 32 64
	Derived member-resized base struct Base 32 64
	Derived size - 8 12
	Poly align - 4 8
	Poly member-added _vptr null 0
	Poly member-moved p 0 64
	Poly padding - 0 32
	Poly size - 4 16
	Gains member-added base struct Base null 0
	Gains member-moved g 0 64
	Gains size - 4 12
	scoped enumerator-value B 2 7
	E
	compile cc g++ -g -c
	"$LACUNA" diff -o json "$T/old/t.o" "$T/new/t.o" >"$T/j" || [ $? = 1 ]
	is "$(LC_ALL=C sort "$T/want")" "$(said | sed 's/vptr[^ ]*/vptr/')"
	mirrors "$T/old/t.o" "$T/new/t.o"
	empty "$T/old/t.o" "$T/new/t.o"
}

@test "a file against itself is empty, for every input of the tests" {
	n=0
	for f in "$ROOT"/fixtures/cases/[0-9]*; do
		case $f in
		*.c) compilers="gcc clang" ;;
		*.cpp | *.cc) compilers="g++ clang++" ;;
		*.rs) compilers=rustc ;;
		*) continue ;;
		esac
		for c in $compilers; do
			command -v "$c" >/dev/null || continue
			case $c in
			rustc) set -- -g --crate-type=lib --emit=obj ;;
			*++) set -- -std=c++20 -w -g -c ;;
			*) set -- -w -g -c ;;
			esac
			rm -f "$T/a.o"
			"$c" "$@" -o "$T/a.o" "$f" 2>/dev/null || continue
			empty "$T/a.o"
			n=$((n + 1))
			[ "$c" = gcc ] && command -v pahole >/dev/null &&
				pahole --btf_encode_detached="$T/btf" \
					"$T/a.o" 2>/dev/null || continue
			empty "$T/btf"
			n=$((n + 1))
		done
	done
	# what Rust adds is not on every machine
	[ "$n" -gt 80 ] || { echo "only $n"; false; }
	for f in "$BUILD"/lacuna "$BUILD"/fixtures/*; do
		[ -f "$f" ] && [ "$(head -c 4 "$f" | tail -c 3)" = ELF ] ||
			continue
		case $f in *.[1-9]) continue ;; esac # placed otherwise only
		code=0
		"$LACUNA" list "$f" >"$T/out" 2>"$T/err" || code=$?
		[ "$code" = 0 ] || continue # no debug information
		empty "$f"
	done
}
