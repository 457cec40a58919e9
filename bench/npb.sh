# SPDX-License-Identifier: BSD-3-Clause
# For the scripts in bench/ that run the NAS Parallel Benchmarks, after common.sh.
#
# From the environment: NPB, the directory NPB3.4-MPI, from
# https://www.nas.nasa.gov/software/npb.html, or git clone
# https://github.com/mbdevpl/nas-parallel-benchmarks; NPB_PROGRAMS and NPB_CLASSES (S W) choose,
# MPIFORT compiles.
npb_list=${NPB_PROGRAMS:-is cg lu mg bt sp ft ep}
npb_classes=${NPB_CLASSES:-S W}
mpifort=${MPIFORT:-mpifort}

# npb_prepare: copies the sources and makes the copy the working directory
npb_prepare() {
    [ -f "$NPB/IS/is.c" ] || die "$NPB/IS/is.c is not there: NPB must be the directory NPB3.4-MPI"
    rm -rf "$work/npb" && cp -r "$NPB" "$work/npb" && cd "$work/npb" && mkdir -p bin || exit 2
    # Copies that were instrumented for time steps call functions of a library; these stubs replace
    # them.
    for f in init_timestep begin_timestep end_timestep exit_timestep parse_init set_early_stop; do
        echo "void ${f}_(void); void ${f}_(void) {}"
    done >stubs.c
    "$mpicc" -c stubs.c -o stubs.o || die "cannot compile with $mpicc"
    cat >config/make.def <<END
MPIFC = $mpifort
FC = $mpifort
FLINK = $mpifort
FFLAGS = -O2 -std=legacy -fallow-argument-mismatch -fallow-invalid-boz
FMPI_LIB = $work/npb/stubs.o
MPICC = $mpicc
CLINK = $mpicc
CMPI_LIB = $work/npb/stubs.o
CFLAGS = -O2
CC = cc
UCC = cc
BINDIR = ../bin
RAND = randi8
END
}

# npb_compilable PROGRAM: IS is in C, the others in Fortran
npb_compilable() {
    [ "$1" = is ] || command -v "$mpifort" >/dev/null
}

# npb_build PROGRAM CLASS: leaves bin/PROGRAM.CLASS.x
npb_build() {
    make "$1" CLASS="$2" >build.log 2>&1 || { tail -20 build.log >&2; die "cannot build NAS $1"; }
}

# npb_check NAME: checks that the program traced as NAME verified its own results
npb_check() {
    grep -qi 'verification.*successful' "$work/$1.log" || die "NAS $1 says that it failed"
}
