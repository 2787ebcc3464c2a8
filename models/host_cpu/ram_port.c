/* SPDX-License-Identifier: MIT */
/* What others read and write in the RAM. */
#include <string.h>

#include "state.h"

void ram_port_written(host_cpu *self, uint64_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < self->hart_count; i++)
        hart_memory_written(&self->harts[i].hart, address, bytes);
}

uint8_t *ram_port_bytes(void *owner, uint64_t address, uint32_t bytes, uint32_t is_write, uint64_t n)
{
    host_cpu *self = owner;
    const hart *first = &self->harts[0].hart;
    const uint64_t offset = address - first->ram_base;
    if (offset >= first->ram_bytes || bytes > first->ram_bytes - offset)
        return NULL;
    host_cpu_come_to(self, n);
    if (is_write)
        ram_port_written(self, address, bytes);
    return first->ram + offset;
}

void ram_port_count(host_cpu *self)
{
    memcpy(&self->counters[STATISTIC_RAM], &self->memory.counts, sizeof self->memory.counts);
}
