#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One installation for several MPI libraries: `refrain record` uses the tracer of the library with
# which a program is linked, or of the launcher that starts it, and reports if there is none.
#
# From the environment: srcdir, MPI_NAME, MPI_OTHERS, and the variables of
# tests/mpirun.sh.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
unset REFRAIN_LIBRARY REFRAIN_OUTPUT REFRAIN_LOG MAKEFLAGS MFLAGS LD_PRELOAD
export REFRAIN_LOG=warning
first=$MPI_NAME

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# select NAME: sets mpicc, mpirun, flags and name of an MPI library, from the makefile of its build
# directory
select_mpi() {
    directory=$top_builddir/mpi/$1
    [ "$1" != "$first" ] || directory=$top_builddir
    MPICC=$(sed -n 's/^MPICC = //p' "$directory/Makefile") MPIRUN=$(sed -n 's/^MPIRUN = //p' "$directory/Makefile")
    . "$srcdir/tests/mpirun.sh"
    refrain=$installed
    case $1 in
    openmpi) words="Open MPI" ;;
    mpich) words=MPICH ;;
    *) words= ;;
    esac
}
start() { timeout "$limit" "$mpirun" $flags -n 2 "$@" </dev/null; }
# NAME COMMAND…: checks that the tracer of that library is used; the message appears on demand, once
# per job
traced() {
    wanted=/refrain/$1/librefrain.so
    shift
    rm -f t.refrain
    start "$refrain" record --log info -o t.refrain "$@" >out 2>&1 && grep -F "is traced by" out >said &&
        [ "$(wc -l <said)" -eq 1 ] && grep -qF "$wanted" said || { cat out; return 1; }
    "$refrain" text t.refrain | grep -q 'MPI_Send(' && "$refrain" info t.refrain | grep "MPI library *$words"
}
quiet() { start "$refrain" record -o t.refrain "$@" 2>&1 >/dev/null | grep . && return 1; return 0; }

check "make install" make -C "$top_builddir" install DESTDIR="$tmp/root"
installed=$(find "$tmp/root" -path '*/bin/refrain')
if [ -z "$installed" ]; then
    echo "SKIP: this is the build of a further tracer (mpi.mk), which installs no command"
    exit 77
fi
# If it was not built for this place, it looks beside itself.
folder=$(find "$tmp/root" -type d -path '*/refrain/*' -name "$first") && folder=${folder%/*}
beside=$(dirname "$(dirname "$installed")")/lib/refrain
[ "$folder" = "$beside" ] || { mkdir -p "${beside%/*}" && ln -s "$folder" "$beside"; }

printf '#!/bin/sh\nexec "$@"\n' >script
chmod +x script
echo 'int main(void) { return 0; }' >bitplane_code.c
"${CC:-cc}" -o plain bitplane_code.c || exit 1

for name in $first $MPI_OTHERS; do
    select_mpi "$name"
    check "$name: compiles" "$mpicc" -o "ring.$name" "$srcdir/examples/ring.c" -lm
    check "$name: the program tells" traced "$name" "./ring.$name"
    check "$name: nothing is said without being asked" quiet "./ring.$name"
    check "$name: a script, the launcher tells" traced "$name" ./script "./ring.$name"
    rm -rf without && cp -r "$folder" without && rm -r "without/$name"
    mkdir -p hidden/bin hidden/lib && rm -rf hidden/lib/refrain && mv without hidden/lib/refrain && cp "$installed" hidden/bin
    if [ -n "$MPI_OTHERS" ]; then
        says_which() { hidden/bin/refrain record "./ring.$name" 2>&1 | grep -F "uses $words (" | grep -F "there is a tracer for"; }
        check "$name: no tracer of it" says_which
    fi
done
if [ -n "$MPI_OTHERS" ]; then
    undecided() { "$installed" record "$@" 2>&1 | grep -F "cannot find out which MPI library"; }
    check "a script without a launcher" undecided ./script true
    check "a program without MPI, without a launcher" undecided ./plain
    given() { REFRAIN_LIBRARY=$folder/$first/librefrain.so "$installed" record ./script true; }
    check "a script, when it is told the tracer" given
fi
finish
