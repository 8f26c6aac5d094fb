#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kernels.sh [FLAVOUR...] - fetch Debian's debug kernels, keep their vmlinux.
#
# FLAVOUR as in the metapackage linux-image-FLAVOUR-dbg, default cloud-amd64
# (about 280 MB to fetch, 600 MB to keep).  A flavour of another architecture
# is written FLAVOUR:ARCH; it is unpacked, never installed.
# The result is build/kernels/vmlinux-VERSION-FLAVOUR.
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
mkdir -p build/kernels
for want; do
	flavour=${want%%:*}
	arch=${want#"$flavour"}
	meta=linux-image-$flavour-dbg$arch
	package=$(apt-cache depends "$meta" 2>/dev/null |
		sed -n 's/^ *Depends: *<\{0,1\}\([^ <>]*\).*/\1/p' | head -n 1)
	[ -n "$package" ] ||
		die "no package $meta is known: is it a flavour of this release," \
			"and are the package lists there (apt-get update)?"
	kept=build/kernels/vmlinux-$(echo "$package" |
		sed 's/^linux-image-//; s/-dbg\(:.*\)\{0,1\}$//')
	if [ -s "$kept" ]; then
		echo "kernels: $kept is there"
		continue
	fi
	dir=$(mktemp -d build/kernels/fetch.XXXXXX)
	trap 'rm -rf "$dir"' EXIT INT TERM
	chmod 755 "$dir"
	echo "kernels: fetching $package"
	(cd "$dir" && apt-get -q -o APT::Sandbox::User=root download "$package" >log 2>&1) || {
		tail -n 5 "$dir/log" >&2
		die "$package could not be fetched"
	}
	dpkg-deb --fsys-tarfile "$dir"/*.deb |
		tar -xf - -C "$dir" --wildcards --no-anchored './usr/lib/debug/boot/vmlinux-*'
	mv "$dir"/usr/lib/debug/boot/vmlinux-* "$kept"
	rm -rf "$dir"
	trap - EXIT INT TERM
	echo "kernels: $kept"
done
