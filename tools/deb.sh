#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# deb.sh BUILD VERSION - a Debian package of what `make install` installs.  Its
# dependencies are the packages of the libraries that the programs are linked
# with, or load, as dpkg-shlibdeps finds them.
set -eu
build=${1:?usage: deb.sh BUILD VERSION}
version=${2:?usage: deb.sh BUILD VERSION}
cd "$(dirname "$0")/.."
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture; do
	command -v $tool >/dev/null || {
		echo "deb.sh: no $tool; it is in Debian's dpkg-dev" >&2
		exit 3
	}
done
arch=$(dpkg --print-architecture)
case $build in /*) ;; *) build=$PWD/$build ;; esac
root=$build/deb/root
# the same sources give the same bytes
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1796040000}
export SOURCE_DATE_EPOCH
rm -rf "$build/deb"
mkdir -p "$root/DEBIAN" "$build/deb/debian"

make --no-print-directory install BUILD="$build" PREFIX=/usr DESTDIR="$root"
find "$root/usr" -type f -perm -100 | while read -r f; do
	# the builds of the allocator library are read by lacuna: they keep
	# their debug information, and the program needs none
	case $f in */bin/*) strip --strip-unneeded "$f" ;; esac
done
gzip -n9 "$root"/usr/share/man/man1/*.1
mv "$root/usr/share/doc/lacuna/LICENSE" "$root/usr/share/doc/lacuna/copyright"

# what base/library.h loads, no program is linked with: an empty one is
printf '' | ${CC:-cc} -x c -shared -fPIC -Wl,--no-as-needed \
	-o "$build/deb/loaded.so" - -lxml2 -lpfm

printf 'Source: lacuna\n\nPackage: lacuna\nArchitecture: any\n' \
	>"$build/deb/debian/control"
depends=$(cd "$build/deb" && find "$root/usr" loaded.so -type f -perm -100 \
	-exec sh -c 'for f; do head -c 4 "$f" | grep -q ELF && echo "$f"; done; :' \
	sh {} + | xargs dpkg-shlibdeps -O | sed -n 's/^shlibs:Depends=//p')

cat >"$root/DEBIAN/control" <<EOT
Package: lacuna
Version: $version
Architecture: $arch
Maintainer: the authors of lacuna
Section: devel
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends
Recommends: libdebuginfod1
Suggests: dwarves | pahole
Description: what a struct layout costs
 lacuna reads the layout of structs from debug information, measures what an
 allocator does to the cache with that layout, says whether the first explains
 the second, and writes it down in a form that can be pasted into a review
 thread.
EOT
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z |
	xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group --build "$root" \
	"$build/lacuna_${version}_$arch.deb"
