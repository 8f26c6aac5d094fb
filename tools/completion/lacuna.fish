# SPDX-License-Identifier: BSD-2-Clause
# fish completion of lacuna: asks the program for its commands and options.

function __lacuna_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and echo $words[2]
end

function __lacuna_commands
    lacuna help --list 2>/dev/null | awk -F '\t' '
        $2 == "" && $3 == "" { print $1 "\t" $5 }
        END { print "help\tthe options of a command" }'
end

function __lacuna_options
    set -l command (__lacuna_command)
    test -n "$command"; or return
    lacuna help --list $command 2>/dev/null | awk -F '\t' '
        $2 != "" { print $2 "\t" $5 } $3 != "" { print $3 "\t" $5 }'
end

function __lacuna_formats
    lacuna help | awk '/^formats/ { on = 1; next } /^$/ { on = 0 }
        on && /^  [a-z]/ { name = $1; sub(/^ *[a-z]+ */, "")
            print name "\t" $0 }'
end

function __lacuna_wants_format
    set -l words (commandline -opc)
    contains -- $words[-1] -o --output-format
end

# The words that the option before the cursor takes.
function __lacuna_values
    set -l words (commandline -opc)
    test (count $words) -ge 3; or return
    lacuna help --list $words[2] 2>/dev/null | awk -F '\t' -v o=$words[-1] '
        ($2 == o || $3 == o) && $6 != "" { gsub(/ /, "\n", $6); print $6 }'
end

complete -c lacuna -n 'test (count (commandline -opc)) -eq 1' -f \
    -a '(__lacuna_commands)'
complete -c lacuna -n 'test (count (commandline -opc)) -eq 2
    and test (__lacuna_command) = help' -f -a '(__lacuna_commands)'
complete -c lacuna -n 'string match -q -- "-*" (commandline -ct)' -f \
    -a '(__lacuna_options)'
complete -c lacuna -n __lacuna_wants_format -f -a '(__lacuna_formats)'
complete -c lacuna -n 'test -n "$(__lacuna_values)"' -f -a '(__lacuna_values)'
