#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Adding a procedure to a .tex file is all it takes to have it traced and decoded: an invented MPI library gets one more
# procedure, mpi-std one more block, and nothing else changes.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/include" "$work/std" "$work/generated"

# An MPI library with one procedure more: a header in front of mpi.h, and the procedure itself.
cat >"$work/include/mpi.h" <<'END'
#include_next <mpi.h>
int MPI_Refrain_scale(const void *values, int n, MPI_Comm comm, void *unused, int factors[], int *total);
int PMPI_Refrain_scale(const void *values, int n, MPI_Comm comm, void *unused, int factors[], int *total);
END
cat >"$work/library.c" <<'END'
#include <mpi.h>
int PMPI_Refrain_scale(const void *values, int n, MPI_Comm comm, void *unused, int factors[], int *total)
{
    (void)values, (void)comm, (void)unused;
    *total = 0;
    for (int i = 0; i < n; i++)
        *total += factors[i] = 10 * (i + 1);
    return MPI_SUCCESS;
}
END
cat >"$work/program.c" <<'END'
#include <mpi.h>
#include <stddef.h>
static double values[3] = {1, 2, 3};
int main(int argc, char **argv)
{
    int factors[3], total;
    MPI_Init(&argc, &argv);
    MPI_Refrain_scale(values, 3, MPI_COMM_WORLD, NULL, factors, &total);
    MPI_Finalize();
    return total != 60;
}
END
cp "$srcdir"/mpi-std/*.tex "$work/std"
cat >"$work/std/more.tex" <<'END'
\begin{mpi-binding}
    function_name("MPI_Refrain_scale")
    parameter("values", "BUFFER", direction="IN", constant=True)
    parameter("n", "ARRAY_LENGTH_NNI", direction="IN")
    parameter("comm", "COMMUNICATOR", direction="IN")
    parameter("unused", "BUFFER", direction="IN")
    parameter("factors", "INDEX", direction="OUT", length="n")
    parameter("total", "INDEX", direction="OUT")
\end{mpi-binding}
END

build() {
    echo '#include <mpi.h>' | $CC -I"$work/include" $MPI_CPPFLAGS -E -dD - >"$work/declared" &&
        "$top_builddir/gen/gen" --declared "$work/declared" --out "$work/generated" "$work"/std/*.tex || return 1
    for file in $(find "$srcdir/src" -name "*.c" ! -path "*/src/core/*") "$work"/generated/*.c "$work/library.c"; do
        $CC -std=c11 -D_GNU_SOURCE -DPACKAGE_VERSION=\"0\" -O1 -fPIC -I"$work/include" -iquote "$work" -iquote "$srcdir" \
            $MPI_CPPFLAGS -c "$file" \
            -o "$work/$(basename "$file" .c).o" || return 1
    done
    $CC -shared $(printf ' -Wl,%s' $EMERGENCY) -o "$work/librefrain.so" "$work"/*.o "$top_builddir/src/core/libcore.a" $MPI_LIBS $REFRAIN_LIBS &&
        $CC -I"$work/include" $MPI_CPPFLAGS "$work/program.c" -o "$work/program" "$work/librefrain.so" $MPI_LIBS \
            -Wl,-rpath,"$work"
}

record() { REFRAIN_OUTPUT=$work/t.refrain REFRAIN_VERIFY=$work/raw "$mpirun" $flags -n 1 "$work/program"; }

decodes() {
    "$refrain" text --function MPI_Refrain_scale "$work/t.refrain" >"$work/text" || return 1
    echo '0  1  MPI_Refrain_scale(values=&values, n=3, comm=MPI_COMM_WORLD, unused=NULL, factors=[10, 20, 30], total=60) = MPI_SUCCESS' |
        diff -u - "$work/text"
}

check "a tracer with one procedure more" build
check "is recorded" record
check "is verified" "$refrain" verify "$work/t.refrain" "$work/raw"
check "is decoded" decodes
finish
