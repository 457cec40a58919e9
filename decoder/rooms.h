/* Calls that complete accesses to windows, of which an archive has a record or two each (otf2_events.h): they
 * have to last as long as that, or the records would push later calls behind what others have received of
 * them. Stamps have room for all else that a call does (stamps.h).
 *
 *     MPI_Put × 3000   MPI_Win_fence      6000 records       in a millisecond, or, as rounded times have it,
 * in none */
#ifndef REFRAIN_ROOMS_H
#define REFRAIN_ROOMS_H

#include "definitions.h"

struct room {
    uint32_t thread; /* number of the lane */
    uint64_t call;   /* in the lane */
    uint64_t records;
};

/* Ascending by thread and call; zeroed it is empty. */
struct rank_rooms {
    ARRAY(struct room) items;
};

/* Of each rank from the trace's first on, for the caller to free with rooms_free; NULL if the run does not
 * access windows. */
enum refrain_status rooms_find(const struct reader *r, const struct definitions *d, struct rank_rooms **out);
void rooms_free(struct rank_rooms *rooms, uint32_t n_ranks);
/* The number of the thread's first one: others follow. */
size_t rooms_of_thread(const struct rank_rooms *rooms, uint32_t thread);

#endif
