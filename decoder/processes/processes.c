/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_LAUNCH
#include "processes.h"

#include "process_message.h"
#include "src/core/base/log.h"
#include "src/core/base/write.h"
#include "src/core/settings/variable.h"

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A process that waits asks this often at once, then after some microseconds, at most so many. */
#define PAUSE_SHORT 100
#define PAUSE_MOST  1000

/* This process among those of its launcher. A process has one set of them, so there is one of this. */
static struct {
    struct messenger messenger;
    bool on;
} self;

/* ---- the plug-in ----------------------------------------------------------------------------- */

/* Folders of the tracers: in the build tree, and installed. */
static const char *const places[] = {
    "../lib/refrain/",
    "../lib64/refrain/",
#ifdef REFRAIN_LIBDIR
    REFRAIN_LIBDIR "/refrain/",
#endif
};

/* Writes the path of a plug-in that is there; false: there is none. */
static bool find_file(const struct process_launch *launch, char path[2 * PATH_MAX])
{
    char own[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    *(slash ? slash + 1 : own) = '\0';
    for (size_t l = 0; launch->libraries[l]; l++) {
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            snprintf(path, 2 * PATH_MAX, "%s%s%s/" MESSENGER_FILE, *places[i] == '/' ? "" : own, places[i],
                     launch->libraries[l]);
            if (access(path, R_OK) == 0)
                return true;
        }
    }
    return false;
}

/* The library's own plug-ins look for its names among those of the whole process. */
static messenger_starter load(const char *path)
{
    messenger_starter start = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL), *found = NULL;
    if (library)
        found = dlsym(library, MESSENGER_START);
    if (!found)
        log_warning("%s", dlerror());
    memcpy(&start, &found, sizeof start); /* ISO C has no cast for this */
    return start;
}

/* ---- begin and end --------------------------------------------------------------------------- */

static bool is_off(void)
{
    const struct variable *v = &variables[VARIABLE_PROCESSES];
    const char *text = getenv(v->name);
    struct variable_value value = variable_default(v);
    if (text && *text && !variable_parse(v, text, &value))
        log_warning("%s=%s: wanted %s", v->name, text, v->values);
    return value.number == 1;
}

static char last_words[128];

/* A launcher ends all processes when one of them has ended. */
static void say_and_end(int signal)
{
    const bool said = write_all(STDERR_FILENO, last_words, strlen(last_words));
    (void)said;
    _exit(128 + signal);
}

static void expect_signal(const char *command)
{
    struct sigaction action = {.sa_handler = say_and_end};
    snprintf(last_words, sizeof last_words,
             "refrain %s: the launcher ends this process: another one may have ended; there is no result\n",
             command);
    sigaction(SIGTERM, &action, NULL);
}

enum refrain_status processes_start(const char *command, enum processes_role *role)
{
    struct process_launch launch;
    char path[2 * PATH_MAX];
    process_launch_find(&launch);
    *role = PROCESSES_ALONE;
    if (launch.n == 1 || is_off())
        return REFRAIN_OK;
    *role = launch.number == 0 ? PROCESSES_ALONE : PROCESSES_IDLE;
    const messenger_starter start = find_file(&launch, path) ? load(path) : NULL;
    if (start && !start(&self.messenger)) {
        log_error("cannot start the MPI library: %s", self.messenger.error());
        return REFRAIN_ERR_MPI;
    }
    self.on = start && self.messenger.n == launch.n;
    if (start && !self.on && !self.messenger.end())
        log_debug("cannot end the MPI library: %s", self.messenger.error());
    if (!self.on && launch.number == 0)
        log_warning("process 0 of %u works alone: there is no plug-in that fits this launcher's MPI library "
                    "(%s/" MESSENGER_FILE "); use the launcher of another library, or install Refrain with "
                    "this one",
                    launch.n, launch.libraries[0]);
    if (self.on) {
        *role = self.messenger.number == 0 ? PROCESSES_FIRST : PROCESSES_HELPER;
        log_debug("process %u of %u, by %s", self.messenger.number, self.messenger.n, path);
    }
    if (*role == PROCESSES_FIRST)
        expect_signal(command);
    return REFRAIN_OK;
}

const struct messenger *processes_messenger(void)
{
    return self.on ? &self.messenger : NULL;
}

enum refrain_status processes_failed(void)
{
    log_error("no more messages between the processes: %s", self.messenger.error());
    return REFRAIN_ERR_MPI;
}

enum refrain_status processes_end(enum refrain_status status)
{
    const struct messenger *m = processes_messenger();
    struct process_message stop = {.kind = MESSAGE_STOP};
    if (!m)
        return status;
    for (unsigned i = 1; m->number == 0 && i < m->n && status != REFRAIN_ERR_MPI; i++) {
        const enum refrain_status sent = process_message_send(m, i, &stop);
        status = status == REFRAIN_OK || sent == REFRAIN_ERR_MPI ? sent : status;
    }
    if (status == REFRAIN_ERR_MPI)
        m->give_up(1);
    self.on = false;
    return m->end() || status != REFRAIN_OK ? status : processes_failed();
}

void processes_pause(unsigned *times)
{
    const unsigned slept = *times > PAUSE_SHORT ? *times - PAUSE_SHORT : 0;
    const struct timespec pause = {.tv_nsec = 1000L * (slept < PAUSE_MOST ? slept : PAUSE_MOST)};
    if (slept == 0)
        sched_yield();
    else
        nanosleep(&pause, NULL);
    *times += *times < PAUSE_SHORT + PAUSE_MOST;
}
