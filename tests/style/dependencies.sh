#!/bin/sh
# Dependencies point one way (docs/ARCHITECTURE.md): each folder includes its own headers and those below it, and only
# the tracer includes mpi.h.
. "$srcdir/tests/tap.sh"
cd "$srcdir" || exit 1

# includes FOLDER: the names of headers that its files include with quotes, without repeats
includes() { sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$1"/*.[ch] | sort -u; }

# only FOLDER ALLOWED…: every included header lies in one of the allowed folders (or is made by the build)
only() {
    folder=$1
    shift
    status=0
    for header in $(includes "$folder"); do
        found=
        for allowed in "$@"; do
            [ -f "$allowed/$header" ] && found=yes
        done
        case $header in functions.h) [ "$folder" = src ] && found=yes ;; esac
        [ -n "$found" ] || { echo "$folder includes $header"; status=1; }
    done
    return $status
}

without_mpi() { ! grep -n '# *include [<"]mpi' "$@"; }

check "src/core stands alone" only src/core src/core
check "src uses src/core only" only src src src/core
check "decoder uses src/core only" only decoder decoder src/core
check "gen stands alone" only gen gen
check "no mpi.h in src/core" without_mpi src/core/*.[ch]
check "no mpi.h in decoder" without_mpi decoder/*.[ch]
finish
