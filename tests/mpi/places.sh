#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The place of the trace is usable in MPI_Init, but not at the end: the trace or the parts go to
# another place, which is reported.
#
# From the environment: srcdir, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"
export LC_ALL=C TMPDIR="$tmp/temporary"

"$mpicc" -std=c11 -D_GNU_SOURCE -g -O0 -Wall -Wextra -Werror -Wno-stringop-overflow -o gives_up "$srcdir/tests/mpi/gives_up.c" ||
    { echo "cannot build the program"; exit 1; }

# gives_up WHAT [ARGUMENT…]: runs in its own folder, whose content is then what the run leaves. Open
# MPI's files in $TMPDIR are elsewhere.
gives_up() {
    rm -rf there there.other work "$tmp/temporary" && mkdir there work "$tmp/temporary" && cd work || return 1
    OMPI_MCA_orte_tmpdir_base=/tmp LD_PRELOAD=${yield-} timeout "$limit" "$mpirun" $flags -n 2 "$refrain" record -o "$tmp/there/t.refrain" \
        "$tmp/gives_up" "$@" >"$tmp/said" 2>&1 </dev/null
    result=$?
    cd "$tmp" && grep '^refrain' said >ours
    return $result
}
# said TEXT: checks for a single line with it
said() { [ "$(wc -l <ours)" -eq 1 ] && grep -qF -- "$1" ours || { cat said; return 1; }; }
there() { [ "$("$refrain" info --json "$1" | grep -c '"ranks":2')" -eq 1 ] || { cat said; ls; return 1; }; }

folder() { gives_up folder "$tmp/there" && there work/t.refrain && said "cannot write the trace to $tmp/there/t.refrain: No such file or directory; it is written to $tmp/work, as t.refrain"; }
environment() { gives_up environment "$tmp/there" && there temporary/t.refrain && said "it is written to $tmp/temporary, as t.refrain"; }
limited() { gives_up "$1" && there there/t.refrain && [ ! -s ours ] || { cat said; return 1; }; }
hard() { # nothing helps; only messages remain
    gives_up hard && grep -q 'cannot write .*: File too large' ours && [ "$(grep -c 'this run has no trace' ours)" -eq 1 ] &&
        ! grep 'refrain merge' ours && [ -z "$(ls there work temporary | grep refrain)" ] || { cat said; ls there work temporary; return 1; }
}
# The printed command makes a trace of the parts.
merges() {
    command=$(sed -n 's/.*`refrain \(merge [^`]*\)`.*/\1/p' ours)
    [ -n "$command" ] && cd "$1" && "$refrain" $command && cd "$tmp" && "$refrain" text "$(find "$1" -name 't*.refrain' | head -1)" | grep -q MPI_Abort ||
        { cat said; ls -R "$tmp/there" "$tmp/work"; return 1; }
}
aborts() { ! gives_up nothing "" abort && said "the run ended without a trace; " && merges there; }
aborts_elsewhere() { ! gives_up folder "$tmp/there" abort && grep -q 'the run ended without a trace; ' ours && ls work/t.refrain.parts >/dev/null && merges work; }

# The launcher may kill the rank that is about to print it, as MPICH's does if several ranks abort.
again() { "$@" || { cd "$tmp"; "$@"; } || { cd "$tmp"; "$@"; }; }
check "the folder goes" folder
check "the folder goes, and the environment, and the working directory" environment
check "few files may be open, for the time being" limited files
check "a file may not be long, for the time being" limited size
check "a file may not be long" hard
check "MPI_Abort: says what makes a trace of the parts" again aborts
check "MPI_Abort: the folder goes" again aborts_elsewhere
finish
