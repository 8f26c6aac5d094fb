/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench_doc.h"
#include "report/doc.h"

/* The first "model name" of /proc/cpuinfo; null elsewhere. */
static json_t *cpu_model(void)
{
	char line[512];
	FILE *f = fopen("/proc/cpuinfo", "re");
	json_t *j = NULL;

	while (f && !j && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || !colon)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		j = lac_doc_string(colon + 1 + strspn(colon + 1, " \t"));
	}
	if (f)
		fclose(f);
	return j ? j : json_null();
}

/* "hardware" if any counter of the processor had a value, else why not. */
static const char *hardware_state(const struct lac_bench *b)
{
	enum lac_counter_status worst = LAC_COUNTER_MEASURED;
	bool any = false;

	for (size_t i = 0; i < b->nresults; i++) {
		for (int v = 0; v < LAC_NCELLS; v++) {
			for (size_t k = 0; k < b->results[i].ncounts[v]; k++) {
				const struct lac_count *c =
					&b->results[i].counts[v][k];

				if (strcmp(c->name, "cycles") != 0)
					continue;
				any = true;
				if (c->status > worst)
					worst = c->status;
			}
		}
	}
	if (!any)
		return "not asked for";
	return lac_counter_status_name(worst);
}

json_t *lac_machine_json(const struct lac_experiment *r)
{
	const struct lac_bench *b = r->bench;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname u;
	json_t *j = json_pack("{s:s}", "lacuna", LAC_VERSION);

	json_object_set_new(j, "cpu", cpu_model());
	json_object_set_new(j, "cpus",
			    cpus > 0 ? json_integer(cpus) : json_null());
	json_object_set_new(j, "kernel", uname(&u) ? json_null() :
						     json_pack("s++", u.sysname,
							       " ", u.release));
	json_object_set_new(j, "compiler",
			    r->layouts.producer ?
				    lac_doc_string(r->layouts.producer) :
				    json_null());
	json_object_set_new(j, "load_before", lac_json_real(b->load_before));
	json_object_set_new(j, "load_after", lac_json_real(b->load_after));
	json_object_set_new(j, "hardware_counters",
			    json_string(hardware_state(b)));
	return j;
}
