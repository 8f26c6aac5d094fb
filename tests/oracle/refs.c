/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * refs.c - reads of given addresses, one after the other, and of nothing else:
 * no stack, no variable, no table.  For cachegrind, which counts what they miss.
 *
 * Standard input: a hexadecimal address a line, in the arenas of the allocator
 * (fixtures/slab/arena.h).  Each becomes an instruction that holds it.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_ARENA = 2, LAST_ARENA = 5, ARENA_SHIFT = 44 };
enum { ARENA_BYTES = 1 << 30, CODE_BYTES = 1 << 28, READ_BYTES = 12 };

static int arenas_map(void)
{
	for (uintptr_t id = FIRST_ARENA; id <= LAST_ARENA; id++)
		if (mmap((void *)(id << ARENA_SHIFT), ARENA_BYTES, PROT_READ,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				 MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
			return -1;
	return 0;
}

/* movabs $ADDRESS, %rax; add (%rax), %dl: what is not used would not be read */
static uint8_t *put_read(uint8_t *at, uint64_t address)
{
	static const uint8_t mov[] = { 0x48, 0xb8 }, add[] = { 0x02, 0x10 };

	memcpy(at, mov, sizeof(mov));
	memcpy(at + sizeof(mov), &address, sizeof(address));
	memcpy(at + sizeof(mov) + sizeof(address), add, sizeof(add));
	return at + READ_BYTES;
}

int main(void)
{
	uint8_t *code = mmap(NULL, CODE_BYTES,
			     PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			     0);
	uint8_t *at = code;
	uint64_t address;
	void (*run)(void);

	if (code == MAP_FAILED || arenas_map()) {
		perror("refs");
		return 3;
	}
	while (scanf("%" SCNx64, &address) == 1) {
		uint64_t id = address >> ARENA_SHIFT;

		if (id < FIRST_ARENA || id > LAST_ARENA ||
		    address - (id << ARENA_SHIFT) >= ARENA_BYTES ||
		    at + 2 * READ_BYTES > code + CODE_BYTES) {
			fprintf(stderr,
				"refs: %" PRIx64 ": not in an arena, or one "
				"too many\n", address);
			return 3;
		}
		at = put_read(at, address);
	}
	*at = 0xc3; /* ret */
	memcpy(&run, &code, sizeof(run));
	run();
	return 0;
}
