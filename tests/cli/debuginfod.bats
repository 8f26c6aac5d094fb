#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Debug files from servers: libdebuginfod takes a folder for a server as well.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	export DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_TIMEOUT=20
	unset DEBUGINFOD_URLS
	echo 'struct found { char a; long b; } v; int main(void) { return 0; }' >a.c
	gcc -g -Wl,--build-id -o x a.c
	id=$(build_id x)
	mkdir -p "server/buildid/$id"
	objcopy --only-keep-debug x "server/buildid/$id/debuginfo"
	strip -g x
	DEBUGINFOD_URLS="file://$PWD/server" "$LACUNA" show x found >/dev/null 2>err ||
		! grep -q 'built without' err || skip "built without libdebuginfod"
	rm -rf cache
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

@test "nobody is asked unless DEBUGINFOD_URLS is set" {
	for urls in "" " "; do
		DEBUGINFOD_URLS=$urls run -3 --separate-stderr "$LACUNA" show x found
		[[ "$stderr" == *"no debug info in x"*"$id"* || "$stderr" == *"${id:2}.debug"* ]]
		[[ "$stderr" != *debuginfod* ]]
	done
	[ ! -e cache ]
}

@test "what no disk has comes from a server, and stays in its cache" {
	export DEBUGINFOD_URLS="file://$PWD/server"
	run -0 "$LACUNA" show x found
	[[ "$output" == *"size: 16"* ]]
	rm -r server
	run -0 "$LACUNA" list -o csv x
	[[ "$output" == *$'\n'"found,struct,16,"* ]]
}

@test "two files, two fetches" {
	echo 'struct found { long b; int c[4]; } v; int main(void) { return 0; }' >b.c
	gcc -g -Wl,--build-id -o y b.c
	mkdir "server/buildid/$(build_id y)"
	objcopy --only-keep-debug y "server/buildid/$(build_id y)/debuginfo"
	strip -g y
	DEBUGINFOD_URLS="file://$PWD/server" run -1 "$LACUNA" diff x y
	[[ "$output" == *found* ]]
}

@test "a failure names the build id, the servers and the reason" {
	export DEBUGINFOD_URLS="file://$PWD/none http://127.0.0.1:1/"
	run -3 --separate-stderr "$LACUNA" show x found
	[ -z "$output" ]
	[[ "$stderr" == *"x: "* || "$stderr" == *" x,"* ]]
	[[ "$stderr" == *"debuginfod: build id $id: "*"asked $DEBUGINFOD_URLS)"* ]]
}

@test "a file that is not the one that was asked for is not taken" {
	gcc -g -Wl,--build-id -DOTHER -o other -include stdio.h a.c
	cp other "server/buildid/$id/debuginfo"
	DEBUGINFOD_URLS="file://$PWD/server" run -3 "$LACUNA" show x found
	[[ "$output" == *"no debug info in x"* ]]
	other=$(build_id other)
	file=$PWD/cache/$id/debuginfo
	for _ in first again; do
		DEBUGINFOD_URLS="file://$PWD/server" run -3 "$LACUNA" show x found
		[[ "$output" == *"fetched for build id $id was not taken: its build id is $other; remove it "*": $file" ]]
	done
	head -c 100 a.c >"server/buildid/$id/debuginfo"
	rm -rf cache
	DEBUGINFOD_URLS="file://$PWD/server" run -3 "$LACUNA" show x found
	[[ "$output" == *"was not taken: it is no ELF file"*": $file" ]]
	cp x "server/buildid/$id/debuginfo"
	rm "$file"
	DEBUGINFOD_URLS="file://$PWD/server" run -3 "$LACUNA" show x found
	[[ "$output" == *"was not taken: it has no debug info"*": $file" ]]
}

@test "dwz: the common file" {
	command -v dwz >/dev/null || skip "no dwz"
	gcc -g -o d1 a.c
	cp d1 d2
	dwz -m common d1 d2
	common=$(build_id common)
	mkdir "server/buildid/$common"
	mv common "server/buildid/$common/debuginfo"
	run -3 "$LACUNA" show d1 found
	DEBUGINFOD_URLS="file://$PWD/server" run -0 "$LACUNA" show d1 found
	[[ "$output" == *"size: 16"* ]]
}

@test "BTF is good enough not to ask" {
	command -v pahole >/dev/null || skip "no pahole"
	gcc -g -Wl,--build-id -o b a.c
	pahole -J b
	strip -g b --keep-section=.BTF
	export DEBUGINFOD_URLS="file://$PWD/none"
	run -0 "$LACUNA" show b found
	[ ! -e cache ]
	run -3 "$LACUNA" show --format dwarf b found
	[[ "$output" == *"debuginfod: build id"* ]]
}

teardown() {
	[ -z "${server:-}" ] || kill "$server" 2>/dev/null || true
}

# A server that does PYTHON (c: the call) with each call, after it has noted it
# in the file `called`.
start_server() {
	python3 -c '
import socket, sys, threading, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
def serve(c):
    try:
        c.recv(4096)
        open("called", "w").write("x")
        exec(sys.argv[1])
        c.close()
    except OSError:
        pass
open("port.new", "w").write(str(s.getsockname()[1]))
import os
os.rename("port.new", "port")
while True:
    c, _ = s.accept()
    threading.Thread(target=serve, args=(c,), daemon=True).start()' \
		"$1" 3>&- &
	server=$!
	for _ in $(seq 200); do
		[ ! -s port ] || break
		sleep 0.05
	done
	DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/"
	export DEBUGINFOD_URLS
}

@test "a server that is silent is given up, or interrupted" {
	start_server 'time.sleep(60)'
	DEBUGINFOD_TIMEOUT=1 run -3 --separate-stderr "$LACUNA" show x found
	[[ "$stderr" == *"build id $id"* ]]
	rm -rf cache called
	run python3 -c '
import subprocess, sys, time, signal, os
signal.signal(signal.SIGINT, signal.default_int_handler)
p = subprocess.Popen([sys.argv[1], "show", "x", "found"])
for _ in range(600):
    if os.path.exists("called"):
        break
    time.sleep(0.05)
p.send_signal(signal.SIGINT)
print("ended by", -p.wait(30))' "$LACUNA"
	[ "$output" = "ended by 2" ]
}

@test "a server that never ends is given up: time, size" {
	start_server '
c.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
while True:
    c.sendall(bytes(65536))
    time.sleep(0.01)'
	DEBUGINFOD_MAXTIME=2 run -3 --separate-stderr timeout 60 \
		"$LACUNA" show x found
	[[ "$stderr" == *"build id $id: given up after 2 seconds (asked "* ]]
	[[ "$stderr" == *DEBUGINFOD_MAXTIME* ]]
	[ "$(du -sk cache | cut -f1)" -lt 1024 ]
	rm -rf cache
	# stopped in the middle, the C library loses a buffer of 8192 bytes
	# below libdebuginfod, once: no frame of ours is in its stack
	ASAN_OPTIONS=detect_leaks=0 DEBUGINFOD_MAXSIZE=100000 \
		run -3 --separate-stderr timeout 60 \
		"$LACUNA" show x found
	[[ "$stderr" == *"given up after 100000 bytes"*DEBUGINFOD_MAXSIZE* ]]
	[ "$(du -sk cache | cut -f1)" -lt 1024 ]
	# on a terminal it says that it waits, in the same line, and clears it
	rm -rf cache
	DEBUGINFOD_MAXTIME=3 run timeout 60 \
		script -qec "'$LACUNA' show x found" /dev/null
	[[ "$output" == *$'\r\e[Kdebuginfod: '*$'\r\e[Klacuna show: '* ]]
}

@test "a real server" {
	command -v debuginfod >/dev/null || skip "no debuginfod"
	port=$(python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	mkdir files
	cp "server/buildid/$id/debuginfo" files/x.debug
	DEBUGINFOD_URLS='' debuginfod -p "$port" -d :memory: -F files \
		>server.log 2>&1 3>&- &
	server=$!
	export DEBUGINFOD_URLS="http://127.0.0.1:$port"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rm -rf cache
		run "$LACUNA" show x found
		[ "$status" -ne 0 ] || break
		sleep 1
	done
	[ "$status" -eq 0 ]
	[[ "$output" == *"size: 16"* ]]
}
