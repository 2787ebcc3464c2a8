/* SPDX-License-Identifier: MIT */
/* What leaves for the commit units, a packet a cycle: of warps in turn, write logs, then the end of the log to every unit. */
#include "tx/warptm_el/warptm_el.h"

#include <string.h>

void warptm_el_send_logs(warptm_el *u, uint32_t warp)
{
    warptm_el_warp *ew = &u->warps[warp];
    ew->walk.entry = ew->closing = 0;
    ew->walk.left = 0;
    memset(ew->places, 0, u->partitions * sizeof *ew->places);
    tx_queue_push(&u->sending, warp);
    if (u->sending.count == 1)
        memory_offer_packets(u->t->core.memory, 1);
}

/* Goes to the next entry with words of the group. 0: there is none. */
static uint32_t find_entry(warptm_el *u, uint32_t warp)
{
    warptm_el_warp *ew = &u->warps[warp];
    const tx_log *log = &tx_warp_of(u->t, warp)->writes;
    if (!kilo_log_find(&ew->walk, log, ew->lanes, memory_map(u->t->core.memory)))
        return 0;
    for (uint64_t left = ew->walk.left; left; left &= left - 1) {
        warptm_el_place *place = &ew->places[ew->walk.partition[__builtin_ctzll(left)]];
        place->written |= left & -left;
        place->awaited = place->written;
    }
    return 1;
}

static hd_packet *next_of(warptm_el *u, uint32_t warp)
{
    warptm_el_warp *ew = &u->warps[warp];
    if (ew->walk.left || find_entry(u, warp))
        return kilo_log_next(u->t, warp, &ew->walk, &tx_warp_of(u->t, warp)->writes, u->message_write_set, &ew->group);
    const uint32_t partition = ew->closing++;
    const hd_kilo_lanes end = {ew->group, ew->lanes, ew->places[partition].written};
    return kilo_lanes_packet(u->t, warp, u->message_done_skip, partition, &end, HD_KILO_MASK_WIRE_BYTES);
}

hd_packet *warptm_el_next_log(warptm_el *u)
{
    if (!u->sending.count)
        return NULL;
    const uint32_t warp = tx_queue_pop(&u->sending);
    hd_packet *packet = next_of(u, warp);
    const uint32_t has_more = u->warps[warp].closing < u->partitions;
    if (has_more)
        tx_queue_push(&u->sending, warp);
    if (u->sending.count)
        memory_offer_packets(u->t->core.memory, 1);
    if (!has_more)
        warptm_el_sent(u, warp);
    return packet;
}
