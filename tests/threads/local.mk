# SPDX-License-Identifier: BSD-3-Clause
# Threads: the tracer, built into a program for ThreadSanitizer, which slows it down; a target of its own.
if HAVE_MPI
EXTRA_PROGRAMS += tests/threads/stress
# Without what stands in front of the allocator and of sigaction, since ThreadSanitizer stands there itself: it has to know of handlers.
# So memory symbols of the heap are left out, and what a program is told of actions.
tests_threads_stress_SOURCES = tests/threads/stress.c $(tracer_files) $(src_core_libcore_a_SOURCES)
nodist_tests_threads_stress_SOURCES = $(nodist_src_libtracer_a_SOURCES)
tests_threads_stress_CPPFLAGS = $(src_libtracer_a_CPPFLAGS)
tests_threads_stress_CFLAGS = -std=c11 $(WARNINGS) -Wno-tsan -Wno-stringop-overflow -O1 -g -fsanitize=thread -fvisibility=hidden
tests_threads_stress_LDFLAGS = -Wl,`echo $(EMERGENCY_HEAP) | tr ' ' ,`
tests_threads_stress_LDADD = $(ZSTD_LIBS) $(XXHASH_LIBS) $(MPI_LIBS) -lm -ldl -lpthread
check-threads: all tests/threads/stress
	$(TESTS_ENVIRONMENT) $(srcdir)/tests/threads/run.sh
phony += check-threads
CLEANFILES += tests/threads/stress
endif
EXTRA_DIST += \
    tests/threads/run.sh \
    tests/threads/stress.c
