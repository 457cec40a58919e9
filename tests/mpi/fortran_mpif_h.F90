! See fortran_calls.inc.
#define BINDING_MPIF_H
#include "fortran_calls.inc"
