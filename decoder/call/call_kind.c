/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_kind.h"

const struct call_look call_looks[CALL_KINDS] = {
    [CALL_BLOCKING] = {"blocking", "blocking messages", "#0072B2", "#FFFFFF"},
    [CALL_NONBLOCKING] = {"nonblocking", "non-blocking messages", "#56B4E9", "#000000"},
    [CALL_WAITING] = {"waiting", "waiting, testing", "#D55E00", "#000000"},
    [CALL_COLLECTIVE] = {"collective", "collective operations", "#009E73", "#000000"},
    [CALL_ONE_SIDED] = {"onesided", "one-sided", "#CC79A7", "#000000"},
    [CALL_FILE] = {"file", "files", "#E69F00", "#000000"},
    [CALL_OTHER] = {"other", "set-up and other", "#8C8C8C", "#000000"},
};

const struct call_look call_look_rest = {"rest", "computation", "#F0F0F0", "#000000"};
