/* SPDX-License-Identifier: BSD-2-Clause */
/* What C++ and Rust put into records that C does not know. */
#include "compiled.h"

static const char classes[] =
	"namespace ns { struct A { struct B; struct C { int q; }; B *b; };\n"
	"struct A::B { long x; char y; A::C c; B *n; }; }\n"
	"struct V { virtual ~V(); int v; }; struct E {};\n"
	"struct D : virtual V { int d; }; struct M : E { int m; };\n"
	"struct F { int E::*dp; int (E::*fp)(int); int &r; int &&rr;\n"
	" decltype(nullptr) n; static int s; [[no_unique_address]] E e;\n"
	" F(); };\n"
	"template<typename T, int N> struct Arr { T v[N]; };\n"
	"enum class Ec : unsigned char { lo = 1, hi = 255 };\n"
	"struct U { Ec ec; Arr<char, 3> a; };\n"
	"ns::A a; ns::A::B b; D *d = new D; M m; U u; F *f = new F;\n";

static void completed_outside(const struct lac_graph *g)
{
	const struct lac_record *b = record_named(g, "ns::A::B");
	const struct lac_record *a = record_named(g, "ns::A");

	assert_ptr_equal(record_named(g, "A::B"), b);
	assert_ptr_equal(record_named(g, "B"), b);
	assert_ptr_equal(&g->records[b->parent], a);
	assert_int_equal(member_named(b, "c")->bit_offset, 96);
	assert_int_equal(g->types[member_named(a, "b")->type].target, b->type);
}

static void bases_and_pointers(const struct lac_graph *g)
{
	const struct lac_record *d = record_named(g, "D");
	const struct lac_record *m = record_named(g, "M");
	const struct lac_record *f = record_named(g, "F");
	uint32_t last = d->nmembers - 1;

	assert_int_equal(d->members[0].role, LAC_MEMBER_VPTR);
	assert_int_equal(d->members[last].role, LAC_MEMBER_VIRTUAL_BASE);
	assert_int_equal(d->members[last].certainty, LAC_DYNAMIC);
	assert_int_equal(m->members[0].role, LAC_MEMBER_BASE);
	assert_int_equal(m->members[0].bit_size, 0);
	assert_int_equal(m->size, 4);
	assert_int_equal(member_named(f, "dp")->bit_size, 64);
	assert_int_equal(member_named(f, "fp")->bit_size, 128);
	assert_int_equal(member_named(f, "r")->bit_size, 64);
	assert_int_equal(member_named(f, "n")->bit_size, 64);
	for (uint32_t i = 0; i < f->nmembers; i++) /* static ones are none */
		assert_string_not_equal(f->members[i].name, "s");
}

static void classes_of_gcc(void **state)
{
	struct lac_graph *g = graph_of("g++ -std=c++20 -g", classes);
	LAC_CLEANUP_ARENA struct lac_arena *a = lac_arena_create();
	const struct lac_record *f = record_named(g, "F");
	const struct lac_record *u = record_named(g, "U");

	(void)state;
	completed_outside(g);
	bases_and_pointers(g);
	assert_int_equal(member_named(u, "ec")->bit_size, 8);
	assert_int_equal(record_named(g, "Arr<char, 3>")->size, 3);
	assert_string_equal(lac_type_declare(g, member_named(f, "fp")->type,
					     "fp", a),
			    "int (E::*fp)(int)");
	/* it shares its first byte with dp */
	assert_int_equal(member_named(f, "e")->bit_size, 0);
	lac_graph_destroy(g);
}

static const char enums[] =
	"#![crate_type=\"lib\"]\n"
	"pub enum E { A(u32, u8), B { x: u64 }, C }\n"
	"pub enum One { Only(u32) }\n"
	"pub struct S { pub e: E, pub one: One, pub z: (),\n"
	" pub o: Option<Box<i32>> }\n"
	"#[no_mangle] pub fn f(s: &S) -> u32 {\n"
	" match s.e { E::A(x, _) => x, _ => 1 } }\n";

static void variants_of_rust(void **state)
{
	const struct lac_record *e, *payload, *one;
	struct lac_graph *g;

	(void)state;
	if (system("rustc --version >/dev/null 2>&1") != 0)
		SKIP_BECAUSE("no rustc");
	g = graph_of("sh -c 'rustc -A warnings -g --emit=obj -o $4 $5' rustc",
		     enums);
	e = record_named(g, "E");
	one = record_named(g, "One");
	assert_int_equal(e->kind, LAC_VARIANT_ENUM);
	assert_int_equal(e->nmembers, 4);
	assert_int_equal(e->members[0].role, LAC_MEMBER_DISCRIMINANT);
	assert_int_equal(e->members[0].bit_size, 8);
	for (uint32_t i = 1; i < 4; i++) {
		assert_int_equal(e->members[i].role, LAC_MEMBER_VARIANT);
		assert_true(e->members[i].has_discriminant);
		assert_int_equal(e->members[i].discriminant, i - 1);
		assert_int_equal(e->members[i].bit_size, e->size * 8);
	}
	payload = record_named(g, "E::B");
	assert_int_equal(payload->kind, LAC_VARIANT);
	assert_ptr_equal(&g->records[payload->parent], e);
	assert_int_equal(member_named(payload, "x")->bit_offset, 64);
	assert_int_equal(one->nmembers, 1);
	assert_int_equal(one->members[0].role, LAC_MEMBER_VARIANT);
	lac_graph_destroy(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_of_gcc),
		cmocka_unit_test(variants_of_rust),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
