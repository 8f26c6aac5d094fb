# SPDX-License-Identifier: BSD-2-Clause
# options.awk - put the options of the program into a manual page.
#
#   lacuna help --list | awk -f options.awk -v cmd=show - PAGE.scd
#
# A line "@OPTIONS@" of the page becomes the options that are cmd's own,
# "@COMMON@" those that every command has, "@COMMANDS@" the commands.
BEGIN { FS = "\t" }
NR == FNR {
	n++
	name[n] = $1; short[n] = $2; long[n] = $3; arg[n] = $4; text[n] = $5
	if ($2 == "" && $3 == "")
		commands++
	else
		times[$2, $3, $4, $5]++
	next
}
function plain(s) {
	gsub(/[\\*_<#]/, "\\\\&", s)
	return s
}
function option(i,    s) {
	s = ""
	if (short[i] != "")
		s = "*" short[i] "*" (long[i] == "" ? "" : ", ")
	if (long[i] != "")
		s = s "*" long[i] "*"
	if (arg[i] != "")
		s = s (long[i] != "" ? "=" : " ") "_" plain(arg[i]) "_"
	printf "%s\n\t%s\n\n", s, plain(text[i])
}
function is_common(i) {
	return commands > 1 &&
		times[short[i], long[i], arg[i], text[i]] == commands
}
$0 == "@OPTIONS@" || $0 == "@COMMON@" {
	own = $0 == "@OPTIONS@"
	first = own ? cmd : name[1]
	for (i = 1; i <= n; i++)
		if (name[i] == first && (short[i] != "" || long[i] != "") &&
		    is_common(i) != own)
			option(i)
	next
}
$0 == "@COMMANDS@" {
	for (i = 1; i <= n; i++)
		if (short[i] == "" && long[i] == "")
			printf "*lacuna-%s*(1)\n\t%s\n\n", name[i],
				plain(text[i])
	next
}
{ print }
