# SPDX-License-Identifier: BSD-3-Clause
# For the tests of OTF2 archives: traces of MPI programs, their archives, and OTF2's own tools that
# read them: otf2-print (Debian: otf2-tools), and tests/otf2/check_archive.py with its Python
# bindings (python3-otf2), which compares them with `refrain stat`. A test that sources this file
# then runs in its own directory; or it is skipped.
#
# From the environment: srcdir, MPI_NAME, and the variables of tests/mpirun.sh.
srcdir=$(cd "$srcdir" && pwd)
. "$srcdir/tests/scratch.sh"

if "$refrain" otf2 -o none none 2>&1 | grep -q "built without"; then
    echo "SKIP: refrain was built without libotf2"
    exit 77
fi
command -v otf2-print >/dev/null || { echo "SKIP: there is no otf2-print (Debian: apt-get install otf2-tools)"; exit 77; }
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import otf2' 2>/dev/null && break
done
[ "$python" != none ] || { echo "SKIP: no Python has otf2 (Debian: apt-get install python3-otf2)"; exit 77; }

# Builds a program of this folder, or of the examples.
build() {
    case $1 in
    stencil2d) "$mpicc" -O1 -g -o "$1" "$srcdir/examples/stencil2d.c" "$srcdir/examples/stencil_options.c" -lm ;;
    *) "$mpicc" -std=c11 -D_GNU_SOURCE -O0 -g -w -o "$1" "$srcdir/tests/otf2/$1.c" ;;
    esac
}
# Links a program of tests/mpi, which knows its trace.
built() { ln -sf "$top_builddir/tests/mpi/$1" "$1" && [ -x "$1" ]; }

record() { # PROGRAM RANKS
    rm -f "$1.refrain" expected.*
    LD_PRELOAD=$yield timeout "$limit" "$mpirun" $flags -n "$2" "$refrain" record --timing aggregate -o "$1.refrain" "./$1" $(case $1 in stencil2d) ;; *) echo "$tmp/expected" ;; esac) \
        >output 2>&1 </dev/null || { cat output; return 1; }
    "$refrain" stat --json "$1.refrain" >"$1.json"
}

# export_to DIRECTORY TRACE OPTION…: OTF2's own tool must accept the archive
export_to() {
    local directory=$1 trace=$2
    shift 2
    rm -rf "$directory"
    "$refrain" otf2 --synthetic-time -o "$directory" "$@" "$trace" &&
        otf2-print "$directory/traces.otf2" >printed 2>said && otf2-print -A "$directory/traces.otf2" >definitions 2>>said &&
        [ ! -s said ] || { head -5 said; return 1; }
}
walk() { "$python" "$srcdir/tests/otf2/check_archive.py" "$@"; }
has_not() { ! grep -m 1 "$1" "$2"; }

# An arrow has two ends with equal lengths, each inside a call.
arrows() { # PROGRAM
    "$refrain" chrome --synthetic-time --messages "$1.refrain" >out.json &&
        jq -e '[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id) |
               length > 0 and all(length == 2 and ([.[].ph] | sort) == ["f", "s"] and ([.[].args.bytes] | unique | length) == 1)' out.json
}
