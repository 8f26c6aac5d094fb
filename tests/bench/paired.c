/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * paired.c - times whole commands in turn, so that all see the same machine.
 *
 *   paired RUNS NAME COMMAND [NAME COMMAND...]
 *
 * A COMMAND is one argument for sh -c.  After one run each to warm the page
 * cache, RUNS rounds run all of them in turn.  Prints, per command, the median
 * wall and CPU seconds, the peak resident memory (of the largest process, as
 * the kernel counts it) and the ratios of the first command to it: the median
 * over rounds of the wall times' ratio, and the peaks' ratio.
 * With MS=1 in the environment times are in milliseconds.
 * Exit status 3 if a command failed: a failed run has no time.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "median.h"

enum { COMMANDS_MAX = 8, RUNS_MAX = 100 };

struct sample {
	double wall_s, cpu_s;
	long peak_kib;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static struct sample run(const char *name, const char *command)
{
	struct timespec a, b;
	struct rusage u;
	int status, null;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid) {
		perror(name);
		exit(3);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
		fprintf(stderr, "paired: %s failed: %s\n", name, command);
		exit(3);
	}
	return (struct sample){
		.wall_s = (double)(b.tv_sec - a.tv_sec) +
			  1e-9 * (double)(b.tv_nsec - a.tv_nsec),
		.cpu_s = seconds(u.ru_utime) + seconds(u.ru_stime),
		.peak_kib = u.ru_maxrss,
	};
}

int main(int argc, char **argv)
{
	static struct sample s[COMMANDS_MAX][RUNS_MAX];
	int runs = argc > 1 ? atoi(argv[1]) : 0, n = (argc - 2) / 2;
	bool ms = getenv("MS") != NULL;
	double first_peak = 0, unit = ms ? 1e3 : 1;

	if (runs < 1 || runs > RUNS_MAX || n < 1 || n > COMMANDS_MAX ||
	    argc != 2 + 2 * n) {
		fprintf(stderr, "usage: paired RUNS NAME COMMAND ...\n");
		return 2;
	}
	for (int k = 0; k < n; k++)
		run(argv[2 + 2 * k], argv[3 + 2 * k]);
	for (int r = 0; r < runs; r++)
		for (int k = 0; k < n; k++)
			s[k][r] = run(argv[2 + 2 * k], argv[3 + 2 * k]);

	printf("%-28s %9s %9s %10s %9s %9s\n", "median of runs",
	       ms ? "wall ms" : "wall s", ms ? "cpu ms" : "cpu s", "peak MiB",
	       "1st/wall", "1st/peak");
	for (int k = 0; k < n; k++) {
		double wall[RUNS_MAX], cpu[RUNS_MAX], ratio[RUNS_MAX], peak = 0;

		for (int r = 0; r < runs; r++) {
			wall[r] = s[k][r].wall_s;
			cpu[r] = s[k][r].cpu_s;
			ratio[r] = s[0][r].wall_s / s[k][r].wall_s;
			if ((double)s[k][r].peak_kib > peak)
				peak = (double)s[k][r].peak_kib;
		}
		if (k == 0)
			first_peak = peak;
		printf("%-28s %9.3f %9.3f %10.1f %9.2f %9.2f\n", argv[2 + 2 * k],
		       median(wall, runs) * unit, median(cpu, runs) * unit,
		       peak / 1024, median(ratio, runs), first_peak / peak);
	}
	return 0;
}
