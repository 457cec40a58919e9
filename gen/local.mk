# SPDX-License-Identifier: BSD-3-Clause
# The generator runs on the build machine, so it is built with that machine's compiler, in one go.
gen_files = \
    gen/agree.c gen/c_parse.c gen/c_types.c gen/call_lex.c gen/check.c gen/declared.c gen/draft_marks.c gen/emit.c \
    gen/emit_constants.c gen/emit_table.c gen/emit_wrap_c.c gen/emit_wrap_f.c gen/f_convert.c gen/f_types.c \
    gen/funcdef_join.c gen/kind_of_declaration.c gen/kinds.c gen/list.c gen/main.c gen/model_read.c gen/text_arena.c \
    gen/refuse.c gen/sources.c gen/special.c gen/exported_symbols.c gen/tex_lex.c gen/tex_parse_binding.c \
    gen/tex_parse_funcdef.c gen/wrap_after.c gen/wrap_before.c gen/wrap_parameter.c
gen_parts = \
    gen/agree.h gen/c_kinds.def gen/c_parse.h gen/c_types.h gen/call_lex.h gen/check.h gen/constants.def \
    gen/declared.h gen/draft_marks.h gen/emit.h gen/emit_wrap.h gen/f_convert.h gen/f_types.h gen/kinds.def \
    gen/kinds.h gen/lengths.def gen/list.h gen/interface_model.h gen/model_read.h gen/text_arena.h gen/refuse.h \
    gen/sources.h gen/special.def gen/special.h gen/exported_symbols.h gen/tex_lex.h gen/tex_parse.h \
    gen/wrap_parameter.h

EXTRA_DIST += $(gen_files) $(gen_parts)
CLEANFILES += gen/gen
BUILT_SOURCES += gen/gen

gen/gen: $(gen_files) $(gen_parts)
	$(AM_V_CC)$(MKDIR_P) gen && $(CC_FOR_BUILD) -std=c11 -D_GNU_SOURCE -O1 -g $(WARNINGS) $(SANITIZE) -I$(srcdir)/gen \
	    -o $@ $(addprefix $(srcdir)/,$(gen_files))

MPI_STD = \
    mpi-std/abi.tex mpi-std/binding.tex mpi-std/coll.tex mpi-std/context.tex mpi-std/datatypes.tex mpi-std/deprecated.tex \
    mpi-std/dynamic.tex mpi-std/ei.tex mpi-std/ft.tex mpi-std/info.tex mpi-std/inquiry.tex mpi-std/io.tex \
    mpi-std/one-side.tex mpi-std/part.tex mpi-std/prof.tex mpi-std/pt2pt.tex mpi-std/removed.tex \
    mpi-std/tools.tex mpi-std/topol.tex
EXTRA_DIST += $(MPI_STD)
