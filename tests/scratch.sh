# SPDX-License-Identifier: BSD-3-Clause
# For scripts that trace MPI programs: makes `tmp` the working directory, which is removed at the
# end. Unsets all settings of the tracer.
#
# From the environment: srcdir (an absolute path), and the variables of tests/mpirun.sh.
. "$srcdir/tests/tap.sh"
. "$srcdir/tests/mpirun.sh"
top_builddir=$(cd "$top_builddir" && pwd)
refrain=$(realpath "$refrain") || exit 1
for setting in $(env | sed -n 's/^\(REFRAIN_[A-Z_]*\)=.*/\1/p'); do unset "$setting"; done
export REFRAIN_LOG=warning # tests examine all messages except the closing line of a run

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
