#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The program frame: dispatch, messages, exit statuses, the sandbox.  "fake" is
# the frame with commands that misbehave.

setup() {
	F=$BUILD/tests/fake
	T=$BATS_TEST_TMPDIR
}

# Run it, keep the two streams apart: $out, $msg, $code.
try() {
	code=0
	"$@" >"$T/out" 2>"$T/err" || code=$?
	out=$(cat "$T/out") msg=$(cat "$T/err")
}

sanitized() {
	nm "$F" | grep -q '__asan_init\|__tsan_init'
}

@test "no command: the overview goes to standard error, status 2" {
	try "$F"
	[ "$code" = 2 ] && [ -z "$out" ]
	[[ $msg == *"usage: lacuna COMMAND"* ]]
}

@test "--help, -h and help print the same to standard output" {
	try "$F" --help
	[ "$code" = 0 ] && [ -z "$msg" ]
	first=$out
	for h in -h help; do
		try "$F" $h
		[ "$code" = 0 ] && [ "$out" = "$first" ]
	done
	for c in say found fail probe; do [[ $first == *"  $c "* ]]; done
}

@test "--version names the program" {
	try "$F" --version
	[ "$code" = 0 ]
	[[ $out == "lacuna "[0-9]* ]]
	try "$F" --version -O "$T/none"
	[ "$code" = 2 ] && [ -z "$out" ] && [ ! -e "$T/none" ]
	[[ $msg == *"--version"*"-O"* ]]
}

@test "a reader of help that leaves early is not worth a message" {
	for words in "--version" "help" "help --list" "say --help"; do
		# Python has SIGPIPE ignored
		# shellcheck disable=SC2086
		out=$(python3 -c '
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
p = subprocess.run(sys.argv[1:], stdout=w, stderr=subprocess.PIPE,
                   restore_signals=False)
print(p.returncode, p.stderr)' "$F" $words)
		[ "$out" = "3 b''" ]
	done
}

@test "a mistyped command is status 2 and a suggestion" {
	try "$F" sya
	[ "$code" = 2 ] && [ -z "$out" ]
	[[ $msg == *"'sya'"*"'say'"* ]]
	try "$F" xyzzy
	[ "$code" = 2 ]
	[[ $msg == *"'xyzzy'"* && $msg != *"did you mean"* ]]
}

@test "a mistyped option is status 2 and a suggestion" {
	try "$F" say --row=3
	[ "$code" = 2 ] && [ -z "$out" ]
	[[ $msg == *"--row"*"--rows"* ]]
	try "$F" say -Z
	[ "$code" = 2 ]
	[[ $msg == *"-Z"* ]]
	try "$F" say --rows
	[ "$code" = 2 ]
	[[ $msg == *"--rows"* ]]
	try "$F" say --rows=many
	[ "$code" = 2 ]
	[[ $msg == *"many"* || $msg == *"--rows"* ]]
}

@test "an option before the command says where it belongs" {
	try "$F" -o json say
	[ "$code" = 2 ]
	[[ $msg == *"-o"*"follow"* ]]
}

@test "too few and too many arguments are status 2" {
	try "$F" fail
	[ "$code" = 2 ]
	[[ $msg == *"FILE"* ]]
	try "$F" say extra
	[ "$code" = 2 ]
	[[ $msg == *"extra"* ]]
	try "$F" help say more
	[ "$code" = 2 ]
}

@test "-- ends the options" {
	try "$F" fail -- --help
	[ "$code" = 3 ]
	[[ $msg == *"--help:"* ]]
}

@test "a bad value of a common option names the good ones" {
	try "$F" say -o jsn
	[ "$code" = 2 ]
	[[ $msg == *jsn*json* ]]
	try "$F" say --color maybe
	[ "$code" = 2 ]
	[[ $msg == *never* ]]
	try "$F" say --width 3
	[ "$code" = 2 ]
	[[ $msg == *20* ]]
}

@test "something found is status 1, with the result" {
	try "$F" found
	[ "$code" = 1 ] && [ -z "$msg" ]
	[[ $out == *hello* ]]
}

@test "a failure leaves standard output empty, and its message is one clean line" {
	try "$F" fail some.o
	[ "$code" = 3 ] && [ -z "$out" ]
	[ "$(wc -l <"$T/err")" = 1 ]
	[[ $msg == *"some.o"*malformed* ]]
	! grep -q $'\033' "$T/err" || false
}

@test "options stand anywhere among the arguments" {
	try "$F" say -o json --rows 2
	a=$out
	try "$F" say --rows=2 --output-format json
	[ "$code" = 0 ] && [ "$a" = "$out" ]
	[[ $out == *'"schema": "lacuna/1"'* ]]
}

@test "a child that dies is an error message with the file's name" {
	try "$F" probe segv some.o
	[ "$code" = 3 ] && [ -z "$out" ]
	[[ $msg == *some.o*malformed* || $msg == *some.o*"gave up"* ]]
	if ! sanitized; then
		[[ $msg == *SIGSEGV* ]]
		try "$F" probe abort some.o
		[ "$code" = 3 ]
		[[ $msg == *some.o*SIGABRT* ]]
	fi
	try "$F" probe killed some.o
	[ "$code" = 3 ]
	[[ $msg == *memory* ]]
	try "$F" probe exit some.o # says that all went well, and did nothing
	[ "$code" = 3 ] && [ -z "$out" ]
}

@test "the sandbox: reading and threads, but no writing, network or programs" {
	sanitized && skip "sanitizers need more rights"
	"$F" probe network >/dev/null 2>&1 && skip "no seccomp here"
	try "$F" probe read /etc/passwd
	[ "$code" = 0 ]
	try "$F" probe thread
	[ "$code" = 0 ]
	try "$F" probe write "$T/new"
	[ "$code" = 3 ] && [ ! -e "$T/new" ]
	[[ $msg == *"not permitted"* ]]
	echo keep >"$T/old"
	try "$F" probe write "$T/old"
	[ "$code" = 3 ]
	try "$F" probe unlink "$T/old"
	[ "$code" = 3 ] && [ "$(cat "$T/old")" = keep ]
	try "$F" probe exec
	[ "$code" = 3 ]
	# the same acts are possible outside, or this would prove nothing
	for act in network "write $T/new" exec "unlink $T/new"; do
		try "$F" trust $act
		[ "$code" = 0 ]
	done
}

@test "the sandbox of a command that starts programs lets it, and no more" {
	sanitized && skip "sanitizers need more rights"
	try "$F" start exec
	[ "$code" = 0 ]
	"$F" probe network >/dev/null 2>&1 && skip "no seccomp here"
	try "$F" start write "$T/new"
	[ "$code" = 3 ] && [ ! -e "$T/new" ]
	try "$F" start network
	[ "$code" = 3 ]
}

@test "memory is limited in the sandbox" {
	sanitized && skip "sanitizers need more rights"
	try "$F" probe memory big.o
	[ "$code" = 3 ]
	[[ $msg == *memory* ]]
	LACUNA_MEMORY=1000000000000 try "$F" probe memory big.o
	[ "$code" = 0 ]
	LACUNA_MEMORY=1T try "$F" probe memory big.o
	[ "$code" = 0 ]
	LACUNA_MEMORY=lots try "$F" probe memory big.o
	[ "$code" = 2 ]
}

@test "want of memory: the file, and the limit that is the least" {
	sanitized && skip "sanitizers need more rights"
	LACUNA_MEMORY=300M try "$F" probe memory big.o
	[[ $msg == *"big.o: out of memory, with a limit of 300 MiB; raise it (LACUNA_MEMORY)" ]]
	try bash -c 'ulimit -v 2000000; "$0" probe memory big.o' "$F"
	[ "$code" = 3 ]
	[[ $msg == *"big.o: out of memory"*"1953 MiB"*"(ulimit -v)" ]]
	try bash -c 'ulimit -d 1000000; "$0" probe memory big.o' "$F"
	[ "$code" = 3 ]
	[[ $msg == *"big.o: out of memory"*"976 MiB"*"(ulimit -d)" ]]
}

@test "a small stack is named where it is the cause, and where it is not is not" {
	sanitized && skip "sanitizers have a stack of their own"
	try bash -c 'ulimit -s 128; "$0" probe deep some.o' "$F"
	[ "$code" = 3 ]
	[[ $msg == *some.o*SIGSEGV*"a stack of 128 KiB"*"ulimit -s"* ]]
	try bash -c 'ulimit -s 8192; "$0" probe segv some.o' "$F"
	[ "$code" = 3 ]
	[[ $msg == *some.o*malformed* ]]
}

@test "too many processes: the file, and the limit" {
	sanitized && skip "sanitizers start a process at the end"
	other=(setpriv --reuid=65533 --regid=65533 --clear-groups --)
	[ "$(id -u)" = 0 ] || other=()
	"${other[@]}" test -x "$F" || skip "no other user can be had here"
	try "${other[@]}" bash -c 'ulimit -u 1; exec "$0" probe read some.o' "$F"
	[ "$code" = 3 ]
	[[ $msg == *"read, some.o: starting the parser: too many processes (ulimit -u)"* ]]
}

# changing ACT COMMAND...: the command's message on ACT, where $file is changed
# by the command while it is read
changing() {
	local act=$1
	file=$T/changing.o
	head -c 65536 /dev/zero >"$file"
	: >"$T/err" # of an earlier one
	"$F" probe "$act" "$file" >"$T/out" 2>"$T/err" &
	until grep -q reading "$T/err"; do sleep 0.01; done
	"${@:2}"
	code=0
	wait $! || code=$?
	msg=$(sed /reading/d "$T/err")
}

@test "a file that changes while it is read is not malformed" {
	changing shrunk truncate -s 100 "$T/changing.o"
	[ "$code" = 3 ] && [ ! -s "$T/out" ]
	[[ $msg == *"$file: changed while it was read"* && $msg != *malformed* ]]
	changing malformed truncate -s 70000 "$T/changing.o"
	[ "$code" = 3 ]
	[[ $msg == *"$file: changed while it was read: $file: malformed"* ]]
}

@test "CPU time is limited in the sandbox, and a limit of the user's counts" {
	sanitized && skip "sanitizers need more rights"
	try "$F" probe time big.o
	[ "$code" = 0 ] && [[ $out == *"CPU seconds: 600"* ]]
	for seconds in 7 5000; do
		(ulimit -S -t $seconds && "$F" probe time big.o) >"$T/limit"
		grep -q "CPU seconds: $seconds" "$T/limit"
	done
}

@test "LACUNA_NO_SANDBOX=1 turns the sandbox off" {
	LACUNA_NO_SANDBOX=1 try "$F" probe network
	[ "$code" = 0 ]
	LACUNA_NO_SANDBOX=1 try "$F" probe memory
	[ "$code" = 0 ]
}
