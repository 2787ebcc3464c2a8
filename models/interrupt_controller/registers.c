/* SPDX-License-Identifier: MIT */
#include "state.h"

#define PENDING 0x001000u
#define ENABLED 0x002000u
#define ENABLED_STRIDE 0x80u /* from one hart's to the next one's */
#define THRESHOLD 0x200000u
#define CLAIM 0x200004u
#define HART_STRIDE 0x1000u
#define PRIORITY_MAX 7u

static uint32_t read_priority(hd_register_access *access)
{
    access->value = ((const plic *)access->device)->sources[access->offset / 4].priority;
    return HD_STATUS_OK;
}

static uint32_t write_priority(hd_register_access *access)
{
    if (access->offset == 0)
        return HD_STATUS_ADDRESS_ERROR;
    ((plic *)access->device)->sources[access->offset / 4].priority = access->value & PRIORITY_MAX;
    return HD_STATUS_OK;
}

static uint32_t read_pending(hd_register_access *access)
{
    access->value = plic_pending(access->device);
    return HD_STATUS_OK;
}

/* The hart whose register it is, and the offset from the first of its registers, the last of which is at `last`. NULL: none. */
static receiver *hart_of(hd_register_access *access, uint32_t stride, uint32_t last)
{
    plic *self = access->device;
    const uint64_t hart = access->offset / stride;
    access->offset %= stride;
    return hart < self->hart_count && access->offset <= last ? &self->harts[hart] : NULL;
}

static uint32_t read_enabled(hd_register_access *access)
{
    const receiver *hart = hart_of(access, ENABLED_STRIDE, 0);
    access->value = hart ? hart->enabled : 0;
    return hart ? HD_STATUS_OK : HD_STATUS_ADDRESS_ERROR;
}

static uint32_t write_enabled(hd_register_access *access)
{
    receiver *hart = hart_of(access, ENABLED_STRIDE, 0);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    hart->enabled = (uint32_t)access->value & ~UINT32_C(1);
    return HD_STATUS_OK;
}

static uint32_t read_of_hart(hd_register_access *access)
{
    const receiver *hart = hart_of(access, HART_STRIDE, CLAIM - THRESHOLD);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    access->value = access->offset ? plic_claim(access->device, hart, access->t) : hart->threshold;
    return HD_STATUS_OK;
}

static uint32_t peek_of_hart(hd_register_access *access)
{
    const receiver *hart = hart_of(access, HART_STRIDE, CLAIM - THRESHOLD);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    access->value = access->offset ? plic_best(access->device, hart, 0) : hart->threshold;
    return HD_STATUS_OK;
}

static uint32_t complete(plic *self, uint64_t number)
{
    if (number >= SOURCES)
        return HD_STATUS_ADDRESS_ERROR;
    self->sources[number].is_handled = 0;
    return HD_STATUS_OK;
}

static uint32_t write_of_hart(hd_register_access *access)
{
    receiver *hart = hart_of(access, HART_STRIDE, CLAIM - THRESHOLD);
    if (!hart)
        return HD_STATUS_ADDRESS_ERROR;
    if (access->offset)
        return complete(access->device, access->value);
    hart->threshold = access->value & PRIORITY_MAX;
    return HD_STATUS_OK;
}

const hd_register plic_registers[PLIC_REGISTERS] = {
    {0, 4 * SOURCES, 4, read_priority, write_priority, NULL, 0},
    {PENDING, 4, 4, read_pending, NULL, NULL, 0},
    {ENABLED, HD_REGISTERS_HARTS_MAX *ENABLED_STRIDE, 4, read_enabled, write_enabled, NULL, 0},
    {THRESHOLD, HD_REGISTERS_HARTS_MAX *HART_STRIDE, 4, read_of_hart, write_of_hart, peek_of_hart, 0},
};
