#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every command and option of --help is in its man page and in the completion, which have no others.
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
refrain=${REFRAIN:-$top_builddir/decoder/refrain}
man=$srcdir/decoder/cli/man completion=$srcdir/decoder/cli/completion/refrain
export LC_ALL=C

commands() { "$refrain" --help | sed -n '/^  help /d; s/^  \([a-z][a-z0-9]*\) .*/\1/p'; }
options() { "$refrain" "$1" --help | sed -n 's/^  \(-., \)\?\(--[a-z0-9-]*\).*/\2/p' | sort; }
letters() { "$refrain" "$1" --help | sed -n 's/^  \(-.\), --.*/\1/p' | sort; }

# Prints the tags of a page's OPTIONS section: "\-o", "\-\-output".
tags() {
    awk '/^\.SH/ { on = /OPTIONS/ } on && tag { print; tag = 0 } on && /^\.TP/ { tag = 1 }' "$man/refrain-$1.1" |
        sed 's/\\-/-/g' | grep -oE -- "$2" | tr -d ' ' | sort
}

# Prints the options that the completion offers for a command.
completed() {
    bash -c '. "$1"; COMP_WORDS=(refrain "$2" --) COMP_CWORD=2; _refrain; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$completion" "$1" | sort
}
completed_commands() {
    bash -c '. "$1"; COMP_WORDS=(refrain "") COMP_CWORD=1; _refrain; printf "%s\n" "${COMPREPLY[@]}"' - "$completion" |
        grep -v -e '^-' -e '^help$'
}

same() { diff <(echo "$1") <(echo "$2"); }
named_in_overview() { sed 's/\\-/-/g' "$man/refrain.1" | grep -q "refrain-$1 (1)"; }

# Compares the table of variables with the page: "REFRAIN_TIMING=aggregate|aggregate:rank|off".
variables() { "$refrain" config --json | grep -oE '"variable":"[^"]*"|"takes":"[^"]*"' | cut -d'"' -f4 | paste -d= - - | sort; }
pages_variables() { sed -n 's/\\-/-/g; s/^\.B \(REFRAIN_[A-Z_]*=.*\)/\1/p' "$man/refrain-config.1" | sort; }
# … and with the options of `record` that take the same values.
record_takes() {
    local name option value
    while read -r name option value; do
        "$refrain" record --help | grep -q -- "--$option " || { echo "no --$option"; return 1; }
        REFRAIN_LIBRARY=$0 "$refrain" record --$option "$value" /bin/true 2>&1 | grep -q "wanted" && { echo "--$option $value"; return 1; }
        REFRAIN_LIBRARY=$0 "$refrain" record --$option "no sense" /bin/true 2>&1 |
            grep -qF -- "--$option no sense: wanted $(variables | sed -n "s/^$name=//p")" || { echo "$name --$option"; return 1; }
    done <<'LIST'
REFRAIN_TIMING timing aggregate:rank
REFRAIN_TIME_BUDGET time-budget 64K:1G
REFRAIN_START start SIGUSR1
REFRAIN_START start 10000
REFRAIN_CHECKPOINT checkpoint 0.5
REFRAIN_FORTRAN_NAMES fortran-names plain
REFRAIN_LOG log debug
LIST
}

check "there are commands" test -n "$(commands)"
# Prints the operands that the completion offers in a directory with these files.
completed_operands() {
    local tmp
    tmp=$(mktemp -d) || return 1
    (cd "$tmp" && mkdir folder && touch a.refrain notes.txt &&
        bash -c '. "$1"; COMP_WORDS=(refrain "$2" "") COMP_CWORD=2; _refrain; printf "%s\n" "${COMPREPLY[@]}"' - "$completion" "$1" | sort)
    rm -r "$tmp"
}
helps_alike() { same "$("$refrain" help "$1" 2>&1)" "$("$refrain" "$1" --help)"; }
no_help() { "$refrain" help nothing >/dev/null 2>&1; [ $? -eq 2 ]; }

check "-V" same "$("$refrain" -V)" "$("$refrain" --version)"
check "help of no command" no_help
check "the completion offers traces" same "$(printf 'a.refrain\nfolder')" "$(completion=$(realpath "$completion") completed_operands stat)"
check "the completion has the commands" same "$(commands)" "$(completed_commands)"
for command in $(commands); do
    check "refrain help $command" helps_alike "$command"
    check "refrain(1) names $command" named_in_overview "$command"
    check "options of $command: man page" same "$(options "$command")" "$(tags "$command" '--[a-z0-9-]+')"
    check "letters of $command: man page" same "$(letters "$command")" "$(tags "$command" '(^| )-[a-z]\b')"
    check "options of $command: completion" same "$(options "$command")" "$(completed "$command")"
done
# --ranks is a synonym of --rank if a command has that option; otherwise it is unknown.
ranks() {
    local command what
    for command in $(commands); do
        options "$command" | grep -qx -- --rank && what="missing value after --ranks" || what="unknown option --ranks"
        "$refrain" "$command" --ranks 2>&1 | grep -qF "$what" || { echo "$command: wanted: $what"; return 1; }
    done
}

# troff prints a warning for each mistake.
without_warnings() { ! groff -ww -man -Tutf8 -z "$1" 2>&1 | grep .; }
if command -v groff >/dev/null; then
    for page in "$man"/*.[0-9]; do
        check "man page $(basename "$page"): no warnings" without_warnings "$page"
    done
else
    echo "SKIP: man pages without warnings: no groff"
fi
check "--ranks is --rank" ranks
check "there are variables" test -n "$(variables)"
check "variables: man page" same "$(variables)" "$(pages_variables)"
check "variables: options of record" record_takes
finish
