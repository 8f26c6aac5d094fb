# SPDX-License-Identifier: BSD-2-Clause
# load.bash - a machine with another load average.

# LOAD COMMAND...: what it prints on one line, where the load average is LOAD
under_load() {
	[ -e "$T/load.so" ] || "${CC:-cc}" -w -shared -fPIC -o "$T/load.so" \
		-x c - <<-'END'
	#include <stdlib.h>
	int getloadavg(double *load, int n)
	{
		*load = atof(getenv("FAKE_LOAD"));
		return 1;
	}
	END
	FAKE_LOAD=$1 LD_PRELOAD=$T/load.so \
		ASAN_OPTIONS=verify_asan_link_order=0 "${@:2}" | tr -s '\n ' ' '
}

# COMMAND...: it warns of a load above the number of processors, and of no other
warns_of_load() {
	cpus=$(getconf _NPROCESSORS_ONLN)
	[[ $(under_load $((cpus + 1)).25 "$@") == *"Warning: the load average of $((cpus + 1)).2 exceeds the $cpus processor"* ]]
	[[ $(under_load "$cpus" "$@") != *"Warning: the load"* ]]
}
