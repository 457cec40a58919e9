#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints a header in which MPI_Send means MPI_Send_c and so on, for all large-count forms that mpi.h
# declares, with a list of them for expect.c.
#
#   tests/mpi/large_header.sh DECLARED     DECLARED: mpi.h, preprocessed
names=$(grep -oE '\bMPI_[A-Z][A-Za-z0-9_]*_c *\(' "$1" | sed 's/_c *($//' | sort -u)
[ -n "$names" ] || { echo "large_header.sh: $1 declares no large-count procedures" >&2; exit 1; }
echo '#include <mpi.h>'
printf '#define LARGE_NAMES'
printf ' "%s",' $names
printf '\n'
for name in $names; do
    echo "#define $name ${name}_c"
done
