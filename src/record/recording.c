/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "checkpoint_due.h"
#include "generated/functions.h"
#include "slow_path.h"
#include "src/core/base/log.h"
#include "src/core/base/placement.h"
#include "src/core/settings/variable.h"
#include "src/settings/config.h"

static enum { LEFT_OUT, WHILE_ON, ALWAYS } when[FUNCTION_COUNT];

HOT_DATA atomic_uint recording_changes;
static bool is_all = true;         /* no function is left out; constant once the tracer is awake */
static atomic_uint_fast64_t begun; /* calls */
static atomic_bool counting;       /* REFRAIN_START calls have not begun yet */

/* If several threads turn recording on and off, the last one checks again, so that slow_path is correct in
 * the end. */
static void turn(bool on)
{
    unsigned changes = atomic_load(&recording_changes);
    while (changes % 2 != on && !atomic_compare_exchange_weak(&recording_changes, &changes, changes + 1))
        ;
    do {
        changes = atomic_load(&recording_changes);
        if (is_all && changes % 2)
            slow_path_release(SLOW_PATH_ASK);
        else
            slow_path_require(SLOW_PATH_ASK);
    } while (atomic_load(&recording_changes) != changes);
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool is_kept(const char *function)
{
    static const char *const kept[] = {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Pcontrol"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        if (strcmp(function, kept[i]) == 0)
            return true;
    }
    return strncmp(function, "refrain_", 8) == 0; /* the program's annotations (src/user) */
}

static void choose_functions(void)
{
    uint32_t picked = 0;
    for (uint32_t f = 0; f < FUNCTION_COUNT; f++) {
        const char *name = gen_functable.functions.items[f].name;
        const bool pick = !config.functions || variable_pick(config.functions, name);
        picked += pick;
        when[f] = is_kept(name) ? ALWAYS : pick ? WHILE_ON : LEFT_OUT;
    }
    is_all = picked == FUNCTION_COUNT;
    if (picked == 0)
        config_warning("REFRAIN_FUNCTIONS=%s matches no function: no call is recorded", config.functions);
}

/* ---- the signal ------------------------------------------------------------------------------ */

static struct sigaction before; /* the program's handler; valid while ours is installed */

static void handle(int number, siginfo_t *info, void *context)
{
    turn(true);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
}

void recording_catch(void)
{
    struct sigaction now;
    if (!config.start_signal || sigaction(config.start_signal, NULL, &now) != 0 || now.sa_sigaction == handle)
        return;
    before = now; /* ours is not installed, so no handler reads `before` */
    const bool is_function =
        (now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
    now.sa_flags = SA_SIGINFO | (is_function ? now.sa_flags : SA_RESTART);
    now.sa_sigaction = handle;
    if (sigaction(config.start_signal, &now, NULL) != 0)
        config_warning("%s cannot be caught: %m", config.start);
}

void recording_release(void)
{
    struct sigaction now;
    if (config.start_signal && sigaction(config.start_signal, NULL, &now) == 0 && now.sa_sigaction == handle)
        sigaction(config.start_signal, &before, NULL);
}

/* ---- on and off ------------------------------------------------------------------------------ */

void recording_start(void)
{
    choose_functions();
    atomic_store(&counting, config.start_calls > 0);
    turn(!config.start_signal && config.start_calls == 0);
    recording_catch();
}

bool recording_wants(uint32_t function)
{
    bool wanted = recording_now() % 2;
    if (is_all && wanted)
        return true;
    if (atomic_load_explicit(&counting, memory_order_relaxed)) {
        /* Threads that come at the same time get different numbers. */
        wanted = atomic_fetch_add(&begun, 1) >= config.start_calls;
        if (wanted) {
            atomic_store(&counting, false);
            turn(true);
        }
    }
    return when[function] == ALWAYS || (when[function] == WHILE_ON && wanted);
}

void recording_control(int level)
{
    if (level < 0 || level > 2)
        return;
    atomic_store(&counting, false); /* the program's request overrides REFRAIN_START */
    turn(level > 0);
    if (level == 2)
        checkpoint_request();
}
