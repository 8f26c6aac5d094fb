#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# lint.sh - what machines can say about the sources in seconds.  A tool that is
# not installed is skipped and named.  (clang-tidy takes minutes: see `make
# lint`, which runs it on what has changed.)
set -u
cd "$(dirname "$0")/.." || exit 3
bad=0

have() {
	command -v "$1" >/dev/null 2>&1 && echo "lint: $1" && return
	echo "lint: $1 is not installed: skipped"
	return 1
}

# jansson's loops and the one machine that has a coroutine switch are told by
# hand; the reason for each check that is off stands beside it.
if have cppcheck; then
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr \
		--enable=warning,performance,portability -j "$(nproc)" \
		-D_GNU_SOURCE -D__x86_64__ -D__STDC_VERSION__=201710L \
		-D'json_array_foreach(a,i,v)=for (i = 0; (v = json_array_get(a, i)); i++)' \
		-D'json_object_foreach(o,k,v)=for (k = json_next(o, k); (v = json_at(o, k));)' \
		`# takes .n of a designated initialiser for n` \
		--suppress=unknownEvaluationOrder \
		`# takes an array that a loop fills for one that nothing does` \
		--suppress=uninitvar \
		`# follows a null into a function that tests for it` \
		--suppress=ctunullpointer \
		-Ianalyses -Itools -I. analyses tools fixtures/slab tests/fuzz \
		tests/bench || bad=1
fi

# SC1091: files that are not ours.  SC2086, SC2046: lists of options are split
# on purpose.  SC2013: so are lists of file names, which have no blanks here.
# SC2015: a && b || fail, where both must hold.  SC2017: integers are meant.
# SC2010, SC2034, SC2128, SC2154, SC2164, SC2178: how bats is written.
if have shellcheck; then
	off=SC1091,SC2086,SC2046,SC2013,SC2015,SC2017
	shellcheck -e $off .ci/run tests/*.sh tools/*.sh tests/*/*.sh || bad=1
	shellcheck -e $off,SC2010,SC2034,SC2128,SC2154,SC2164,SC2178 -S warning \
		tests/*/*.bats || bad=1
fi

# Words of C that look misspelt; samples are quoted as they were.
if have codespell; then
	codespell --ignore-words-list=nin,tthe,filp,nown,inout,ans,fo,crate,nd,ro,te \
		--skip='build,.git,fixtures/perf-samples,tests/fuzz/corpus,*.json,*.svg' \
		. || bad=1
fi

exit $bad
