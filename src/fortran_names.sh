#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Print the names of MPI's Fortran procedures that an object of the tracer defines, except those that
# are to be exported: lines for objcopy --localize-symbols, which does not accept an empty file.
#
#   fortran_names.sh OBJECT FORM…
#
# A procedure has a name in each form that the MPI library supports. A compiler, with its flags, uses
# one of them:
#
#   underscore   mpi_send_     gfortran
#   plain        mpi_send      gfortran -fno-underscoring; a C function of a program may have this name
#   second       mpi_send__    gfortran -fsecond-underscore
#   capitals     MPI_SEND
#   all          these, and others of Open MPI, such as MPI_Send_f08
#   none         export nothing, whatever else is named
object=$1
shift
${NM:-nm} -g --defined-only "$object" | awk -v forms="$*" '
    BEGIN {
        print "# names of Fortran"
        n = split(forms, list, " ")
        for (i = 1; i <= n; i++) exported[list[i]] = 1
    }
    function form(name) {
        if (name ~ /^mpi_.*__$/) return "second"
        if (name ~ /^mpi_.*_$/) return "underscore"
        if (name ~ /^mpi_/) return "plain"
        if (name ~ /^MPI_[A-Z0-9_]+$/) return "capitals"
        if (name ~ /^MPI_.*_f(08)?$/) return "other"
        return ""
    }
    NF == 3 && form($3) != "" && (exported["none"] || !(exported["all"] || exported[form($3)])) { print $3 }'
