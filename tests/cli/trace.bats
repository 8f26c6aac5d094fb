#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# lacuna trace: programs that are not ours, from the flags to the report.

setup() {
	T=$BATS_TEST_TMPDIR
	example=$BUILD/fixtures/trace-example
	[ -x "$example" ] || skip "no trace-example in this build"
	command -v jq >/dev/null || skip "no jq"
}

trace() {
	code=0
	"$LACUNA" trace "$@" >"$T/out" 2>"$T/err" || code=$?
}

# Build $T/NAME from $T/NAME.c by the lines that lacuna prints.
build() { # NAME
	nm "$LACUNA" | grep -q '__[at]san_init' && skip "sanitizers' hooks"
	"$LACUNA" trace -o json >"$T/how"
	for key in compile link; do
		line=$(jq -r ".$key" "$T/how" |
			sed "s/^cc /${CC:-cc} /; s/FILE/$1/g; s/PROGRAM/$1/")
		(cd "$T" && eval "$line")
	done
}

first_paragraph() {
	# under the heading, which may take two lines
	awk '/^=+$/ { on = 1; getline; next } on && !NF { exit } on' "$T/out" |
		tr '\n' ' '
}

@test "without arguments: lines that build what it then traces" {
	cp fixtures/trace/example.c "$T/"
	build example
	trace --cpus 2 "$T/example"
	[ "$code" = 0 ]
	trace
	[ "$code" = 0 ]
	grep -qF "$(jq -r .compile "$T/how")" "$T/out"
	grep -qF "$(jq -r .link "$T/how")" "$T/out"
}

@test "both planted faults are in the first paragraph" {
	trace --cpus 2 "$example"
	[ "$code" = 0 ]
	said=$(first_paragraph)
	[[ $said == *"channel.produced and channel.consumed share a line"* ]]
	[[ $said == *"sample.weight lies across a line border in 12.5 %"* ]]
	[[ $said != *limit* ]]
	[[ $said != *sample.key* ]]
	# what the program prints is not in the report
	grep -q '20000 produced' "$T/err"
	! grep -q '20000 produced' "$T/out" || false
}

@test "types and the rest add up to the total, members to their type" {
	for cpus in 2 3; do
		trace --cpus $cpus -o json "$example"
		[ "$code" = 0 ]
		for k in accesses straddles l1_misses l2_misses true_sharing \
			false_sharing; do
			jq -e "([.types[].$k] | add) + .unregistered.$k ==
				.total.$k" "$T/out"
			jq -e "[.types[] | ([.members[].$k] | add) == .$k] |
				all" "$T/out"
		done
		jq -e '[.types[] | ([.pairs[].false_sharing] | add // 0) ==
			.false_sharing] | all' "$T/out"
	done
	jq -e '.total.llc_misses == null' "$T/out"
	jq -e '.total.llc_misses_status | contains("several")' "$T/out"
}

@test "members are where show has them" {
	trace --cpus 2 -o json "$example"
	"$LACUNA" show -o json "$example" channel sample >"$T/show"
	jq -r '.types[] | .type as $t | .members[] | select(.accesses > 0) |
		"\($t) \(.member) \(.offset * 8) \(.size * 8)"' "$T/out" |
		sort >"$T/got"
	jq -r '.records[] | .name as $t | .members[] |
		"\($t) \(.name) \(.bit_offset) \(.bit_size)"' "$T/show" |
		sort >"$T/want"
	[ "$(wc -l <"$T/got")" -ge 5 ]
	[ -z "$(comm -23 "$T/got" "$T/want")" ]
}

@test "the same bytes each time, wherever the program would be loaded" {
	for _ in 1 2 3 4 5 6; do
		"$LACUNA" trace --cpus 2 -o json "$example" 2>/dev/null | md5sum
	done | sort -u >"$T/sums"
	[ "$(wc -l <"$T/sums")" = 1 ]
}

@test "the cache that is asked for is the one that is simulated" {
	trace --cpus 2 --cache L1=1K/2,L2=4K/4 -o json "$example"
	[ "$code" = 0 ]
	small=$(jq .total.l1_misses "$T/out")
	jq -e '.geometry == "given: L1 1K/2, L2 4K/4"' "$T/out"
	trace --cpus 2 --preset apple-m1-p -o json "$example"
	[ "$code" = 0 ]
	jq -e '.line_bytes == 128' "$T/out"
	[ "$(jq .total.l1_misses "$T/out")" -lt "$small" ]
	# an option beats the environment
	LACUNA_TRACE_CPUS=1 LACUNA_TRACE_CACHE=nonsense \
		trace --cpus 2 --preset apple-m1-p -o json "$example"
	[ "$code" = 0 ]
	LACUNA_TRACE_CPUS=2 trace -o json "$example"
	[ "$code" = 0 ]
	jq -e '.cpus == 2' "$T/out"
}

@test "nested members, unions, and a type without debug information" {
	cat >"$T/nested.c" <<-'C'
	#include "lacuna-trace.h"
	struct point { int x, y; };
	union word { long whole; int half; };
	struct box {
		char name[8];
		struct point corner[2];
		union word word;
	};
	int main(int argc, char **argv)
	{
		struct box *b = LACUNA_ARRAY(struct box,
			calloc(100, sizeof(struct box)), 100);
		long *n = LACUNA_ARRAY(long, calloc(100, sizeof(long)), 100);
		long sum = 0;
		for (int i = 0; i < 100; i++) {
			b[i].corner[1].y = i;
			b[i].word.whole = i;
			n[i] = i;
		}
		for (int i = 0; i < 100; i++)
			sum += *(volatile int *)&b[i].corner[1].y + n[i];
		return argc == 2 && argv[1][0] == '-' ? sum != 9900 : 1;
	}
	C
	build nested
	trace -o json "$T/nested" --an-option-of-its-own
	cat "$T/err"
	[ "$code" = 0 ]
	jq -e '.types[] | select(.type == "box") | [.members[] |
		select(.accesses > 0) | .member] | sort ==
		["corner[].y", "word.whole|word.half"]' "$T/out"
	jq -e '.types[] | select(.type == "box") | .members[] |
		select(.member == "corner[].y") | .accesses == 200' "$T/out"
	jq -e '.types[] | select(.type == "long") |
		.status != "known" and .members[0].member == null and
		.members[0].member_status == "unknown" and
		.accesses == 200' "$T/out"
	jq -e '.total.llc_misses >= 0 and .total.false_sharing == null' "$T/out"
	trace "$T/nested" -x
	grep -q 'members of long are unknown' "$T/out"
	trace "$T/nested"
	[ "$code" = 3 ]
	grep -q 'ended with status 1' "$T/err"
}

@test "programs that are not built for it, and say so" {
	printf 'int main(void) { return 0; }\n' >"$T/plain.c"
	"${CC:-cc}" -g -o "$T/plain" "$T/plain.c"
	trace "$T/plain"
	[ "$code" = 3 ]
	[ ! -s "$T/out" ]
	grep -q 'not built with the hooks.*lacuna trace' "$T/err"
	printf 'int main(void) { __builtin_trap(); }\n' >"$T/dies.c"
	"${CC:-cc}" -o "$T/dies" "$T/dies.c"
	trace "$T/dies"
	[ "$code" = 3 ]
	grep -qE 'ended by SIG(ILL|TRAP)' "$T/err"
	trace "$T/none"
	[ "$code" = 3 ]
	trace no-such-program-anywhere
	[ "$code" = 3 ]
	trace "$T/plain.c"
	[ "$code" = 3 ]
	# two CPUs are asked for, one is there: the program's own message
	trace "$example"
	[ "$code" = 3 ]
	grep -q '2 virtual CPUs are asked for.*`lacuna trace --cpus 2`' "$T/err"
	grep -q 'ended with status 3' "$T/err"
}

@test "without debug information, and with hooks that nothing calls" {
	printf '#include "lacuna-trace.h"\nstruct s { long a; };
	int main(void) { volatile struct s *s = LACUNA_ARRAY(struct s,
	calloc(9, 8), 9); s[3].a = 1; return 0; }\n' >"$T/bare.c"
	build bare
	strip -g "$T/bare"
	trace "$T/bare"
	[ "$code" = 3 ]
	grep -q 'bare' "$T/err"
	jq -r .compile "$T/how" | grep -q fsanitize=thread
	"${CC:-cc}" -g -I"$BUILD/fixtures" -o "$T/bare" "$T/bare.c" \
		"$BUILD/fixtures/lacuna-trace.o" -pthread
	trace "$T/bare"
	[ "$code" = 3 ]
	grep -q 'no access called them' "$T/err"
}

@test "threads of its own are refused, not called clean" {
	# the same code, given to lacuna_cpus and to pthread_create
	cat >"$T/ring.c" <<-'C'
	#include "lacuna-trace.h"
	struct ring { long head, tail; };
	static struct ring *r;
	static void work(unsigned int cpu, void *arg)
	{
		for (int i = 0; i < 5000; i++)
			__atomic_fetch_add(cpu ? &r->head : &r->tail, 1, 0);
		(void)arg;
	}
	static void *thread(void *arg)
	{
		work(arg != NULL, NULL);
		return NULL;
	}
	int main(int argc, char **argv)
	{
		pthread_t t[2];
		r = LACUNA_ARRAY(struct ring, calloc(1, sizeof(*r)), 1);
		if (argc < 2)
			return lacuna_cpus(2, work, NULL);
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], NULL, thread, i ? argv : NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
		return r->head + r->tail != 10000;
	}
	C
	build ring
	trace --cpus 2 "$T/ring"
	[ "$code" = 0 ]
	[[ $(first_paragraph) == "ring.head and ring.tail share a line"* ||
		$(first_paragraph) == "ring.tail and ring.head share a line"* ]]
	for n in 1 2; do
		trace --cpus $n "$T/ring" threads
		[ "$code" = 3 ]
		[ ! -s "$T/out" ]
		grep -q 'pthread_create.*lacuna_cpus(n, work, arg).*--cpus n' \
			"$T/err"
	done
	# and without lacuna the file says it
	LACUNA_TRACE_OUT=$T/counts "$T/ring" threads
	jq -e '.refused and (has("arrays") | not)' "$T/counts"
	trace
	grep -q pthread_create "$T/out"
	tr '\n' ' ' <"$T/out" | grep -q 'void work(unsigned int cpu, void \*arg)'
}

@test "the members that miss most are named, and a few events are not" {
	cat >"$T/miss.c" <<-'C'
	#include "lacuna-trace.h"
	struct big { long hot, cold[7], also; char rest[56]; };
	struct few { long a; char rest[56]; };
	int main(void)
	{
		volatile struct big *b = LACUNA_ARRAY(struct big,
			aligned_alloc(64, 2000 * sizeof(*b)), 2000);
		volatile struct few *f = LACUNA_ARRAY(struct few,
			aligned_alloc(64, 9 * sizeof(*f)), 9);
		for (int i = 0; i < 2000; i++) {
			b[i].hot = b[i].also = i;
			if (i % 100 == 0)
				b[i].cold[0] = 1;
		}
		for (int i = 0; i < 9; i++)
			f[i].a = i;
		return 0;
	}
	C
	build miss
	trace "$T/miss"
	[ "$code" = 0 ]
	said=$(first_paragraph)
	[[ $said == "Most L1 misses: big."*", 2000 in 2000 accesses."* ]]
	[[ $said == *big.hot* && $said == *big.also* ]]
	[[ $said != *cold* && $said != *few* ]]
	trace -o json "$T/miss"
	jq -e '[.findings[] | .kind, .count] == ["misses", 2000, "misses", 2000]' \
		"$T/out"
}

@test "what is asked for is checked before the program runs" {
	for o in "--cpus 0" "--cpus 129" "--cpus x" "--preset z80" \
		"--cache L1=3" "--line 48 --cache L1=1K/2" "--line 64" \
		"--quantum -1" "--preset host --cache L1=1K/2"; do
		trace $o "$example"
		[ "$code" = 2 ] || { echo "$o: $code"; false; }
		[ ! -s "$T/out" ]
		! grep -q produced "$T/err" || false
	done
}

@test "every format, and the schema" {
	for f in text mail markdown json csv html; do
		trace --cpus 2 -o $f "$example"
		[ "$code" = 0 ]
		grep -q consumed "$T/out"
	done
	trace --cpus 2 -o mail "$example"
	[ "$(awk 'length > 72' "$T/out" | wc -l)" = 0 ]
	python3 -c 'import jsonschema' 2>/dev/null || skip "no jsonschema"
	trace -o json
	cp "$T/out" "$T/how.json"
	trace --cpus 2 -o json "$example"
	python3 -W ignore - analyses/report/lacuna-1.schema.json "$T/how.json" \
		"$T/out" <<-'PY'
	import json, sys, jsonschema
	check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
	for name in sys.argv[2:]:
	    j = json.load(open(name))
	    check.validate(j)
	    if j["program"]:
	        del j["types"][0]["members"][0]["offset"]
	        assert list(check.iter_errors(j))
	PY
}

@test "the heat of a line map is the misses of its type, in every form" {
	trace -o json --cpus 2 "$example"
	[ "$code" = 0 ]
	# each figure's sum is its type's misses
	[ "$(jq -c '[.figures[] | [.maps[0].spans[].heat // 0] | add]' \
		"$T/out")" = "$(jq -c '[.types[].l1_misses]' "$T/out")" ]
	trace --cpus 2 "$example"
	# the two that are shared, and nothing else, are hottest; whether the
	# rest misses once or never is the compiler's affair
	grep -qE '^ +[. ]{8}9{16}[. ]*$' "$T/out"
	grep -q 'b=produced (1[0-9]*)' "$T/out"
	for form in html "svg --figure heat2"; do
		trace -o $form --cpus 2 "$example"
		[ "$code" = 0 ]
		grep -q 'class="heat"' "$T/out"
	done
}
