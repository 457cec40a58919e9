# For the scripts in bench/ that need the NAS parallel benchmarks, after common.sh: NPB is the directory NPB3.4-MPI, from
# https://www.nas.nasa.gov/software/npb.html, or git clone https://github.com/mbdevpl/nas-parallel-benchmarks; MPIFORT compiles.
mpifort=${MPIFORT:-mpifort}

# A copy of the sources in $work/npb, set up for these compilers.
npb_copy() {
    [ -f "$NPB/IS/is.c" ] || die "$NPB/IS/is.c is not there: NPB must be the directory NPB3.4-MPI"
    rm -rf "$work/npb" && cp -r "$NPB" "$work/npb" && mkdir -p "$work/npb/bin" || exit 2
    # Copies that were instrumented for time steps call functions of a library; empty ones do.
    for f in init_timestep begin_timestep end_timestep exit_timestep parse_init set_early_stop; do
        echo "void ${f}_(void); void ${f}_(void) {}"
    done >"$work/npb/stubs.c"
    "$mpicc" -c "$work/npb/stubs.c" -o "$work/npb/stubs.o" || die "cannot compile with $mpicc"
    cat >"$work/npb/config/make.def" <<END
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

# npb_build PROGRAM CLASS: $work/npb/bin/PROGRAM.CLASS.x
npb_build() {
    make -C "$work/npb" "$1" CLASS="$2" >"$work/npb/build.log" 2>&1 ||
        { tail -20 "$work/npb/build.log" >&2; die "cannot build NAS $1"; }
}
