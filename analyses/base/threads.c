/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/threads.h"

#include <pthread.h>
#include <unistd.h>

struct job {
	void (*work)(void *item);
	void *item;
	pthread_t thread;
};

unsigned lac_threads_count(unsigned asked)
{
	long n = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);

	if (n > (long)LAC_THREADS_MAX)
		n = LAC_THREADS_MAX;
	return n < 1 ? 1 : (unsigned)n;
}

static void *run(void *arg)
{
	const struct job *job = arg;

	job->work(job->item);
	return NULL;
}

void lac_threads_run(void *items, unsigned n, size_t size,
		     void (*work)(void *item))
{
	struct job jobs[LAC_THREADS_MAX];
	unsigned started = 1;

	for (unsigned i = 0; i < n; i++)
		jobs[i] = (struct job){ .work = work,
					.item = (char *)items + i * size };
	for (; started < n; started++)
		if (pthread_create(&jobs[started].thread, NULL, run,
				   &jobs[started]) != 0)
			break;
	if (n)
		run(&jobs[0]);
	for (unsigned i = started; i < n; i++)
		run(&jobs[i]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(jobs[i].thread, NULL);
}
