/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* The tool information interface: control and performance variables, their categories and
 * enumerations. These differ between libraries: the program asks for them through PMPI_, which is
 * not traced, and chooses suitable ones. */
#include "expect.h"

#include <stddef.h>

enum { LENGTH = 200, MOST = 20 };

struct text {
    int length;
    char text[LENGTH];
};

/* ---- texts ----------------------------------------------------------------------------------- */

struct named {
    int value;
    const char *name;
};

#define NAMED(constant)                                                                                      \
    {                                                                                                        \
        constant, #constant                                                                                  \
    }

static const char *name_of(const struct named *names, int value)
{
    for (; names->name; names++)
        if (names->value == value)
            return names->name;
    return format_text("%d", value);
}

static const char *verbosity_text(int value)
{
    static const struct named names[] = {
        NAMED(MPI_T_VERBOSITY_USER_BASIC),   NAMED(MPI_T_VERBOSITY_USER_DETAIL),
        NAMED(MPI_T_VERBOSITY_USER_ALL),     NAMED(MPI_T_VERBOSITY_TUNER_BASIC),
        NAMED(MPI_T_VERBOSITY_TUNER_DETAIL), NAMED(MPI_T_VERBOSITY_TUNER_ALL),
        NAMED(MPI_T_VERBOSITY_MPIDEV_BASIC), NAMED(MPI_T_VERBOSITY_MPIDEV_DETAIL),
        NAMED(MPI_T_VERBOSITY_MPIDEV_ALL),   {0, NULL}};
    return name_of(names, value);
}

static const char *bind_text(int value)
{
    static const struct named names[] = {NAMED(MPI_T_BIND_NO_OBJECT), NAMED(MPI_T_BIND_MPI_COMM), {0, NULL}};
    return name_of(names, value);
}

static const char *scope_text(int value)
{
    static const struct named names[] = {NAMED(MPI_T_SCOPE_CONSTANT), NAMED(MPI_T_SCOPE_READONLY),
                                         NAMED(MPI_T_SCOPE_LOCAL),    NAMED(MPI_T_SCOPE_GROUP),
                                         NAMED(MPI_T_SCOPE_GROUP_EQ), NAMED(MPI_T_SCOPE_ALL),
                                         NAMED(MPI_T_SCOPE_ALL_EQ),   {0, NULL}};
    return name_of(names, value);
}

static const char *class_text(int value)
{
    static const struct named names[] = {NAMED(MPI_T_PVAR_CLASS_STATE),
                                         NAMED(MPI_T_PVAR_CLASS_LEVEL),
                                         NAMED(MPI_T_PVAR_CLASS_SIZE),
                                         NAMED(MPI_T_PVAR_CLASS_PERCENTAGE),
                                         NAMED(MPI_T_PVAR_CLASS_HIGHWATERMARK),
                                         NAMED(MPI_T_PVAR_CLASS_LOWWATERMARK),
                                         NAMED(MPI_T_PVAR_CLASS_COUNTER),
                                         NAMED(MPI_T_PVAR_CLASS_AGGREGATE),
                                         NAMED(MPI_T_PVAR_CLASS_TIMER),
                                         NAMED(MPI_T_PVAR_CLASS_GENERIC),
                                         {0, NULL}};
    return name_of(names, value);
}

static const char *type_text(MPI_Datatype type)
{
    return type == MPI_INT             ? "MPI_INT"
           : type == MPI_UNSIGNED      ? "MPI_UNSIGNED"
           : type == MPI_UNSIGNED_LONG ? "MPI_UNSIGNED_LONG"
           : type == MPI_CHAR          ? "MPI_CHAR"
           : type == MPI_DOUBLE        ? "MPI_DOUBLE"
                                       : "another";
}

/* Returns the text of a length that was LENGTH before the call. */
static const char *length_text(int after)
{
    return after == LENGTH ? "200" : format_text("200->%d", after);
}

/* ---- control variables ----------------------------------------------------------------------- */

/* Finds the first readable variable of type int that is bound to nothing, with or without an
 * enumeration; -1 if there is none. */
static int find_cvar(int with_enum)
{
    int n, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum names;
    PMPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        if (PMPI_T_cvar_get_info(i, NULL, NULL, &verbosity, &type, &names, NULL, NULL, &bind, &scope) ==
                MPI_SUCCESS &&
            type == MPI_INT && bind == MPI_T_BIND_NO_OBJECT && (names != MPI_T_ENUM_NULL) == with_enum)
            return i;
    }
    return -1;
}

/* An enumeration and its first item. MPICH has none and returns an error; Open MPI must not be
 * asked about a missing one. */
static void enumeration(MPI_T_enum names)
{
    int items, value;
    struct text text = {.length = LENGTH}, item = {.length = LENGTH};
    const char *name = names == MPI_T_ENUM_NULL ? "MPI_T_ENUM_NULL" : "enum0";
    int code = MPI_T_enum_get_info(names, &items, text.text, &text.length);
    if (code == MPI_SUCCESS)
        OK("MPI_T_enum_get_info(enumtype=%s, num=%d, name=%s, name_len=%s)", name, items, quoted(text.text),
           length_text(text.length));
    else
        EXPECT("MPI_T_enum_get_info(enumtype=%s, num=?, name=?, name_len=200) = %s", name, error_text(code));
    code = MPI_T_enum_get_item(names, 0, &value, item.text, &item.length);
    if (code == MPI_SUCCESS)
        OK("MPI_T_enum_get_item(enumtype=%s, index=0, value=%d, name=%s, name_len=%s)", name, value,
           quoted(item.text), length_text(item.length));
    else
        EXPECT("MPI_T_enum_get_item(enumtype=%s, index=0, value=?, name=?, name_len=200) = %s", name,
               error_text(code));
}

static void describe_cvar(int i)
{
    int verbosity, bind, scope, index;
    struct text name = {.length = LENGTH}, description = {.length = LENGTH};
    MPI_Datatype type;
    MPI_T_enum names;
    MPI_T_cvar_get_info(i, name.text, &name.length, &verbosity, &type, &names, description.text,
                        &description.length, &bind, &scope);
    OK("MPI_T_cvar_get_info(cvar_index=%d, name=%s, name_len=%s, verbosity=%s, datatype=%s, enumtype=%s, "
       "desc=%s, desc_len=%s, bind=%s, scope=%s)",
       i, quoted(name.text), length_text(name.length), verbosity_text(verbosity), type_text(type),
       names == MPI_T_ENUM_NULL ? "MPI_T_ENUM_NULL" : "enum0", quoted(description.text),
       length_text(description.length), bind_text(bind), scope_text(scope));
    MPI_T_cvar_get_index(name.text, &index);
    OK("MPI_T_cvar_get_index(name=%s, cvar_index=%d)", quoted(name.text), i);
    if (names != MPI_T_ENUM_NULL)
        enumeration(names);
}

/* A variable that is not writable returns an error. */
static void use_cvar(int i)
{
    MPI_T_cvar_handle handle;
    int count, value[MOST];
    MPI_T_cvar_handle_alloc(i, NULL, &handle, &count);
    OK("MPI_T_cvar_handle_alloc(cvar_index=%d, obj_handle=NULL, handle=cvar0, count=%d)", i, count);
    MPI_T_cvar_read(handle, value);
    OK("MPI_T_cvar_read(handle=cvar0, buf=ptr)");
    int code = MPI_T_cvar_write(handle, value);
    EXPECT("MPI_T_cvar_write(handle=cvar0, buf=ptr) = %s", error_text(code));
    MPI_T_cvar_handle_free(&handle);
    OK("MPI_T_cvar_handle_free(handle=cvar0)");
}

static void control_variables(void)
{
    int n, plain = find_cvar(0), named = find_cvar(1);
    MPI_T_cvar_get_num(&n);
    OK("MPI_T_cvar_get_num(num_cvar=%d)", n);
    if (plain >= 0) {
        describe_cvar(plain);
        use_cvar(plain);
    }
    if (named >= 0)
        describe_cvar(named);
    else
        enumeration(MPI_T_ENUM_NULL);
}

/* ---- categories ------------------------------------------------------------------------------ */

/* Returns the indices that fit, of n. */
static const char *indices_text(int n, const int *indices)
{
    return int_list(n < MOST ? n : MOST, indices);
}

static void categories(void)
{
    int n, timestamp, index, cvars, pvars, parts, indices[MOST];
    struct text name = {.length = LENGTH}, description = {.length = LENGTH};
    MPI_T_category_get_num(&n);
    OK("MPI_T_category_get_num(num_cat=%d)", n);
    MPI_T_category_changed(&timestamp);
    OK("MPI_T_category_changed(update_number=%d)", timestamp);
    MPI_T_category_get_info(0, name.text, &name.length, description.text, &description.length, &cvars, &pvars,
                            &parts);
    OK("MPI_T_category_get_info(cat_index=0, name=%s, name_len=%s, desc=%s, desc_len=%s, num_cvars=%d, "
       "num_pvars=%d, num_categories=%d)",
       quoted(name.text), length_text(name.length), quoted(description.text), length_text(description.length),
       cvars, pvars, parts);
    MPI_T_category_get_index(name.text, &index);
    OK("MPI_T_category_get_index(name=%s, cat_index=0)", quoted(name.text));
    MPI_T_category_get_cvars(0, MOST, indices);
    OK("MPI_T_category_get_cvars(cat_index=0, len=20, indices=%s)", indices_text(cvars, indices));
    MPI_T_category_get_pvars(0, MOST, indices);
    OK("MPI_T_category_get_pvars(cat_index=0, len=20, indices=%s)", indices_text(pvars, indices));
    MPI_T_category_get_categories(0, MOST, indices);
    OK("MPI_T_category_get_categories(cat_index=0, len=20, indices=%s)", indices_text(parts, indices));
}

/* ---- performance variables ------------------------------------------------------------------- */

/* Finds the first one that is bound to nothing or to a communicator; -1 if there is none. */
static int find_pvar(int *bind)
{
    int n;
    PMPI_T_pvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        int verbosity, class, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum names;
        if (PMPI_T_pvar_get_info(i, NULL, NULL, &verbosity, &class, &type, &names, NULL, NULL, bind,
                                 &readonly, &continuous, &atomic) == MPI_SUCCESS &&
            (*bind == MPI_T_BIND_NO_OBJECT || *bind == MPI_T_BIND_MPI_COMM))
            return i;
    }
    *bind = MPI_T_BIND_NO_OBJECT;
    return -1;
}

static void describe_pvar(int i)
{
    int verbosity = 0, class = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0, index;
    struct text name = {.length = LENGTH}, description = {.length = LENGTH};
    MPI_Datatype type;
    MPI_T_enum names;
    int code =
        MPI_T_pvar_get_info(i, name.text, &name.length, &verbosity, &class, &type, &names, description.text,
                            &description.length, &bind, &readonly, &continuous, &atomic);
    if (code == MPI_SUCCESS)
        OK("MPI_T_pvar_get_info(pvar_index=%d, name=%s, name_len=%s, verbosity=%s, var_class=%s, "
           "datatype=%s, "
           "enumtype=%s, desc=%s, desc_len=%s, bind=%s, readonly=%d, continuous=%d, atomic=%d)",
           i, quoted(name.text), length_text(name.length), verbosity_text(verbosity), class_text(class),
           type_text(type), names == MPI_T_ENUM_NULL ? "MPI_T_ENUM_NULL" : "enum1", quoted(description.text),
           length_text(description.length), bind_text(bind), readonly, continuous, atomic);
    else
        EXPECT(
            "MPI_T_pvar_get_info(pvar_index=%d, name=?, name_len=200, verbosity=?, var_class=?, "
            "datatype=?, enumtype=?, desc=?, desc_len=200, bind=?, readonly=?, continuous=?, atomic=?) = %s",
            i, error_text(code));
    const char *asked = code == MPI_SUCCESS ? name.text : "no such thing";
    code = MPI_T_pvar_get_index(asked, class, &index);
    EXPECT("MPI_T_pvar_get_index(name=%s, var_class=%s, pvar_index=%s) = %s", quoted(asked),
           class_text(class), code == MPI_SUCCESS ? format_text("%d", i) : "?", error_text(code));
}

/* A missing variable or a forbidden operation is an error. (MPICH 4.0 does not check the index if
 * the session is valid.) */
static void use_pvar(MPI_T_pvar_session session, int i, int bind)
{
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    int count;
    double value[MOST] = {0}; /* room for any type */
    int code = MPI_T_pvar_handle_alloc(i < 0 ? MPI_T_PVAR_SESSION_NULL : session, i,
                                       bind == MPI_T_BIND_MPI_COMM ? &world : NULL, &handle, &count);
    const int there = code == MPI_SUCCESS;
    const char *name = there ? "pvar0" : "MPI_T_PVAR_HANDLE_NULL";
    EXPECT("MPI_T_pvar_handle_alloc(pe_session=%s, pvar_index=%d, obj_handle=%s, handle=%s, "
           "count=%s) = %s",
           i < 0 ? "MPI_T_PVAR_SESSION_NULL" : "pvarsession0", i,
           bind == MPI_T_BIND_MPI_COMM ? "ptr" : "NULL", there ? name : "?",
           there ? format_text("%d", count) : "?", error_text(code));
    code = MPI_T_pvar_start(session, handle);
    EXPECT("MPI_T_pvar_start(pe_session=pvarsession0, handle=%s) = %s", name, error_text(code));
    code = MPI_T_pvar_read(session, handle, value);
    EXPECT("MPI_T_pvar_read(pe_session=pvarsession0, handle=%s, buf=ptr) = %s", name, error_text(code));
    code = MPI_T_pvar_readreset(session, handle, value);
    EXPECT("MPI_T_pvar_readreset(pe_session=pvarsession0, handle=%s, buf=ptr) = %s", name, error_text(code));
    code = MPI_T_pvar_reset(session, handle);
    EXPECT("MPI_T_pvar_reset(pe_session=pvarsession0, handle=%s) = %s", name, error_text(code));
    code = MPI_T_pvar_write(session, handle, value);
    EXPECT("MPI_T_pvar_write(pe_session=pvarsession0, handle=%s, buf=ptr) = %s", name, error_text(code));
    code = MPI_T_pvar_stop(session, handle);
    EXPECT("MPI_T_pvar_stop(pe_session=pvarsession0, handle=%s) = %s", name, error_text(code));
    code = MPI_T_pvar_handle_free(session, &handle);
    EXPECT("MPI_T_pvar_handle_free(pe_session=pvarsession0, handle=%s) = %s", name, error_text(code));
}

static void performance_variables(void)
{
    MPI_T_pvar_session session;
    int n, bind, i = find_pvar(&bind);
    MPI_T_pvar_get_num(&n);
    OK("MPI_T_pvar_get_num(num_pvar=%d)", n);
    MPI_T_pvar_session_create(&session);
    OK("MPI_T_pvar_session_create(pe_session=pvarsession0)");
    describe_pvar(i);
    use_pvar(session, i, bind);
    MPI_T_pvar_session_free(&session);
    OK("MPI_T_pvar_session_free(pe_session=pvarsession0)");
}

int main(int argc, char **argv)
{
    int provided;
    expect_start(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    static const struct named levels[] = {NAMED(MPI_THREAD_SINGLE),
                                          NAMED(MPI_THREAD_FUNNELED),
                                          NAMED(MPI_THREAD_SERIALIZED),
                                          NAMED(MPI_THREAD_MULTIPLE),
                                          {0, NULL}};
    OK("MPI_T_init_thread(required=MPI_THREAD_SINGLE, provided=%s)", name_of(levels, provided));
    control_variables();
    categories();
    performance_variables();
    MPI_T_finalize();
    OK("MPI_T_finalize()");
    return expect_end();
}
