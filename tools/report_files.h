/* SPDX-License-Identifier: BSD-2-Clause */
/* report_files.h - one document in every format, as files of a directory. */
#ifndef LAC_REPORT_FILES_H
#define LAC_REPORT_FILES_H

#include "report/doc.h"

/* Make the directory, with those above it, and see that it can be written to:
 * before the work, not after. */
LAC_MUST_CHECK enum lac_status lac_report_files_prepare(const char *dir,
							struct lac_err *err);

/*
 * report.txt, report.mail, report.md, report.json and what other renderers
 * there are; each whole or not at all.
 */
LAC_MUST_CHECK enum lac_status
lac_report_files_write(const char *dir, const struct lac_doc *d,
		       struct lac_err *err);

#endif
