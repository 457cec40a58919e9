# SPDX-License-Identifier: BSD-3-Clause
# Selections, alone and together; patterns ignore case.
"$REFRAIN" text --function 'MPI_*send' --rank 1 small.refrain
echo --
"$REFRAIN" text -f 'mpi_comm_*' -f MPI_Wtick -r 0,2-3 small.refrain
echo --
"$REFRAIN" text --call 20..22 --rank=3 small.refrain
"$REFRAIN" text --call ..1 --rank 3 small.refrain
"$REFRAIN" text --call 25.. --rank 3 small.refrain
echo --
"$REFRAIN" text --callsite -c 4 -r 2 small.refrain
"$REFRAIN" text --definitions -f '@*' -r 3 small.refrain
echo --
"$REFRAIN" text --thread 1 small.refrain
"$REFRAIN" text --thread 0,1-7 --rank 0 --call 0 small.refrain
