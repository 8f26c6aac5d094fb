/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf.c - the one file that knows libdwarf (20210528 of Debian 12; later
 * ones differ in dwarf_finish()).
 *
 * libdwarf gets its sections through access methods of our own on top of the
 * object layer: mapped, inflated and relocated already.  It sees debug
 * sections only, under their plain names.
 */
#include "dbginfo/die.h"
#include "dbginfo/abbrev.h"
#include "dbginfo/die_bytes.h"
#include "dbginfo/units.h"

#include <dwarf.h>
#include <libdwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lac_dwarf {
	struct lac_dwarf *alt; /* the common file of dwz, or NULL */
	uint64_t source;       /* bits of this file's references */
	bool dwo;
	struct lac_arena *arena;
	struct lac_object *object;
	Dwarf_Debug dbg;
	Dwarf_Obj_Access_Interface access;
	unsigned *sections; /* ours to the object's */
	unsigned nsections;
	struct lac_units units;
	struct lac_bytes_reader bytes; /* instead of dbg: from_bytes */
	bool from_bytes;
	bool borrowed; /* units are another reader's */
	size_t sought; /* units of .debug_info that were walked to again */
};

/* -- sections for libdwarf ------------------------------------------------ */

static int get_section_info(void *obj, Dwarf_Half i,
			    Dwarf_Obj_Access_Section *ret, int *error)
{
	struct lac_dwarf *d = obj;
	const struct lac_section *s;

	memset(ret, 0, sizeof(*ret));
	*error = 0;
	if (i > d->nsections)
		return DW_DLV_NO_ENTRY;
	s = &d->object->sections[i ? d->sections[i - 1] : 0];
	ret->name = i ? s->name : "";
	ret->type = i ? 1 : 0; /* SHT_PROGBITS */
	ret->size = i ? s->size : 0;
	return DW_DLV_OK;
}

static Dwarf_Endianness get_byte_order(void *obj)
{
	struct lac_dwarf *d = obj;

	return d->object->big_endian ? DW_OBJECT_MSB : DW_OBJECT_LSB;
}

static Dwarf_Small get_word_size(void *obj)
{
	struct lac_dwarf *d = obj;

	return d->object->is64 ? 8 : 4;
}

static Dwarf_Unsigned get_section_count(void *obj)
{
	struct lac_dwarf *d = obj;

	return d->nsections + 1;
}

static int load_section(void *obj, Dwarf_Half i, Dwarf_Small **data, int *error)
{
	struct lac_dwarf *d = obj;

	*error = 0;
	if (i == 0 || i > d->nsections)
		return DW_DLV_NO_ENTRY;
	*data = (Dwarf_Small *)(uintptr_t)d->object
			->sections[d->sections[i - 1]].data;
	return DW_DLV_OK;
}

static const Dwarf_Obj_Access_Methods methods = {
	.get_section_info = get_section_info,
	.get_byte_order = get_byte_order,
	.get_length_size = get_word_size,
	.get_pointer_size = get_word_size,
	.get_section_count = get_section_count,
	.load_section = load_section,
};

static bool is_index(const char *name)
{
	return !strcmp(name, ".debug_cu_index") ||
	       !strcmp(name, ".debug_tu_index");
}

/* What types are read from; the rest is never touched. */
static bool wanted(const char *name, bool dwo)
{
	static const char *const names[] = {
		".debug_info", ".debug_types", ".debug_abbrev", ".debug_str",
		".debug_line", ".debug_line_str", ".debug_str_offsets",
		".debug_addr", /* asked for, though no address is */
	};
	size_t n = strlen(name);

	if (dwo && is_index(name))
		return true;
	if (dwo != (n > 4 && strcmp(name + n - 4, ".dwo") == 0))
		return false;
	n -= dwo ? 4 : 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == n && strncmp(name, names[i], n) == 0)
			return true;
	return false;
}

/* A hash table of libdwarf's is searched until a slot is free: is one? */
static bool has_free_slot(const unsigned char *slots, uint64_t n)
{
	static const unsigned char none[8];
	const unsigned char *units = slots + 8 * n;

	for (uint64_t i = 0; i < n; i++)
		if (!memcmp(slots + 8 * i, none, 8) &&
		    !memcmp(units + 4 * i, none, 4))
			return true;
	return !n;
}

/*
 * libdwarf (20210528) believes what the index of a package says: a few bytes
 * keep it busy for ever.  Version 2 (GNU) and 5: four words, of which the last
 * three are the columns, units and slots; then a signature for each slot, its
 * unit's number, and the columns with their offsets and sizes.
 */
static bool index_fits(const struct lac_section *s, bool big_endian)
{
	struct lac_cursor c = { s->data, s->data + s->size, false };
	uint64_t columns, units, slots, have, need;

	lac_take_uint(&c, 4, big_endian);
	columns = lac_take_uint(&c, 4, big_endian);
	units = lac_take_uint(&c, 4, big_endian);
	slots = lac_take_uint(&c, 4, big_endian);
	have = (uint64_t)(c.end - c.p);
	return !c.bad && !(slots & (slots - 1)) &&
	       !__builtin_mul_overflow(columns * 4, 2 * units + 1, &need) &&
	       !__builtin_add_overflow(need, slots * 12, &need) &&
	       need <= have && has_free_slot(c.p, slots);
}

static enum lac_status choose_sections(struct lac_dwarf *d, struct lac_err *err)
{
	struct lac_object *o = d->object;

	d->sections = lac_arena_zalloc(d->arena, o->nsections,
				       sizeof(*d->sections));
	if (!d->sections)
		return lac_fail_memory(err);
	LAC_TRY(lac_object_join(o, d->dwo ? ".debug_info.dwo" : ".debug_info",
				err));
	LAC_TRY(lac_object_join(o, d->dwo ? ".debug_types.dwo" : ".debug_types",
				err));
	for (unsigned i = 1; i < o->nsections; i++) {
		if (!wanted(o->sections[i].name, d->dwo))
			continue;
		LAC_TRY(lac_object_load(o, i, err));
		if (is_index(o->sections[i].name) &&
		    !index_fits(&o->sections[i], o->big_endian))
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: %s is damaged", o->path,
					o->sections[i].name);
		d->sections[d->nsections++] = i;
	}
	return LAC_OK;
}

/* -- errors --------------------------------------------------------------- */

#define OFFSET_DIGITS 8 /* an address has more, on the hosts of 64 bits */

/* libdwarf's text, without addresses: of the same file it is the same. */
static const char *message(Dwarf_Error e, char (*buf)[512])
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *s = dwarf_errmsg(e);
	size_t n = 0;

	while (*s && n + 1 < sizeof(*buf)) {
		bool hex = !strncmp(s, "0x", 2);
		size_t zeros = hex ? strspn(s + 2, "0") : 0;
		size_t rest = hex ? strspn(s + 2 + zeros, digits) : 0;

		if (rest > OFFSET_DIGITS) {
			n += (size_t)snprintf(*buf + n, sizeof(*buf) - n,
					      "(an address)");
			n = n < sizeof(*buf) ? n : sizeof(*buf) - 1;
			s += 2 + zeros + rest;
		} else {
			(*buf)[n++] = *s++;
		}
	}
	(*buf)[n] = '\0';
	return *buf;
}

static enum lac_status fail(struct lac_dwarf *d, Dwarf_Error e,
			    const char *what, struct lac_err *err)
{
	char buf[512];

	lac_fail(err, LAC_BAD_INPUT, "%s: %s: %s", d->object->path, what,
		 e ? message(e, &buf) : "damaged debug info");
	if (e)
		dwarf_dealloc_error(d->dbg, e);
	return LAC_BAD_INPUT;
}

/* An attribute that cannot be read is one that is not there. */
static void drop(struct lac_dwarf *d, Dwarf_Error *e)
{
	if (*e)
		dwarf_dealloc_error(d->dbg, *e);
	*e = NULL;
}

static enum lac_status init(struct lac_dwarf *d, struct lac_err *err)
{
	Dwarf_Error e = NULL;
	int res;

	LAC_TRY(choose_sections(d, err));
	d->access.object = d;
	d->access.methods = &methods;
	/* it would keep a tree of every allocation; we release by hand */
	dwarf_set_de_alloc_flag(0);
	res = dwarf_object_init_b(&d->access, NULL, NULL,
				  d->dwo ? DW_GROUPNUMBER_DWO :
					   DW_GROUPNUMBER_BASE,
				  &d->dbg, &e);
	if (res == DW_DLV_OK)
		return LAC_OK;
	if (res == DW_DLV_ERROR)
		fail(d, e, "libdwarf", err);
	else
		lac_fail(err, LAC_BAD_INPUT, "%s: no DWARF", d->object->path);
	d->dbg = NULL;
	return LAC_BAD_INPUT;
}

static struct lac_dwarf *allocate(struct lac_object *o, bool dwo)
{
	struct lac_arena *a = lac_arena_create();
	struct lac_dwarf *d = a ? lac_arena_zalloc(a, 1, sizeof(*d)) : NULL;

	if (!d) {
		lac_arena_destroy(a);
		return NULL;
	}
	d->arena = a;
	d->object = o;
	d->dwo = dwo;
	return d;
}

enum lac_status lac_dwarf_open(struct lac_object *o, struct lac_object *alt,
			       bool dwo, struct lac_dwarf **ret,
			       struct lac_err *err)
{
	struct lac_dwarf *d = allocate(o, dwo);
	enum lac_status st;

	if (!d)
		return lac_fail_memory(err);
	st = init(d, err);
	if (st == LAC_OK && alt) {
		st = lac_dwarf_open(alt, NULL, false, &d->alt, err);
		if (st == LAC_OK)
			d->alt->source = LAC_DIE_OF(1);
	}
	if (st != LAC_OK) {
		lac_dwarf_close(d);
		return st;
	}
	*ret = d;
	return LAC_OK;
}

/* The reader of the file that a reference leads into. */
static struct lac_dwarf *reader_of(struct lac_dwarf *d, lac_die_ref ref)
{
	return LAC_DIE_SOURCE(ref) && d->alt ? d->alt : d;
}

struct lac_object *lac_dwarf_object(const struct lac_dwarf *d)
{
	return d->object;
}

bool lac_dwarf_is_dwo(const struct lac_dwarf *d)
{
	return d->dwo;
}

void lac_dwarf_close(struct lac_dwarf *d)
{
	if (!d)
		return;
	lac_dwarf_close(d->alt);
	if (d->dbg) {
		Dwarf_Error e = NULL;

		dwarf_object_finish(d->dbg, &e);
	}
	if (!d->borrowed)
		free(d->units.v);
	lac_arena_destroy(d->arena);
}

void lac_dwarf_use_bytes(struct lac_dwarf *d, const struct lac_bytes_reader *r)
{
	d->from_bytes = r != NULL;
	d->bytes = r ? *r : (struct lac_bytes_reader){ 0 };
}

enum lac_status lac_dwarf_open_again(const struct lac_dwarf *like,
				     struct lac_dwarf **ret,
				     struct lac_err *err)
{
	struct lac_dwarf *d = NULL;

	if (!like->from_bytes) {
		LAC_TRY(lac_dwarf_open(like->object,
				       like->alt ? like->alt->object : NULL,
				       like->dwo, &d, err));
	} else {
		d = allocate(like->object, like->dwo);
		if (!d)
			return lac_fail_memory(err);
	}
	d->units = like->units;
	d->borrowed = true;
	d->from_bytes = like->from_bytes;
	d->bytes = like->bytes;
	*ret = d;
	return LAC_OK;
}

/* -- units ---------------------------------------------------------------- */

static enum lac_status read_units(struct lac_dwarf *d, const char *section,
				  bool types, struct lac_err *err)
{
	struct lac_units_of of = { .types = types, .space = d->source,
				   .big_endian = d->object->big_endian };
	enum lac_status st;
	char name[32];
	unsigned i;

	snprintf(name, sizeof(name), "%s%s", section, d->dwo ? ".dwo" : "");
	i = lac_object_find(d->object, name);
	if (!i)
		return LAC_OK;
	LAC_TRY(lac_object_load(d->object, i, err));
	of.section = (struct lac_bytes){ d->object->sections[i].data,
					 d->object->sections[i].size };
	st = lac_units_read(&of, &d->units, err);
	return st == LAC_OK ? st : lac_err_context(err, st, "%s",
						   d->object->path);
}

enum lac_status lac_dwarf_units(struct lac_dwarf *d,
				const struct lac_dwarf_unit **units, size_t *n,
				struct lac_err *err)
{
	if (!d->units.n) {
		LAC_TRY(read_units(d, ".debug_info", false, err));
		LAC_TRY(read_units(d, ".debug_types", true, err));
		if (d->alt) {
			const struct lac_dwarf_unit *more;
			size_t nmore;

			LAC_TRY(lac_dwarf_units(d->alt, &more, &nmore, err));
			for (size_t i = 0; i < nmore; i++)
				LAC_TRY(lac_units_add(&d->units, &more[i],
						      err));
		}
	}
	*units = d->units.v;
	*n = d->units.n;
	return LAC_OK;
}

static bool next_header(struct lac_dwarf *d)
{
	Dwarf_Unsigned length, typeoffset, next, abbrev;
	Dwarf_Half version, address, offset, extension, type;
	Dwarf_Sig8 sig;
	Dwarf_Error e = NULL;
	int res = dwarf_next_cu_header_d(d->dbg, true, &length, &version,
					 &abbrev, &address, &offset, &extension,
					 &sig, &typeoffset, &next, &type, &e);

	drop(d, &e);
	return res == DW_DLV_OK;
}

void lac_dwarf_seek(struct lac_dwarf *d, size_t unit)
{
	if (d->from_bytes)
		return;
	/* libdwarf looks up an entry's unit in a list, from its current one */
	for (; d->sought <= unit && !d->units.v[unit].types &&
	       !d->units.v[unit].source; d->sought++)
		if (!next_header(d))
			d->sought = d->units.n;
}

void lac_dwarf_rewind(struct lac_dwarf *d)
{
	while (d->sought && d->sought <= d->units.n && next_header(d))
		d->sought++; /* behind the last it starts again */
	d->sought = 0;
}

/* -- attributes ----------------------------------------------------------- */

static bool is_alt_form(Dwarf_Half form)
{
	return form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 ||
	       form == DW_FORM_ref_sup8;
}

static bool is_ref_form(Dwarf_Half form)
{
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr:
	case DW_FORM_ref_sig8:
		return true;
	default:
		return is_alt_form(form);
	}
}

static bool get_ref(struct lac_dwarf *d, const struct lac_die *die,
		    Dwarf_Attribute a, Dwarf_Half form, lac_die_ref *ret)
{
	Dwarf_Error e = NULL;
	Dwarf_Off off;
	bool is_info = true;
	int res;

	if (form == DW_FORM_ref_sig8) {
		Dwarf_Sig8 sig;
		Dwarf_Error e2 = NULL;

		if (dwarf_formsig8(a, &sig, &e2) == DW_DLV_OK)
			for (size_t i = 0; i < d->units.n; i++)
				if (d->units.v[i].kind == LAC_UNIT_TYPE &&
				    memcmp(&d->units.v[i].signature,
					   sig.signature, 8) == 0) {
					*ret = d->units.v[i].type;
					return true;
				}
		drop(d, &e2);
		return false;
	}
	res = dwarf_global_formref(a, &off, &e);
	drop(d, &e);
	if (res != DW_DLV_OK)
		return false;
	off = lac_die_fit(off);
	if (is_alt_form(form)) {
		*ret = off | LAC_DIE_OF(1);
		return d->alt != NULL;
	}
	/* within a unit of .debug_types a reference stays there */
	if (form != DW_FORM_ref_addr && die->ref & LAC_DIE_TYPES)
		is_info = false;
	*ret = off | d->source | (is_info ? 0 : LAC_DIE_TYPES);
	return true;
}

/* A string of the common file of dwz. */
static const char *get_alt_string(struct lac_dwarf *d, Dwarf_Attribute a)
{
	const struct lac_object *o = d->alt ? d->alt->object : NULL;
	const struct lac_section *s;
	Dwarf_Error e = NULL;
	Dwarf_Off at = 0;

	if (!o || dwarf_global_formref(a, &at, &e) != DW_DLV_OK) {
		drop(d, &e);
		return NULL;
	}
	s = &o->sections[lac_object_find(o, ".debug_str")];
	if (!s->data || at >= s->size ||
	    !memchr(s->data + at, 0, s->size - at))
		return NULL;
	return (const char *)s->data + at;
}

static const char *get_string(struct lac_dwarf *d, Dwarf_Attribute a,
			      Dwarf_Half form)
{
	Dwarf_Error e = NULL;
	char *s = NULL;

	if (form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup)
		return get_alt_string(d, a);
	if (dwarf_formstring(a, &s, &e) != DW_DLV_OK)
		s = NULL;
	drop(d, &e);
	return s;
}

static bool is_text_form(Dwarf_Half form)
{
	switch (form) {
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		return true;
	default:
		return false;
	}
}

/* Into the mapping, which outlives the block. */
static void get_block(struct lac_dwarf *d, Dwarf_Attribute a,
		      struct lac_die_value *v, Dwarf_Error *e)
{
	Dwarf_Block *b = NULL;

	if (dwarf_formblock(a, &b, e) != DW_DLV_OK)
		return;
	v->kind = LAC_DIE_BLOCK;
	v->p = b->bl_data;
	v->u = b->bl_len;
	dwarf_dealloc(d->dbg, b, DW_DLA_BLOCK);
}

/* A number, a flag or an expression. */
static void get_plain(struct lac_dwarf *d, Dwarf_Attribute a, Dwarf_Half form,
		      struct lac_die_value *v, Dwarf_Error *e)
{
	Dwarf_Unsigned u = 0;
	Dwarf_Signed s = 0;
	Dwarf_Bool flag = false;
	Dwarf_Off offset = 0;
	Dwarf_Ptr p = NULL;

	if (form == DW_FORM_sdata || form == DW_FORM_implicit_const) {
		if (dwarf_formsdata(a, &s, e) == DW_DLV_OK)
			v->kind = LAC_DIE_SIGNED;
		v->u = (uint64_t)s;
	} else if (lac_form_constant(form) || form == DW_FORM_udata) {
		if (dwarf_formudata(a, &u, e) == DW_DLV_OK)
			v->kind = LAC_DIE_UNSIGNED;
		v->u = u;
		v->size = lac_form_constant(form);
	} else if (form == DW_FORM_flag || form == DW_FORM_flag_present) {
		if (dwarf_formflag(a, &flag, e) == DW_DLV_OK)
			v->kind = LAC_DIE_FLAG;
		v->u = flag != 0;
	} else if (form == DW_FORM_sec_offset) {
		if (dwarf_global_formref(a, &offset, e) == DW_DLV_OK)
			v->kind = LAC_DIE_SECTION;
		v->u = offset;
	} else if (form == DW_FORM_exprloc) {
		if (dwarf_formexprloc(a, &u, &p, e) == DW_DLV_OK)
			v->kind = LAC_DIE_BLOCK;
		v->p = p;
		v->u = u;
	} else if (lac_form_is_block(form)) {
		get_block(d, a, v, e);
	}
}

static void get_attribute(struct lac_dwarf *d, Dwarf_Attribute a,
			  Dwarf_Half at, Dwarf_Half form, struct lac_die *die)
{
	struct lac_die_value v = { .kind = LAC_DIE_NOTHING };
	Dwarf_Error e = NULL;

	if (lac_any_slot(at, die->tag) == SLOT_SKIP)
		return;
	if (is_text_form(form)) {
		v.text = get_string(d, a, form);
		v.kind = LAC_DIE_TEXT;
	} else if (is_ref_form(form)) {
		if (get_ref(d, die, a, form, &v.u))
			v.kind = LAC_DIE_REF;
	} else {
		get_plain(d, a, form, &v, &e);
		drop(d, &e);
	}
	lac_die_take(die, at, &v, d->object->big_endian);
}

static void fill_type(struct lac_dwarf *d, Dwarf_Die handle,
		      struct lac_die *die)
{
	Dwarf_Attribute a = NULL;
	Dwarf_Error e = NULL;
	Dwarf_Half form;

	if (dwarf_attr(handle, DW_AT_type, &a, &e) == DW_DLV_OK) {
		if (dwarf_whatform(a, &form, &e) == DW_DLV_OK)
			get_ref(d, die, a, form, &die->type);
		dwarf_dealloc_attribute(a);
	}
	drop(d, &e);
}

static enum lac_status fill_all(struct lac_dwarf *d, Dwarf_Die handle,
				struct lac_die *die, struct lac_err *err)
{
	Dwarf_Attribute *list = NULL;
	Dwarf_Signed n = 0;
	Dwarf_Error e = NULL;
	int res = dwarf_attrlist(handle, &list, &n, &e);

	if (res == DW_DLV_ERROR)
		return fail(d, e, "an entry's attributes", err);
	for (Dwarf_Signed i = 0; res == DW_DLV_OK && i < n; i++) {
		Dwarf_Half at, form;

		if (dwarf_whatattr(list[i], &at, &e) == DW_DLV_OK &&
		    dwarf_whatform(list[i], &form, &e) == DW_DLV_OK)
			get_attribute(d, list[i], at, form, die);
		drop(d, &e);
		dwarf_dealloc_attribute(list[i]);
	}
	if (list)
		dwarf_dealloc(d->dbg, list, DW_DLA_LIST);
	return LAC_OK;
}

/* Take over a libdwarf entry: on failure it is released. */
static enum lac_status fill(struct lac_dwarf *d, Dwarf_Die handle,
			    struct lac_die *ret, struct lac_err *err)
{
	Dwarf_Error e = NULL;
	Dwarf_Off offset = 0;
	Dwarf_Half tag = 0;
	enum lac_status st = LAC_OK;

	if (dwarf_tag(handle, &tag, &e) != DW_DLV_OK ||
	    dwarf_dieoffset(handle, &offset, &e) != DW_DLV_OK) {
		dwarf_dealloc_die(handle);
		return fail(d, e, "an entry", err);
	}
	lac_die_empty(ret, offset | d->source |
			   (dwarf_get_die_infotypes_flag(handle) ?
				    0 : LAC_DIE_TYPES),
		      tag);
	ret->handle = handle;
	switch (lac_tag_says(tag)) {
	case LAC_SAYS_NOTHING:
		break;
	case LAC_SAYS_TYPE:
		fill_type(d, handle, ret);
		break;
	case LAC_SAYS_ALL:
		st = fill_all(d, handle, ret, err);
	}
	if (st != LAC_OK)
		dwarf_dealloc_die(handle);
	return st;
}

enum lac_status lac_die_open(struct lac_dwarf *d, lac_die_ref ref,
			     struct lac_die *ret, struct lac_err *err)
{
	Dwarf_Error e = NULL;
	Dwarf_Die handle;

	if (d->from_bytes)
		return lac_bytes_open(&d->bytes, ref, ret, err);
	d = reader_of(d, ref);
	if (dwarf_offdie_b(d->dbg, LAC_DIE_OFFSET(ref), !(ref & LAC_DIE_TYPES),
			   &handle, &e) != DW_DLV_OK)
		return fail(d, e, "a reference", err);
	return fill(d, handle, ret, err);
}

enum lac_status lac_die_child(struct lac_dwarf *d, const struct lac_die *die,
			      struct lac_die *ret, struct lac_err *err)
{
	Dwarf_Error e = NULL;
	Dwarf_Die handle;
	int res;

	if (d->from_bytes)
		return lac_bytes_child(&d->bytes, die, ret, err);
	res = dwarf_child(die->handle, &handle, &e);
	d = reader_of(d, die->ref);
	if (res == DW_DLV_NO_ENTRY)
		return LAC_NOT_FOUND;
	if (res != DW_DLV_OK)
		return fail(d, e, "an entry's children", err);
	return fill(d, handle, ret, err);
}

enum lac_status lac_die_next(struct lac_dwarf *d, struct lac_die *die,
			     struct lac_err *err)
{
	lac_die_ref before = die->ref;
	Dwarf_Error e = NULL;
	Dwarf_Die handle;
	int res;

	if (d->from_bytes)
		return lac_bytes_next(&d->bytes, die, err);
	d = reader_of(d, die->ref);
	res = dwarf_siblingof_b(d->dbg, die->handle,
				dwarf_get_die_infotypes_flag(die->handle),
				&handle, &e);
	lac_die_close(d, die);
	if (res == DW_DLV_NO_ENTRY)
		return LAC_NOT_FOUND;
	if (res != DW_DLV_OK)
		return fail(d, e, "an entry's sibling", err);
	LAC_TRY(fill(d, handle, die, err));
	/* libdwarf goes wherever DW_AT_sibling leads, round and round */
	if (die->ref > before)
		return LAC_OK;
	lac_die_close(d, die);
	return fail(d, NULL, "an entry's sibling is before it", err);
}

void lac_die_close(struct lac_dwarf *d, struct lac_die *die)
{
	(void)d;
	if (die->handle)
		dwarf_dealloc_die(die->handle);
	die->handle = NULL;
}
