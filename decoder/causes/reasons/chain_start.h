/* SPDX-License-Identifier: BSD-3-Clause */
/* Serialized work is a chain: each rank starts when the rank before it has finished. It costs much if the rank at
 * its start waits elsewhere, too, before it starts the next chain:
 *
 *     rank 0   ═ works ═╗ waits in MPI_Reduce         ╔═ works ═╗
 *     rank 1            ╚═ works ═╗                   ║         ╚═ works …
 *     rank 2                      ╚═ works ═ Reduce ══╝ */
#ifndef REFRAIN_CHAIN_START_H
#define REFRAIN_CHAIN_START_H

#include "decoder/causes/causes_text.h"
#include "decoder/causes/delay_places.h"

/* Is the lane one of those that wait? `waiting`: ns, by lane. */
bool chain_waits(const struct wait_search *s, const uint64_t *waiting, size_t lane);
/* The wait after which a chain starts again. */
struct chain_start {
    uint32_t rank, site;
    uint64_t time; /* ns: how long the rank waits there */
};

/* The first late lane of the place that is not one of those that wait. Returns false if there is none, if it hardly
 * waits, or if no other late lane waits: then these are no chain. */
bool chain_find_start(const struct wait_search *s, const struct delay_place *place, const uint64_t *waiting,
                      struct chain_start *out);
/* "; rank 0 starts again only after MPI_Reduce at main (p.c:36), where it waits 523.9 ms" */
void chain_put_start(const struct causes_view *v, const struct chain_start *c, struct bytes *out);
/* A member of the open object: "starts_after". */
void chain_put_start_json(const struct causes_view *v, const struct chain_start *c, struct json *j);

#endif
