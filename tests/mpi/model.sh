#!/bin/bash
# Models of programs that run: what a model has of a rank is what the rank did, and loops that all ranks are in
# are one loop.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
refrain=$(realpath "$refrain") || exit 1
unset REFRAIN_FUNCTIONS REFRAIN_START REFRAIN_CHECKPOINT REFRAIN_OUTPUT

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

record() { # NAME [ARGUMENT…]
    $mpicc -o "$1" "$srcdir/examples/$1.c" "$srcdir/examples/stencil_options.c" -lm &&
        timeout 60 "$mpirun" $flags -n 4 "$refrain" record -o "$1.refrain" ./"$@" </dev/null
}

# Messages and reductions of a rank, by its calls. Ranks of the examples' communicators are those of the run.
calls() { # NAME RANK
    "$refrain" text --json --rank "$2" "$1.refrain" | jq -r '
        . as $call | .parameters | . as $p |
        if $call.function == "MPI_Send" or $call.function == "MPI_Isend" then ["send", .dest, .tag]
        elif $call.function == "MPI_Recv" or $call.function == "MPI_Irecv" then ["recv", .source, .tag]
        elif $call.function == "MPI_Allreduce" then ["sync"] else empty end |
        select(.[1] != "MPI_PROC_NULL") |
        if .[0] == "sync" then "\($call.rank) sync MPI_Allreduce \($p.comm)"
        else "\($call.rank) \(.[0]) \(.[1]) tag\(.[2])" end'
}
expands() { # NAME
    for rank in 0 1 2 3; do
        calls "$1" $rank >calls
        "$refrain" model --expand $rank "$1.refrain" | grep -E ' (send|recv) |MPI_Allreduce' | diff - calls || return 1
        [ -s calls ] || return 1
    done
}
models() { "$refrain" model "$1.refrain" | diff - "$2"; }
loops() { "$refrain" model --json "$1.refrain" | jq -es 'length == 1 and
    (.[0].constructs | map(select(.kind == "loop")) | length > 0 and all(.processes == [0, 1, 2, 3]))'; }

cat >ring.text <<END
for i0 = 1 to 10   [0-3]
  0-2 -> 1-3, 3 -> 0 tag(-1+i0)
done
END
check "ring: is recorded" record ring
check "ring: the model" models ring ring.text
check "ring: expands to what was called" expands ring
check "stencil2d: is recorded" record stencil2d --iterations=100 --cells=8
check "stencil2d: all ranks are in its loops" loops stencil2d
check "stencil2d: expands to what was called" expands stencil2d
finish
