/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * units.c - how long reading takes against how many units there are.
 *
 *   units RUNS VMLINUX
 *
 * Reads the types of the first 1/8, 1/4, 1/2 of the file's compile units and of
 * all of them: .debug_info ends behind the last of those, in a private mapping
 * of the file; everything else is the same.  RUNS rounds run the four in turn,
 * each in a process of its own, after one to warm the page cache.  Prints the
 * medians, and each time as a share of the whole's beside the shares of units
 * and bytes.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dbginfo/reader.h"
#include "median.h"

enum { PARTS = 4, RUNS_MAX = 100 };

struct units {
	uint64_t *ends; /* of each, in .debug_info */
	size_t n;
	Elf64_Shdr *info; /* in the mapping */
};

struct sample {
	double wall_s, cpu_s;
	uint32_t records;
};

static void give_up(const char *why)
{
	fprintf(stderr, "units: %s\n", why);
	exit(3);
}

/* The section header of .debug_info, in the file's own bytes. */
static Elf64_Shdr *find_info(const struct lac_file *f)
{
	unsigned char *p = (unsigned char *)(uintptr_t)f->data;
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)p;
	Elf64_Shdr *s = (Elf64_Shdr *)(void *)(p + h->e_shoff);
	const char *names;

	if (memcmp(p, ELFMAG, SELFMAG) != 0 || p[EI_CLASS] != ELFCLASS64 ||
	    p[EI_DATA] != ELFDATA2LSB)
		give_up("not a 64-bit little-endian ELF file");
	names = (const char *)p + s[h->e_shstrndx].sh_offset;
	for (unsigned i = 0; i < h->e_shnum; i++)
		if (!strcmp(names + s[i].sh_name, ".debug_info"))
			return &s[i];
	give_up("no .debug_info");
	return NULL;
}

static struct units find_units(const struct lac_file *f)
{
	struct units u = { .info = find_info(f) };
	const unsigned char *p = f->data + u.info->sh_offset;
	uint64_t size = u.info->sh_size;

	if (u.info->sh_flags & SHF_COMPRESSED)
		give_up(".debug_info is compressed");
	u.ends = malloc((size / 4 + 1) * sizeof(*u.ends));
	if (!u.ends)
		give_up("out of memory");
	for (uint64_t at = 0; size - at >= 4;) {
		uint32_t length;

		memcpy(&length, p + at, 4);
		if (length >= 0xfffffff0u || length > size - at - 4)
			give_up("a unit in 64-bit DWARF");
		at += 4 + length;
		u.ends[u.n++] = at;
	}
	if (!u.n)
		give_up("no units");
	return u;
}

/* Read the first n units and write what came of it to out. */
static void read_units(const char *path, size_t n, int out)
{
	struct lac_graph_options o = { .format = LAC_FORMAT_DWARF,
				       .no_cache = true };
	struct lac_reading r = { .path = path, .o = &o };
	struct lac_file file = { NULL, 0 };
	struct lac_object *object = NULL;
	struct lac_graph *g = NULL;
	struct timespec from, to;
	struct rusage use;
	struct lac_err err;
	struct sample s;
	struct units u;

	if (lac_file_open(path, &file, &err) != LAC_OK)
		give_up(err.msg);
	u = find_units(&file);
	u.info->sh_size = u.ends[n - 1];
	free(u.ends);
	clock_gettime(CLOCK_MONOTONIC, &from);
	r.head.path = r.head.debug_path = path;
	r.head.tells_alignment = true;
	if (lac_pool_create(&r.p, &err) != LAC_OK ||
	    lac_object_open_file(path, &file, &object, &err) != LAC_OK ||
	    lac_read_object(&r, object, &err) != LAC_OK ||
	    lac_pool_freeze(r.p, &r.head, &g, &err) != LAC_OK)
		give_up(err.msg);
	clock_gettime(CLOCK_MONOTONIC, &to);
	getrusage(RUSAGE_SELF, &use);
	s = (struct sample){
		.wall_s = (double)(to.tv_sec - from.tv_sec) +
			  1e-9 * (double)(to.tv_nsec - from.tv_nsec),
		.cpu_s = (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
			 1e-6 * (double)(use.ru_utime.tv_usec +
					 use.ru_stime.tv_usec),
		.records = g->nrecords,
	};
	if (write(out, &s, sizeof(s)) != sizeof(s))
		give_up("result not written");
	_exit(0);
}

static struct sample measure(const char *path, size_t n)
{
	struct sample s = { .records = 0 };
	int ends[2], status;
	pid_t pid;

	if (pipe(ends))
		give_up("no pipe");
	pid = fork();
	if (pid == 0)
		read_units(path, n, ends[1]);
	close(ends[1]);
	if (pid < 0 || read(ends[0], &s, sizeof(s)) != sizeof(s) ||
	    waitpid(pid, &status, 0) != pid || status)
		give_up("reading failed");
	close(ends[0]);
	return s;
}

int main(int argc, char **argv)
{
	static struct sample s[PARTS][RUNS_MAX];
	int runs = argc == 3 ? atoi(argv[1]) : 0;
	double wall[PARTS], cpu[PARTS], v[RUNS_MAX];
	struct lac_file file = { NULL, 0 };
	struct lac_err err;
	struct units u;

	if (runs < 1 || runs > RUNS_MAX) {
		fprintf(stderr, "usage: units RUNS VMLINUX\n");
		return 2;
	}
	if (lac_file_open(argv[2], &file, &err) != LAC_OK)
		give_up(err.msg);
	u = find_units(&file);
	if (u.n < 8)
		give_up("fewer than 8 units");
	measure(argv[2], u.n);
	for (int r = 0; r < runs; r++)
		for (int k = 0; k < PARTS; k++)
			s[k][r] = measure(argv[2], u.n >> (PARTS - 1 - k));
	for (int k = 0; k < PARTS; k++) {
		for (int r = 0; r < runs; r++)
			v[r] = s[k][r].wall_s;
		wall[k] = median(v, runs);
		for (int r = 0; r < runs; r++)
			v[r] = s[k][r].cpu_s;
		cpu[k] = median(v, runs);
	}
	printf("%-6s %7s %9s %8s %8s %8s %9s | share of %6s %6s %6s %6s\n",
	       "part", "units", "MiB", "records", "wall s", "cpu s",
	       "us a unit", "units", "bytes", "wall", "cpu");
	for (int k = 0; k < PARTS; k++) {
		size_t n = u.n >> (PARTS - 1 - k);
		double bytes = (double)u.ends[n - 1];

		printf("1/%-4d %7zu %9.1f %8u %8.3f %8.3f %9.1f |          "
		       "%6.3f %6.3f %6.3f %6.3f\n",
		       1 << (PARTS - 1 - k), n, bytes / (1 << 20),
		       s[k][0].records, wall[k], cpu[k],
		       1e6 * cpu[k] / (double)n,
		       (double)n / (double)u.n,
		       bytes / (double)u.ends[u.n - 1],
		       wall[k] / wall[PARTS - 1], cpu[k] / cpu[PARTS - 1]);
	}
	free(u.ends);
	lac_file_close(&file);
	return 0;
}
