#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# What is kept of a file for the next run changes no answer and no exit status,
# however it was made, damaged or withheld.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >old.cc <<-'END'
		namespace n { template <class T> struct v { T *from; char c; T t; }; }
		struct slab { long flags; union { void *next; long counters; }; };
		struct page { long flags; void *lru[2]; int count; short s; n::v<long> v; };
		struct gone { char c; int i; };
		int main() { page p; slab s; gone g; n::v<char> c; return !&p + !&s + !&g + !&c; }
	END
	sed 's/int count; short s/short s; long count/; s/gone/come/g' old.cc >new.cc
	# another unit, whose types are all its own
	cat >other.c <<-'END'
		typedef struct { int here : 3; char *only; } tagless;
		struct with { tagless t; struct { int i; } *p; } w;
		tagless t;
	END
	gcc -w -g -O1 -c other.c || return 1
	for f in old new; do
		g++ -w -g -Wl,--build-id -o $f $f.cc other.o || return 1
	done
	gcc -g -c -x c -o none.o - <<<'struct page { int i; } p;'
	g++ -w -g -Wl,--build-id=none -o none old.cc
	cat >budget <<-'END'
		struct page: size <= 32
		struct slab: size <= 16
	END
	# what was changed only now might change again within the same tick
	sleep 2.1
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return 1
	export XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache" LACUNA_CACHE_MIN=1
	D="$XDG_CACHE_HOME/lacuna"
}

entries() {
	find "$D" -type f -name '*.graph' 2>/dev/null | wc -l
}

# its standard output, messages and status, in one text
said() {
	"$LACUNA" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	echo "status $?"
	cat "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err"
}

# COMMAND ARGUMENTS...: cold, warm and without, all the same
same_everywhere() {
	local cmd=$1 want
	shift
	want=$(said "$cmd" --no-cache "$@")
	rm -rf "$XDG_CACHE_HOME"
	[ "$(said "$cmd" "$@")" = "$want" ] || { echo "cold: $cmd $*"; return 1; }
	[ "$(entries)" -gt 0 ] || { echo "nothing kept: $cmd $*"; return 1; }
	[ "$(said "$cmd" "$@")" = "$want" ] || { echo "warm: $cmd $*"; return 1; }
}

@test "cold, warm and without: every command says the same" {
	for o in text json mail csv html; do
		same_everywhere show -o $o old page
		same_everywhere show -o $o old
		same_everywhere list -o $o old
		same_everywhere page -o $o old
		same_everywhere page -o $o old new
		same_everywhere diff -o $o old new
	done
	same_everywhere verify old
	same_everywhere check --budget budget old
	[[ "$(said check --budget budget old)" == "status 1"* ]]
	same_everywhere show --expand --hex old 'struct page' slab
	same_everywhere show old 'n::v<long>' 'v<char>'
	same_everywhere show --compile old slab
	same_everywhere show --compile old tagless with
	for o in mail json; do
		same_everywhere show -o $o old tagless
		same_everywhere show -o $o old with page
	done
	same_everywhere show --format dwarf old gone
	# what is not there, and what is like it
	same_everywhere show old pagee
	same_everywhere show old 'union page'
	same_everywhere show old page nothing_like_it
	same_everywhere diff old old
}

@test "another program's files: lacuna itself" {
	export LACUNA_CACHE_MIN=64K
	same_everywhere show "$LACUNA" lac_record lac_graph
	same_everywhere list -o json "$LACUNA"
}

@test "a real kernel" {
	[ -n "${LACUNA_VMLINUX:-}" ] || skip "no LACUNA_VMLINUX"
	unset LACUNA_CACHE_MIN
	same_everywhere show "$LACUNA_VMLINUX" page
	same_everywhere show -o json "$LACUNA_VMLINUX" task_struct list_head
	same_everywhere page "$LACUNA_VMLINUX"
	same_everywhere list -o json "$LACUNA_VMLINUX"
}

@test "the second run reads what the first has kept" {
	"$LACUNA" show old page
	[ "$(entries)" -eq 1 ]
	command -v strace >/dev/null || skip "no strace"
	run strace -f -e trace=openat,mmap "$LACUNA" show old page
	[ "$status" -eq 0 ] || skip "no ptrace"
	[[ "$output" == *".graph"* ]]
	# the file itself is looked at, and not mapped
	fd=$(echo "$output" | sed -n 's/.*"old", .* = \([0-9]*\)$/\1/p' | tail -1)
	[ -n "$fd" ]
	! echo "$output" | sed '1,/"old"/d' | grep "mmap(NULL, $(stat -c %s old),"
}

@test "only the user can read it" {
	umask 0
	"$LACUNA" show old page
	[ "$(stat -c %a "$D")" = 700 ]
	[ "$(stat -c %a "$D"/*.graph)" = 600 ]
	[ "$(ls -A "$D" | wc -l)" -eq 1 ]
}

@test "one entry a file and format; --no-cache keeps nothing" {
	"$LACUNA" show --no-cache old page
	[ ! -e "$XDG_CACHE_HOME" ]
	"$LACUNA" show old page
	"$LACUNA" list old
	"$LACUNA" show ./old slab
	[ "$(entries)" -eq 1 ]
	"$LACUNA" show --format dwarf old page
	[ "$(entries)" -eq 2 ]
	run "$LACUNA" diff old new
	[ "$(entries)" -eq 3 ]
}

@test "small files, and files without a build id, are read" {
	"$LACUNA" show none page
	"$LACUNA" show none.o page
	unset LACUNA_CACHE_MIN
	"$LACUNA" show old page
	[ ! -e "$XDG_CACHE_HOME" ]
	LACUNA_CACHE_MIN=1K "$LACUNA" show old page
	[ "$(entries)" -eq 1 ]
	LACUNA_CACHE_MIN=some run "$LACUNA" show old page
	[ "$status" -eq 2 ]
	[[ "$output" == *LACUNA_CACHE_MIN* ]]
}

@test "sizes in the environment: empty is unset, 0 keeps every file, or none" {
	LACUNA_CACHE_MIN='' LACUNA_CACHE_MAX='' LACUNA_MEMORY='' \
		"$LACUNA" show old page
	[ "$(entries)" -eq 0 ] # 4 MiB
	LACUNA_CACHE_MAX=0 "$LACUNA" show old page
	[ ! -e "$D" ]
	LACUNA_CACHE_MIN=0 "$LACUNA" show old page
	[ "$(entries)" -eq 1 ]
}

@test "a file that changes is read again" {
	cp old changing && sleep 2.1
	"$LACUNA" show changing page | grep -q 'int  *count'
	[ "$(entries)" -eq 1 ]
	# the same size, the same build id, the same time of change
	cp -p changing before
	perl -pi -e 's/\bgone\0/gnoe\0/g; s/\bflags\0/flogs\0/g' changing
	touch -r before changing
	"$LACUNA" show changing page | grep -q flogs
	! "$LACUNA" show changing gone
}

@test "a file that has just been changed is not kept" {
	cp new fresh
	"$LACUNA" show fresh page
	[ "$(entries)" -eq 0 ]
}

@test "debug info in another file, a base, a missing part: read each time" {
	objcopy --only-keep-debug old old.debug
	objcopy --strip-debug --add-gnu-debuglink=old.debug old stripped
	g++ -w -g -gsplit-dwarf -Wl,--build-id -o split old.cc
	sleep 2.1
	for f in stripped split; do
		"$LACUNA" show $f page
		[ "$(entries)" -eq 0 ]
	done
	rm -f ./*.dwo
	run "$LACUNA" show split page
	[ "$status" -eq 3 ]
	mv old.debug away
	run "$LACUNA" show stripped page
	[ "$status" -eq 3 ]
}

@test "no place to keep it: HOME unset, no directory, none that may be made" {
	want=$(said show --no-cache old page)
	for place in relative /dev/null /proc/nothing ""; do
		[ "$(XDG_CACHE_HOME=$place HOME='' said show old page)" = "$want" ]
	done
	(unset XDG_CACHE_HOME HOME; [ "$(said show old page)" = "$want" ])
	[ ! -e relative ]
	(unset XDG_CACHE_HOME; export HOME="$BATS_TEST_TMPDIR/home"
		[ "$(said show old page)" = "$want" ] &&
		[ "$(ls "$HOME/.cache/lacuna" | wc -l)" -eq 1 ])
	mkdir -p "$D" && chmod 500 "$D"
	[ "$(said show old page)" = "$want" ]
	chmod 777 "$D"
	[ "$(said show old page)" = "$want" ]
	[ "$(id -u)" = 0 ] || [ "$(entries)" -eq 0 ]
	chmod 700 "$D" && rm -rf "$D" && : >"$D"
	[ "$(said show old page)" = "$want" ]
}

@test "another user's entry, a link, a pipe in its place" {
	want=$(said show --no-cache old page)
	"$LACUNA" show old page
	name=$(echo "$D"/*.graph)
	cp "$name" kept
	if [ "$(id -u)" = 0 ]; then
		chown 12345 "$name"
		[ "$(said show old page)" = "$want" ]
		[ "$(stat -c %u "$name")" = 0 ]
	fi
	rm "$name" && ln -s "$PWD/kept" "$name"
	[ "$(said show old page)" = "$want" ]
	[ ! -L "$name" ]
	rm "$name" && mkfifo "$name"
	[ "$(said show old page)" = "$want" ]
	[ -f "$name" ]
	chmod 666 "$name"
	[ "$(said show old page)" = "$want" ]
}

@test "a full disk: nothing is kept, and nothing left over" {
	want=$(said show --no-cache old page)
	[ "$(ulimit -f 2; said show old page)" = "$want" ]
	[ "$(ls -A "$D" | wc -l)" -eq 0 ]
	if [ "$(id -u)" = 0 ]; then
		mkdir -p "$BATS_TEST_TMPDIR/disk"
		if mount -t tmpfs -o size=4k none "$BATS_TEST_TMPDIR/disk" 2>/dev/null; then
			got=$(XDG_CACHE_HOME=$BATS_TEST_TMPDIR/disk said show old page)
			left=$(find "$BATS_TEST_TMPDIR/disk" -type f | wc -l)
			umount "$BATS_TEST_TMPDIR/disk"
			[ "$got" = "$want" ]
			[ "$left" -eq 0 ]
		fi
	fi
}

@test "two runs at once" {
	want=$(said show --no-cache old page)
	for i in 1 2 3 4 5; do
		rm -rf "$XDG_CACHE_HOME"
		for k in 1 2 3 4; do
			"$LACUNA" show old page >"$BATS_TEST_TMPDIR/$k" 2>&1 &
		done
		wait
		for k in 1 2 3 4; do
			[ "status 0
$(cat "$BATS_TEST_TMPDIR/$k")" = "$want" ]
		done
		[ "$(ls -A "$D" | wc -l)" -eq 1 ]
		[ "$(said show old page)" = "$want" ]
	done
}

# FILE OFFSET BYTE
poke() {
	printf '%b' "\\0$(printf %o "$3")" |
		dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

@test "damaged entries are noticed, and made again" {
	page=$(said show --no-cache old page)
	list=$(said list --no-cache -o json old)
	"$LACUNA" show old page
	name=$(echo "$D"/*.graph)
	cp "$name" whole
	size=$(stat -c %s whole)
	RANDOM=20131205
	for i in $(seq 40); do
		cp whole "$name"
		poke "$name" $(((RANDOM * 32768 + RANDOM) % size)) $((RANDOM % 256))
		[ "$(said show old page)" = "$page" ]
		[ "$(said list -o json old)" = "$list" ]
	done
	for n in 0 1 100 4095 4096 4097 $((size / 2)) $((size - 1)); do
		head -c "$n" whole >"$name"
		[ "$(said list -o json old)" = "$list" ]
		[ "$(said show old page)" = "$page" ]
		cmp whole "$name" # made again
	done
	head -c "$size" /dev/zero >"$name"
	[ "$(said show old page)" = "$page" ]
	# a block that only `list` needs: not believed, removed, made again
	cp whole "$name"
	poke "$name" $((size - 4096)) 255
	poke "$name" $((size - 4095)) 255
	[ "$(said list -o json old)" = "$list" ]
	[ "$(said list -o json old)" = "$list" ]
	cmp whole "$name"
}

@test "one of another build of lacuna, under the right name" {
	page=$(said show --no-cache old page)
	"$LACUNA" show old page
	"$LACUNA" list new >/dev/null
	for f in "$D"/*.graph; do
		for g in "$D"/*.graph; do
			[ "$f" = "$g" ] || cp "$f" "$g"
		done
	done
	[ "$(said show old page)" = "$page" ]
	name=$(ls -t "$D"/*.graph | head -1)
	poke "$name" 256 255 # the format, whatever else is there
	[ "$(said show old page)" = "$page" ]
}

@test "LACUNA_CACHE_MAX bounds what all take together" {
	"$LACUNA" show old page
	size=$(stat -c %s "$D"/*.graph)
	rm -rf "$D"
	for i in 1 2 3 4; do
		cp old many.$i
	done
	sleep 2.1
	for i in 1 2 3 4; do
		LACUNA_CACHE_MAX=$((2 * size + 100)) "$LACUNA" show many.$i page
	done
	[ "$(entries)" -eq 2 ]
	LACUNA_CACHE_MAX=10 "$LACUNA" show old page
	[ "$(entries)" -eq 2 ]
	rm many.*
}

@test "what is left in the directory is counted as well" {
	"$LACUNA" show old page
	size=$(stat -c %s "$D"/*.graph)
	head -c "$size" /dev/zero >"$D/.made-1-1"
	LACUNA_CACHE_MAX=$((2 * size + 100)) "$LACUNA" show new page
	[ "$(entries)" -eq 1 ]
	touch -d '2 hours ago' "$D/.made-1-1"
	rm "$D"/*.graph
	"$LACUNA" show old page
	[ ! -e "$D/.made-1-1" ]
}

@test "a signal leaves nothing in the directory" {
	gcc -g -Wl,--build-id -O1 -w -o slow -x c - <<-'END'
		#define S(a) struct a##0 { int m; } v##a##0; struct a##1 { long m; } v##a##1;
		#define T(a) S(a##0) S(a##1) S(a##2) S(a##3) S(a##4) S(a##5) S(a##6) S(a##7)
		#define U(a) T(a##0) T(a##1) T(a##2) T(a##3) T(a##4) T(a##5) T(a##6) T(a##7)
		#define V(a) U(a##0) U(a##1) U(a##2) U(a##3) U(a##4) U(a##5) U(a##6) U(a##7)
		V(a) V(b) V(c) V(d)
		int main(void) { return 0; }
	END
	sleep 2.1
	for sig in TERM HUP KILL; do
		rm -rf "$XDG_CACHE_HOME"
		python3 -c '
import os, signal, subprocess, sys, time
p = subprocess.Popen([sys.argv[1], "list", "slow"], stdout=subprocess.DEVNULL)
while not os.path.isdir(sys.argv[3]) and p.poll() is None:
    pass
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
p.wait()' "$LACUNA" "$sig" "$D"
		[ -d "$D" ]
		run ls -A "$D"
		[[ "$output" != *.made* ]]
	done
	rm slow
}
