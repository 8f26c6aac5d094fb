#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kernels.sh [FLAVOUR[:ARCH][@SUITE]...] - fetch Debian's debug kernels and
# keep their vmlinux as build/kernels/vmlinux-VERSION-FLAVOUR.
#
# FLAVOUR is the one of the metapackage linux-image-FLAVOUR-dbg; the default is
# cloud-amd64 (about 280 MB to fetch, 600 MB to keep).  Another architecture
# (s390x:s390x, 686:i386) or another suite (cloud-amd64@trixie) is looked up
# with package lists of its own below build/kernels.  Nothing is installed.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- cloud-amd64

die() {
	echo "kernels: $*" >&2
	exit 3
}
command -v apt-get >/dev/null 2>&1 ||
	die "apt is needed to fetch a Debian kernel; or put a vmlinux with debug" \
		"information at build/kernels/vmlinux by hand"

lists_of_its_own() { # ARCH SUITE - prints apt's options for them
	own=$PWD/build/kernels/apt-$1-$2
	mkdir -p "$own/lists/partial" "$own/cache/archives/partial" "$own/sources"
	: >"$own/status"
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
		/etc/apt/sources.list.d/*.sources; do
		[ -f "$f" ] || continue
		if [ "$2" = host ]; then
			cat "$f"
		else
			. /etc/os-release
			sed "s/\\b${VERSION_CODENAME:?}\\b/$2/g" "$f"
		fi >"$own/sources/$(basename "$f")"
	done
	[ ! -f "$own/sources/sources.list" ] ||
		mv "$own/sources/sources.list" "$own/sources/main.list"
	o="-o Dir::State=$own -o Dir::State::status=$own/status"
	o="$o -o Dir::Cache=$own/cache -o Dir::Etc::sourcelist=/dev/null"
	o="$o -o Dir::Etc::sourceparts=$own/sources"
	o="$o -o APT::Architecture=$1 -o APT::Architectures=$1"
	o="$o -o APT::Sandbox::User=root"
	# one list of several may be out of step with its archive: go on with
	# the others, the package is looked up below
	apt-get $o -q update >"$own/log" 2>&1 ||
		echo "kernels: not every package list of $1 came: $own/log" >&2
	echo "$o"
}

fetch() { # FLAVOUR[:ARCH][@SUITE]
	suite=host arch=
	case $1 in *@*) suite=${1#*@} ;; esac
	flavour=${1%%@*}
	case $flavour in *:*) arch=${flavour#*:} ;; esac
	flavour=${flavour%%:*}
	options="-o APT::Sandbox::User=root"
	if [ -n "$arch" ] || [ "$suite" != host ]; then
		options=$(lists_of_its_own \
			"${arch:-$(dpkg --print-architecture)}" "$suite")
	fi
	package=$(apt-cache $options depends "linux-image-$flavour-dbg" 2>/dev/null |
		sed -n 's/^ *Depends: *<\{0,1\}\([^ <>]*\).*/\1/p' | head -n 1)
	[ -n "$package" ] ||
		die "no package linux-image-$flavour-dbg is known: is it a flavour" \
			"of this release, and are the package lists there" \
			"(apt-get update)?"
	kept=$(echo "$package" | sed 's/^linux-image-//; s/-dbg$//')
	kept=build/kernels/vmlinux-$kept
	if [ -s "$kept" ]; then
		echo "kernels: $kept is there"
		return
	fi
	dir=$(mktemp -d build/kernels/fetch.XXXXXX)
	trap 'rm -rf "$dir"' EXIT INT TERM
	chmod 755 "$dir"
	echo "kernels: fetching $package"
	(cd "$dir" && apt-get -q $options download "$package" >log 2>&1) || {
		tail -n 5 "$dir/log" >&2
		die "$package could not be fetched"
	}
	dpkg-deb --fsys-tarfile "$dir"/*.deb |
		tar -xf - -C "$dir" --wildcards './usr/lib/debug/boot/vmlinux-*'
	mv "$dir"/usr/lib/debug/boot/vmlinux-* "$kept"
	rm -rf "$dir"
	trap - EXIT INT TERM
	echo "kernels: $kept"
}

mkdir -p build/kernels
for want; do
	fetch "$want"
done
