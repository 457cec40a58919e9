# SPDX-License-Identifier: BSD-3-Clause
# The generator.
gen_tests = \
    tests/gen/gen.sh \
    tests/gen/old_dialect.sh \
    tests/gen/tree.sh
mpi_gen_tests = \
    tests/gen/add_procedure.sh \
    tests/gen/standard.sh
if !TRACER_ONLY
TESTS += $(gen_tests)
endif
if HAVE_MPI
TESTS += $(mpi_gen_tests)
endif
EXTRA_DIST += $(gen_tests) $(mpi_gen_tests) \
    tests/gen/agreeing.tex \
    tests/gen/bad \
    tests/gen/binding.list \
    tests/gen/binding.tex \
    tests/gen/declared.i \
    tests/gen/expected.list \
    tests/gen/funcdef.list \
    tests/gen/funcdef.tex \
    tests/gen/old_dialect.awk \
    tests/gen/tree \
    tests/gen/tree-skip.list \
    tests/gen/tree-skip.messages \
    tests/gen/tree.list \
    tests/gen/tree.messages
