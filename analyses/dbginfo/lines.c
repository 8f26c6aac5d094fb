/* SPDX-License-Identifier: BSD-2-Clause */
#include "dbginfo/lines.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "dbginfo/table.h"

#define NAMES_MAX (1u << 20) /* files of one unit */

void lac_lines_free(struct lac_lines *l)
{
	free(l->files);
	free(l->dirs);
	free(l->path);
}

const char *lac_value_text(const struct lac_raw_sections *s,
			   const struct lac_unit_form *f,
			   uint64_t str_offsets_base, const struct lac_value *v)
{
	struct lac_bytes from = s->str;
	uint64_t at = v->u;

	switch (v->class) {
	case VALUE_STRING:
		return (const char *)v->p;
	case VALUE_LINE_STRP:
		from = s->line_str;
		break;
	case VALUE_STRX:
		if (!lac_strx_offset(s, f, str_offsets_base, &at))
			return NULL;
		break;
	case VALUE_STRP:
		break;
	default:
		return NULL;
	}
	/* mostly the last text ends the section, and so all others end, too */
	if (at >= from.size || (from.p[from.size - 1] &&
				!memchr(from.p + at, 0, from.size - at)))
		return NULL;
	return (const char *)from.p + at;
}

static bool room(void **array, uint32_t n, uint32_t *cap, size_t size)
{
	return n < NAMES_MAX && lac_make_room(array, n, cap, size);
}

static bool add_dir(struct lac_lines *l, const char *name)
{
	if (!room((void **)&l->dirs, l->ndirs, &l->dirs_cap, sizeof(*l->dirs)))
		return false;
	l->dirs[l->ndirs++] = name;
	return true;
}

static bool add_file(struct lac_lines *l, const char *name, uint64_t dir)
{
	if (!room((void **)&l->files, l->nfiles, &l->files_cap,
		  sizeof(*l->files)))
		return false;
	l->files[l->nfiles++] = (struct lac_line_name){ name, dir };
	return true;
}

static const char *take_string(struct lac_cursor *c)
{
	const unsigned char *p = c->p;
	const unsigned char *z = memchr(p, 0, (size_t)(c->end - p));

	if (!z) {
		c->bad = true;
		return "";
	}
	c->p = z + 1;
	return (const char *)p;
}

/* DWARF 2 to 4: directories, then files, each list ended by an empty name. */
static bool read_old(struct lac_lines *l, struct lac_cursor *c)
{
	const char *name;

	while (*(name = take_string(c)) && !c->bad)
		if (!add_dir(l, name))
			return false;
	while (*(name = take_string(c)) && !c->bad) {
		uint64_t dir = lac_take_uleb(c);

		lac_take_uleb(c); /* time */
		lac_take_uleb(c); /* size */
		if (!add_file(l, name, dir))
			return false;
	}
	return !c->bad;
}

/* DWARF 5: a description of the columns, then the rows. */
static bool read_rows(struct lac_lines *l, struct lac_cursor *c,
		      const struct lac_raw_sections *s,
		      const struct lac_line_unit *u, unsigned offset_size,
		      bool dirs)
{
	struct lac_unit_form form = u->form; /* but of the table's own width */
	struct lac_op ops[16];
	unsigned ncols = (unsigned)lac_take_uint(c, 1, false);
	uint64_t rows;

	if (ncols > sizeof(ops) / sizeof(*ops))
		return false;
	for (unsigned i = 0; i < ncols; i++) {
		ops[i] = (struct lac_op){ .slot = SLOT_FIGURE };
		ops[i].at = (uint16_t)lac_take_uleb(c);
		ops[i].form = (uint16_t)lac_take_uleb(c);
	}
	form.offset_size = (uint8_t)offset_size;
	rows = lac_take_uleb(c);
	for (uint64_t r = 0; r < rows && !c->bad; r++) {
		const char *name = NULL;
		uint64_t dir = 0;

		if (!ncols) /* rows of nothing: no table says that */
			return false;
		for (unsigned i = 0; i < ncols; i++) {
			struct lac_value v;

			lac_value_read(c, &ops[i], &form, &v);
			if (ops[i].at == DW_LNCT_path)
				name = lac_value_text(s, &u->form,
						      u->str_offsets_base, &v);
			else if (ops[i].at == DW_LNCT_directory_index)
				dir = v.u;
		}
		if (dirs ? !add_dir(l, name) : !add_file(l, name, dir))
			return false;
	}
	return !c->bad;
}

static bool read_tables(struct lac_lines *l, const struct lac_raw_sections *s,
			const struct lac_line_unit *u)
{
	struct lac_cursor c = { .bad = false };
	bool be = s->big_endian;
	unsigned offset_size = 4, nops;
	uint64_t length;

	if (u->table >= s->line.size)
		return false;
	c.p = s->line.p + u->table;
	c.end = s->line.p + s->line.size;
	length = lac_take_uint(&c, 4, be);
	if (length == 0xffffffff) {
		offset_size = 8;
		length = lac_take_uint(&c, 8, be);
	}
	if (c.bad || length > (uint64_t)(c.end - c.p))
		return false;
	c.end = c.p + length;
	l->version = (uint16_t)lac_take_uint(&c, 2, be);
	if (l->version < 2 || l->version > 5)
		return false;
	if (l->version >= 5)
		lac_take_uint(&c, 2, be); /* sizes of addresses, selectors */
	length = lac_take_uint(&c, offset_size, be);
	if (c.bad || length > (uint64_t)(c.end - c.p))
		return false;
	c.end = c.p + length;
	/* shortest instruction, [most operations,] is_stmt, base, range */
	lac_take_uint(&c, l->version >= 4 ? 5 : 4, be);
	nops = (unsigned)lac_take_uint(&c, 1, be);
	for (unsigned i = 1; i < nops; i++)
		lac_take_uint(&c, 1, be);
	if (c.bad)
		return false;
	if (l->version < 5)
		return read_old(l, &c);
	return read_rows(l, &c, s, u, offset_size, true) &&
	       read_rows(l, &c, s, u, offset_size, false);
}

const char *lac_path_below(const char *path, const char *dir)
{
	size_t n = dir ? strlen(dir) : 0;

	if (n && strncmp(path, dir, n) == 0 && path[n] == '/')
		path += n + 1;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

static const char *join(struct lac_lines *l, const char *dir, const char *name)
{
	size_t n = dir ? strlen(dir) : 0, need;

	while (n > 1 && dir[n - 1] == '/')
		n--;
	need = n + strlen(name) + 2;
	if (need > l->path_cap) {
		char *p = realloc(l->path, need);

		if (!p)
			return NULL;
		l->path = p;
		l->path_cap = need;
	}
	snprintf(l->path, need, "%.*s%s%s", (int)n, dir ? dir : "",
		 dir ? "/" : "", name);
	return l->path;
}

const char *lac_lines_file(struct lac_lines *l,
			   const struct lac_raw_sections *s,
			   const struct lac_line_unit *u, uint64_t n)
{
	const struct lac_line_name *f;
	const char *dir = NULL, *path;

	if (u->table == LAC_NO_TABLE)
		return NULL;
	if (!l->valid || l->table != u->table) {
		l->nfiles = l->ndirs = 0;
		l->table = u->table;
		l->valid = true;
		if (!read_tables(l, s, u))
			l->nfiles = 0;
	}
	if (l->version < 5) /* numbered from 1, 0 being none */
		n--;
	if (n >= l->nfiles)
		return NULL;
	f = &l->files[n];
	if (!f->name)
		return NULL;
	if (l->version >= 5)
		dir = f->dir < l->ndirs ? l->dirs[f->dir] : NULL;
	else if (f->dir && f->dir <= l->ndirs)
		dir = l->dirs[f->dir - 1];
	if (f->name[0] == '/')
		dir = NULL;
	path = join(l, dir, f->name);
	return path ? lac_path_below(path, u->comp_dir) : NULL;
}
