#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# Against pahole: the layout cases, what this machine has, a real kernel.

bats_require_minimum_version 1.5.0

setup() {
	command -v pahole >/dev/null || skip "pahole is not installed"
}

# the kernels that there are
kernels() {
	if [ -n "${LACUNA_VMLINUX:-}" ]; then
		echo "$LACUNA_VMLINUX"
	else
		ls "$BUILD"/kernels/vmlinux* build/kernels/vmlinux* 2>/dev/null || true
	fi
}

# 1.24 dies of padded _Atomics in DWARF 5, and of nothing else
dies_of_atomics() {
	[[ "$v $case" == "5 "*/13_atomic_padded.c &&
		"$output" == *"pahole ended with status 139"* ]]
}

@test "the layout cases: pahole agrees, or is proved wrong" {
	for case in "$BATS_TEST_DIRNAME"/../../fixtures/cases/[0-9]*.c*; do
		case $case in
		*.cpp) set -- g++ clang++ ;;
		*) set -- gcc clang ;;
		esac
		for cc; do
			for v in 4 5; do
				"$cc" -w -g -gdwarf-$v -c -o "$BATS_TEST_TMPDIR/t.o" "$case"
				run "$LACUNA" verify "$BATS_TEST_TMPDIR/t.o"
				dies_of_atomics && continue
				[ "$status" -eq 0 ] || {
					echo "$cc -gdwarf-$v $case: $output"
					return 1
				}
			done
		done
	done
}

@test "lacuna itself: every record of the program" {
	file "$LACUNA" 2>/dev/null | grep -q 'not stripped' ||
		readelf -S "$LACUNA" | grep -q debug_info || skip "built without -g"
	run "$LACUNA" verify "$LACUNA"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a real kernel: every record" {
	[ -n "$(kernels)" ] || skip "no kernel: set LACUNA_VMLINUX, or make kernels"
	for k in $(kernels); do
		run "$LACUNA" verify "$k"
		echo "$k: $output"
		[ "$status" -eq 0 ]
	done
}

# figures FILE - of every record, without what a copy need not keep
figures() {
	"$LACUNA" list -o json "$1" | tr -d '\n ' | sed 's/},{/\n/g; s/\[{/\n/; s/}\]/\n/' |
		grep '"name"' | sed 's/"decl":[^,}]*//; s/"units":[0-9]*//
			s/"align_source":"[a-z]*",//; s/__[0-9]*",/",/' | sort
}

@test "a real kernel as C: compiled and read back, every record is the same" {
	k=$(kernels | head -1)
	[ -n "$k" ] || skip "no kernel: set LACUNA_VMLINUX, or make kernels"
	readelf -h "$k" | grep -q X86-64 || skip "a kernel of another machine"
	t=$BATS_TEST_TMPDIR
	"$LACUNA" show --compile "$k" >"$t/all.c"
	gcc -w -g -fno-eliminate-unused-debug-types -c -o "$t/all.o" "$t/all.c"
	figures "$k" >"$t/before"
	figures "$t/all.o" >"$t/after"
	[ "$(wc -l <"$t/before")" -gt 5000 ]
	diff "$t/before" "$t/after"
}
