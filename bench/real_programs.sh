#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Traces real programs, proves that the traces are exact, and prints a table for RESULTS.md.
#
#   [NPB=DIR] [COMD=DIR] [HPCC=PROGRAM] bench/real_programs.sh      in the build directory
#
#   HPCC   the HPC Challenge suite; default: hpcc on the path (Debian: apt-get install hpcc, for Open MPI)
#   NPB    the NAS Parallel Benchmarks, with NPB_PROGRAMS and NPB_CLASSES: see npb.sh
#   COMD   CoMD, a molecular dynamics mini-app: git clone https://github.com/ECP-copa/CoMD
#
# Sources are copied and built in a temporary directory. Programs that are not given are reported as
# skipped. The exit status is 1 if a trace does not verify. See common.sh for the environment.
. "$(dirname "$0")/common.sh"
. "$srcdir/bench/npb.sh"

ranks_list=${RANKS:-1 4 16}
failed=0

# row LABEL NAME RANKS PROGRAM ARGUMENT…: traces, verifies, prints a table row. Runs in the current
# directory.
row() {
    label=$1 name=$2 n=$3
    shift 3
    rm -rf "$work/raw" && mkdir "$work/raw"
    REFRAIN_VERIFY=$work/raw trace "$name" "$n" "$@"
    if "$refrain" verify "$work/$name.refrain" "$work/raw" >"$work/verify.log" 2>&1; then
        result=identical
    else
        result="DIFFERENT: $(head -1 "$work/verify.log")"
        failed=1
    fi
    printf '| %s | %d | %d | %d | %d | %s |\n' "$label" "$n" "$(info "$name" .calls)" "$(info "$name" .bytes)" \
        "$(cat "$work"/raw/* | wc -c)" "$result"
    rm -rf "$work/raw"
}

skipped() {
    printf '| %s | | | | | skipped: %s |\n' "$1" "$2"
}

# ---- HPCC: reads hpccinf.txt in the working directory

# grid RANKS: sets p and q, as square as possible
grid() {
    p=1 q=$1 k=1
    while [ $((k * k)) -le "$1" ]; do
        [ $(($1 % k)) -ne 0 ] || p=$k q=$(($1 / k))
        k=$((k + 1))
    done
}

hpcc_input() {
    cat <<END
HPLinpack benchmark input file
made by bench/real_programs.sh
HPL.out  output file name
8        device out (6 = stdout, 7 = stderr, 8 = file)
1        number of problem sizes (N)
200      Ns
1        number of block sizes (NB)
40       NBs
0        process mapping (0 = row-major)
1        number of process grids (P x Q)
$1       Ps
$2       Qs
16.0     threshold
1        number of panel factorisations
2        PFACTs
1        number of recursive stopping criteria
4        NBMINs
1        number of panels in recursion
2        NDIVs
1        number of recursive panel factorisations
1        RFACTs
1        number of broadcasts
1        BCASTs
1        number of lookahead depths
1        DEPTHs
2        SWAP (2 = mix)
64       swapping threshold
0        L1 in (0 = transposed)
0        U in (0 = transposed)
1        equilibration
8        memory alignment in double
a line between the parts
0        number of additional problem sizes for PTRANS
0        values of N
0        number of additional blocking sizes for PTRANS
0        values of NB
END
}

mpi_libraries() {
    ldd "$1" 2>/dev/null | grep -oE 'libmpi(ch)?\.so[.0-9]*' | sort -u
}

run_hpcc() {
    program=$(command -v "${HPCC:-hpcc}") || { skipped HPCC "no hpcc found"; return; }
    echo 'int MPI_Initialized(int *); int main(void) { int flag; return MPI_Initialized(&flag); }' >"$work/probe.c"
    "$mpicc" -o "$work/probe" "$work/probe.c" || die "cannot compile with $mpicc"
    [ "$(mpi_libraries "$program")" = "$(mpi_libraries "$work/probe")" ] || {
        skipped HPCC "$program needs $(mpi_libraries "$program"), $mpicc gives $(mpi_libraries "$work/probe")"
        return
    }
    mkdir -p "$work/hpcc" && cd "$work/hpcc" || exit 2
    for n in $ranks_list; do
        grid "$n"
        hpcc_input "$p" "$q" >hpccinf.txt
        rm -f hpccoutf.txt
        row "HPCC" "hpcc.$n" "$n" "$program"
        grep -q '^Success=1' hpccoutf.txt || die "HPCC on $n ranks says that it failed; see hpccoutf.txt"
    done
}

# ---- NAS parallel benchmarks: IS in C, the others in Fortran

run_npb() {
    [ -n "${NPB-}" ] || { skipped NAS "set NPB, see the head of $0"; return; }
    npb_prepare
    for program in $npb_list; do
        npb_compilable "$program" || { skipped "NAS $program" "no $mpifort"; continue; }
        for class in $npb_classes; do
            npb_build "$program" "$class"
            for n in $ranks_list; do
                row "NAS $program, class $class" "$program.$class.$n" "$n" "bin/$program.$class.x"
                npb_check "$program.$class.$n"
            done
        done
    done
}

# ---- CoMD: particles in a box, halo exchange with six neighbours

run_comd() {
    [ -n "${COMD-}" ] || { skipped CoMD "set COMD, see the head of $0"; return; }
    [ -f "$COMD/src-mpi/CoMD.c" ] || die "$COMD/src-mpi/CoMD.c is not there"
    rm -rf "$work/comd" && mkdir "$work/comd" && cp -r "$COMD/src-mpi" "$work/comd/" || exit 2
    cd "$work/comd/src-mpi" || exit 2
    cp Makefile.vanilla Makefile
    make CC="$mpicc" OPTFLAGS=-O2 >build.log 2>&1 || { tail -20 build.log >&2; die "cannot build CoMD"; }
    for n in $ranks_list; do
        grid "$n"
        row "CoMD, 20 steps" "comd.$n" "$n" ../bin/CoMD-mpi -x 20 -y 20 -z 20 -N 20 -n 10 -i "$p" -j "$q" -k 1
    done
}

echo "| program | ranks | calls | trace, bytes | raw records, bytes | verify |"
echo "|---|---:|---:|---:|---:|---|"
for part in run_hpcc run_npb run_comd; do
    $part
    cd "$top_builddir" || exit 2
done
exit $failed
