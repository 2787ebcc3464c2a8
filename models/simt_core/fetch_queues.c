/* SPDX-License-Identifier: MIT */
/* Life of the queues of paths on their way through fetch and decode, and room in them. */
#include "core.h"

#include <stdlib.h>

static int create_queue(fetch_queue *queue, uint32_t paths)
{
    uint32_t capacity = 16;
    while (capacity < 4 * paths)
        capacity *= 2;
    queue->mask = capacity - 1;
    queue->entry = calloc(capacity, sizeof *queue->entry);
    return queue->entry ? 0 : -1;
}

int front_end_create(front_end *fetches, uint32_t paths)
{
    return create_queue(&fetches->to_fetch, paths) | create_queue(&fetches->decoding, paths) |
           create_queue(&fetches->fetched, paths) | create_queue(&fetches->refused, paths);
}

void front_end_destroy(front_end *fetches)
{
    free(fetches->to_fetch.entry);
    free(fetches->decoding.entry);
    free(fetches->fetched.entry);
    free(fetches->refused.entry);
}

void front_end_reset(front_end *fetches)
{
    fetches->to_fetch.head = fetches->to_fetch.tail = fetches->decoding.head = fetches->decoding.tail = 0;
    fetches->fetched.head = fetches->fetched.tail = fetches->refused.head = fetches->refused.tail = 0;
    fetches->decodes_at = UINT64_MAX;
}

/* Only entries that still mean their path stay, where others might take their room. */
static void tidy(const simt_core *core, fetch_queue *queue)
{
    if (queue->tail - queue->head < core->path_count)
        return;
    uint32_t kept = queue->head;
    for (uint32_t at = queue->head; at != queue->tail; at++) {
        const fetch_entry entry = queue->entry[at & queue->mask];
        if (entry.sequence == core->path_states[entry.path].sequence)
            queue->entry[kept++ & queue->mask] = entry;
    }
    queue->tail = kept;
}

void front_end_make_room(simt_core *core)
{
    tidy(core, &core->front_end.to_fetch);
    tidy(core, &core->front_end.decoding);
    tidy(core, &core->front_end.fetched);
    tidy(core, &core->front_end.refused);
    core->front_end.decodes_at = fetch_queue_first(&core->front_end.decoding);
}
