/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

enum lac_status lac_library_load(const char *file,
				 const struct lac_library_call *calls,
				 struct lac_err *err)
{
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	enum lac_status st = LAC_OK;

	if (!handle)
		return lac_fail(err, LAC_UNSUPPORTED,
				"%s: not loaded: %s; install it", file,
				dlerror());
	for (; calls->name && st == LAC_OK; calls++) {
		void *at = dlsym(handle, calls->name);

		if (at)
			memcpy(calls->to, &at, sizeof(at));
		else
			st = lac_fail(err, LAC_UNSUPPORTED,
				      "%s: it has no %s; install another "
				      "version", file, calls->name);
	}
	dlclose(handle);
	return st;
}
