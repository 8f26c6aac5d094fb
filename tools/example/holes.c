/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holes.c - an example of liblacuna: the records of files that have holes, a
 * thread for each file.
 *
 *	cc -pthread holes.c $(pkg-config --cflags --libs lacuna) -o holes
 *	./holes FILE...
 */
#include <inttypes.h>
#include <lacuna.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
	const char *path;
	int status;
	struct lacuna_error error;
	char *text; /* what it found */
	size_t size;
};

static int list_record(const struct lacuna *l, size_t record, FILE *out,
		       struct lacuna_error *err)
{
	const struct lacuna_record *r;
	struct lacuna_layout *y;
	int status = lacuna_layout_create(l, record, 0, &y, err);

	if (status)
		return status;
	r = lacuna_layout_record(y);
	for (size_t i = 0; r->hole_bits && i < r->spans; i++) {
		const struct lacuna_span *s = lacuna_layout_span(y, i);

		if (s->kind == LACUNA_HOLE)
			fprintf(out, "%s: %" PRIu64 " bits at %" PRIu64 "\n",
				r->name ? r->name : "(anonymous)", s->bit_size,
				s->bit_offset);
	}
	lacuna_layout_free(y);
	return 0;
}

static void *work(void *arg)
{
	struct job *j = arg;
	FILE *out = open_memstream(&j->text, &j->size);
	struct lacuna *l = NULL;

	if (!out) {
		j->status = LACUNA_NO_MEMORY;
		return NULL;
	}
	j->status = lacuna_open(j->path, NULL, &l, &j->error);
	for (size_t i = 0; !j->status && i < lacuna_count(l); i++)
		j->status = list_record(l, i, out, &j->error);
	lacuna_close(l);
	fclose(out);
	return NULL;
}

int main(int argc, char **argv)
{
	size_t n = (size_t)argc - 1;
	struct job *jobs = calloc(n + 1, sizeof(*jobs));
	pthread_t *threads = calloc(n + 1, sizeof(*threads));
	int status = 0;

	if (!jobs || !threads)
		return 3;
	for (size_t i = 0; i < n; i++) {
		jobs[i].path = argv[i + 1];
		if (pthread_create(&threads[i], NULL, work, &jobs[i]))
			return 3;
	}
	for (size_t i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		if (jobs[i].status) {
			fprintf(stderr, "%s\n", jobs[i].error.message);
			status = 3;
		} else {
			fputs(jobs[i].text, stdout);
		}
		free(jobs[i].text);
	}
	free(threads);
	free(jobs);
	return status;
}
