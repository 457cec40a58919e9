#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dependencies point in one direction (docs/ARCHITECTURE.md): rooms.list must allow every #include.
# A header is identified by its name alone, and each room has a README.md.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

sources() { find src decoder gen tests bench examples -name '*.[ch]' -o -name '*.def'; }

# Prints the violations, if there are any.
includes_are_allowed() { ! sources | sort | xargs awk -f tests/style/dependencies.awk tests/style/rooms.list | grep .; }

headers_have_names_of_their_own() { ! find src decoder gen -name '*.h' | sed 's|.*/||' | sort | uniq -d | grep .; }

# The folders src, src/core and decoder are rooms here, too: their READMEs are the maps.
rooms() { find src decoder -name local.mk | sed 's|/local.mk$||'; }
README_LINES=40

rooms_have_readmes() {
    ! for room in $(rooms); do
        if [ ! -f "$room/README.md" ]; then
            echo "$room has no README.md"
        elif [ "$(wc -l <"$room/README.md")" -gt $README_LINES ]; then
            echo "$room/README.md has more than $README_LINES lines"
        fi
    done | grep .
}

# Pages and comments name files by their path from the top; NAME is a placeholder.
pages() { find README.md CONTRIBUTING.md docs src decoder gen tests bench -name '*.md' -o -name '*.[ch]' -o -name '*.def'; }
named_files_are_there() {
    ! pages | xargs grep -oHE '\b(src|decoder|gen|tests|bench|docs|examples)/([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.(c|h|md|sh|def|list)\b' |
        sort -u | while IFS=: read -r page named; do
        case $named in *NAME*) continue ;; esac
        [ -e "$named" ] || echo "$page names $named, which is not there"
    done | grep .
}

# Makes a copy of the tree, to which errors are added.
copy() {
    rm -rf "$tmp/tree" && mkdir "$tmp/tree" &&
        tar -cf - $(sources) $(find src decoder -name local.mk -o -name README.md) README.md CONTRIBUTING.md docs tests/style | tar -xf - -C "$tmp/tree"
}

# says CHECK MESSAGE: checks the message of a check of the copy
says() {
    (cd "$tmp/tree" && ! "$1") >"$tmp/said" && grep -F "$2" "$tmp/said" || {
        cat "$tmp/said"
        return 1
    }
}

# refuses FILE LINE MESSAGE: adds that line to the file and checks the message about includes
refuses() {
    printf '%s\n' "$2" >>"$tmp/tree/$1" && says includes_are_allowed "$3" || return 1
    head -c -$((${#2} + 1)) "$tmp/tree/$1" >"$tmp/before" && mv "$tmp/before" "$tmp/tree/$1"
}

# planted NAME FILE LINE MESSAGE
planted() { check "found: $1" refuses "$2" "$3" "$4"; }

namesake() { cp "$tmp/tree/src/core/base/map.h" "$tmp/tree/gen/map.h" && says headers_have_names_of_their_own map.h; }
no_readme() {
    for room in decoder/util src/record; do
        rm "$tmp/tree/$room/README.md" && says rooms_have_readmes "$room has no README.md" || return 1
    done
}
long_readme() {
    yes | head -n $((README_LINES + 1)) >"$tmp/tree/src/core/README.md" &&
        says rooms_have_readmes "src/core/README.md has more than $README_LINES lines"
}

check "every include is allowed" includes_are_allowed
check "no two headers have one name" headers_have_names_of_their_own
wrong_name() {
    echo "See src/core/base/nowhere.h." >>"$tmp/tree/src/core/base/README.md" &&
        says named_files_are_there "src/core/base/README.md names src/core/base/nowhere.h, which is not there"
}

check "each room has a README of at most $README_LINES lines" rooms_have_readmes
check "files that pages and comments name are there" named_files_are_there
check "a copy of the sources" copy
planted "a lower room of the core includes a higher one" src/core/base/array.h '#include "src/core/trace/trace.h"' \
    'src/core/base may not include src/core/trace/trace.h'
planted "the core includes the tracer, by a path" src/core/base/log.c '#include "src/record/tracer.h"' 'src/core/base may not include src/record/tracer.h'
planted "the core includes the tracer, relatively" src/core/base/log.c '#include "../../record/tracer.h"' 'a relative path: ../../record/tracer.h'
planted "the core includes mpi.h" src/core/base/log.c '#include <mpi.h>' 'src/core/base may not include mpi.h'
planted "the decoder includes mpi.h" decoder/cli/main.c '#include "mpi.h"' 'decoder/cli may not include mpi.h'
planted "the decoder includes the tracer" decoder/cli/main.c '#include "src/record/tracer.h"' 'decoder/cli may not include src/record/tracer.h'
planted "the tracer includes the decoder" src/run/tracer.c '#include "decoder/trace/reader.h"' 'src/run may not include decoder/trace/reader.h'
planted "a lower room of the decoder includes a higher one" decoder/times/timestamps.h '#include "decoder/match/operation.h"' \
    'decoder/times may not include decoder/match/operation.h'
planted "another room's header by its name alone" decoder/times/timestamps.h '#include "operation.h"' 'operation.h is not in decoder/times'
planted "a lower room of the tracer includes a higher one" src/memory/memory.c '#include "src/record/thread.h"' \
    'src/memory may not include src/record/thread.h'
planted "gen includes the core" gen/main.c '#include "src/core/base/map.h"' 'gen may not include src/core/base/map.h'
planted "a test includes what is not its matter" tests/unit/core/base/test_map.c '#include "decoder/trace/reader.h"' \
    'tests/unit/core/base may not include decoder/trace/reader.h'
planted "a header that is not there" decoder/cli/main.c '#include "decoder/util/nothing.h"' 'there is no decoder/util/nothing.h'
planted "a circle in the list" tests/style/rooms.list 'src/core/loop: decoder/nowhere' 'decoder/nowhere, which is not above it'
check "found: a README that names a file that is not there" wrong_name
check "found: two headers of one name" namesake
check "found: a room without a README" no_readme
check "found: a README that is too long" long_readme
finish
