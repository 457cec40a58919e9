#!/bin/sh
# A program that is linked with the tracer, as installed: it leaves the trace that it leaves when the tracer is preloaded,
# under the name it is told, and says when there is none.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
ring=$(cd "$srcdir/examples" && pwd)/ring.c
unset REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_TIMING REFRAIN_LOG REFRAIN_CHECK MAKEFLAGS MFLAGS

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

installed() { make -C "$top_builddir" install DESTDIR="$tmp/root"; }
check "make install" installed
library=$(find "$tmp/root" -name librefrain.so) && library=${library%/*}
refrain=$(find "$tmp/root" -path '*/bin/refrain')
export PKG_CONFIG_PATH="$library/pkgconfig" LD_LIBRARY_PATH="$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# What the file says of the place where it will be, turned to where it is now.
refrain_libs() { pkg-config --define-variable=libdir="$library" "$@" --libs refrain; }
cd "$tmp" || exit 1

echo 'int main(void) { return 0; }' >silent.c
cat >uninitialized.c <<'EOF'
#include <mpi.h>
int main(void) { int initialized; return MPI_Initialized(&initialized); }
EOF

shared() { "$mpicc" -o "$1" "$2" $(refrain_libs) -lm; }
static() {
    mkdir -p archive && cp "$library/librefrain.a" archive &&
        "$mpicc" -o "$1" "$2" -Larchive $(refrain_libs --static | sed "s|-L$library||") -lm
}
preloaded() { "$mpicc" -o "$1" "$2" -lm; }
start() { timeout 60 "$mpirun" $flags -n 2 "$@" </dev/null; }
text() { "$refrain" text "$1" | sed 's/argv=\[[^]]*\]/argv/'; }
same_text() { text preloaded.refrain >one && text "$1" >two && [ -s one ] && cmp one two; }
says() { wanted=$2; start $1 2>&1 | grep -F -- "$wanted"; }

check "a program" preloaded preloaded "$ring"
check "is traced" start "$refrain" record ./preloaded
for how in shared static; do
    check "$how: links" $how $how "$ring"
    check "$how: runs" start ./$how
    check "$how: leaves the same trace" same_text $how.refrain
    cp $how.refrain first
    check "$how: runs again" start ./$how
    check "$how: the first trace stays" cmp first $how.refrain
    check "$how: the second has another name" same_text $how.2.refrain
    REFRAIN_OUTPUT=$tmp/named.$how REFRAIN_VERIFY=$tmp/raw.$how REFRAIN_CHECK=1 REFRAIN_TIMING=off
    export REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_CHECK REFRAIN_TIMING
    check "$how: runs with variables" start ./$how
    check "$how: the name it is told" same_text named.$how
    check "$how: what was recorded" "$refrain" verify named.$how raw.$how
    unset REFRAIN_OUTPUT REFRAIN_VERIFY REFRAIN_CHECK REFRAIN_TIMING
    check "$how: preloaded, too" start "$refrain" record -o both.$how ./$how
    check "$how: traced once" same_text both.$how
    check "$how: no MPI_Init: links" $how uninitialized.$how uninitialized.c
    check "$how: no MPI_Init: says so" says ./uninitialized.$how "ended without MPI_Init; nothing was recorded"
done
check "no call: compiles" preloaded silent silent.c
check "no call: says so" says "$refrain record ./silent" "called no MPI procedure; nothing was recorded"

export REFRAIN_TIMING=sometimes
check "a setting without sense" says ./shared "warning: REFRAIN_TIMING=sometimes is not one of aggregate"
export REFRAIN_TIMING=off REFRAIN_OUTPUT="$tmp/nowhere/trace"
check "a place that is not there" says ./shared "there is no trace of this run"
finish
