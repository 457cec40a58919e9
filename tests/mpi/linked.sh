#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that is linked with the installed tracer leaves the same trace as with the preloaded
# tracer, under the chosen name, and reports if there is none. In C and Fortran; with the tracer as
# a shared library and as an archive; with an MPI library that is an archive, and with archives
# only.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
ring=$(cd "$srcdir/examples" && pwd)/ring.c
unset REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_TIMING REFRAIN_LOG REFRAIN_CHECK MAKEFLAGS MFLAGS
export REFRAIN_LOG=warning

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

installed() { make -C "$top_builddir" install DESTDIR="$tmp/root"; }
check "make install" installed
library=$(find "$tmp/root" -path "*/refrain/$MPI_NAME/librefrain.so") && library=${library%/*}
built=$(realpath "$refrain") && refrain=$(find "$tmp/root" -path '*/bin/refrain')
refrain=${refrain:-$built} # an installation of the tracer only: mpi.mk
export PKG_CONFIG_PATH="${library%/*/*}/pkgconfig" LD_LIBRARY_PATH="$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# Translates the installed place in the file to the present place.
refrain_libs() { pkg-config --define-variable=libdir="$library" "$@" --libs "refrain-$MPI_NAME"; }
cd "$tmp" || exit 1

echo 'int main(void) { return 0; }' >silent.c
cat >uninitialized.c <<'EOF'
#include <mpi.h>
int main(void) { int initialized; return MPI_Initialized(&initialized); }
EOF

# compile OUTPUT SOURCE LIBRARY…
compile() {
    output=$1 source=$2
    shift 2
    case $source in *.f90) compiler=$mpifort ;; *) compiler=$mpicc ;; esac
    $compiler -o "$output" "$source" "$@" -lm
}
shared() { compile "$1" "$2" $(refrain_libs); }
static() {
    mkdir -p archive && cp "$library/librefrain.a" archive &&
        compile "$1" "$2" -Larchive $(refrain_libs --static | sed "s|-L$library||")
}
preloaded() { compile "$1" "$2"; }
start() { timeout "$limit" "$mpirun" $flags -n 2 "$@" </dev/null; }
text() { "$refrain" text "$1" | sed 's/argv=\[[^]]*\]/argv/'; }
same_text() { text "${2-preloaded.refrain}" >one && text "$1" >two && [ -s one ] && cmp one two; }
# MPICH's mpirun loses what a process says that ends at once, in some of 100 runs on a busy machine, also without Refrain.
says() {
    for try in 1 2 3 4 5; do
        start $1 2>&1 | grep -F -- "$2" && return
    done
    return 1
}

silent() {
    start "$refrain" record -o "$@" >said 2>&1 && ! grep 'nothing was recorded' said
}

check "a program" preloaded preloaded "$ring"
check "is traced" start "$refrain" record ./preloaded
for how in shared static; do
    check "$how: links" $how $how "$ring"
    check "$how: runs" start ./$how
    check "$how: leaves the same trace" same_text $how.refrain
    cp $how.refrain first
    check "$how: runs again, and says that it has another name" says ./$how "this run is in $how.2.refrain"
    check "$how: the first trace stays" cmp first $how.refrain
    check "$how: the second has another name" same_text $how.2.refrain
    REFRAIN_OUTPUT=$tmp/named.$how REFRAIN_VERIFY=$tmp/raw.$how REFRAIN_CHECK=1 REFRAIN_TIMING=off
    export REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_CHECK REFRAIN_TIMING
    check "$how: runs with variables" start ./$how
    check "$how: the name it is told" same_text named.$how
    check "$how: what was recorded" "$refrain" verify named.$how raw.$how
    unset REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_CHECK REFRAIN_TIMING
    check "$how: preloaded, too" start "$refrain" record -o both.$how ./$how
    check "$how: preloaded, too: no word that nothing was recorded" silent both.$how ./$how
    check "$how: traced once" same_text both.$how
    check "$how: no MPI_Init: links" $how uninitialized.$how uninitialized.c
    check "$how: no MPI_Init: says so" says ./uninitialized.$how "ended without MPI_Init; nothing was recorded"
done
# A program loads a library that is linked with the tracer, as Python does with its modules: by then
# there is little room for thread-local variables.
cat >loader.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return ((int (*)(int, char **))dlsym(plugin, "main"))(argc, argv);
}
END
plugin() { compile plugin.so "$ring" -shared -fPIC $(refrain_libs) && "${CC:-cc}" -o loader loader.c -ldl; }
check "loaded late: links" plugin
check "loaded late: runs" start ./loader
check "loaded late: leaves the same trace" same_text loader.refrain
# A thread that has called MPI ends, and so does the program, after the loader of the tracer has
# closed it again.
cat >closer.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static pthread_barrier_t ended, closed;
static void *plugin;
static char *arguments[] = {"closer", NULL};
static void *call(void *unused)
{
    ((int (*)(int, char **))dlsym(plugin, "main"))(1, arguments);
    pthread_barrier_wait(&ended);
    pthread_barrier_wait(&closed);
    return unused;
}
int main(void)
{
    pthread_t thread;
    plugin = dlopen("./plugin.so", RTLD_NOW);
    pthread_barrier_init(&ended, NULL, 2);
    pthread_barrier_init(&closed, NULL, 2);
    if (!plugin || pthread_create(&thread, NULL, call, NULL) != 0)
        return 1;
    pthread_barrier_wait(&ended);
    dlclose(plugin);
    pthread_barrier_wait(&closed);
    return pthread_join(thread, NULL);
}
END
closer() { "${CC:-cc}" -o closer closer.c -ldl -lpthread; }
check "closed again: links" closer
check "closed again: runs" start ./closer
check "closed again: leaves the same trace" same_text closer.refrain
if [ -n "$mpifort" ]; then
    cat >fortran.f90 <<'END'
program fortran
    use mpi
    integer :: ierror, rank, value
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    value = rank
    call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (value /= 0) stop 1
end program
END
    check "Fortran" preloaded preloaded fortran.f90
    check "Fortran: is traced" start "$refrain" record -o preloaded.refrain ./preloaded
    for how in shared static; do
        check "Fortran, $how: links" $how fortran.$how fortran.f90
        check "Fortran, $how: runs" start ./fortran.$how
        check "Fortran, $how: leaves the same trace" same_text fortran.$how.refrain
    done
    # For later checks.
    check "a program again" preloaded preloaded "$ring"
    check "is traced again" start "$refrain" record -o preloaded.refrain ./preloaded
fi

# ---- MPI libraries that are archives: Debian has MPICH's
archive() { file=$("${CC:-cc}" -print-file-name="$1") && [ "${file#/}" != "$file" ]; }
all_archives() {
    for name in libmpich.a libucp.a libuct.a libucs.a libucm.a libhwloc.a libnuma.a libibverbs.a; do
        archive "$name" || return 1
    done
}
# Prints the libraries that the shared libmpich needs, by their names in it.
needed() { readelf -d "$("${CC:-cc}" -print-file-name=libmpich.so)" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/-l:\1/p'; }
static_mpi() { "${CC:-cc}" $MPI_CPPFLAGS -o "$1" "$ring" archive/librefrain.a -l:libmpich.a $(needed) $TRACER_LIBS; }
# Nothing requires a member of the Fortran library, because the tracer's wrappers refer to it
# weakly. It also has procedures of mpi_f08 beside their twins; the tracer's, which come first, must
# be used.
static_fortran() {
    $mpifort -o "$1" fortran.f90 -Wl,-z,muldefs archive/librefrain.a -Wl,--whole-archive -l:libmpichfort.a -Wl,--no-whole-archive \
        -l:libmpich.a $(needed) $TRACER_LIBS -Wl,--as-needed
}
# Debian has no static libudev, which its libhwloc.a needs for the names of disks. UCX registers
# itself in constructors, which the linker would leave out.
cat >udev.c <<'END'
void *udev_new(void);
void *udev_unref(void *udev);
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name);
void *udev_device_unref(void *device);
const char *udev_device_get_property_value(void *device, const char *key);
void *udev_new(void) { return 0; }
void *udev_unref(void *udev) { return udev; }
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name) { return udev && subsystem && name ? udev : 0; }
void *udev_device_unref(void *device) { return device; }
const char *udev_device_get_property_value(void *device, const char *key) { return device ? key : 0; }
END
static_all() {
    "${CC:-cc}" -static $MPI_CPPFLAGS -o "$1" "$ring" udev.c archive/librefrain.a \
        -Wl,--whole-archive -lucs -luct -lucp -lucm -Wl,--no-whole-archive \
        -Wl,--start-group -lmpich -lhwloc -lnuma -libverbs $TRACER_LIBS -Wl,--end-group
}
refused() { "$refrain" record ./everything 2>&1 | grep -F "is statically linked"; }
if [ "$MPI_NAME" = mpich ] && archive libmpich.a; then
    check "static MPI library: links" static_mpi library
    check "static MPI library: runs" start ./library
    check "static MPI library: leaves the same trace" same_text library.refrain
fi
if [ "$MPI_NAME" = mpich ] && archive libmpichfort.a && [ -n "$mpifort" ]; then
    check "static MPI library, Fortran: links" static_fortran library_f
    check "static MPI library, Fortran: runs" start ./library_f
    check "static MPI library, Fortran: leaves the same trace" same_text library_f.refrain fortran.static.refrain
fi
if [ "$MPI_NAME" = mpich ] && all_archives; then
    check "everything static: links" static_all everything
    check "everything static: runs" start ./everything
    check "everything static: leaves the same trace" same_text everything.refrain
    check "everything static: record says what helps" refused
fi

check "no call: compiles" preloaded silent silent.c
check "no call: says so" says "$refrain record ./silent" "called no MPI procedure; nothing was recorded"

export REFRAIN_TIMING=sometimes
check "a setting without sense" says ./shared "warning: REFRAIN_TIMING=sometimes: wanted aggregate"
export REFRAIN_TIMING=off REFRAIN_OUTPUT="$tmp/nowhere/trace"
elsewhere() { rm -f trace.refrain && says ./shared "cannot write the trace to $tmp/nowhere/trace" && "$refrain" info trace.refrain; }
check "a place that is not there: here instead" elsewhere
finish
