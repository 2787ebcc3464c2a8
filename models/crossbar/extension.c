/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "hd_link.h"
#include "state.h"

static uint32_t holds_packets(const struct crossbar *crossbar)
{
    uint32_t wanted = crossbar->flight_count;
    for (uint32_t i = 0; i < crossbar->element_count; i++)
        wanted += set_count(&crossbar->inputs[i].wanted, crossbar->output_words);
    return wanted != 0;
}

static uint32_t has_work(hd_block *block)
{
    const struct crossbar *crossbar = (const struct crossbar *)block;
    if (holds_packets(crossbar))
        return 1;
    for (uint32_t i = 0; i < crossbar->element_count; i++) {
        const struct element *element = &crossbar->elements[i];
        if (element->link && hd_link_arrival(element->link) != HD_NEVER)
            return 1;
    }
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct crossbar *crossbar = (const struct crossbar *)block;
    for (uint32_t index = 0; index < crossbar->output_count; index++) {
        const struct output *output = &crossbar->outputs[index];
        const uint32_t inputs = set_count(&output->requests, crossbar->element_words);
        if (inputs)
            sink->line(sink->context, "output %" PRIu32 " %s, wanted by %" PRIu32 " inputs (input %" PRIu32 " first)",
                       index, output->blocked_since == UINT64_MAX ? "busy" : "waits for a credit", inputs,
                       set_turn(&output->requests, crossbar->element_words, 0));
    }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    (void)t;
    (void)sink;
    crossbar->first_output = 0;
    for (uint32_t i = 0; i < crossbar->element_count; i++)
        crossbar->inputs[i].turn = crossbar->inputs[i].accept = 0;
    for (uint32_t i = 0; i < crossbar->output_count; i++) {
        crossbar->outputs[i].next_input = 0;
        crossbar->ports[i].next_element = 0;
    }
}

static void each_in_list(const struct buffer *buffer, uint32_t list, const hd_under_way_sink *sink)
{
    for (uint16_t node = buffer->lists[list].first; node != LIST_END; node = buffer->nodes[node].next)
        sink->write(sink->context, buffer->entries[buffer->nodes[node].entry].packet, 0);
}

/* What has been granted is older than what waits. */
static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const struct crossbar *crossbar = (const struct crossbar *)block;
    const uint32_t queues = crossbar->virtual_output ? crossbar->output_count : 1;
    for (uint32_t i = 0; i < crossbar->flight_count; i++)
        sink->write(sink->context, crossbar->flights[(crossbar->first_flight + i) & crossbar->flight_mask].packet, 0);
    for (uint32_t i = 0; i < crossbar->element_count; i++)
        for (uint32_t c = 0; crossbar->elements[i].buffers && c < crossbar->channels; c++)
            for (uint32_t list = 0; list < queues; list++)
                each_in_list(&crossbar->elements[i].buffers[c], list, sink);
}

static void mark(hd_block *block)
{
    ((struct crossbar *)block)->statistics[STATISTIC_CONTENTION_MAXIMUM] = 0;
}

const void *crossbar_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    static const hd_under_way under_way = {each_under_way};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &crossbar_state;
    return hd_ability(id, &pending, &alignment, &marking);
}
