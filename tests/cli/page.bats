#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# page: the allocator library's builds, and layouts of struct page by era.

bats_require_minimum_version 1.5.0

setup_file() {
	export DIR=$BATS_FILE_TMPDIR
	# struct page of v5.10 with a memory cgroup's pointer in the slack
	cat >"$DIR/memcg.c" <<-'END'
		struct list_head { struct list_head *next, *prev; };
		struct page {
			unsigned long flags;
			union {
				struct { struct list_head lru; void *mapping; unsigned long index, private; };
				struct { struct list_head slab_list; void *slab_cache; void *freelist;
					union { unsigned long counters; struct { unsigned inuse:16, objects:15, frozen:1; }; }; };
				unsigned long compound_head;
			};
			union { int _mapcount; unsigned page_type; };
			int _refcount;
		#ifdef MEMCG
			unsigned long memcg_data;
		#endif
		}
		#ifdef ALIGNED
			__attribute__((aligned(16)))
		#endif
		;
		struct page pages[16];
	END
	build aligned -DALIGNED
	build packed
	build memcg -DALIGNED -DMEMCG
	build memcg-packed -DMEMCG
	# since v6.5 a 128-bit member lies over the pair of struct slab
	cat >"$DIR/slab.c" <<-'END'
		struct page { unsigned long flags, words[5]; int _mapcount, _refcount; unsigned long memcg_data; }
			__attribute__((aligned(16)));
		struct slab {
			unsigned long __page_flags; void *slab_cache; void *next, *prev;
			union { struct { void *freelist; unsigned long counters; };
				unsigned __int128 freelist_counter; };
			unsigned __page_type; int __page_refcount; unsigned long obj_exts;
		};
		struct page p; struct slab s;
	END
	gcc -w -g -c -o "$DIR/slab.o" "$DIR/slab.c"
}

build() {
	gcc -w -g "${@:2}" -c -o "$DIR/$1.o" "$DIR/memcg.c"
}

page() {
	run --separate-stderr "$LACUNA" page -o json "$@"
	[ "$status" -eq 0 ]
}

has() {
	for text; do
		[[ "$output" == *"$text"* ]] || { echo "no $text"; return 1; }
	done
}

# row KEY=VALUE... - some object of the JSON has all of these
row() {
	echo "$output" | tr -d '\n ' | sed 's/},{/}\n{/g; s/\[{/[\n{/g' >"$BATS_TEST_TMPDIR/rows"
	local rows="$BATS_TEST_TMPDIR/rows"
	for pair; do
		grep -F "\"${pair%%=*}\":${pair#*=}" "$rows" >"$rows.2" || {
			echo "no row with $*"
			return 1
		}
		mv "$rows.2" "$rows"
	done
}

@test "the library: four variants, read from their debug info" {
	page
	row 'build="aligned-cas"' size=64 align=16 'align_source="declared"' \
		padding_bits=64 'page_layout="aligned"' 'variant="aligned-cas"'
	row 'build="aligned-lock"' size=64 align=16 'variant="aligned-lock"'
	row 'build="packed-lock"' size=56 align=8 padding_bits=0 \
		'variant="packed-lock"' 'update_source="layout"'
	row 'build="packed-cas"' size=56 'variant="packed-cas"' floats=true
}

@test "the library: figures of 56 and 64 bytes" {
	page
	row ram=1099511627776 aligned=17179869184 packed=15032385536 saved=2147483648
	row ram=68719476736 saved=134217728
	row ram=1073741824 aligned=16777216
	row line_size=64 'layout="aligned"' lines_per_element=1.0 \
		lines_per_touch=1.0 straddling=0
	row line_size=64 'layout="packed"' lines_per_element=0.875 \
		lines_per_touch=1.75 straddling=6 period=8 straddling_fraction=0.75
	row line_size=128 'layout="packed"' lines_per_touch=1.375 straddling=6 \
		period=16 straddling_fraction=0.375
	row 'fields="flags,slab_cache"' 'layout="packed"' line_size=64 lines=1.75
	row 'fields="flags,slab_cache"' 'layout="packed"' line_size=128 lines=1.375
}

@test "in packed-cas the pair floats to the next 16 bytes" {
	run "$LACUNA" page
	[ "$status" -eq 0 ]
	[[ "$(echo "$output" | tr '\n' ' ')" == *"in even elements from byte 16, in odd ones from byte 8"* ]]
}

@test "both layouts from one build: one is read, the other computed" {
	page "$DIR/aligned.o"
	row 'layout="aligned"' 'source="read"' size=64 align=16 pair_aligned_fraction=1.0
	row 'layout="packed"' 'source="computed"' size=56 align=8 pair_aligned_fraction=0.5
	page "$DIR/packed.o"
	row 'layout="aligned"' 'source="computed"' size=64 align=16
	row 'layout="packed"' 'source="read"' size=56 align=8
	has '"update": "lock"' '"era": "v5.10"'
	row 'fields="compound_head,flags,slab_cache"' 'layout="packed"' line_size=64 lines=1.375
}

@test "two builds: what was computed from one is read from the other" {
	page "$DIR/aligned.o" "$DIR/packed.o"
	row "build=\"$DIR/aligned.o\"" 'page_layout="aligned"' size=64
	row "build=\"$DIR/packed.o\"" 'page_layout="packed"' size=56
}

@test "a member in the slack: alignment costs nothing" {
	page "$DIR/memcg.o"
	has '"filled_by": "memcg_data"' '"alignment_is_free": true'
	row ram=1099511627776 saved=0
	row 'layout="packed"' size=64 'source="computed"'
	run "$LACUNA" page "$DIR/memcg.o"
	[[ "$output" == *"Alignment costs nothing in this build: memcg_data fills"* ]]
	page "$DIR/memcg-packed.o"
	has '"filled_by": "memcg_data"' '"page_layout": "packed"'
}

@test "struct slab has the pair since v5.17" {
	page "$DIR/slab.o"
	has '"record": "slab"' '"bit_offset": 256' '"bit_offset": 320' \
		'"one_word": true' '"era": "v6.12"' '"aligned": "yes"'
}

@test "BTF does not tell the alignment" {
	cp "$DIR/memcg.o" "$DIR/btf.o"
	pahole -J "$DIR/btf.o" || skip "this pahole does not write BTF"
	run --separate-stderr "$LACUNA" page --format btf -o json "$DIR/btf.o"
	[ "$status" -eq 0 ]
	has '"align": null' '"align_source": "unknown"' '"page_layout": "unknown"' \
		'"size": 64' 'BTF carries no alignment attribute'
}

@test "--ram takes sizes, and nothing else" {
	page --ram 2T "$DIR/aligned.o"
	row ram=2199023255552 aligned=34359738368 packed=30064771072
	for size in 4096 64K 512M 1G 1TiB; do
		page --ram "$size" "$DIR/aligned.o"
	done
	for bad in 0 -1 1X 1.5G G "" 99999999T 1; do
		run "$LACUNA" page --ram "$bad" "$DIR/aligned.o"
		[ "$status" -eq 2 ]
	done
}

@test "--line-size adds one" {
	page --line-size 32 "$DIR/packed.o"
	row line_size=32 'layout="packed"' lines_per_element=1.75
	run "$LACUNA" page --line-size 33 "$DIR/packed.o"
	[ "$status" -eq 2 ]
}

@test "no struct page: status 3, and where to find one" {
	echo 'struct a { int x; } a;' | gcc -x c -g -c -o "$DIR/none.o" -
	run --separate-stderr "$LACUNA" page "$DIR/none.o"
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	[[ "$stderr" == *"none.o"*"struct page"* ]]
}

@test "a real kernel" {
	kernel=${LACUNA_VMLINUX:-}
	[ -n "$kernel" ] || skip "no kernel: set LACUNA_VMLINUX, or make kernels"
	page "$kernel"
	has '"source": "read"'
	row size=64
	# who built it is left out of the banner
	"$LACUNA" page -o json "$kernel" >"$BATS_TEST_TMPDIR/banner"
	grep -q '"version": "Linux version [^@]*$' "$BATS_TEST_TMPDIR/banner"
}

@test "what fills the last word is said only if it does" {
	echo 'struct page { unsigned long flags; int x; } p;' >"$BATS_TEST_TMPDIR/p.c"
	gcc -g -c -o "$BATS_TEST_TMPDIR/p.o" "$BATS_TEST_TMPDIR/p.c"
	page "$BATS_TEST_TMPDIR/p.o"
	has '"alignment_is_free": true' '"filled_by": null'
	[[ "$output" != *"fills the last"* ]]
	sed -i 's/int x/long x/' "$BATS_TEST_TMPDIR/p.c"
	gcc -g -c -o "$BATS_TEST_TMPDIR/p.o" "$BATS_TEST_TMPDIR/p.c"
	page "$BATS_TEST_TMPDIR/p.o"
	has '"filled_by": "x"' "x fills the last 8 bytes"
}

# first FILE - what the first two paragraphs say, in one line
first() {
	run --separate-stderr "$LACUNA" page "$@"
	[ "$status" -eq 0 ]
	said=$(awk '!NF && ++n == 2 { exit } 1' <<<"$output" | tr -s ' \n' ' ')
}

@test "whether the alignment may be dropped stands in the first lines" {
	first "$DIR/aligned.o"
	[[ $said == *"may be dropped for struct page itself"*"cmpxchg16b needs"* ]]
	[[ $said == *"struct page on such a boundary, and packed it is on one in 50 %"* ]]
	first "$DIR/packed.o"
	[[ $said == *"no alignment to drop"* ]]
	first "$DIR/memcg.o"
	[[ $said == *"may be dropped"*"save nothing"* ]]
	page "$DIR/aligned.o" "$DIR/packed.o"
	echo "$output" | jq -e '[.builds[].alignment_verdict] | unique | length == 2'
}

@test "a 32-bit build: memory that it can have, in the words of the table" {
	gcc -m32 -w -g -DALIGNED -c -o "$DIR/small.o" "$DIR/memcg.c" ||
		skip "no 32-bit compiler"
	sed -i 's/aligned(16)/aligned(8)/' "$DIR/memcg.c"
	build small -m32 -DALIGNED -DMEMCG
	run --separate-stderr "$LACUNA" page "$DIR/small.o"
	[ "$status" -eq 0 ]
	[[ $output != *TiB* ]]
	[[ $output != *" a 8-byte"* ]]
	[[ $output == *" 4 bytes more than packed: 64 MiB of 64 GiB."* ]]
	page "$DIR/small.o"
	echo "$output" | jq -e '[.memory[].ram | . / 1073741824] == [1, 4, 64]'
	run --separate-stderr "$LACUNA" page --ram 1T "$DIR/small.o"
	[[ $output == *"more than a 32-bit kernel can have"* ]]
}

@test "the table says since which version, and in lines of the machine" {
	run --separate-stderr "$LACUNA" page "$DIR/memcg.o"
	[[ $output == *"members as since"*v5.10* ]]
	clang --target=s390x-linux-gnu -w -g -DALIGNED -c -o "$DIR/z.o" \
		"$DIR/memcg.c" || skip "clang has no s390x"
	page "$DIR/z.o"
	echo "$output" | jq -e '[.lines[].line_size] | unique == [64, 128, 256]'
}

@test "without struct slab it cannot be told whether the alignment may go" {
	grep -v '^struct slab\|^	unsigned long __page_flags' "$DIR/slab.c" |
		sed -n '1,/aligned(16)/p' >"$BATS_TEST_TMPDIR/module.c"
	echo 'struct page p;' >>"$BATS_TEST_TMPDIR/module.c"
	gcc -w -g -c -o "$BATS_TEST_TMPDIR/module.o" "$BATS_TEST_TMPDIR/module.c"
	run "$LACUNA" page "$BATS_TEST_TMPDIR/module.o"
	[ "$status" -eq 0 ]
	text=$(echo "$output" | tr -s '\n ' ' ')
	[[ "$text" == *"It cannot be told from this file whether the alignment may be dropped"*"struct slab"*"mm/slub.o. struct page, and the version"* ]]
	[[ "$text" != *"may be dropped in this build"* ]]
	# with the pair in struct page, or with struct slab, it can
	for f in aligned slab; do
		run "$LACUNA" page "$DIR/$f.o"
		[[ "$output" != *"cannot be told"* ]]
		[[ "$output" == *"alignment may"* ]]
	done
}
