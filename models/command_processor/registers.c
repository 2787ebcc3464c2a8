/* SPDX-License-Identifier: MIT */
#include "queues.h"

#include <string.h>

#define RING_ALIGNMENT 128u

static uint32_t is_idle(const ring *ring)
{
    return ring->state == RING_STOPPED || (ring->state == RING_IDLE && ring->doorbell == ring->completed);
}

/* The ring of a queue register; reg receives its HD_QUEUE_*. NULL: no such register. */
static ring *find(const queues *self, uint64_t offset, uint32_t *reg)
{
    if (offset < HD_REGISTER_QUEUE_BASE)
        return NULL;
    uint64_t index = (offset - HD_REGISTER_QUEUE_BASE) / HD_REGISTER_QUEUE_STRIDE;
    *reg = (uint32_t)((offset - HD_REGISTER_QUEUE_BASE) % HD_REGISTER_QUEUE_STRIDE);
    return index < self->ring_count ? &self->rings[index] : NULL;
}

static uint32_t read_common(const queues *self, uint64_t offset, uint32_t *value)
{
    switch (offset) {
    case HD_REGISTER_IDENTIFICATION: *value = HD_IDENTIFICATION; break;
    case HD_REGISTER_VERSION: *value = HD_QUEUE_VERSION; break;
    case HD_REGISTER_QUEUES: *value = self->ring_count | (copies_possible(self) ? HD_QUEUES_COPY : 0); break;
    case HD_REGISTER_MEMORY_PAGES: *value = self->memory_bytes / 4096; break;
    case HD_REGISTER_RUNNING: *value = self->running; break;
    case HD_REGISTER_ERROR: *value = self->error; break;
    case HD_REGISTER_ERROR_QUEUE: *value = self->error_queue; break;
    case HD_REGISTER_ERROR_INDEX: *value = self->error_index; break;
    case HD_REGISTER_ERROR_STATUS: *value = self->error_status; break;
    case HD_REGISTER_ERROR_LOW: *value = (uint32_t)self->error_address; break;
    case HD_REGISTER_ERROR_HIGH: *value = (uint32_t)(self->error_address >> 32); break;
    default: return HD_STATUS_ADDRESS_ERROR;
    }
    return HD_STATUS_OK;
}

uint32_t registers_read(const queues *self, uint64_t offset, uint32_t *value)
{
    uint32_t reg = 0;
    const ring *ring = find(self, offset, &reg);
    if (ring == NULL)
        return read_common(self, offset, value);
    switch (reg) {
    case HD_QUEUE_RING: *value = ring->base; break;
    case HD_QUEUE_COMPLETION: *value = ring->completion; break;
    case HD_QUEUE_ENTRIES: *value = ring->entries; break;
    case HD_QUEUE_DOORBELL: *value = ring->doorbell; break;
    case HD_QUEUE_COMPLETED: *value = ring->completed; break;
    default: return HD_STATUS_ADDRESS_ERROR;
    }
    return HD_STATUS_OK;
}

static uint32_t write_base(const queues *self, uint32_t *base, uint32_t value, uint32_t alignment)
{
    if (value % alignment != 0 || !queues_in_memory(self, value, alignment))
        return HD_STATUS_ADDRESS_ERROR;
    *base = value;
    return HD_STATUS_OK;
}

static uint32_t write_entries(const queues *self, ring *ring, uint32_t entries)
{
    if (entries > HD_QUEUE_ENTRIES_MAX || (entries & (entries - 1)) != 0)
        return HD_STATUS_ADDRESS_ERROR;
    if (entries > 0 && !queues_in_memory(self, ring->base, (uint64_t)entries * HD_DESCRIPTOR_BYTES))
        return HD_STATUS_ADDRESS_ERROR;
    if (entries > 0 && !queues_in_memory(self, ring->completion, (uint64_t)entries * HD_COMPLETION_BYTES))
        return HD_STATUS_ADDRESS_ERROR;
    ring->entries = entries;
    ring->doorbell = 0;
    ring->completed = 0;
    ring->state = RING_IDLE;
    return HD_STATUS_OK;
}

static uint32_t write_doorbell(ring *ring, uint32_t value)
{
    uint32_t ahead = value - ring->completed;
    if (ahead > ring->entries || ahead < ring->doorbell - ring->completed)
        return HD_STATUS_ADDRESS_ERROR;
    ring->doorbell = value;
    return HD_STATUS_OK;
}

uint32_t registers_write(queues *self, uint64_t offset, uint32_t value)
{
    if (offset == HD_REGISTER_ERROR) {
        self->error = HD_QUEUE_ERROR_NONE;
        self->error_queue = 0;
        self->error_index = 0;
        self->error_status = 0;
        self->error_address = 0;
        return HD_STATUS_OK;
    }
    uint32_t reg = 0;
    ring *ring = find(self, offset, &reg);
    if (ring == NULL)
        return HD_STATUS_ADDRESS_ERROR;
    if (reg == HD_QUEUE_DOORBELL)
        return write_doorbell(ring, value);
    if (!is_idle(ring))
        return HD_STATUS_ADDRESS_ERROR;
    switch (reg) {
    case HD_QUEUE_RING: return write_base(self, &ring->base, value, RING_ALIGNMENT);
    case HD_QUEUE_COMPLETION: return write_base(self, &ring->completion, value, HD_COMPLETION_BYTES);
    case HD_QUEUE_ENTRIES: return write_entries(self, ring, value);
    default: return HD_STATUS_ADDRESS_ERROR;
    }
}

/* None can be written: all of them act. */
uint32_t registers_debug(hd_block *block, hd_time t, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    const uint64_t offset = address - HD_HOST_MMIO_BASE;
    uint32_t done = 0, value;
    (void)t;
    while (!is_write && done < bytes &&
           registers_read((const queues *)block, (offset + done) & ~UINT64_C(3), &value) == HD_STATUS_OK) {
        const uint32_t skipped = (uint32_t)(offset + done) % 4, there = 4 - skipped, left = bytes - done;
        const uint32_t count = left < there ? left : there;
        memcpy((char *)data + done, (const char *)&value + skipped, count);
        done += count;
    }
    return done;
}
