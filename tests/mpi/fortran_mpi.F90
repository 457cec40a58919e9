! See fortran_calls.inc.
#define BINDING_MPI
#include "fortran_calls.inc"
