#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Numbers on the command line: what is empty, zero, too large or none at all is
# refused with the valid range, and never taken for the default.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	printf 'struct s { int a; char b; } v;\n' >s.c
	gcc -g -c s.c
	export LACUNA_LIBEXEC=$PWD/none
	mkdir none
}

# refused OPTION LOW HIGH COMMAND... - with each VALUE of $values
refused() {
	option=$1 low=$2 high=$3
	shift 3
	for value in $values; do
		[ "$value" != empty ] || value=
		code=0
		"$LACUNA" "$@" "$option$value" >out 2>err || code=$?
		[ "$code" = 2 ] && [ ! -s out ] &&
			grep -q -- "$low to $high" err || {
			echo "$* $option$value: $code $(cat err)"
			false
		}
	done
}

common="empty -1 +1 1x x 99999999999999999999 1e400 nan"

@test "whole numbers" {
	values="0 $common"
	for c in "list s.o" "show s.o" "page s.o" "diff s.o s.o" \
		"check --record r s.o"; do
		refused --threads= 1 1024 $c
	done
	refused --cpus= 1 1048576 diff s.o s.o
	refused --runs= 2 1000000 perfstat s.o
	for c in bench correlate report; do
		refused --n= 1 2147483647 $c
		refused --rounds= 1 10000 $c
	done
	values=$common
	refused --top= 0 4294967295 list s.o
	refused --top= 0 2147483647 diff s.o s.o
	refused --seed= 0 9223372036854775807 bench
	refused --width= 20 10000 list s.o
	values="0 1 $common 129"
	refused --cpus= 2 128 bench -t remote
	refused --cpus= 2 128 bench -t message
	values="0 $common 1000001"
	refused --loops= 1 1000000 bench -t message
	refused --groups= 1 512 bench -t message
	refused --fds= 1 512 bench -t message
	refused --repeat= 1 1000 bench -t message
	refused --size= 1 36544 bench -t message
	values="0 -1 +1 1x x 8193"
	refused --size= 1 8192 bench
	values="1025 1048577"
	refused --threads= 1 1024 list s.o
	values="1 010x 0x 0x1g"
	refused --runs= 2 1000000 perfstat s.o
}

@test "geometries: refused before anything is run, whatever wraps to what is good" {
	# LACUNA_LIBEXEC is empty: had it got so far, the status would be 3
	values="empty 4294967300/4 64/4294967300 18446744073709551680/4 64 64/0
		0/4 64/33 -64/4 +64/4 0x40/4 64/4x 1048608/32"
	for c in "bench" "bench --no-time" "correlate" "report"; do
		refused --dtlb= 1 "1048576 and ways from 1 to 32" $c
	done
	values="4294967304 18446744073709551624 0 33 -8 +8 0x8"
	for c in "bench" "bench -t message" "bench -t remote" "correlate" \
		"report" trace; do
		refused --cache=L1=32K/ 1 32 $c
		refused --cache=L1=32K/8,L2=256K/ 1 32 $c
		for o in --cache=L1=1e4/8 --cache=L1=0x8000/8 --cache= \
			--cache=L1=32K/8,L2=256K/8,L3=1M/7 --preset=z80 \
			"--preset=power9 --line=64" "--line=64"; do
			code=0
			"$LACUNA" $c $o >out 2>err || code=$?
			[ "$code" = 2 ] && [ ! -s out ] || {
				echo "$c $o: $code $(cat err)"
				false
			}
		done
	done
	# what several CPUs cannot have
	for o in "-t message --cache=L1=32K/8" "-t remote --cache=L1=32K/8" \
		"-t remote --prefetch" "-t bulk,remote --dtlb=64/4" \
		"-t message --cache=L1=512K/8,L2=256K/8"; do
		code=0
		"$LACUNA" bench $o >out 2>err || code=$?
		[ "$code" = 2 ] && [ ! -s out ] || {
			echo "$o: $code $(cat err)"
			false
		}
	done
}

@test "powers of two" {
	values="0 3 4 $common 2147483648"
	for c in "list s.o" "show s.o" "page s.o" "diff s.o s.o" \
		"check --record r s.o"; do
		refused --line-size= 8 "[0-9]*" $c
	done
	refused --line= 32 256 bench
}

@test "other numbers" {
	values="0 0.5 86401 inf $common 0x10"
	refused --budget= 1 86400 bench
	values="0 0.95 100 inf $common"
	refused --confidence= 1 99.999 perfstat s.o
	grep -q "95, not 0.95" err
	values="0.05 inf $common 0x2 11"
	refused --planted=packed-lock= 0.1 10 bench
	values="0 $common 1Q 8388608T 9223372036854775808"
	refused --min-bytes= 1 "below 8388608T" diff s.o s.o
	refused --ram= 1 "below 8388608T" diff s.o s.o
}

@test "good ones are taken, hexadecimal as well" {
	for o in --line-size=32 --line-size=0x20 --threads=1 --width=0 \
		--width=0x50; do
		"$LACUNA" list "$o" s.o >out
		[ -s out ]
	done
	"$LACUNA" diff --top 0 --cpus 010 --min-bytes 1K s.o s.o
}
