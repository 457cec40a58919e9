! See fortran_calls.inc.
#define BINDING_F08
#include "fortran_calls.inc"
