#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A tree of sources like the standard's: macros, chapters with rendered copies, errata, files of
# older editions.
. "$srcdir/tests/tap.sh"

gen=$top_builddir/gen/gen
here=$srcdir/tests/gen
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/generated"

# lists NAME OPTION…: checks that --list of the tree prints the text of NAME.list, with the messages
# of NAME.messages
lists() {
    name=$1
    shift
    (cd "$here" && "$gen" --list "$@" $(find tree -name '*.tex' | LC_ALL=C sort)) >"$work/list" 2>"$work/messages" || {
        cat "$work/messages"
        return 1
    }
    diff -u "$here/$name.list" "$work/list" && diff -u "$here/$name.messages" "$work/messages"
}
check "chapters describe, the rest is compared and warned of" lists tree
check "what is skipped is as if it were not there" lists tree-skip --skip team.tex --skip errata/errata-40.tex --skip names.tex

# refuses LINE OPTION…: checks for that message
refuses() {
    line=$1
    shift
    ! "$gen" --list "$@" >"$work/list" 2>"$work/messages" && [ ! -s "$work/list" ] && grep -Fx "$line" "$work/messages"
}
check "a file to be skipped must be one" refuses "gen: --skip eam.tex: none of the files has that name" --skip eam.tex "$here/tree/chap-team/team.tex"
check "a file that is not there" refuses "$here/none.tex:1: cannot be opened: No such file or directory" "$here/none.tex"

skips_bad() { "$gen" --list --skip kind.tex "$here/bad/kind.tex" "$here/binding.tex" | diff -u "$here/binding.list" -; }
check "a file that is refused can be skipped" skips_bad

# A folder's name counts only within the tree.
alone() {
    mkdir "$work/errata" && cp "$here/binding.tex" "$work/errata" && "$gen" --list "$work/errata/binding.tex" | diff -u "$here/binding.list" -
}
check "a tree may lie in a folder of any name" alone

# The appendix lists prototypes, large counts first, before the chapters that describe them.
appendix() {
    cat >"$work/appendix.tex" <<'END'
\mpibind{MPI\_Team\_pass\_c}{(\gb{}const~void~*buf, MPI\_Count~count, MPI\_Datatype~datatype)}
\mpibind{MPI\_Team\_alone\_c}{(\gb{}MPI\_Comm~comm)}
\mpibind{MPI\_Team\_talk}{(\gb{}const~int~level, \ldots)}
\mpiemptybindNOidx{MPI\_Team\_tick}{(void)}{double}
END
    cat >"$work/chapter.tex" <<'END'
\begin{mpi-binding}
    function_name("MPI_Team_pass")
    parameter("buf", "BUFFER", constant=True)
    parameter("count", "POLYXFER_NUM_ELEM")
    parameter("datatype", "DATATYPE")
\end{mpi-binding}
\begin{mpi-binding}
    function_name("MPI_Team_talk")
    parameter("level", "PROFILE_LEVEL", constant=True)
    parameter("varargs", "VARARGS")
    no_ierror()
\end{mpi-binding}
\begin{mpi-binding}
    function_name("MPI_Team_tick")
    no_ierror()
    return_type("WALL_TIME")
\end{mpi-binding}
END
    "$gen" --list "$work/appendix.tex" "$work/chapter.tex" >"$work/list" || return 1
    "$gen" --list "$work/chapter.tex" >"$work/chapter.list" && grep -v '^MPI_Team_alone_c ' "$work/list" | diff -u "$work/chapter.list" -
}
check "an appendix of prototypes agrees with the chapters" appendix

# Procedures that mpi.h or the Fortran libraries have, and the tree lacks, come from
# mpi-std/removed.tex.
removed() {
    cat >"$work/declared.i" <<'END'
int MPI_Team_size(MPI_Comm comm, int *size);
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement);
int MPI_Team_new(MPI_Comm comm);
int MPI_Team_newer(MPI_Comm comm);
int MPI_Sizeof(void *value, int *size);
typedef MPI_Aint (team_function)(MPI_Aint base);
END
    printf '%s\n' mpi_type_lb_ pmpi_type_lb_ >"$work/symbols"
    "$gen" --declared "$work/declared.i" --fortran "$work/symbols" --removed "$srcdir/mpi-std/removed.tex" --out "$work/generated" \
        "$here/tree/chap-team/team.tex" 2>"$work/messages" || return 1
    sed -n 's/.*removed.tex:[0-9]*: warning: \(MPI_[A-Za-z_]*\) is taken from here: the MPI library has it, .*/\1/p' "$work/messages" | tr '\n' ' '
    functions=$(sed -n 's/^ *FUNCTION_\(MPI_[^,]*\),$/\1/p' "$work/generated/functions.h" | tr '\n' ' ')
    echo "functions $functions"
    [ "$functions" = "MPI_Address MPI_Team_size MPI_Type_lb MPI_Type_ub " ] && [ "$(grep -c 'is taken from here' "$work/messages")" -eq 3 ] &&
        grep -Fx "$work/declared.i:4: warning: these have no description, so their calls are not recorded: MPI_Team_new, MPI_Team_newer" "$work/messages" &&
        grep -q 'mpi_type_lb_(MPI_Fint \*f_datatype, MPI_Fint \*f_displacement, MPI_Fint \*f_ierror)' "$work/generated/wrap_f.c"
}
check "what was removed is taken from mpi-std" removed

# All errors are reported, also those found while writing; missing requests do not cause a crash.
unknown_lengths() {
    cat >"$work/lengths.tex" <<'END'
\begin{mpi-binding}
    function_name("MPI_Team_ask")
    parameter("comm", "COMMUNICATOR")
    parameter("answers", "STATUS", direction="out", length="*", pointer=False)
\end{mpi-binding}
\begin{funcdef}{MPI\_TEAM\_TELL(comm, secrets)}
\funcarg{\IN}{comm}{(handle)}
\funcarg{\IN}{secrets}{(array of integers)}
\end{funcdef}
\mpibind{MPI\_Team\_tell(MPI\_Comm comm, const int secrets[])}
END
    ! "$gen" --out "$work/generated" "$work/lengths.tex" 2>"$work/messages" || return 1
    diff -u - "$work/messages" <<END
$work/lengths.tex:4: MPI_Team_ask: unknown length of 'answers': add a line LENGTH to gen/lengths.def
$work/lengths.tex:8: MPI_Team_tell: unknown length of 'secrets': add a line LENGTH to gen/lengths.def
gen: 2 refused; correct them, or leave out a file with --skip FILE
END
}
check "a length that nothing tells" unknown_lengths
finish
