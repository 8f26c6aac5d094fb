#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What is installed is complete and works from where it lies.

setup() {
	T=$BATS_TEST_TMPDIR
	command -v scdoc >/dev/null || skip "no scdoc"
	cat >"$T/w.c" <<-'C'
	struct widget { char c; long l; } widget;
	C
	"${CC:-cc}" -g -c -o "$T/w.o" "$T/w.c"
}

# make, as the tests' build was made: nothing is built anew
mk() {
	env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory \
		BUILD="$BUILD" "$@" >"$T/log" 2>&1 || { cat "$T/log"; false; }
}

# The programs of a tree run, and find the allocator library beside them.
works() { # PREFIX
	"$1/bin/lacuna" show "$T/w.o" widget | grep -q 'size: 16'
	[ -n "$(ls -A "$1/libexec/lacuna")" ]
	env -u LACUNA_LIBEXEC "$1/bin/lacuna" page -o json | grep -q '"schema"'
}

@test "make install puts everything in place, and it works there" {
	mk install PREFIX="$T/usr"
	works "$T/usr"
	s=$T/usr/share
	for c in "" $("$LACUNA" help --list | awk -F '\t' '!$2 && !$3 {
		print "-" $1 }'); do
		[ -s "$s/man/man1/lacuna$c.1" ]
	done
	[ -s "$s/bash-completion/completions/lacuna" ]
	[ -s "$s/zsh/site-functions/_lacuna" ]
	[ -s "$s/fish/vendor_completions.d/lacuna.fish" ]
	[ -s "$s/lacuna/lacuna-1.schema.json" ]
	[ -s "$s/doc/lacuna/LICENSE" ]
	if [ -f "$BUILD/fixtures/trace-example" ]; then
		[ -s "$T/usr/libexec/lacuna/lacuna-trace.h" ]
		env -u LACUNA_LIBEXEC "$T/usr/bin/lacuna" trace |
			grep -F "/usr/libexec/lacuna/lacuna-trace.o"
	fi
	# nothing of the place where it was built is needed
	mv "$T/usr" "$T/moved"
	works "$T/moved"
}

@test "make uninstall leaves nothing" {
	mk install PREFIX=/opt/x DESTDIR="$T/root"
	[ -x "$T/root/opt/x/bin/lacuna" ]
	mk uninstall PREFIX=/opt/x DESTDIR="$T/root"
	[ -z "$(find "$T/root" ! -type d)" ]
}

@test "make deb: a package that runs, with the libraries that it names" {
	command -v dpkg-shlibdeps >/dev/null || skip "no dpkg-dev"
	nm "$LACUNA" | grep -q __asan_init && skip "not a build to package"
	mk deb
	deb=$(ls "$BUILD"/lacuna_*.deb)
	dpkg-deb -x "$deb" "$T/root"
	works "$T/root/usr"
	dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' |
		sort >"$T/named"
	[ -s "$T/named" ]
	# those that are linked directly, or loaded, are all among the named
	for lib in $(objdump -p "$T/root/usr/bin/lacuna" |
		awk '/NEEDED/ { print $2 }') $(grep -rhoE \
		'lac_library_load\("[^"]*' analyses | sed 's/.*"//'); do
		path=$({ ldd "$T/root/usr/bin/lacuna"; ldconfig -p; } |
			awk -v l="$lib" '$1 == l { print $NF ~ /^\(0x/ ? $3 : $NF; exit }')
		[ -n "$path" ] || continue
		real=$(readlink -f "$path")
		package=$(dpkg -S "$real" "${real#/usr}" 2>/dev/null |
			sed 's/:.*//' | head -n 1)
		[ -n "$package" ] || continue # not from a package here
		grep -qx "$package" "$T/named" || { echo "$package"; false; }
	done
}

@test "make dist has what the repository has" {
	[ -e .git ] || skip "no repository"
	mk dist
	tar -tzf "$BUILD"/lacuna-*.tar.gz | sed 's,^[^/]*/,,' |
		grep -v '/$' | sort >"$T/got"
	git ls-files | sort >"$T/want"
	diff "$T/got" "$T/want"
}

@test "liblacuna: the example builds against what is installed, and agrees" {
	nm "$LACUNA" | grep -q '__[at]san_init' && skip "sanitizers' library"
	command -v pkg-config >/dev/null || skip "no pkg-config"
	mk install PREFIX="$T/usr"
	PKG_CONFIG_PATH=$T/usr/lib/pkgconfig
	export PKG_CONFIG_PATH
	[ "lacuna $(pkg-config --modversion lacuna)" = "$("$LACUNA" --version)" ]
	"${CC:-cc}" -std=gnu17 -Wall -Wextra -Werror -pthread \
		"$T/usr/share/doc/lacuna/examples/holes.c" \
		$(pkg-config --cflags --libs lacuna) -o "$T/holes"
	for c in 01_bitfield_data_bit_offset 10_forced_alignment \
		25_struct_page_like; do
		"${CC:-cc}" -g -w -c -o "$T/$c.o" fixtures/cases/$c.c
	done
	for o in "$T"/*.o; do
		LD_LIBRARY_PATH=$T/usr/lib "$T/holes" "$o" >"$T/out"
		sort "$T/out" >"$T/got"
		"$LACUNA" show -o json "$o" | python3 -c '
import json, sys
for r in json.load(sys.stdin)["records"]:
    for h in r["holes"]:
        print("%s: %d bits at %d" % (r["name"] or "(anonymous)",
                                     h["bit_size"], h["bit_offset"]))
' | sort >"$T/want"
		diff "$T/got" "$T/want"
	done
	[ -n "$(LD_LIBRARY_PATH=$T/usr/lib "$T/holes" "$T"/*.o)" ]
	code=0
	LD_LIBRARY_PATH=$T/usr/lib "$T/holes" "$T/w.o" "$T/none.o" \
		2>"$T/err" || code=$?
	[ "$code" = 3 ]
	grep -q none.o "$T/err"
}

@test "liblacuna exports what its header declares, versioned, and no more" {
	mk lib
	nm -D --defined-only "$BUILD/liblacuna.so.0" |
		awk '$2 == "T" { print $3 }' | sort >"$T/exported"
	! grep -v '@@LACUNA_0$' "$T/exported" || false
	sed 's/@.*//' "$T/exported" >"$T/names"
	grep -oE '\blacuna_[a-z_]+\(' analyses/lacuna/lacuna.h | tr -d '(' |
		sort -u >"$T/declared"
	diff "$T/names" "$T/declared"
}

@test "the public header stands alone, in C and in C++" {
	for l in c c++; do
		"${CC:-cc}" -x $l -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-include analyses/lacuna/lacuna.h /dev/null
	done
}
