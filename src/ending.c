#include "ending.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "codec.h"
#include "definitions.h"
#include "emergency.h"
#include "log.h"
#include "part.h"
#include "tracer.h"
#include "verify.h"

#define PATIENCE_MS 5000 /* for another thread to leave the tracer, or to write the part */

static atomic_flag begun = ATOMIC_FLAG_INIT;
static atomic_bool done;
static sigjmp_buf rescue;
static _Thread_local volatile sig_atomic_t writing __attribute__((tls_model("initial-exec")));

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static bool lock_in_time(void)
{
    for (int i = 0; i < PATIENCE_MS; i++) {
        if (tracer_try_lock())
            return true;
        rest();
    }
    return false;
}

static void wait_for_other(void)
{
    for (int i = 0; i < PATIENCE_MS && !atomic_load(&done); i++)
        rest();
}

/* Calls that were entered, in that order: each is its part before the call alone. */
static void record_open_calls(void)
{
    const uint64_t now = clock_now();
    for (const struct open_call *open = tracer.open; open && tracer.calls; open = open->next) {
        if (!open->recorded)
            continue;
        const uint64_t enter = open->enter > 0 && open->enter < now ? open->enter : now;
        tracer_record(&tracer.sites.sites.items[open->site], open->slots, open->n, enter, now);
    }
}

static void write_part(const char *how, int64_t detail)
{
    writing = 1;
    emergency_begin();
    if (sigsetjmp(rescue, 1) == 0) {
        part_due = PART_NEVER;
        if (atomic_load(&tracer.state) == TRACER_RECORDING)
            record_open_calls();
        definitions_end(how, detail);
        verify_close();
        if (tracer.calls && !part_write(CODEC_STORED))
            log_info("the calls so far are in %s", part_directory());
    } else {
        log_error("the calls since the last checkpoint are lost: a fault while they were written");
    }
    emergency_end();
    writing = 0;
}

bool ending_matters(void)
{
    const enum tracer_state state = atomic_load(&tracer.state);
    return (state == TRACER_RECORDING || state == TRACER_FINISHING) && tracer.up &&
           tracer.process == getpid();
}

bool ending_write(const char *how, int64_t detail)
{
    if (!ending_matters())
        return false;
    if (atomic_flag_test_and_set(&begun)) {
        if (!writing)
            wait_for_other();
        return false;
    }
    const bool held = tracer_holds_lock();
    if (!held && !lock_in_time()) {
        log_error("the calls since the last checkpoint are lost: the tracer is busy");
    } else {
        if (!tracer.calls) {
            /* it has stopped meanwhile, and said why */
        } else if (tracer.changing) {
            log_error("the calls since the last checkpoint are lost: it ended in the tracer itself");
        } else {
            write_part(how, detail);
        }
        /* Should the program go on, this part is what there is of it. */
        atomic_store(&tracer.state, TRACER_FINISHED);
        if (!held)
            tracer_unlock();
    }
    atomic_store(&done, true);
    return true;
}

void ending_escape(void)
{
    if (writing)
        siglongjmp(rescue, 1);
}

void ending_abort(int code)
{
    ending_write("MPI_Abort", code);
}
