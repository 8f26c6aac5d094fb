# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What the tests of diff share: two sources become two objects, and their diff
# JSON that can be asked.

setup() {
	T=$BATS_TEST_TMPDIR
	CASES=$BATS_TEST_DIRNAME/../../fixtures/cases
}

# pair SUFFIX COMPILER... - $T/old/t.SUFFIX and $T/new/t.SUFFIX become objects
pair() {
	suffix=$1
	shift
	for d in old new; do
		(cd "$T/$d" && "$@" -g -c -o t.o "t.$suffix")
	done
}

# old and new read a side's source from standard input
old() { mkdir -p "$T/old" && cat >"$T/old/t.${1:-c}"; }
new() { mkdir -p "$T/new" && cat >"$T/new/t.${1:-c}"; }

# differ [OPTION...] - $T/j is the JSON of the pair, $code the status
differ() {
	code=0
	"$LACUNA" diff "$@" -o json "$T/old/t.o" "$T/new/t.o" >"$T/j" || code=$?
}

# changes NAME - "class member old new", a line each, of one record
changes() {
	jq -r --arg n "$1" '.records[] | select(.name == $n) | .changes[] |
		"\(.class) \(.member // "-") \(.old) \(.new)"' "$T/j" | sort
}

record() { # NAME JQ - something of one record
	jq -r --arg n "$1" ".records[] | select(.name == \$n) | $2" "$T/j"
}

is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'wanted:\n%s\ngot:\n%s\n' "$1" "$2"; false; }
}

lines() { printf '%s\n' "$@" | sort; }

cases() { # COMPILER... - the pair 50, 51 as one file name
	mkdir -p "$T/old" "$T/new"
	cp "$CASES/50_diff_v1.c" "$T/old/t.c"
	cp "$CASES/51_diff_v2.c" "$T/new/t.c"
	pair c "$@" -w
}
