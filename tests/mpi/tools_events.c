/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* The tool information interface: events and their sources. MPICH 4.0 has the procedures but no
 * event, so every query about one is an error; the handles are of objects that MPI has not made.
 * With a library older than MPI 4.0, this program checks only its own start and end. */
#include "expect.h"

#include <stddef.h>

#if MPI_VERSION >= 4

enum { MOST = 8, LENGTH = 50 };

static char none[1000]; /* target of invalid handles */

static void on_event(MPI_T_event_instance instance, MPI_T_event_registration event, MPI_T_cb_safety safety,
                     void *data)
{
    (void)instance, (void)event, (void)safety, (void)data;
}

static void on_drop(MPI_Count n, MPI_T_event_registration event, int source, MPI_T_cb_safety safety,
                    void *data)
{
    (void)n, (void)event, (void)source, (void)safety, (void)data;
}

static void on_free(MPI_T_event_registration event, MPI_T_cb_safety safety, void *data)
{
    (void)event, (void)safety, (void)data;
}

/* A call that must fail, and its line up to the result. */
#define FAILS(call, ...)                                                                                     \
    do {                                                                                                     \
        int code = call;                                                                                     \
        EXPECT(__VA_ARGS__ " = %s", result_text(code));                                                      \
        if (code == MPI_SUCCESS)                                                                             \
            EXPECT("there is an event: this program should learn to use it");                                \
    } while (0)

static void kinds(void)
{
    int n, index, indices[MOST], verbosity, bind, elements = MOST, length = LENGTH, desc_length = LENGTH;
    char name[LENGTH], description[LENGTH];
    MPI_Datatype types[MOST];
    MPI_Aint places[MOST];
    MPI_T_enum names;
    MPI_Info info;
    MPI_T_event_get_num(&n);
    OK("MPI_T_event_get_num(num_events=0)");
    MPI_T_category_get_num_events(0, &n);
    OK("MPI_T_category_get_num_events(cat_index=0, num_events=0)");
    MPI_T_category_get_events(0, MOST, indices);
    OK("MPI_T_category_get_events(cat_index=0, len=8, indices=[])");
    FAILS(MPI_T_event_get_index("arrival", &index), "MPI_T_event_get_index(name=\"arrival\", event_index=?)");
    FAILS(MPI_T_event_get_info(0, name, &length, &verbosity, types, places, &elements, &names, &info,
                               description, &desc_length, &bind),
          "MPI_T_event_get_info(event_index=0, name=?, name_len=50, verbosity=?, array_of_datatypes=?, "
          "array_of_displacements=?, num_elements=8, enumtype=?, info=?, desc=?, desc_len=50, bind=?)");
}

static void sources(void)
{
    int n, length = LENGTH, desc_length = LENGTH;
    char name[LENGTH], description[LENGTH];
    MPI_T_source_order order;
    MPI_Count ticks, most, now;
    MPI_Info info;
    MPI_T_source_get_num(&n);
    OK("MPI_T_source_get_num(num_sources=0)");
    FAILS(MPI_T_source_get_info(0, name, &length, description, &desc_length, &order, &ticks, &most, &info),
          "MPI_T_source_get_info(source_index=0, name=?, name_len=50, desc=?, desc_len=50, ordering=?, "
          "info=?)");
    FAILS(MPI_T_source_get_timestamp(0, &now), "MPI_T_source_get_timestamp(source_index=0)");
}

static void registrations(void)
{
    MPI_T_event_registration event = (void *)none, made;
    MPI_Info info;
    FAILS(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &made),
          "MPI_T_event_handle_alloc(event_index=0, obj_handle=NULL, info=MPI_INFO_NULL, "
          "event_registration=?)");
    FAILS(MPI_T_event_handle_get_info(event, &info),
          "MPI_T_event_handle_get_info(event_registration=unknown, info_used=?)");
    FAILS(MPI_T_event_handle_set_info(event, MPI_INFO_NULL),
          "MPI_T_event_handle_set_info(event_registration=unknown, info=MPI_INFO_NULL)");
    FAILS(MPI_T_event_register_callback(event, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, on_event),
          "MPI_T_event_register_callback(event_registration=unknown, cb_safety=MPI_T_CB_REQUIRE_NONE, "
          "info=MPI_INFO_NULL, user_data=NULL, event_cb_function=ptr)");
    FAILS(MPI_T_event_callback_get_info(event, MPI_T_CB_REQUIRE_MPI_RESTRICTED, &info),
          "MPI_T_event_callback_get_info(event_registration=unknown, "
          "cb_safety=MPI_T_CB_REQUIRE_MPI_RESTRICTED, info_used=?)");
    FAILS(MPI_T_event_callback_set_info(event, MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_INFO_NULL),
          "MPI_T_event_callback_set_info(event_registration=unknown, cb_safety=MPI_T_CB_REQUIRE_THREAD_SAFE, "
          "info=MPI_INFO_NULL)");
    FAILS(MPI_T_event_set_dropped_handler(event, on_drop),
          "MPI_T_event_set_dropped_handler(event_registration=unknown, dropped_cb_function=ptr)");
    FAILS(MPI_T_event_handle_free(event, none, on_free),
          "MPI_T_event_handle_free(event_registration=unknown, user_data=ptr, free_cb_function=ptr)");
}

static void instances(void)
{
    MPI_T_event_instance instance = (void *)none;
    char buffer[LENGTH];
    MPI_Count when;
    int source;
    FAILS(MPI_T_event_read(instance, 2, buffer),
          "MPI_T_event_read(event_instance=unknown, element_index=2, buffer=ptr)");
    FAILS(MPI_T_event_copy(instance, buffer), "MPI_T_event_copy(event_instance=unknown, buffer=ptr)");
    FAILS(MPI_T_event_get_timestamp(instance, &when), "MPI_T_event_get_timestamp(event_instance=unknown)");
    FAILS(MPI_T_event_get_source(instance, &source),
          "MPI_T_event_get_source(event_instance=unknown, source_index=?)");
}

static void events(void)
{
    int provided;
    PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    kinds();
    sources();
    registrations();
    instances();
    PMPI_T_finalize();
}

#else

static void events(void)
{
}

#endif

int main(int argc, char **argv)
{
    expect_start(&argc, &argv);
    events();
    return expect_end();
}
