#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Dependencies point one way (docs/ARCHITECTURE.md): every #include is allowed by rooms.list.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

sources() { find src decoder gen tests bench examples -name '*.[ch]' -o -name '*.def'; }

# Prints what is wrong, if anything is.
includes_are_allowed() { ! sources | sort | xargs awk -f tests/style/dependencies.awk tests/style/rooms.list | grep .; }

# A copy of the tree, for mistakes.
copy() { rm -rf "$tmp/tree" && mkdir "$tmp/tree" && tar -cf - $(sources) tests/style | tar -xf - -C "$tmp/tree"; }

# refuses FILE LINE MESSAGE: with that line at the end of the file, the check says that.
refuses() {
    printf '%s\n' "$2" >>"$tmp/tree/$1" &&
        (cd "$tmp/tree" && ! includes_are_allowed) >"$tmp/said" && grep -F "$3" "$tmp/said" || {
        cat "$tmp/said"
        return 1
    }
    head -c -$((${#2} + 1)) "$tmp/tree/$1" >"$tmp/before" && mv "$tmp/before" "$tmp/tree/$1"
}

# planted NAME FILE LINE MESSAGE
planted() { check "found: $1" refuses "$2" "$3" "$4"; }

check "every include is allowed" includes_are_allowed
check "a copy of the sources" copy
planted "a lower room of the core includes a higher one" src/core/base/array.h '#include "src/core/trace/trace.h"' \
    'src/core/base may not include src/core/trace/trace.h'
planted "the core includes the tracer, by a path" src/core/base/log.c '#include "src/record/tracer.h"' 'src/core/base may not include src/record/tracer.h'
planted "the core includes the tracer, relatively" src/core/base/log.c '#include "../../record/tracer.h"' 'a relative path: ../../record/tracer.h'
planted "the core includes mpi.h" src/core/base/log.c '#include <mpi.h>' 'src/core/base may not include mpi.h'
planted "the decoder includes mpi.h" decoder/cli/main.c '#include "mpi.h"' 'decoder/cli may not include mpi.h'
planted "the decoder includes the tracer" decoder/cli/main.c '#include "src/record/tracer.h"' 'decoder/cli may not include src/record/tracer.h'
planted "the tracer includes the decoder" src/run/tracer.c '#include "decoder/trace/reader.h"' 'src/run may not include decoder/trace/reader.h'
planted "a lower room of the decoder includes a higher one" decoder/trace/timestamps.h '#include "decoder/match/operation.h"' \
    'decoder/trace may not include decoder/match/operation.h'
planted "another room's header by its name alone" decoder/trace/timestamps.h '#include "operation.h"' 'operation.h is not in decoder/trace'
planted "a lower room of the tracer includes a higher one" src/memory/memory.c '#include "src/record/thread.h"' \
    'src/memory may not include src/record/thread.h'
planted "gen includes the core" gen/main.c '#include "src/core/base/map.h"' 'gen may not include src/core/base/map.h'
planted "a test includes what is not its matter" tests/unit/core/base/test_map.c '#include "decoder/trace/reader.h"' \
    'tests/unit/core/base may not include decoder/trace/reader.h'
planted "a header that is not there" decoder/cli/main.c '#include "decoder/util/nothing.h"' 'there is no decoder/util/nothing.h'
planted "a circle in the list" tests/style/rooms.list 'src/core/loop: decoder/nowhere' 'decoder/nowhere, which is not above it'
finish
