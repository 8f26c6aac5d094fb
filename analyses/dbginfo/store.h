/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * store.h - graphs that have been read, kept in a directory of the user's so
 * that the next run need not read the file again.
 *
 * An entry is found by all that the result depends on: the file's build id,
 * place, size and times, the options that matter, and the build of the reader.
 * Only graphs that come from one file alone are kept.  An entry has
 * its name only when it is whole (base/newfile.h); what it holds is believed
 * block by block, each against its checksum.  Whatever is wrong with an entry,
 * with the directory or with the disk, the caller reads the file itself.
 */
#ifndef LAC_STORE_H
#define LAC_STORE_H

#include "base/newfile.h"
#include "dbginfo/graph.h"

#define LAC_STORE_MIN_BYTES ((uint64_t)4 << 20)	  /* smaller files are read */
#define LAC_STORE_MAX_BYTES ((uint64_t)512 << 20) /* of all entries */
#define LAC_STORE_ID_MAX 64

/* What decides the result.  No padding: compared and hashed as bytes. */
struct lac_store_key {
	uint64_t device, inode, size;
	uint64_t changed_ns, modified_ns; /* since 1970 */
	uint32_t format;		  /* enum lac_format as asked for */
	uint32_t partial, id_size, spare;
	unsigned char id[LAC_STORE_ID_MAX];	/* of the file */
	unsigned char reader[LAC_STORE_ID_MAX]; /* of this program */
};

struct lac_store_name {
	char text[2 * LAC_STORE_ID_MAX + 32];
};

/*
 * LAC_NOT_FOUND if the file is not one to keep: no regular ELF file, none with
 * a build id, smaller than o->cache_min_bytes, or one that needs a base.
 */
LAC_MUST_CHECK enum lac_status
lac_store_key(const char *path, const struct lac_graph_options *o,
	      struct lac_store_key *ret, struct lac_err *err);

bool lac_store_same(const struct lac_store_key *a,
		    const struct lac_store_key *b);

/* The name of its entry in the directory. */
struct lac_store_name lac_store_name(const struct lac_store_key *key);

/* Changed so lately that another change might leave the same times. */
bool lac_store_too_new(const struct lac_store_key *key);

/* -- the bytes of an entry ------------------------------------------------ */

/*
 * Write a whole graph; what goes wrong leaves a file that is not believed.
 * LAC_UNSUPPORTED if the graph is not made from one file, or not from all of it.
 */
LAC_MUST_CHECK enum lac_status lac_store_write(const struct lac_graph *g,
					       const struct lac_store_key *key,
					       int fd, struct lac_err *err);

/*
 * The graph in the entry that fd is open on; path is what the caller calls the
 * file.  With o->only, those records and what describes them; all records if one
 * of the names is not there, as its near names are asked for then, unless it
 * may_lack.  LAC_NOT_FOUND if it is of another key,
 * LAC_BAD_INPUT if it is damaged.
 */
LAC_MUST_CHECK enum lac_status
lac_store_read(int fd, const char *path, const struct lac_store_key *key,
	       const struct lac_graph_options *o, struct lac_graph **ret,
	       struct lac_err *err);

/* Of LAC_OK if the entry's head is whole and of that key; as above. */
LAC_MUST_CHECK enum lac_status lac_store_probe(int fd,
					       const struct lac_store_key *key,
					       struct lac_err *err);

/* -- the directory -------------------------------------------------------- */

/*
 * Open the entry, which must be a regular file of the user's that none else may
 * write, in a directory of the same kind.  LAC_NOT_FOUND if there is none.
 */
LAC_MUST_CHECK enum lac_status lac_store_open(const char *dir,
					      const struct lac_store_key *key,
					      int *fd, struct lac_err *err);

/* An entry in the making. */
struct lac_store_entry {
	int dir; /* -1 when there is none */
	struct lac_newfile file;
	struct lac_store_name name;
	uint64_t max_bytes;
};

/*
 * Make the directory if it is not there, and a file in it that only the user
 * may read.  Ended by lac_store_commit() or lac_store_abandon().  max_bytes: of
 * all entries, 0 for the default.
 */
LAC_MUST_CHECK enum lac_status lac_store_create(const char *dir,
						const struct lac_store_key *key,
						uint64_t max_bytes,
						struct lac_store_entry *ret,
						struct lac_err *err);

/*
 * Put it under its name, instead of what was there, and remove those that have
 * not been used for longest, until all fit in max_bytes.
 */
LAC_MUST_CHECK enum lac_status lac_store_commit(struct lac_store_entry *e,
						struct lac_err *err);
void lac_store_abandon(struct lac_store_entry *e);

/* Remove the entry, which turned out to be damaged. */
void lac_store_remove(const char *dir, const struct lac_store_key *key);

/* It was of use: it is among the last to be removed. */
void lac_store_touch(int fd);

#endif
