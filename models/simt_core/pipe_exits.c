/* SPDX-License-Identifier: MIT */
#include "pipe_exits.h"

#include <stdlib.h>
#include <string.h>

int pipe_exits_create(pipe_exits *exits, uint32_t is_on, uint32_t ports)
{
    if (!is_on)
        return 0;
    exits->ports = ports;
    exits->taken = malloc((size_t)ports * PIPE_EXIT_CYCLES * sizeof *exits->taken);
    return exits->taken ? 0 : -1;
}

void pipe_exits_destroy(pipe_exits *exits)
{
    free(exits->taken);
}

void pipe_exits_reset(pipe_exits *exits)
{
    if (exits->taken)
        memset(exits->taken, 0xFF, (size_t)exits->ports * PIPE_EXIT_CYCLES * sizeof *exits->taken);
}

uint32_t pipe_exits_take(pipe_exits *exits, uint32_t port, uint64_t cycle)
{
    uint64_t *taken = exits->taken + (size_t)port * PIPE_EXIT_CYCLES, leaves = cycle;
    while (taken[leaves % PIPE_EXIT_CYCLES] == leaves)
        leaves++;
    taken[leaves % PIPE_EXIT_CYCLES] = leaves;
    return (uint32_t)(leaves - cycle);
}

void pipe_exits_transfer(pipe_exits *exits, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "pipelines with one exit", exits->taken != NULL);
    if (exits->taken)
        HD_STATE_ARRAY(stream, exits->taken, (size_t)exits->ports * PIPE_EXIT_CYCLES);
}
