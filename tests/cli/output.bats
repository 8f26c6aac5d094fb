#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Where results go: whole, or not at all, and never silently lost.

setup() {
	F=$BUILD/tests/fake
	T=$BATS_TEST_TMPDIR
}

try() {
	code=0
	"$@" >"$T/out" 2>"$T/err" || code=$?
	out=$(cat "$T/out") msg=$(cat "$T/err")
}

# Nothing is left in the directory but what is named.
only() {
	[ "$(ls -A "$T/dir" | tr '\n' ' ')" = "$*" ]
}

@test "-O writes the same bytes to a file, - is standard output" {
	mkdir "$T/dir"
	try "$F" say -o json
	a=$out
	try "$F" say -o json -O "$T/dir/x.json"
	[ "$code" = 0 ] && [ -z "$out" ]
	[ "$(cat "$T/dir/x.json")" = "$a" ]
	only "x.json "
	try "$F" say -o json -O -
	[ "$out" = "$a" ]
}

@test "-O keeps the mode of a file, and a new one obeys the umask" {
	mkdir "$T/dir"
	umask 027
	"$F" say -O "$T/dir/new"
	[ "$(stat -c %a "$T/dir/new")" = 640 ]
	chmod 604 "$T/dir/new"
	"$F" say -O "$T/dir/new" --rows 3
	[ "$(stat -c %a "$T/dir/new")" = 604 ]
	grep -q 2 "$T/dir/new"
}

@test "-O follows a symbolic link and leaves it one" {
	mkdir "$T/dir"
	echo old >"$T/dir/real"
	ln -s real "$T/dir/link"
	"$F" say -O "$T/dir/link"
	[ -L "$T/dir/link" ]
	grep -q hello "$T/dir/real"
	only "link real "
}

@test "a failure leaves the old file as it was, and no other" {
	mkdir "$T/dir"
	echo old >"$T/dir/x"
	for act in "fail a.o" "probe segv" "probe nothing"; do
		try "$F" $act -O "$T/dir/x"
		[ "$code" -ge 2 ]
		[ "$(cat "$T/dir/x")" = old ]
		only "x "
	done
}

@test "a place that cannot be written to is status 3" {
	try "$F" say -O "$T/nowhere/x"
	[ "$code" = 3 ] && [ -z "$out" ]
	[[ $msg == *"$T/nowhere/x"*"No such file"* ]]
	try "$F" say -O "$T"
	[ "$code" = 3 ]
	[[ $msg == *irectory* ]]
}

@test "a full disk is status 3, on -O and on standard output" {
	[ -w /dev/full ] || skip "no /dev/full"
	try "$F" say -O /dev/full
	[ "$code" = 3 ]
	[[ $msg == */dev/full*"No space"* ]]
	for act in say "help say" help --version "say --help"; do
		code=0
		"$F" $act >/dev/full 2>"$T/err" || code=$?
		[ "$code" = 3 ]
		grep -q "standard output.*No space" "$T/err"
	done
}

@test "a closed standard output is status 3" {
	for act in say "help say" help --version; do
		code=0
		"$F" $act >&- 2>"$T/err" || code=$?
		[ "$code" = 3 ]
		grep -q "standard output" "$T/err"
	done
	# and no file of ours takes its place
	code=0
	"$F" say -O "$T/x" >&- || code=$?
	[ "$code" = 0 ]
	grep -q hello "$T/x"
}

@test "a reader that leaves early is not worth a message" {
	"$F" say --rows 100000 2>"$T/err" | head -n 1 >/dev/null
	[ ! -s "$T/err" ]
	# also where SIGPIPE is ignored
	(trap '' PIPE; "$F" say --rows 100000 2>"$T/err" || echo $? >"$T/code") |
		head -n 1 >/dev/null
	[ ! -s "$T/err" ]
	[ "$(cat "$T/code")" = 3 ]
}

@test "a signal leaves no partial file and no stray process" {
	mkdir "$T/dir"
	for sig in INT TERM HUP QUIT PIPE XCPU USR1 USR2 KILL; do
		hang
		kill -$sig $pid
		code=0
		wait $pid || code=$?
		[ "$code" = $((128 + $(kill -l $sig))) ]
		for i in $(seq 100); do
			kill -0 $child 2>/dev/null || break
			sleep 0.05
		done
		! kill -0 $child 2>/dev/null || false
		only ""
	done
}

# Start one that never ends, and wait until it has its output: pid, child.
hang() {
	# bash starts background jobs with SIGINT and SIGQUIT ignored
	env --default-signal=INT,QUIT "$F" probe hang stray-$$ -O "$T/dir/x" &
	pid=$!
	for i in $(seq 100); do
		child=$(pgrep -P $pid) && break
		sleep 0.05
	done
	[ -n "$child" ]
	# open, with a name or without one
	[[ $(readlink /proc/$pid/fd/*) == *"$T/dir/"* ]]
}

@test "a file system where each file has a name: what a signal leaves" {
	mkdir "$T/dir"
	cat >"$T/named.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <errno.h>
		#include <fcntl.h>
		int openat(int dir, const char *path, int flags, ...)
		{
			int (*real)(int, const char *, int, ...) =
				(int (*)(int, const char *, int, ...))
				dlsym(RTLD_NEXT, "openat");

			if ((flags & O_TMPFILE) == O_TMPFILE) {
				errno = EOPNOTSUPP;
				return -1;
			}
			return real(dir, path, flags, 0600);
		}
	END
	gcc -w -shared -fPIC -o "$T/named.so" "$T/named.c" -ldl
	# the sanitizers want to be first, and are not in need of it
	export LD_PRELOAD=$T/named.so ASAN_OPTIONS=verify_asan_link_order=0
	for sig in INT TERM HUP QUIT PIPE XCPU USR1 USR2; do
		hang
		[[ $(ls -A "$T/dir") == .lacuna-* ]]
		kill -$sig $pid
		code=0
		wait $pid || code=$?
		[ "$code" = $((128 + $(kill -l $sig))) ]
		only ""
	done
	echo old >"$T/dir/x"
	"$F" say -O "$T/dir/x"
	grep -q hello "$T/dir/x"
	only "x "
}

@test "what was there is replaced, and keeps its other names" {
	mkdir "$T/dir"
	echo old >"$T/dir/x"
	ln "$T/dir/x" "$T/dir/y"
	"$F" say -O "$T/dir/x"
	grep -q hello "$T/dir/x"
	[ "$(cat "$T/dir/y")" = old ]
	only "x y "
	name=$(printf 'n%.0s' $(seq 255))
	"$F" say -O "$T/dir/$name"
	try "$F" say -O "$T/dir/${name}n"
	[ "$code" = 3 ]
	[[ $msg == *"File name too long"* ]]
	only "$name x y "
}

@test "the child does not outlive a parent that is killed" {
	"$F" probe hang &
	pid=$!
	for i in $(seq 100); do
		child=$(pgrep -P $pid) && break
		sleep 0.05
	done
	sleep 0.2 # it has asked to be told by now
	kill -KILL $pid
	wait $pid || true
	for i in $(seq 100); do
		kill -0 $child 2>/dev/null || break
		sleep 0.05
	done
	! kill -0 $child 2>/dev/null || false
}

@test "colour: only where asked for when it is not a terminal" {
	try "$F" say
	! grep -q $'\033' "$T/out" || false
	try "$F" say --color always
	grep -q $'\033' "$T/out"
	try "$F" say --color never
	! grep -q $'\033' "$T/out" || false
}

@test "on a terminal: its width, and colour unless NO_COLOR" {
	command -v script >/dev/null || skip "no script(1)"
	script -qec true /dev/null >"$T/out" 2>&1 || skip "no terminals here"
	long=$(printf 'word %.0s' $(seq 40))
	tty() { script -qec "stty cols 50; $*" /dev/null; }
	tty "'$F' say -w '$long'" >"$T/out"
	grep -q $'\033' "$T/out"
	sed 's/\x1b\[[0-9]*m//g; s/\r//g' "$T/out" |
		awk 'length($0) > 50 { exit 1 }'
	tty "NO_COLOR=1 '$F' say -w '$long'" >"$T/out"
	[ "$(grep -c $'\033' "$T/out")" = 0 ]
	# a pipe is not wrapped: one row, one line
	"$F" say -w "$long" | grep -q "$long"
}
