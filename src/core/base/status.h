/* SPDX-License-Identifier: BSD-3-Clause */
/* Result of every function of Refrain that can fail.
 *
 * The function that decides an error logs its exact cause (log.h); callers pass the status on and log
 * nothing. Outputs are set only with REFRAIN_OK. */
#ifndef REFRAIN_STATUS_H
#define REFRAIN_STATUS_H

enum refrain_status {
    REFRAIN_OK = 0,
    REFRAIN_ERR_MEMORY, /* an allocation failed */
    REFRAIN_ERR_IO,     /* the operating system refused; errno was logged */
    REFRAIN_ERR_FORMAT, /* a file or blob is damaged, foreign or of a newer version */
    REFRAIN_ERR_USAGE,  /* a caller or user asked for something that does not exist */
    REFRAIN_ERR_MPI,    /* the MPI library returned an error */
    REFRAIN_ERR_CHECK,  /* a comparison that was asked for failed */
};

#endif
