#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
# HTML and SVG: well formed whatever the texts are, and as a browser sees them.

setup() {
	F=$BUILD/tests/fake
	T=$BATS_TEST_TMPDIR
}

browser() {
	for b in chromium chromium-browser google-chrome; do
		command -v $b && return
	done
	return 1
}

# Open a page as wide as given (in a frame: a window has a least width), in a
# light (1) or dark (0) scheme, and print what its probe says.
look() { # PAGE WIDTH SCHEME
	cat >"$T/probe.js" <<-'JS'
	addEventListener('load', function () {
	  var out = [], d = document.documentElement;
	  out.push('overflow ' + (d.scrollWidth - d.clientWidth));
	  out.push('background ' + getComputedStyle(d).backgroundColor);
	  document.querySelectorAll('svg').forEach(function (s) {
	    var b = s.getBoundingClientRect(), low = 0, cut = 0;
	    var v = s.viewBox.baseVal;
	    s.querySelectorAll('text').forEach(function (t) {
	      var r = t.getBBox();
	      if (r.y + r.height > v.height || r.y < 0) low++;
	      if (r.x < 0 || r.x + r.width > v.width) cut++;
	    });
	    out.push('svg ' + s.id + ' ' + Math.round(b.width) + ' ' +
	      Math.round(b.height) + ' outside ' + (low + cut));
	  });
	  var t = document.querySelector('svg text');
	  if (t) out.push('ink ' + getComputedStyle(t).fill);
	  parent.postMessage(out.join(';'), '*');
	});
	JS
	sed "s|</body>|<script>$(tr '\n' ' ' <"$T/probe.js" |
		sed 's/[&|\\]/\\&/g')</script></body>|" "$1" >"$T/framed.html"
	cat >"$T/frame.html" <<-EOF
	<!DOCTYPE html><title>waiting</title>
	<iframe src=framed.html width=$2 height=800></iframe>
	<script>addEventListener('message', function (e) {
	document.body.dataset.seen = e.data })</script>
	EOF
	"$(browser)" --headless --no-sandbox --disable-gpu \
		--user-data-dir="$T/profile" --enable-logging=stderr \
		--blink-settings=preferredColorScheme=$3 \
		--virtual-time-budget=3000 --window-size=1400,900 \
		--dump-dom "file://$T/frame.html" 2>"$T/log" >"$T/dom"
	# neither a script error nor a load that the policy refused
	! grep CONSOLE "$T/log" || false
	sed -n 's/.*data-seen="\([^"]*\)".*/\1/p' "$T/dom" | tr ';' '\n'
}

@test "HTML is one file: nothing is loaded from anywhere" {
	"$F" demo -o html >"$T/x.html"
	if grep -E -i '(src|href)="?[^#"]|@import|url\([^#]|<link' \
		"$T/x.html"; then
		false
	fi
	grep -q "default-src 'none'" "$T/x.html"
}

@test "every SVG has a title, a description and its text as text" {
	for f in map array times evidence; do
		"$F" demo -o svg --figure $f >"$T/x.svg"
		grep -q '<title id="figure-title">.' "$T/x.svg"
		grep -q '<desc id="figure-desc">.' "$T/x.svg"
		grep -q '<text ' "$T/x.svg"
	done
}

@test "-o svg takes the first figure, or names those that there are" {
	"$F" demo -o svg >"$T/a"
	"$F" demo -o svg --figure map >"$T/b"
	cmp "$T/a" "$T/b"
	code=0
	"$F" demo -o svg --figure none 2>"$T/err" || code=$?
	[ "$code" = 2 ]
	grep -q "map array times evidence" "$T/err"
	code=0
	"$F" demo --figure map 2>"$T/err" >"$T/out" || code=$?
	[ "$code" = 2 ] && [ ! -s "$T/out" ]
	grep -q -e "--figure map: -o svg draws one" "$T/err"
	code=0
	"$F" say -o svg 2>"$T/err" >"$T/out" || code=$?
	[ "$code" = 2 ] && [ ! -s "$T/out" ]
}

@test "pages of random documents are well formed" {
	command -v xmllint >/dev/null || skip "no xmllint"
	for seed in $(seq 60); do
		# as XML, but for the two elements that HTML leaves open
		"$F" random $seed -o html >"$T/x.html"
		sed '1d' "$T/x.html" | xmllint --noout - || {
			echo "seed $seed"; false; }
		code=0
		"$F" random $seed -o svg >"$T/x.svg" 2>"$T/err" || code=$?
		[ "$code" = 2 ] || xmllint --noout "$T/x.svg"
	done
}

@test "a rasteriser draws each SVG" {
	command -v rsvg-convert >/dev/null || skip "no rsvg-convert"
	for f in map array times evidence; do
		"$F" demo -o svg --figure $f | rsvg-convert >"$T/x.png"
		[ "$(head -c 4 "$T/x.png" | tail -c 3)" = PNG ]
		[ "$(wc -c <"$T/x.png")" -gt 3000 ]
	done
}

@test "in a browser: no errors, figures in sight, at two widths, light and dark" {
	browser >/dev/null || skip "no browser"
	"$F" demo -o html >"$T/x.html"
	for width in 360 1200; do
		for scheme in 0 1; do
			look "$T/x.html" $width $scheme >"$T/seen.$width.$scheme"
			cat "$T/seen.$width.$scheme"
			# the page itself does not scroll sideways
			grep -q '^overflow 0$' "$T/seen.$width.$scheme"
			[ "$(grep -c '^svg ' "$T/seen.$width.$scheme")" = 4 ]
			awk '/^svg / && ($3 < 300 || $4 < 80 || $6 != 0) {
				exit 1 }' "$T/seen.$width.$scheme"
		done
		# the dark page is another one, and its text is light
		! diff <(grep background "$T/seen.$width.0") \
			<(grep background "$T/seen.$width.1") || false
		! diff <(grep ink "$T/seen.$width.0") \
			<(grep ink "$T/seen.$width.1") || false
	done
}

@test "in a browser: random documents give no errors either" {
	browser >/dev/null || skip "no browser"
	for seed in 3 7 19; do
		"$F" random $seed -o html >"$T/x.html"
		look "$T/x.html" 360 1 >"$T/seen"
		cat "$T/seen"
		grep -q '^overflow 0$' "$T/seen"
	done
}

@test "a page of show and of list is called after its file, and fits a phone" {
	echo 'struct a_name_that_is_long { char c; long double_of_it[8]; } v;' |
		"${CC:-cc}" -g -c -o "$T/an-object.o" -x c -
	for c in show list; do
		"$LACUNA" $c -o html "$T/an-object.o" >"$T/$c.html"
		grep -q "<title>lacuna $c: .*/an-object.o</title>" "$T/$c.html"
		[ "$(grep -c '<h1' "$T/$c.html")" -eq 1 ]
		"$LACUNA" $c -o markdown "$T/an-object.o" |
			head -n 1 | grep -q '^# .*an-object'
		# for a terminal it is said by the prompt
		"$LACUNA" $c "$T/an-object.o" >"$T/text"
		! grep an-object "$T/text" || false
	done
	browser >/dev/null || skip "no browser"
	for c in show list; do
		for width in 400 1200; do
			look "$T/$c.html" $width 1 | grep -qx 'overflow 0'
		done
	done
}
