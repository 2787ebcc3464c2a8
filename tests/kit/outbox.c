/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hd_link.h"
#include "kit_outbox.h"

void kit_outbox_empty(kit_outbox *outbox, const hd_services *services)
{
    for (uint32_t i = 0; i < outbox->count; i++)
        services->free(services->context, outbox->packets[i].packet);
    outbox->count = outbox->waits = 0;
}

void kit_outbox_add(kit_outbox *outbox, hd_packet *packet, uint64_t ready)
{
    if (outbox->count == KIT_OUTBOX_PACKETS)
        abort();
    outbox->packets[outbox->count++] = (kit_delayed){packet, ready};
}

hd_packet *kit_outbox_take(kit_outbox *outbox, const hd_services *services, hd_link *link, uint64_t n, hd_time t)
{
    uint32_t i = 0;
    while (i < outbox->count && outbox->packets[i].ready > n)
        i++;
    outbox->waits = i < outbox->count && !hd_link_has_credit(services, link, t);
    if (i == outbox->count || outbox->waits)
        return NULL;
    hd_packet *packet = outbox->packets[i].packet;
    memmove(&outbox->packets[i], &outbox->packets[i + 1], (--outbox->count - i) * sizeof *outbox->packets);
    return packet;
}

void kit_outbox_work(const kit_outbox *outbox, hd_work *work)
{
    for (uint32_t i = 0; !outbox->waits && i < outbox->count; i++)
        hd_work_at_edge(work, outbox->packets[i].ready);
}

hd_time kit_walk_edges(void *block, hd_cursor *cursor, void (*work)(void *block, hd_time t),
                       hd_time (*next)(const void *block), hd_time now, hd_time horizon)
{
    const hd_walk walk = {.work = work, .next = next};
    return hd_walk_span(&walk, block, cursor, now, horizon);
}
