#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff: what is a kernel's own, and what the builds say of themselves.

load diff_pair

@test "struct page: variant, pair, memory at --ram" {
	src='struct page { unsigned long flags; union { void *lru[2]; };
		void *mapping; void *freelist; unsigned long counters;
		int rest[2]; }'
	echo "$src __attribute__((aligned(16))) p;
		struct kmem_cache { int size; } c;
		struct kmem_cache_node { int list_lock; } n;" | old
	echo "$src p; struct kmem_cache { int size; } c;
		struct kmem_cache_node { long list_lock[4]; } n;" | new
	pair c gcc
	differ --ram 1T
	is "64 aligned true 56 packed false" "$(jq -r '.kernel[] |
		select(.name == "page") | [.before, .after | .size, .variant,
		.pair_aligned] | join(" ")' "$T/j")"
	is -2147483648 "$(jq .page_memory.delta "$T/j")"
	is "int 4 long [4] 32" "$(jq -r '.kernel[] |
		select(.name == "kmem_cache_node") | [.before, .after |
		.lock_type, .lock_size] | join(" ")' "$T/j")"
}

# the pair of a kernel's record whose size and buckets differ
kernels() { # COMPILER...
	for d in old new; do
		[ $d = old ] && n=100 || n=150
		$d <<-E
		struct page { long flags; } p;
		struct kmem_cache { char c[$n]; } k;
		struct huge { char c[$((n * 100))]; } h;
		E
	done
	pair c "$@"
	"$LACUNA" diff "$T/old/t.o" "$T/new/t.o" >"$T/text" || [ $? = 1 ]
	tr -s '\n ' ' ' <"$T/text" >"$T/line"
	differ
}

@test "kmalloc's buckets are those of x86-64, and said of no other machine" {
	clang --target=aarch64-linux-gnu -c -x c -o "$T/x.o" /dev/null ||
		skip "this clang has one machine"
	kernels clang --target=x86_64-linux-gnu
	is "128 192" "$(record kmem_cache '"\(.allocator_before.kmalloc) " +
		"\(.allocator_after.kmalloc)"')"
	is "null larger than a bucket" "$(record huge '.allocator_after |
		"\(.kmalloc) \(.kmalloc_status)"')"
	grep -q "; by kmalloc(), kmalloc-128 -> 192" "$T/line"
	grep -q "pages of 4096 bytes; kmalloc's buckets as on x86-64\." "$T/line"
	kernels clang --target=aarch64-linux-gnu
	is "null buckets of this machine not known" "$(record kmem_cache \
		'.allocator_after | "\(.kmalloc) \(.kmalloc_status)"')"
	! grep -q kmalloc "$T/line" || false
	grep -q "pages of 4096 bytes\." "$T/line"
	# one side of which it is not known is enough, also in directories
	(cd "$T/old" && clang --target=x86_64-linux-gnu -g -c -o t.o t.c)
	"$LACUNA" diff "$T/old" "$T/new" >"$T/text" || [ $? = 1 ]
	grep -q "objects a slab" "$T/text"
	! grep -q kmalloc "$T/text" || false
}

# producer OPTIONS - what the head says of a build with these, by a reader
producer() {
	sed "s/\.\(string\|asciz\|ascii\)[[:space:]]*\"GNU C.*\"/.string \"GNU C17 1.0 $1\"/" \
		"$T/t.s" >"$T/u.s"
	gcc -c -o "$T/u.o" "$T/u.s"
	"$LACUNA" diff "$T/u.o" "$T/u.o" | tr -s '\n ' ' ' |
		sed 's/.*New: [^;]*; [^;]*; GNU C17 1.0 *\([^;]*\);.*/\1/'
}

@test "of the options the last of a kind is shown, whole words, of any length" {
	echo 'struct s { int a; } s;' | gcc -g -S -o "$T/t.s" -x c -
	is "-march=x86-64" "$(producer "-march=x86-64-v2 -march=x86-64")"
	is "-march=x86-64-v2" "$(producer "-march=x86-64 -march=x86-64-v2")"
	is "-O" "$(producer "-O2 -g -O")"
	is "-m64 -O2 -std=gnu11" "$(producer "-O -m32 -std=c99 -m64 -O2 -std=gnu11")"
	is "-fno-short-enums -flto=auto" \
		"$(producer "-fno-lto -fshort-enums -fno-short-enums -flto=auto")"
	# these add up
	is "-fsanitize=a -fno-sanitize=b -fsanitize=b" "$(producer \
		"-fsanitize=a -fsanitize=b -fno-sanitize=b -fsanitize=b")"
	long=-fplugin=$(printf '%0300d' 7)
	is "$long-O2" "$(producer "$long -O2 -ffast-math -mtune=generic" |
		tr -d " ")"
	many=$(seq -f '-fsanitize=number-%03.0f' -s ' ' 100)
	is "$many" "$(producer "$many")"
}
