#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fortran's names of MPI procedures. A library's own function with such a name keeps its meaning,
# whether the program is linked with the library or loads it; and Fortran programs are traced under
# every form of the names.
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/scratch.sh"

export LD_LIBRARY_PATH="$tmp${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# Its function calls the one with the name; one program is linked with it, another loads it.
cat >own.c <<'END'
int NAME(void) { return 17; }
int own(void) { return NAME(); }
END
cat >linked.c <<'END'
#include <mpi.h>
#include <stddef.h>
#ifdef LOADS
#include <dlfcn.h>
#endif
int own(void);
int main(void)
{
    MPI_Init(NULL, NULL);
#ifdef LOADS
    void *library = dlopen("libown.so", RTLD_NOW);
    int (*own)(void) = library ? (int (*)(void))dlsym(library, "own") : NULL;
#endif
    int result = own ? own() : 1;
    MPI_Finalize();
    return result != 17;
}
END
linked() { $mpicc -o "$1" linked.c ./libown.so; }
loading() { $mpicc -DLOADS -o "$1" linked.c -ldl; }
owning() { ${CC:-cc} -shared -fPIC -Wl,-soname,libown.so -DNAME="$1" -o libown.so own.c; }

# recorded PROGRAM [OPTION…]
recorded() {
    program=$1
    shift
    rm -f trace.refrain
    timeout "$limit" "$mpirun" $flags -n 1 "$refrain" record --log info -o trace.refrain "$@" "./$program" >said 2>&1 </dev/null || { cat said; return 1; }
}
traced_calls() { "$refrain" text trace.refrain | sed 's/.*  \(MPI_[A-Za-z0-9_]*\)(.*/\1/' | xargs; }
says() { grep -F -- "$1" said || { cat said; return 1; }; }

for name in mpi_comm_size mpi_comm_size_ mpi_comm_size__ MPI_COMM_SIZE; do
    check "$name: a library has it" owning $name
    check "$name: linked: builds" linked linked
    check "$name: linked: its own is called" recorded linked
    check "$name: linked: and if all names are asked for" recorded linked --fortran-names all
    check "$name: linked: that is said" says "libown.so defines $name itself"
    check "$name: linked: the calls of MPI are recorded" test "$(traced_calls)" = "MPI_Init MPI_Finalize"
    check "$name: loaded: builds" loading loading
    case $name:$FORTRAN_FORM in
    mpi_comm_size:plain | mpi_comm_size_:underscore | mpi_comm_size__:second | MPI_COMM_SIZE:capitals)
        check "$name: loaded: its own is called if no names are exported" recorded loading --fortran-names none ;;
    *) check "$name: loaded: its own is called" recorded loading ;;
    esac
done

# The forms that gfortran and both libraries support; capitals are called from C.
cat >fortran.f90 <<'END'
program names
    include 'mpif.h'
    integer rank, ierror
    call mpi_init(ierror)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierror)
    call mpi_barrier(MPI_COMM_WORLD, ierror)
    call mpi_finalize(ierror)
end program
END
cat >capitals.c <<'END'
#include <mpi.h>
void MPI_INIT(MPI_Fint *);
void MPI_COMM_RANK(MPI_Fint *, MPI_Fint *, MPI_Fint *);
void MPI_BARRIER(MPI_Fint *, MPI_Fint *);
void MPI_FINALIZE(MPI_Fint *);
int main(void)
{
    MPI_Fint rank, error, world;
    MPI_INIT(&error);
    world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_COMM_RANK(&world, &rank, &error);
    MPI_BARRIER(&world, &error);
    MPI_FINALIZE(&error);
    return 0;
}
END
calls="MPI_Init MPI_Comm_rank MPI_Barrier MPI_Finalize"
by_form() {
    case $1 in
    underscore) $mpifort -funderscoring -o "$1" fortran.f90 ;;
    plain) $mpifort -fno-underscoring -o "$1" fortran.f90 ;;
    second) $mpifort -fsecond-underscore -o "$1" fortran.f90 ;;
    capitals) $mpicc -o "$1" capitals.c $($mpifort -show | tr ' ' '\n' | grep '^-l') ;;
    esac
}
# The same program, which shows its form only by the names that it calls.
[ -z "$mpifort" ] || for form in underscore plain second capitals; do
    check "$form: builds" by_form $form
    check "$form: runs" recorded $form
    check "$form: is traced" test "$(traced_calls | sed 's/MPI_Comm_c2f //')" = "$calls"
    check "$form: asked for" recorded $form --fortran-names $form
    check "$form: asked for: is traced" test "$(traced_calls | sed 's/MPI_Comm_c2f //')" = "$calls"
done
finish
