#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `refrain record` without MPI: libraries that only have the names of MPI libraries, and a "tracer"
# that prints how it was loaded.
srcdir=${srcdir:-.} top_builddir=${top_builddir:-.}
. "$srcdir/tests/tap.sh"
refrain=$(realpath "${REFRAIN:-$top_builddir/decoder/refrain}") || exit 1
cc=${CC:-cc}
export LC_ALL=C
# in case the command is built with it: this test is about preloading
export ASAN_OPTIONS=verify_asan_link_order=0
unset REFRAIN_CALLPATH REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_TIMING REFRAIN_PROCESS LD_PRELOAD

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export LD_LIBRARY_PATH=$tmp
mkdir sub directory

echo 'int mpi(void) { return 0; }' >mpi.c
echo 'int mpi(void); int main(int argc, char **argv) { return mpi() + (argc > 1 ? argv[1][0] - 48 : 0); }' >program.c
echo 'int main(void) { return 0; }' >bitplane_code.c
cat >tracer.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int mpi(void);
static const char *value(const char *name) { const char *v = getenv(name); return v ? v : "-"; }
__attribute__((constructor)) static void loaded(void)
{
    const char *process = value("REFRAIN_PROCESS");
    fprintf(stderr, "loaded output=%s verify=%s timing=%s callpath=%s process=%s\n", value("REFRAIN_OUTPUT"),
            value("REFRAIN_VERIFY"), value("REFRAIN_TIMING"), value("REFRAIN_CALLPATH"), atol(process) == (long)getpid() ? "own" : process);
}
int unused_but_linked(void) { return mpi(); }
EOF
build() {
    for name in libmpi.so.40 libmpich.so.12; do
        "$cc" -shared -fPIC -Wl,-soname,$name -o $name mpi.c || return 1
    done
    "$cc" -shared -fPIC -o libbetween.so -Wl,-soname,libbetween.so -Wl,--no-as-needed -x c /dev/null -x none ./libmpi.so.40 &&
        "$cc" -o openmpi program.c ./libmpi.so.40 && "$cc" -o mpich program.c ./libmpich.so.12 &&
        "$cc" -o plain bitplane_code.c && "$cc" -static -o static bitplane_code.c && "$cc" -static-pie -o static-pie bitplane_code.c &&
        "$cc" -o indirect -Wl,--no-as-needed bitplane_code.c ./libbetween.so &&
        "$cc" -shared -fPIC -o tracer.so tracer.c ./libmpi.so.40
}
build || { echo "cannot build the test programs"; exit 1; }
printf '#!/bin/sh\nexit 4\n' >script
echo 'no program' >text
chmod +x script
export REFRAIN_LIBRARY=$tmp/tracer.so

# run STATUS COMMAND…: checks that the exit status is STATUS; `out` has the output and a line end
run() {
    local wanted=$1
    shift
    "$@" >out 2>&1
    local status=$?
    cat out
    [ $status -eq "$wanted" ]
}
has() { grep -qF -- "$1" out || { cat out; return 1; }; }
lines() { [ "$(wc -l <out)" -eq "$1" ] || { cat out; return 1; }; }

check "a program runs, its exit status is kept" run 3 "$refrain" record ./openmpi 3
check "nothing is set without options" has "loaded output=- verify=- timing=- callpath=- process=own"
check "options become variables" run 0 "$refrain" record -o sub/t --verify=records --timing aggregate:rank --callpath ./openmpi
check "paths are absolute" has "loaded output=$tmp/sub/t verify=$tmp/records timing=aggregate:rank callpath=full process=own"
check "the program's options are its own" run 0 "$refrain" record -- ./openmpi 0 -o
check "they are not ours" has "output=-"
cp tracer.so other.so
check "other preloaded libraries stay" run 0 env LD_PRELOAD="$tmp/other.so" "$refrain" record sh -c 'echo "$LD_PRELOAD"'
check "they come behind ours" has "$tmp/tracer.so:$tmp/other.so"
check "the program is found in PATH" run 0 env PATH="$tmp:$PATH" "$refrain" record openmpi
check "MPI behind another library" run 0 "$refrain" record ./indirect
check "it is seen" lines 1
check "a script" run 4 "$refrain" record ./script
check "it runs without a warning" lines 1
check "its processes need not call MPI" has "process=1"

check "no MPI library" run 0 "$refrain" record ./plain
check "nothing is said: it may load one" lines 1
check "another MPI library" run 2 "$refrain" record ./mpich
check "it is refused" has "./mpich uses MPICH (libmpich.so.12), but there is a tracer for Open MPI only"
for name in static static-pie; do
    check "$name: refused" run 2 "$refrain" record ./$name
    check "$name: what helps" has "link it with -lrefrain"
    check "$name: one line" lines 1
done

check "missing" run 2 "$refrain" record ./missing
check "missing: why" has "./missing: No such file or directory"
check "missing in PATH" run 2 "$refrain" record missing-in-path
check "missing in PATH: why" has "missing-in-path: not found in PATH"
check "here, not in PATH" run 2 "$refrain" record openmpi
check "here, not in PATH: how to say it" has "openmpi: not found in PATH; to run the program in this directory, write ./openmpi"
check "a directory" run 2 "$refrain" record ./directory
check "a directory: why" has "./directory is a directory"
check "not executable" run 2 "$refrain" record ./text
check "not executable: why" has "./text is not executable"
chmod +x text
check "no program" run 2 "$refrain" record ./text
check "no program: why" has "./text: Exec format error"
check "no tracer" run 2 env REFRAIN_LIBRARY=/nowhere.so "$refrain" record ./openmpi
check "no tracer: why" has "the tracer /nowhere.so: No such file or directory"
mkdir 'a b' && cp tracer.so 'a b'
check "a path that cannot be preloaded" run 2 env REFRAIN_LIBRARY="$tmp/a b/tracer.so" "$refrain" record ./openmpi
check "a path that cannot be preloaded: why" has "with a blank or a colon"
mkdir -p bin lib/refrain/one && cp "$refrain" bin/refrain && cp tracer.so lib/refrain/one/librefrain.so
unset REFRAIN_LIBRARY OMPI_COMM_WORLD_SIZE PMI_SIZE
check "installed: the tracer is found" run 0 bin/refrain record ./openmpi
check "installed: it is loaded" has "loaded"
check "installed: the only one is for scripts" run 4 bin/refrain record ./script
check "installed: it is loaded for scripts" has "loaded"

# Two tracers.
mkdir lib/refrain/two && "$cc" -shared -fPIC -o lib/refrain/two/librefrain.so tracer.c ./libmpich.so.12
check "two tracers: Open MPI" run 0 bin/refrain record --log info ./openmpi
check "two tracers: Open MPI: which" has "./openmpi is traced by $tmp/lib/refrain/one/librefrain.so, of Open MPI"
check "two tracers: MPICH" run 0 bin/refrain record --log info ./mpich
check "two tracers: MPICH: which" has "./mpich is traced by $tmp/lib/refrain/two/librefrain.so, of MPICH"
check "two tracers: a script" run 2 bin/refrain record ./script
check "two tracers: a script: why" has "there are tracers for Open MPI, MPICH"
check "two tracers: a script of Open MPI's launcher" run 4 env OMPI_COMM_WORLD_SIZE=2 bin/refrain record --log info ./script
check "two tracers: a script of Open MPI's launcher: which" has "of Open MPI"
check "two tracers: a script of MPICH's launcher" run 4 env PMI_SIZE=2 bin/refrain record --log info ./script
check "two tracers: a script of MPICH's launcher: which" has "of MPICH"
check "two tracers: no MPI library, with a launcher" run 0 env PMI_SIZE=2 bin/refrain record ./plain
check "two tracers: no MPI library: nothing is said" lines 1
finish
