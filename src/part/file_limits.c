/* SPDX-License-Identifier: BSD-3-Clause */
#include "file_limits.h"

static const __rlimit_resource_t resources[LIMITS] = {RLIMIT_NOFILE, RLIMIT_FSIZE};

void file_limits_lift(struct file_limits *l)
{
    for (int i = 0; i < LIMITS; i++) {
        struct rlimit *were = &l->were[i];
        if (getrlimit(resources[i], were) != 0)
            were->rlim_cur = were->rlim_max = 0;
        else if (were->rlim_cur != were->rlim_max)
            setrlimit(resources[i], &(struct rlimit){were->rlim_max, were->rlim_max});
    }
}

void file_limits_restore(const struct file_limits *l)
{
    for (int i = 0; i < LIMITS; i++) {
        if (l->were[i].rlim_cur != l->were[i].rlim_max)
            setrlimit(resources[i], &l->were[i]);
    }
}
