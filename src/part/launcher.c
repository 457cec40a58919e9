/* SPDX-License-Identifier: BSD-3-Clause */
#include "launcher.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/core/base/mix.h"

/* Variables by which launchers name the job and the step of the job. For Flux and PALS, one variable
 * identifies the step. */
static const char *const names[][2] = {
    {"SLURM_JOB_ID", "SLURM_STEP_ID"},
    {"FLUX_JOB_ID", "FLUX_JOB_ID"},
    {"PALS_APID", "PALS_APID"},
};

static uint64_t hash(const char *text)
{
    uint64_t h = 1;
    for (; *text; text++)
        h = mix(h, (unsigned char)*text);
    return h;
}

/* ---- Hydra, which sets no such variable ------------------------------------------------------ */

#define ANCESTORS_MAX 16 /* most scripts between the launcher and the program */
#define PORT_OPTION   "--control-port"

/* Read the start of a file of /proc as a string; an argument's final 0 becomes a space. False if
 * there is no such file. */
static bool read_start(pid_t process, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)process, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (ssize_t i = 0; i + 1 < n; i++)
        text[i] = text[i] ? text[i] : ' ';
    return n > 0;
}

static pid_t parent_of(pid_t process)
{
    char text[512];
    long parent = 0;
    /* The text is "123 (name) S 122 …", and the name may contain parentheses: the last ) ends it. */
    const char *behind = read_start(process, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    if (!behind || sscanf(behind, ") %*c %ld", &parent) != 1)
        return 0;
    return (pid_t)parent;
}

/* The launcher has one process on each host; mpiexec passes its own host and port to all of them.
 * So the port's value is the same on all hosts. */
static uint64_t hydra(void)
{
    char text[4096];
    pid_t process = getppid();
    for (int i = 0; i < ANCESTORS_MAX && process > 1; i++, process = parent_of(process)) {
        char *port = read_start(process, "cmdline", text, sizeof text) ? strstr(text, PORT_OPTION " ") : NULL;
        if (!port)
            continue;
        port += strlen(PORT_OPTION " ");
        port[strcspn(port, " ")] = '\0';
        return hash(port);
    }
    return 0;
}

/* A hash of both variables; 0 unless both are set. */
static uint64_t named(const char *const name[2])
{
    const char *job = getenv(name[0]), *step = getenv(name[1]);
    return job && *job && step && *step ? mix(hash(job), hash(step)) : 0;
}

/* One step of a job may run several launchers of MPI libraries, so the variables of the MPI
 * libraries come before those of the job. */
uint64_t launcher_run(void)
{
    uint64_t run = named((const char *const[]){"PMIX_NAMESPACE", "PMIX_NAMESPACE"});
    if (run == 0)
        run = hydra();
    for (size_t i = 0; run == 0 && i < sizeof names / sizeof names[0]; i++)
        run = named(names[i]);
    return run;
}

/* The job's name as Slurm's own commands print it: JOB.STEP, or ARRAY_TASK.STEP for a task of an
 * array. */
void launcher_job(char *text, size_t size)
{
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    const char *array = getenv("SLURM_ARRAY_JOB_ID"), *task = getenv("SLURM_ARRAY_TASK_ID");
    const bool of_array = array && task;
    text[0] = '\0';
    if (job && *job)
        snprintf(text, size, "Slurm %s%s%s%s%s", of_array ? array : job, of_array ? "_" : "",
                 of_array ? task : "", step ? "." : "", step ? step : "");
}

/* Slurm's variable counts the ranks of the whole step, so it counts only if the step has one node. */
int launcher_local_ranks(void)
{
    static const char *const counts[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                         "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const char *count = getenv(counts[i]), *nodes = getenv("SLURM_STEP_NUM_NODES");
        const bool is_steps = strncmp(counts[i], "SLURM", 5) == 0;
        if (count && (!is_steps || (nodes && strcmp(nodes, "1") == 0)))
            return atoi(count);
    }
    return 0;
}
