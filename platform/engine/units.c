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

static uint32_t receives(const node *node, const char *message)
{
    const hd_block_class *block_class = node->block_class;
    for (uint32_t i = 0; i < block_class->message_count; i++)
        if (block_class->messages[i].direction == HD_MESSAGE_RECEIVED &&
            strcmp(block_class->messages[i].name, message) == 0 &&
            hd_message_applies(&block_class->messages[i], node->values))
            return 1;
    return 0;
}

static uint32_t next_receiver(void *context, uint32_t message, uint32_t endpoint)
{
    hd_engine *engine = ((const node *)context)->engine;
    const char *name = hd_engine_message_name(engine, message);
    for (uint32_t b = endpoint; b < engine->node_count; b++)
        if (receives(engine->nodes[b], name))
            return b;
    return UINT32_MAX;
}

void units_init(node *node)
{
    node->receivers = (hd_receivers){.context = node, .next = next_receiver};
    node->units = (hd_units){.context = node, .endpoint = endpoint_of};
}
