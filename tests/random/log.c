/* SPDX-License-Identifier: BSD-3-Clause */
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void log_open(struct log *l, const char *prefix, int rank, int thread)
{
    char path[4096];
    l->thread = thread;
    snprintf(path, sizeof path, "%s.%d.%d", prefix, rank, thread);
    l->file = fopen(path, "w");
    if (!l->file) {
        perror(path);
        exit(1);
    }
}

struct record {
    const char *kind;
    long call, done;
    int peer, tag;
    uint64_t group; /* 0: none */
    long long bytes, from;
    const char *function;
};

static void put(struct log *l, struct record r)
{
    char group[24] = "-";
    if (r.group)
        snprintf(group, sizeof group, "%016" PRIx64, r.group);
    fprintf(l->file, "%s %ld %ld %d %d %s %lld %lld %s\n", r.kind, r.call, r.done, r.peer, r.tag, group,
            r.bytes, r.from, r.function);
}

void log_close(struct log *l)
{
    for (struct log_function *f = l->functions; f->name; f++)
        put(l, (struct record){"calls", f->calls, -1, -1, -1, 0, f->sent, f->received, f->name});
    if (fclose(l->file) != 0) {
        perror("log");
        exit(1);
    }
}

void log_call(struct log *l, const char *function)
{
    struct log_function *f = l->functions;
    while (f->name && strcmp(f->name, function) != 0)
        f++;
    if (f == l->functions + LOG_FUNCTIONS - 1)
        abort();
    f->name = function;
    f->calls++;
    l->calls++;
    l->last = f;
}

void log_volume(struct log *l, long long sent, long long received)
{
    l->last->sent += sent;
    l->last->received += received;
}

void log_send(struct log *l, int to, int tag, uint64_t comm, long long bytes)
{
    put(l, (struct record){"send", l->calls - 1, -1, to, tag, comm, bytes, -1, l->last->name});
}

void log_post(struct log *l, int from, int tag, uint64_t comm)
{
    put(l, (struct record){"post", l->calls - 1, -1, from, tag, comm, -1, -1, l->last->name});
}

void log_got(struct log *l, long posted, int from, int tag, uint64_t comm, long long bytes, long sent)
{
    put(l, (struct record){"got", posted, l->calls - 1, from, tag, comm, bytes, sent, "-"});
}

void log_sync(struct log *l, uint64_t group)
{
    put(l, (struct record){"sync", l->calls - 1, -1, -1, -1, group, -1, -1, l->last->name});
}

void log_make(struct log *l, uint64_t group, uint64_t request)
{
    put(l, (struct record){"make", l->calls - 1, -1, -1, -1, group, -1, (long long)request, l->last->name});
}

void log_start(struct log *l, uint64_t request)
{
    put(l, (struct record){"start", l->calls - 1, -1, -1, -1, request, -1, -1, l->last->name});
}

void log_name(struct log *l, uint64_t group)
{
    put(l, (struct record){"name", l->calls - 1, l->thread, -1, -1, group, -1, -1, l->last->name});
}

void log_name_of(struct log *l, long call, int thread, uint64_t group)
{
    put(l, (struct record){"name", call, thread, -1, -1, group, -1, -1, "-"});
}

void log_access(struct log *l, int from, int to, long long bytes)
{
    put(l, (struct record){"access", l->calls - 1, -1, from, to, 0, bytes, -1, l->last->name});
}

void log_window(struct log *l, int target, uint64_t window)
{
    put(l, (struct record){"window", l->calls - 1, -1, target, -1, window, -1, -1, l->last->name});
}

void log_local(struct log *l)
{
    put(l, (struct record){"local", l->calls - 1, -1, -1, -1, 0, -1, -1, l->last->name});
}

void log_none(struct log *l)
{
    put(l, (struct record){"none", l->calls - 1, -1, -1, -1, 0, -1, -1, l->last->name});
}
