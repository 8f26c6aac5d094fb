/* SPDX-License-Identifier: BSD-2-Clause */
/* replay.c - runs a fuzz target on files, without a fuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		uint8_t *data = NULL;
		size_t size = 0, cap = 0, got;

		if (!f) {
			perror(argv[i]);
			return 3;
		}
		do {
			if (size == cap) {
				cap = cap ? 2 * cap : 4096;
				data = realloc(data, cap);
				if (!data)
					abort();
			}
			got = fread(data + size, 1, cap - size, f);
			size += got;
		} while (got);
		fclose(f);
		/* exactly as large as the input, so that ASan sees overruns */
		data = realloc(data, size ? size : 1);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return 0;
}
