#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna diff --slabinfo: whose objects are counted, and what they come to.
# Every figure here is worked out by hand, with SLUB's rule for 16 processors:
# 24 objects are wanted in a slab, of which at most a sixteenth is wasted.

setup() {
	T=$BATS_TEST_TMPDIR
	cd "$T"
	old kernfs_node=128 dentry=192 lined=100 freed=64 debugged=40 big=2000
	new kernfs_node=120 dentry=200 lined=140 freed=72 debugged=48 big=2100
}

# NAME=BYTES... - old.o and new.o have such records
build() {
	side=$1
	shift
	for r; do
		echo "struct ${r%=*} { char x[${r#*=}]; } ${r%=*};"
	done | gcc -g -c -o "$side.o" -x c -
}
old() { build old "$@"; }
new() { build new "$@"; }

# CACHE OBJECTS SIZE PER_SLAB PAGES... - lines of five, a slabinfo
slabinfo() {
	echo 'slabinfo - version: 2.1'
	printf '# name <active_objs> <num_objs> <objsize> <objperslab> %s\n' \
		'<pagesperslab>'
	while [ $# -gt 0 ]; do
		slabs=$((($2 + $4 - 1) / $4))
		echo "$1 $2 $((slabs * $4)) $3 $4 $5 : tunables 0 0 0" \
			": slabdata $slabs $slabs 0"
		shift 5
	done
}

weigh() { # [OPTION...] - $T/j is the JSON, of the files in $A and $B
	code=0
	"$LACUNA" diff --slabinfo info "$@" -o json "${A:-old.o}" \
		"${B:-new.o}" >j || code=$?
	[ "$code" = 1 ]
}

live() { # NAME - slots; objects a slab and orders; bytes, of whole slabs
	jq -r --arg n "$1" '.records[] | select(.name == $n).live |
		if . then "\(.old_slot) \(.new_slot) \(.old_slab.objects)/" +
		"\(.old_slab.order) \(.new_slab.objects)/" +
		"\(.new_slab.order) \(.bytes) \(.slab_bytes)" else "-" end' j
}

side() { jq -r '.slabinfo | "\(.side) \(.like_old) \(.like_new)"' j; }

is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'wanted:\n%s\ngot:\n%s\n' "$1" "$2"; false; }
}

@test "objects of the old build, and the mirror: the same file, builds swapped" {
	slabinfo kernfs_node_cache 49397 128 32 1  dentry 1000 192 42 2 >info
	weigh
	is "old 2 0" "$(side)"
	# 1544 slabs of 32 and 1453 of 34, a page each: 91 pages less
	is "128 120 32/0 34/0 -395176 -372736" "$(live kernfs_node)"
	# 200: 20 in a page waste 96 of it; but 24 are wanted, so order 1 with
	# 40. 192: 42 in order 1. 24 slabs and 25 of two pages
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
	A=new.o B=old.o
	weigh
	is "new 0 2" "$(side)"
	is "120 128 34/0 32/0 395176 372736" "$(live kernfs_node)"
	is "200 192 40/1 42/1 -8000 -8192" "$(live dentry)"
}

@test "objects of the new build" {
	slabinfo kernfs_node_cache 49397 120 34 1  dentry 1000 200 40 2 >info
	weigh
	is "new 0 2" "$(side)"
	is "128 120 32/0 34/0 -395176 -372736" "$(live kernfs_node)"
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
}

@test "the file's own slabs are not held against full ones of the other build" {
	# a third of the objects that the slabs have room for
	slabinfo dentry 1000 192 42 2 | sed 's/slabdata.*/slabdata 72 72 0/' \
		>info
	weigh
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
	is 589824 "$(jq '.records[] | select(.name == "dentry").live.held_bytes' j)"
}

@test "alignments, free pointers and debugging are in both builds' objects" {
	# lined: 100 on lines is 128, and 140 is 192. freed: 64 and a free
	# pointer is 72, what the new record is by itself, which one cache of
	# five may be. debugged: 40 and 200 bytes more
	slabinfo kernfs_node 10 128 32 1  dentry_cache 10 192 42 2 \
		lined_slab 100 128 32 1  freed_cachep 1000 72 56 1 \
		debugged 100 240 34 2  big 64 2000 16 8 >info
	weigh
	is "old 4 1" "$(side)"
	# 4 slabs of 32 are 4 pages; 3 of 42 in two pages are 6
	is "128 192 32/0 42/1 6400 8192" "$(live lined)"
	# 80: 51 in a page waste 16. 18 pages of 56, 20 of 51
	is "72 80 56/0 51/0 8000 8192" "$(live freed)"
	# 248: 33 in two pages waste 8; 240: 34 waste 32. 3 slabs and 4
	is "240 248 34/1 33/1 800 8192" "$(live debugged)"
	is "more 200" "$(jq -r '.records[] | select(.name == "debugged").live |
		"\(.slot_rule) \(.slot_extra)"' j)"
	is "line free pointer plain" "$(jq -r '[.records[] | {(.name):
		.live.slot_rule}] | add | "\(.lined) \(.freed) \(.dentry)"' j)"
	# 2104: 15 in 8 pages waste 1208 of 32768, under a sixteenth. 4 slabs, 5
	is "2000 2104 16/3 15/3 6656 32768" "$(live big)"
}

@test "what cannot be decided is asked for, and can be said" {
	slabinfo kernfs_node 10 128 32 1  dentry 1000 200 40 2 >info
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 2 ]
	[[ $output == *"info: "*"1 cache "*"1 like the new"*"0 like neither"*--slabinfo-side* ]]
	weigh --slabinfo-side new
	is "new 1 1" "$(side)"
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
	# 120 on 16 bytes is 128, and that is what its old record would get
	is "128 128 32/0 32/0 0 0" "$(live kernfs_node)"
	weigh --slabinfo-side old
	is "128 120 32/0 34/0 -80 0" "$(live kernfs_node)"
	# 200 is 192 and a free pointer; 208: 39 in two pages waste 80
	is "200 208 40/1 39/1 8000 8192" "$(live dentry)"
	for o in "--slabinfo-side both --slabinfo info" "--slabinfo-side old"
	do
		# shellcheck disable=SC2086
		run "$LACUNA" diff $o old.o new.o
		[ "$status" = 2 ]
	done
}

@test "caches that belong to no record, and one whose objects are too small" {
	slabinfo kmalloc-128 5000 128 32 1  :0000128 9 128 32 1 \
		dentry 1000 192 42 2  lined 70 64 64 1  big 7 2000 16 8 >info
	weigh
	is "old 2 0" "$(side)"
	is "big dentry" "$(jq -r '[.records[] | select(.live).name] | sort |
		join(" ")' j)"
	is lined "$(jq -r '.slabinfo.misfits | join(" ")' j)"
	"$LACUNA" diff --slabinfo info old.o new.o >text || [ $? = 1 ]
	grep -q '^struct dentry  *1000  *192  *200  *8000  *42  *40  *1  *1  *8192$' text
	tr '\n' ' ' <text | grep -q "Left out.*called after: lined\."
	slabinfo kmalloc-128 5000 128 32 1 >info
	weigh
	is "null 0 0" "$(side)"
	"$LACUNA" diff --slabinfo info old.o new.o >text || [ $? = 1 ]
	grep -q 'No cache of the slabinfo holds' text
}

@test "two records of one name do not both get the cache's objects" {
	old dentry=192
	new dentry=200
	for f in old new; do
		printf 'struct dentry { long x[%d]; } y; int z;\n' \
			"$([ $f = old ] && echo 3 || echo 4)" |
			gcc -g -c -o other.o -x c -
		ld -r -o both.o $f.o other.o && mv both.o $f.o
	done
	slabinfo dentry 1000 192 42 2 >info
	weigh
	is "2 1 192" "$(jq -r '[(.records | length), ([.records[] |
		select(.live)] | length), (.records[] | select(.live).before |
		.size)] | join(" ")' j)"
}

@test "a cache speaks once for a build, however many records it may be of" {
	# dentry is like the old build's record; so are three more that are
	# called alike, but a cache counts as one. kernfs_node and lined are
	# like the new build's: 1 to 2, where pairs of cache and record would be 4
	old dentry=192 kernfs_node=128 lined=100 dentry_t=184 dentry_cache=176
	new dentry=200 kernfs_node=120 lined=140 dentry_t=208 dentry_cache=208
	slabinfo dentry 10 192 42 2  kernfs_node 10 120 34 1  \
		lined 10 144 28 1 >info
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 2 ]
	[[ $output == *"1 cache "*"2 like the new"* ]]
	weigh --slabinfo-side old
	is "old 1 2" "$(side)"
	# and the one called exactly so has it
	is "192 200 42/1 40/1 80 0" "$(live dentry)"
	is - "$(live dentry_t)"
	# what fits a record of either build as well speaks for none
	old dentry=192 dentry_t=200
	new dentry=200 dentry_t=192
	slabinfo dentry_cache 10 192 42 2 >info
	weigh --slabinfo-side new
	is "new 0 0" "$(side)"
}

@test "the processors are those that give the file's slabs, unless said" {
	# 192: with 64 processors 28 are wanted, with 256 36, with 4 16
	slabinfo dentry 1000 192 21 1  kernfs_node 5 128 32 1 >info
	weigh
	is "1 2" "$(jq -r '"\(.cpus) \(.slabinfo.cpus_agree)"' j)"
	is "192 200 21/0 20/0 8000 8192" "$(live dentry)"
	weigh --cpus 16
	is "16 null" "$(jq -r '"\(.cpus) \(.slabinfo.cpus_agree)"' j)"
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
}

@test "what cannot be is refused: versions, counts, slabs; a zero byte" {
	refused() { # PATTERN
		run "$LACUNA" diff --slabinfo info old.o new.o
		echo "$output"
		[ "$status" = 3 ]
		# shellcheck disable=SC2053
		[[ $output == *info:$1* ]]
	}
	good() { slabinfo dentry 1000 192 42 2; }
	good | sed 's/^dentry 1000 /dentry 1009 /' >info
	refused "3:1: cache 'dentry' has 1009 active objects of 1008"
	good | sed 's/slabdata 24 24/slabdata 25 24/' >info
	refused "3:*25 active slabs of 24"
	good | sed 's/slabdata 24 24/slabdata 0 0/' >info
	refused "3:*1008 objects in no slab"
	good | sed 's/slabdata 24 24 0/slabdata 24/' >info
	refused "3:*count of slabs is missing"
	good | sed 's/ 192 42 2 / 192 42000 2 /' >info
	refused "3:1: cache 'dentry' has more in a slab"
	good | sed 's/ 192 42 2 / 0 42 2 /' >info
	refused "3:1: cache 'dentry' has objects of no size"
	good | sed 's/ 192 42 2 / 192 0 2 /' >info
	refused "3:1: cache 'dentry' has slabs of no objects"
	good | sed 's/ 192 42 2 / 192 42 0 /' >info
	refused "3:1: cache 'dentry' has slabs of no pages"
	for v in 9.9 1.1 2.10 ''; do
		good | sed "1s/2.1/$v/" >info
		refused "1:*version '$v'"
	done
	good | sed '1s/.*/slabinfo/' >info
	refused "1:9: version ''"
	for v in 2.0 '2.1 (statistics)'; do
		good | sed "1s/2.1/$v/" >info
		weigh
		is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
	done
	good | sed 's/1008/1008\x00/' >info
	refused "3:17: a zero byte"
	(printf '\xef\xbb\xbf'; good) >info
	weigh
	is "192 200 42/1 40/1 8000 8192" "$(live dentry)"
}

@test "a broken file is named with line and column; other pages are refused" {
	slabinfo dentry 1000 192 42 2 >info
	echo 'kernfs_node_cache many' >>info
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 3 ]
	[[ $output == *"info:4:19:"* ]]
	slabinfo dentry 1000 192 341 1 >info # 64 KiB
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 3 ]
	[[ $output == *"info: "*dentry*4096* ]]
}

@test "a file of another build is refused; told the side, it weighs what fits" {
	slabinfo dentry 1000 192 42 2  lined 70 64 64 1  big 7 1000 32 8 >info
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 2 ]
	[[ $output == *"neither build"*"2 caches"*"1 like the old"* ]]
	[[ $output == *"--slabinfo-side old or new"* ]]
	weigh --slabinfo-side old
	is "old 1 0" "$(side)"
	is 2 "$(jq .slabinfo.like_neither j)"
	"$LACUNA" diff --slabinfo info --slabinfo-side old old.o new.o >text ||
		[ $? = 1 ]
	tr '\n' ' ' <text | grep -q 'in 2 like neither'
	tr '\n' ' ' <text | grep -q 'called after: lined, big\.'
}

@test "a cache whose objects take what they took is named, with the reason" {
	old dentry=192 files_struct=600
	new dentry=200 files_struct=604
	# 600 and 604 on lines are 640
	slabinfo dentry 1000 192 42 2  files_cache 10 640 51 8 >info
	weigh
	is "640 640 51/3 51/3 0 0" "$(live files_struct | sed 's, .[0-9]*/. .[0-9]*/. , 51/3 51/3 ,')"
	"$LACUNA" diff --slabinfo info old.o new.o >text || [ $? = 1 ]
	tr '\n' ' ' <text |
		grep -q 'as many bytes as before.*: files_cache (640)\.'
}

@test "a cache that no record is called after is counted, or guessed by its pair" {
	build old dentry=192 ext4_inode_info=1088 sk_buff=224 same=64 eppoll_entry=72
	build new dentry=200 ext4_inode_info=1096 sk_buff=232 same=64 eppoll_entry=80
	# 1088 and a free pointer is 1096; 256 is 224 on lines; 96 is not of
	# eppoll_entry by a rule
	slabinfo dentry 1000 192 42 2  ext4_inode_cache 10 1096 14 4 \
		skbuff_head_cache 100 256 32 2  same_cache 7 64 64 1 \
		eventpoll_pwq 5 1000 32 8  kmalloc-128 50 128 32 1 >info
	weigh
	is "old 1 0" "$(side)"
	is "dentry false ext4_inode_info true sk_buff true" "$(jq -r '[.records[] |
		select(.live) | "\(.name) \(.live.guess)"] | sort | join(" ")' j)"
	is "1096 1104" "$(live ext4_inode_info | cut -d' ' -f1,2)"
	is "256 256" "$(live sk_buff | cut -d' ' -f1,2)"
	is "kmalloc-128 6400 eventpoll_pwq 5000" "$(jq -r '.slabinfo.without_record |
		map("\(.cache) \(.bytes)") | join(" ")' j)"
	is "$((192000 + 10960 + 25600 + 448 + 5000 + 6400)) $((192000 + 10960 + 25600)) 11400" \
		"$(jq -r '.slabinfo | "\(.bytes) \(.weighed_bytes) " +
		"\(.without_record_bytes)"' j)"
	"$LACUNA" diff --slabinfo info old.o new.o >text || [ $? = 1 ]
	tr -s '\n ' ' ' <text >line
	grep -q "Of the 6 caches of the file, .* 3 with 228560 bytes hold records that differ, and 2 with 11400 bytes are left out" line
	grep -q "Guesses.*ext4_inode_cache is ext4_inode_info" line
	grep -q "Without a record.*: kmalloc-128 (6400), eventpoll_pwq (5000)\." line
	# a record of the very name leaves no room for a guess
	build old ext4_inode=1080 ext4_inode_info=1080 dentry=192
	build new ext4_inode=1080 ext4_inode_info=1088 dentry=200
	weigh
	is - "$(live ext4_inode_info)"
	# one that is as it was is no cache without a record
	jq -e '[.slabinfo.without_record[].cache] | index("ext4_inode_cache") |
		not' j
}

@test "a slot with more in it than the record, or a flexible array, is an estimate" {
	old dentry=192 tailed=1096 odd=40
	new dentry=200 tailed=1344 odd=48
	for f in old new; do
		echo "struct open { long a[$([ $f = old ] && echo 2 || echo 3)];
			char rest[]; } *p;" | gcc -g -c -o open.o -x c -
		ld -r -o both.o $f.o open.o && mv both.o $f.o
	done
	# 1408 is 1096 and 312, on lines: 1344 and 312 is 1656, on lines 1664
	slabinfo dentry 1000 192 42 2  tailed 141 1408 23 8  odd 9 240 34 2 \
		open 10 32 128 1  >info
	weigh --slabinfo-side old
	is "1408 1664" "$(live tailed | cut -d' ' -f1,2)"
	is "240 248" "$(live odd | cut -d' ' -f1,2)"
	is "dentry by rule
odd estimate
open estimate
tailed estimate" "$(jq -r '.records[] | select(.live) |
		"\(.name) \(.live.slot_is)"' j | sort)"
	"$LACUNA" diff --slabinfo info --slabinfo-side old old.o new.o >text ||
		[ $? = 1 ]
	grep -q '^struct tailed .* 1664 .* estimate$' text
	grep -q '^struct dentry .* 200 .* by rule$' text
	tr -s '\n ' ' ' <text | grep -q "open (32, an estimate)"
}

@test "a file of which many caches fit neither build is not taken for one's" {
	old a=200 b=300 c=400 d=500 e=600
	new a=208 b=308 c=408 d=508 e=608
	slabinfo a 9 208 39 2  b 9 312 26 2  c 9 408 20 2  d 9 64 64 1 >info
	weigh
	is "new 0 3" "$(side)"
	slabinfo a 9 208 39 2  b 9 312 26 2  c 9 408 20 2  d 9 64 64 1 \
		e 9 64 64 1 >info
	run "$LACUNA" diff --slabinfo info old.o new.o
	[ "$status" = 2 ]
	[[ $output == *"2 caches are not of the size"*"of 0 like the old"*"of 3 like the new"* ]]
}
