#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# The examples of the README are run, and what it shows of their output must
# come out, line by line and in that order.  A marked block:
#
#   <!-- run: exact -->        or: shape (digits may differ), kernel (exact, on
#   ```console                 the kernel of make kernels; skipped without it)
#   $ lacuna page
#   ...lines...
#   [...]                      any number of lines left out
#   ```

setup() {
	cd "$BATS_TEST_DIRNAME/../.."
	PATH=$(dirname "$LACUNA"):$PATH
	vmlinux=${LACUNA_VMLINUX:-$(ls build/kernels/vmlinux-*cloud-amd64 2>/dev/null | head -n 1)}
	export PATH vmlinux
}

# Split the README's marked blocks into $BATS_TEST_TMPDIR/N.{kind,cmd,want}.
blocks() {
	awk -v dir="$BATS_TEST_TMPDIR" '
		/^<!-- run: / { kind = $3; next }
		kind && /^```console/ { n++; print kind >(dir "/" n ".kind")
			printf "" >(dir "/" n ".want"); inside = 1; next }
		inside && /^```/ { inside = 0; kind = ""; next }
		inside && /^\$ / { sub(/^\$ /, ""); print >(dir "/" n ".cmd"); next }
		inside { print >(dir "/" n ".want") }
		END { print n + 0 }' README.md
}

shown() { # KIND GOT WANT - every line of WANT is in GOT, in order
	awk -v kind="$1" -v want="$3" '
		function canon(s) {
			gsub(/[ \t]+$/, "", s)
			if (kind == "shape") { gsub(/[0-9]+/, "9", s); gsub(/ +/, " ", s) }
			return s
		}
		BEGIN { while ((getline line < want) > 0) w[++n] = canon(line); i = 1; gap = 1 }
		{
			while (i <= n && w[i] == "[...]") { i++; gap = 1 }
			if (i > n) next
			# a line may end in [...] itself: its beginning is shown
			if (w[i] ~ /[^ ]\[\.\.\.\]$/) {
				begin = substr(w[i], 1, length(w[i]) - 5)
				same = substr(canon($0), 1, length(begin)) == begin
			} else
				same = canon($0) == w[i]
			if (same) { i++; gap = 0 }
			else if (!gap) { print "not as shown: " w[i] "\n         got: " $0; bad = 1; exit 1 }
		}
		END { while (i <= n && w[i] == "[...]") i++
			if (!bad && i <= n) { print "never came: " w[i]; exit 1 } }' "$2"
}

@test "what the README shows is what comes out" {
	n=$(blocks)
	[ "$n" -gt 0 ]
	ran=0
	for i in $(seq "$n"); do
		d=$BATS_TEST_TMPDIR/$i
		kind=$(cat "$d.kind")
		cmd=$(cat "$d.cmd")
		if [ "$kind" = kernel ]; then
			[ -n "$vmlinux" ] || continue
			cmd=$(echo "$cmd" | sed "s|\<vmlinux\>|$vmlinux|g")
		fi
		status=0
		COLUMNS=80 sh -c "$cmd" >"$d.got" 2>&1 || status=$?
		[ "$status" -le 1 ] || { echo "$cmd: exit $status"; cat "$d.got"; false; }
		shown "${kind}" "$d.got" "$d.want" || { echo "in: $cmd"; false; }
		ran=$((ran + 1))
	done
	[ "$ran" -gt 0 ]
}
