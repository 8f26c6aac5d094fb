#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# setup.sh - from a bare Debian system to a built, running or tested lacuna.
#
#   sh tools/setup.sh report   install what is missing, build, run the main job
#   sh tools/setup.sh check    install what is missing, build, run every test
#   sh tools/setup.sh deps [build|test|kernels]   only install (default: build)
#
# Installs missing Debian packages only, and says which.  Nothing is installed
# or changed outside the package system and build/.
set -eu
cd "$(dirname "$0")/.."

die() {
	echo "setup: $*" >&2
	exit 3
}

packages() { # GROUP... - their packages, one a line
	for group; do
		sed -n "s/^$group  *\([^ ][^ ]*\).*/\1/p" tools/packages.txt
	done | sort -u
}

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install() { # GROUP...
	command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || {
		echo "setup: there is no apt here; install what these Debian" \
			"packages hold, then use make directly:" >&2
		packages "$@" | sed 's/^/  /' >&2
		exit 3
	}
	missing=
	for p in $(packages "$@"); do
		installed "$p" || missing="$missing $p"
	done
	[ -n "$missing" ] || return 0
	echo "setup: installing$missing"
	as_root=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 ||
			die "not root and no sudo: as root, run: apt-get install$missing"
		as_root=sudo
	fi
	# a system just set up has no package lists yet
	log=$(mktemp)
	trap 'rm -f "$log"' EXIT
	{ $as_root apt-get update &&
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
			--no-install-recommends $missing; } >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		die "the packages above could not be installed; is the archive reachable?"
	}
	rm -f "$log"
	trap - EXIT
}

jobs() { nproc 2>/dev/null || echo 1; }

build() {
	echo "setup: building"
	mkdir -p build
	make -j"$(jobs)" "$@" >build/build.log 2>&1 || {
		tail -n 30 build/build.log >&2
		die "the build failed; the whole log is build/build.log"
	}
}

case ${1:-} in
report)
	install build
	build all
	exec make --no-print-directory report
	;;
check)
	install build test kernels
	exec sh tests/check.sh --kernels
	;;
deps)
	shift
	[ $# -gt 0 ] || set -- build
	for group; do
		[ -n "$(packages "$group")" ] ||
			die "no group of packages named $group: build, test, kernels"
	done
	install "$@"
	echo "setup: all packages are there"
	;;
*)
	sed -n 's/^# \{0,1\}//; 3,10p' "$0" >&2
	exit 2
	;;
esac
