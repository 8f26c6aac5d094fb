/* SPDX-License-Identifier: BSD-2-Clause */
#include "textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Text that a person wrote is smaller. */
#define MAX_TEXT ((size_t)64 << 20)

static enum lac_status read_all(int fd, const char *path,
				struct lac_arena *arena, struct lac_text *ret,
				struct lac_err *err)
{
	size_t cap = 65536, n = 0;
	char *text = lac_arena_zalloc(arena, cap + 1, 1);

	while (text) {
		ssize_t got = read(fd, text + n, cap - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return lac_fail_os(err, "%s", path);
		if (!got)
			break;
		n += (size_t)got;
		if (n > MAX_TEXT)
			return lac_fail(err, LAC_BAD_INPUT,
					"%s: larger than 64 MiB: not a text "
					"file", path);
		if (n == cap) {
			char *more = lac_arena_zalloc(arena, 2 * cap + 1, 1);

			if (more)
				memcpy(more, text, n);
			text = more;
			cap *= 2;
		}
	}
	if (!text)
		return lac_fail_memory(err);
	/* what an editor put before the first character */
	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		n -= 3;
	}
	*ret = (struct lac_text){text, n};
	return LAC_OK;
}

enum lac_status lac_text_read(const char *path, struct lac_arena *arena,
			      struct lac_text *ret, struct lac_err *err)
{
	enum lac_status st;
	int fd;

	if (!strcmp(path, "-"))
		return read_all(STDIN_FILENO, "standard input", arena, ret,
				err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return lac_fail_os(err, "%s", path);
	st = read_all(fd, path, arena, ret, err);
	close(fd);
	return st;
}
