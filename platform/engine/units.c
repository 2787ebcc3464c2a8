/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <string.h>

#include "hd_message.h"

static const char *const kinds[] = {HD_UNIT_KINDS};

static uint32_t endpoint_of(void *context, uint32_t endpoint, uint32_t unit)
{
    const hd_engine *engine = ((const node *)context)->engine;
    const uint32_t kind = unit - HD_DESTINATION_VALIDATION_UNIT;
    if (endpoint >= engine->node_count || kind >= sizeof kinds / sizeof *kinds)
        return endpoint;
    const node *slice = engine->nodes[endpoint];
    if (strcmp(slice->block_class->kind, kinds[kind]) == 0)
        return endpoint;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        if (node->services.index == slice->services.index && strcmp(node->block_class->kind, kinds[kind]) == 0)
            return b;
    }
    return UINT32_MAX;
}

void units_init(node *node)
{
    node->units = (hd_units){.context = node, .endpoint = endpoint_of};
}
