# SPDX-License-Identifier: BSD-2-Clause
# bash completion of lacuna: asks the program for its commands and options.

# Names of types that begin with $2 in file $1, if that takes no time.
_lacuna_types()
{
	timeout 1 "${COMP_WORDS[0]}" list -o csv "$1" "$2*" 2>/dev/null |
		sed -n '2,$s/^"*\([A-Za-z_][A-Za-z0-9_]*\)[",].*/\1/p' | sort -u
}

_lacuna()
{
	local prog=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev= cmd= file=
	local list i word want= values=
	COMPREPLY=()
	# bash cuts words at '=': --width = 80
	[ "$cur" = = ] && cur=
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		[ "$word" = = ] && continue
		prev=$word
		case $word in
		-*) ;;
		*) if [ -z "$cmd" ]; then cmd=$word
		   elif [ -z "$file" ] && [ -f "$word" ]; then file=$word; fi ;;
		esac
	done
	list=$("$prog" help --list 2>/dev/null) || return
	if [ -z "$cmd" ] || [ "$cmd" = help ]; then
		COMPREPLY=($(compgen -W "$(awk -F '\t' '$2 == "" && $3 == "" {
			print $1 } END { print "help" }' <<<"$list")
			$([ -n "$cmd" ] && echo --list ||
			echo --help --version)" -- "$cur"))
		return
	fi
	# what the option before the cursor takes, "" if nothing
	case $prev in
	-*) want=$(awk -F '\t' -v c="$cmd" -v o="$prev" \
		'$1 == c && ($2 == o || $3 == o) { print $4 }' <<<"$list")
	    values=$(awk -F '\t' -v c="$cmd" -v o="$prev" \
		'$1 == c && ($2 == o || $3 == o) { print $6 }' <<<"$list") ;;
	esac
	case $prev:$want in
	-o:*|--output-format:*)
		COMPREPLY=($(compgen -W "$("$prog" help | awk '
			/^formats/ { on = 1; next } /^$/ { on = 0 }
			on { print $1 }')" -- "$cur"))
		return ;;
	esac
	if [ -n "$values" ]; then
		COMPREPLY=($(compgen -W "$values" -- "$cur"))
		return
	fi
	case $prev:$want in
	*:FILE|*:DIR)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	*:?*)
		return ;;
	esac
	case $cur in
	-*)
		COMPREPLY=($(compgen -W "$(awk -F '\t' -v c="$cmd" '$1 == c {
			print $2; print $3 }' <<<"$list")" -- "$cur")) ;;
	*)
		if [[ $cmd = show || $cmd = list ]] && [ -n "$file" ]; then
			COMPREPLY=($(_lacuna_types "$file" "$cur"))
		else
			COMPREPLY=($(compgen -f -- "$cur"))
		fi ;;
	esac
}

complete -o filenames -F _lacuna lacuna
