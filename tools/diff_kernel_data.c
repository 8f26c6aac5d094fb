/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_kernel_data.c - the JSON of what a diff says of the kernel's own. */
#include <string.h>

#include "diff_data.h"
#include "json_number.h"

static json_t *tristate(enum lac_tristate t)
{
	return t == LAC_CANNOT_TELL ? json_null() : json_boolean(t == LAC_YES);
}

static json_t *kernel_side(struct lac_doc *doc,
			   const struct lac_kernel_side *k)
{
	json_t *j;

	if (!k->present)
		return json_null();
	j = json_object();
	lac_doc_set(doc, j, "size", lac_json_size(k->size));
	lac_doc_set(doc, j, "align",
		    k->align ? count(k->align) : json_null());
	if (!k->align)
		lac_doc_set(doc, j, "align_status", json_string("not in BTF"));
	lac_doc_set(doc, j, "lines", lac_json_size(k->lines));
	if (k->variant)
		lac_doc_set(doc, j, "variant", json_string(k->variant));
	if (k->has_pair) {
		lac_doc_set(doc, j, "pair_offset", count(k->pair_offset));
		lac_doc_set(doc, j, "pair_aligned", tristate(k->pair_aligned));
		if (k->pair_aligned == LAC_CANNOT_TELL)
			lac_doc_set(doc, j, "status",
				    json_string("not in BTF"));
	}
	if (k->lock) {
		lac_doc_set(doc, j, "lock", json_string(k->lock));
		lac_doc_set(doc, j, "lock_type", lac_doc_string(k->lock_type));
		lac_doc_set(doc, j, "lock_size", lac_json_size(k->lock_size));
	}
	return j;
}

static const struct lac_kernel_row *kernel_row(const struct lac_diff *d,
					       const char *name)
{
	for (uint32_t i = 0; i < d->nkernel; i++)
		if (!strcmp(d->kernel[i].name, name))
			return &d->kernel[i];
	return NULL;
}

#define DEFAULT_RAM ((uint64_t)1 << 40)

/* What all struct pages of a machine take. */
static void page_memory(struct lac_doc *doc, const struct lac_diff_report *r)
{
	const struct lac_kernel_row *page = kernel_row(r->diff, "page");
	uint64_t ram = r->ram_bytes ? r->ram_bytes : DEFAULT_RAM;
	uint64_t pages = ram / PAGE_BYTES;
	json_t *j;

	if (!page || !page->old_side.present || !page->new_side.present ||
	    page->old_side.size > 65536 || page->new_side.size > 65536)
		return;
	j = json_object();
	lac_doc_set(doc, doc->data, "page_memory", j);
	lac_doc_set(doc, j, "ram", count(ram));
	lac_doc_set(doc, j, "page_size", count(PAGE_BYTES));
	lac_doc_set(doc, j, "old", count(pages * page->old_side.size));
	lac_doc_set(doc, j, "new", count(pages * page->new_side.size));
	lac_doc_set(doc, j, "delta",
		    json_integer((json_int_t)(pages * page->new_side.size) -
				 (json_int_t)(pages * page->old_side.size)));
}

void lac_diff_kernel_data(struct lac_doc *doc, const struct lac_diff_report *r)
{
	json_t *list = json_array();

	lac_doc_set(doc, doc->data, "kernel", list);
	for (uint32_t i = 0; i < r->diff->nkernel; i++) {
		const struct lac_kernel_row *k = &r->diff->kernel[i];
		json_t *j = json_object();

		lac_doc_append(doc, list, j);
		lac_doc_set(doc, j, "name", json_string(k->name));
		lac_doc_set(doc, j, "before", kernel_side(doc, &k->old_side));
		lac_doc_set(doc, j, "after", kernel_side(doc, &k->new_side));
	}
	page_memory(doc, r);
}
