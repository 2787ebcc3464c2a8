/* SPDX-License-Identifier: MIT */
/* What others read and write in the hart's RAM. */
#include <string.h>

#include "state.h"

uint8_t *ram_port_bytes(void *owner, uint64_t address, uint32_t bytes, uint32_t is_write, uint64_t n)
{
    host_cpu *self = owner;
    const uint64_t offset = address - self->hart.ram_base;
    if (offset >= self->hart.ram_bytes || bytes > self->hart.ram_bytes - offset)
        return NULL;
    host_cpu_come_to(self, n);
    if (is_write)
        hart_memory_written(&self->hart, address, bytes);
    return self->hart.ram + offset;
}

void ram_port_count(host_cpu *self)
{
    memcpy(&self->counters[STATISTIC_RAM], &self->memory.counts, sizeof self->memory.counts);
}
