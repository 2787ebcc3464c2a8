/* SPDX-License-Identifier: MIT */
/*
 * Contexts of thread blocks go point to point: before the first packet an input and an output port are set up for each other, which
 * takes a while; then packets need no header and go at a width of their own. Other packets pass the same ports in between as ever.
 * The path stays until one of its ports is set up for another. Source: Beaumont 2019 §4.2.3, §4.4.2.
 */
#include "state.h"

uint32_t crossbar_path_flits(const struct crossbar *crossbar, const hd_packet *packet)
{
    return (packet->wire_bytes - HD_HEADER_WIRE_BYTES + crossbar->path_bytes - 1) / crossbar->path_bytes;
}

uint32_t crossbar_set_path(struct crossbar *crossbar, uint32_t input, uint32_t output)
{
    struct input *from = &crossbar->inputs[input];
    struct output *to = &crossbar->outputs[output];
    if (from->path == output + 1 && to->path == input + 1)
        return 0;
    from->path = output + 1;
    to->path = input + 1;
    crossbar->statistics[STATISTIC_CONTEXT_SETUPS]++;
    return crossbar->path_setup;
}
