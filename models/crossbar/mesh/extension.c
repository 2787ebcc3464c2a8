/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "mesh.h"

static uint32_t has_work(hd_block *block)
{
    const struct mesh *mesh = (const struct mesh *)block;
    if (mesh->free_count < mesh->traveller_count)
        return 1;
    for (uint32_t i = 0; i < mesh->input_count; i++)
        if (mesh->inputs[i].link && hd_link_arrival(mesh->inputs[i].link) != HD_NEVER)
            return 1;
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct mesh *mesh = (const struct mesh *)block;
    for (uint32_t i = 0; i < mesh->output_count; i++)
        if (mesh->outputs[i].blocked_since != UINT64_MAX)
            sink->line(sink->context, "output %" PRIu32 " at node %" PRIu32 " waits for a credit", i,
                       mesh->outputs[i].node);
    for (uint32_t i = 0; i < mesh->nodes; i++)
        if (mesh->routers[i].flits)
            sink->line(sink->context, "router %" PRIu32 " holds %" PRIu32 " flits", i, mesh->routers[i].flits);
}

static uint32_t is_free(const struct mesh *mesh, uint32_t traveller)
{
    uint32_t i = 0;
    while (i < mesh->free_count && mesh->free_travellers[i] != traveller)
        i++;
    return i < mesh->free_count;
}

/* In the order in which they were injected, which those of one source keep. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const struct mesh *mesh = (const struct mesh *)block;
    uint64_t edge = 0, next = 0;
    for (; next != UINT64_MAX; edge = next) {
        next = UINT64_MAX;
        for (uint32_t i = 0; i < mesh->traveller_count; i++) {
            const struct traveller *traveller = &mesh->travellers[i];
            if (traveller->injected < edge || traveller->injected >= next || is_free(mesh, i))
                continue;
            if (traveller->injected == edge)
                sink->write(sink->context, traveller->packet, 0);
            else
                next = traveller->injected;
        }
    }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct mesh *mesh = (struct mesh *)block;
    (void)t;
    (void)sink;
    mesh->next_input = 0;
    memset(mesh->routers, 0, mesh->nodes * sizeof *mesh->routers);
    memset(mesh->next_injection, 0, mesh->nodes);
}

const void *mesh_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_under_way under_way = {each_under_way};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &mesh_state;
    return hd_ability(id, &pending, &alignment, NULL);
}
