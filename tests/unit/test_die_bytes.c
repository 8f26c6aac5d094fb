/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entries read from the bytes of a unit are those that libdwarf reads: the
 * whole tree of every unit, of several languages, compilers and versions.
 */
#include "compiled.h"

#include <dwarf.h>

#include "dbginfo/die.h"
#include "dbginfo/build.h"
#include "dbginfo/die_bytes.h"
#include "dbginfo/scan.h"

static const char c_text[] =
	"#include <stdarg.h>\n"
	"enum e { A = -3, B = 70000, C };\n"
	"enum big { D = 0x123456789abcdefll };\n"
	"typedef struct { int a : 3, : 0; unsigned long b : 40; } bits;\n"
	"struct __attribute__((packed, aligned(2))) s {\n"
	"	char c; bits bits[3][5]; struct s *next; enum e e; enum big g;\n"
	"	int (*call)(const char *restrict, volatile void *, ...);\n"
	"	union { long double l; _Complex float f; _Bool y; };\n"
	"	struct only_declared *d; void (*none)(); _Atomic long at;\n"
	"	__int128 wide; short flex[];\n"
	"};\n"
	"typedef int vector __attribute__((vector_size(16)));\n"
	"struct s *global; vector v; extern int outside[]; int zero[0];\n"
	"int sum(int n, ...)\n{\n"
	"	struct local { int vla; struct { char x; } in[2]; } l = { n };\n"
	"	int runtime[n], (*grown)[n] = &runtime;\n"
	"	va_list ap;\n	va_start(ap, n);\n"
	"	{ struct deeper { char z; } d = { (char)n }; l.vla += d.z; }\n"
	"	return outside[0] + l.vla + sizeof(*grown) + runtime[0] + \n"
	"	       va_arg(ap, int) + (int)global->wide + zero[0];\n}\n";

static const char cxx_text[] =
	"namespace n { namespace { struct hidden { int a; }; }\n"
	"template <typename T, int N> struct box { T t[N]; static int s;\n"
	"	enum class k : short { one = -1 }; void f(int) const; };\n"
	"struct base { virtual ~base(); int x; };\n"
	"struct left : virtual base { int l; }; struct right : virtual base {};\n"
	"class both : public left, private right { int box<int, 2>::*p;\n"
	"	hidden h; box<char, 3>::k kind; decltype(nullptr) nil;\n"
	"	protected: int &r; int &&rr; both(int &a); };\n"
	"inline namespace v1 { union u { char16_t c; wchar_t w; }; } }\n"
	"n::box<n::u, 7> b; n::both *p; int n::base::*q;\n"
	"int use(n::both &x) { struct in { n::both *o; } i = { &x };\n"
	"	return i.o->x; }\n";

static bool is_code(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
		return true;
	default:
		return false;
	}
}

/* What the reader of bytes tells about entries of this kind. */
static bool is_told(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_label:
	case DW_TAG_imported_declaration:
	case DW_TAG_imported_module:
	case DW_TAG_template_type_parameter:
	case DW_TAG_template_value_parameter:
	case DW_TAG_dwarf_procedure:
		return false;
	default:
		return !is_code(tag);
	}
}

static void same_text(const char *a, const char *b)
{
	if (!a || !b)
		assert_ptr_equal(a, b);
	else
		assert_string_equal(a, b);
}

static void same_entry(const struct lac_die *a, const struct lac_die *b)
{
	assert_int_equal(a->ref, b->ref);
	assert_int_equal(a->tag, b->tag);
	if (!is_told(a->tag))
		return;
	same_text(a->name, b->name);
	same_text(a->producer, b->producer);
	same_text(a->dwo_name, b->dwo_name);
	assert_int_equal(a->has, b->has);
	assert_int_equal(a->declaration, b->declaration);
	assert_int_equal(a->external, b->external);
	assert_int_equal(a->artificial, b->artificial);
	assert_int_equal(a->virtuality, b->virtuality);
	assert_int_equal(a->vector, b->vector);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->specification, b->specification);
	assert_int_equal(a->signature, b->signature);
	assert_int_equal(a->containing, b->containing);
	assert_int_equal(a->byte_size, b->byte_size);
	assert_int_equal(a->bit_size, b->bit_size);
	assert_int_equal(a->bit_offset, b->bit_offset);
	assert_int_equal(a->data_bit_offset, b->data_bit_offset);
	assert_int_equal(a->location, b->location);
	assert_int_equal(a->align, b->align);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->upper, b->upper);
	assert_int_equal(a->lower, b->lower);
	assert_int_equal(a->value, b->value);
	assert_int_equal(a->encoding, b->encoding);
	assert_int_equal(a->language, b->language);
	if (lac_is_record_tag(a->tag) || a->tag == DW_TAG_enumeration_type) {
		assert_int_equal(a->decl_file, b->decl_file);
		assert_int_equal(a->decl_line, b->decl_line);
	}
}

struct pair {
	struct lac_dwarf *libdwarf, *bytes;
	unsigned entries;
};

static void same_level(struct pair *p, const struct lac_die *a,
		       const struct lac_die *b)
{
	struct lac_die x = { 0 }, y = { 0 };
	struct lac_err err;
	enum lac_status st = lac_die_child(p->libdwarf, a, &x, &err);

	assert_int_equal(lac_die_child(p->bytes, b, &y, &err), st);
	while (st == LAC_OK) {
		struct lac_die again = { 0 };

		p->entries++;
		same_entry(&x, &y);
		assert_int_equal(lac_die_open(p->bytes, x.ref, &again, &err),
				 LAC_OK);
		same_entry(&x, &again);
		same_level(p, &x, &y);
		st = lac_die_next(p->libdwarf, &x, &err);
		assert_int_equal(lac_die_next(p->bytes, &y, &err), st);
	}
	assert_int_equal(st, LAC_NOT_FOUND);
	lac_die_close(p->libdwarf, &x);
}

static struct lac_bytes section(const struct lac_object *o, const char *name)
{
	const struct lac_section *s = &o->sections[lac_object_find(o, name)];

	return (struct lac_bytes){ s->data, s->size };
}

static void same_file(const char *path)
{
	const struct lac_dwarf_unit *units;
	struct lac_raw_sections raw;
	struct lac_bytes_reader reader;
	struct lac_scanned *kept;
	struct lac_scan scan;
	struct lac_object *o = NULL;
	struct pair p = { 0 };
	struct lac_err err;
	size_t n;

	assert_int_equal(lac_object_open(path, &o, &err), LAC_OK);
	assert_int_equal(lac_dwarf_open(o, NULL, false, &p.libdwarf, &err),
			 LAC_OK);
	assert_int_equal(lac_dwarf_units(p.libdwarf, &units, &n, &err), LAC_OK);
	assert_int_equal(lac_dwarf_open_again(p.libdwarf, &p.bytes, &err),
			 LAC_OK);
	raw = (struct lac_raw_sections){
		.object = o,
		.info = section(o, ".debug_info"),
		.types = section(o, ".debug_types"),
		.abbrev = section(o, ".debug_abbrev"),
		.str = section(o, ".debug_str"),
		.line_str = section(o, ".debug_line_str"),
		.str_offsets = section(o, ".debug_str_offsets"),
		.big_endian = o->big_endian,
	};
	kept = calloc(n, sizeof(*kept));
	assert_non_null(kept);
	assert_int_equal(lac_scan_init(&scan, &raw, units, n, kept, &err),
			 LAC_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(lac_scan_unit(&scan, i, &err), LAC_OK);
	reader = (struct lac_bytes_reader){
		.sections = &raw, .units = units, .nunits = n, .kept = kept,
	};
	lac_dwarf_use_bytes(p.bytes, &reader);
	for (size_t i = 0; i < n; i++) {
		struct lac_die a = { 0 }, b = { 0 };

		assert_int_equal(lac_die_open(p.libdwarf, units[i].root, &a,
					      &err), LAC_OK);
		assert_int_equal(lac_die_open(p.bytes, units[i].root, &b, &err),
				 LAC_OK);
		same_entry(&a, &b);
		same_text(a.comp_dir, b.comp_dir);
		same_text(a.comp_dir, kept[i].root.comp_dir);
		same_text(a.name, kept[i].root.name);
		same_text(a.producer, kept[i].root.producer);
		assert_int_equal(a.stmt_list, b.stmt_list);
		same_level(&p, &a, &b);
		lac_die_close(p.libdwarf, &a);
	}
	assert_true(p.entries > 20);
	lac_dwarf_close(p.bytes);
	lac_scan_deinit(&scan);
	free(kept);
	lac_dwarf_close(p.libdwarf);
	lac_object_destroy(o);
}

static void same_compiled(const char *command, const char *suffix,
			  const char *text)
{
	struct compiled c;

	compile_text(&c, command, suffix, text);
	same_file(c.path);
	remove_compiled(&c);
}

static void c_by_gcc(void **state)
{
	(void)state;
	same_compiled("gcc -gdwarf-5 -O2", ".c", c_text);
	same_compiled("gcc -gdwarf-4 -O0 -gno-strict-dwarf", ".c", c_text);
	same_compiled("gcc -gdwarf-3 -gstrict-dwarf", ".c", c_text);
	same_compiled("gcc -gdwarf-2 -gstrict-dwarf", ".c", c_text);
	same_compiled("gcc -gdwarf-5 -gdwarf64", ".c", c_text);
}

static void c_by_clang(void **state)
{
	(void)state;
	same_compiled("clang -gdwarf-5 -O1", ".c", c_text);
	same_compiled("clang -gdwarf-4", ".c", c_text);
	same_compiled("clang -gdwarf-2", ".c", c_text);
}

static void cxx(void **state)
{
	(void)state;
	same_compiled("g++ -gdwarf-5", ".cc", cxx_text);
	same_compiled("g++ -gdwarf-4 -O2", ".cc", cxx_text);
	same_compiled("clang++ -gdwarf-5", ".cc", cxx_text);
	same_compiled("clang++ -gdwarf-4", ".cc", cxx_text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_by_gcc),
		cmocka_unit_test(c_by_clang),
		cmocka_unit_test(cxx),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
