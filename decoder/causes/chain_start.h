/* SPDX-License-Identifier: BSD-3-Clause */
/* Serialized work is a chain: each rank starts when the rank before it has finished. It costs much if the rank at
 * its start waits elsewhere, too, before it starts the next chain:
 *
 *     rank 0   ═ works ═╗ waits in MPI_Reduce         ╔═ works ═╗
 *     rank 1            ╚═ works ═╗                   ║         ╚═ works …
 *     rank 2                      ╚═ works ═ Reduce ══╝ */
#ifndef REFRAIN_CHAIN_START_H
#define REFRAIN_CHAIN_START_H

#include "causes_text.h"
#include "delay_places.h"

/* Is the lane one of those that wait? `waiting`: ns, by lane. */
bool chain_waits(const struct wait_search *s, const uint64_t *waiting, size_t lane);
/* "; rank 0 starts again only after MPI_Reduce at main (p.c:36), where it waits 523.9 ms": the first late lane of
 * the place that is not one of those that wait. Nothing if there is none, if it hardly waits, or if no other late
 * lane waits: then these are no chain. */
void chain_put_start(const struct causes_view *v, const struct delay_place *place, const uint64_t *waiting,
                     struct bytes *out);

#endif
