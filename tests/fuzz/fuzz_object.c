/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz_object.c - any bytes as an ELF image or an archive: every section. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "object/archive.h"
#include "object/search.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void load_all(struct lac_object *o)
{
	struct lac_build_id id;
	struct lac_err err;
	volatile unsigned char sum = 0;

	for (unsigned i = 0; i < o->nsections; i++) {
		const struct lac_section *s = &o->sections[i];

		if (lac_object_load(o, i, &err) != LAC_OK)
			continue;
		for (uint64_t k = 0; k < s->size; k += 997)
			sum = (unsigned char)(sum + s->data[k]);
	}
	lac_object_build_id(o, &id);
}

/* What is asked of a file before a reader sees it, and outside the sandbox. */
static void ask_who_it_is(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct lac_build_id id;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	lac_file_build_id(fd, &id);
	if (id.size > LAC_BUILD_ID_MAX)
		abort();
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lac_archive a;
	struct lac_object *o = NULL;
	struct lac_err err;

	ask_who_it_is(data, size);
	if (lac_archive_is(data, size)) {
		lac_archive_init(&a, "fuzz", data, size);
		if (a.thin)
			return 0; /* its members are other files */
		while (lac_archive_next(&a, &o, &err) == LAC_OK && o) {
			load_all(o);
			lac_object_destroy(o);
			o = NULL;
		}
		return 0;
	}
	if (lac_object_open_memory("fuzz", data, size, &o, &err) != LAC_OK)
		return 0;
	load_all(o);
	lac_object_destroy(o);
	return 0;
}
