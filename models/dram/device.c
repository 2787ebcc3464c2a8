/* SPDX-License-Identifier: MIT */
#include "device.h"

static void not_before(uint64_t *ready, uint64_t n)
{
    *ready = dram_later(*ready, n);
}

void dram_device_reset(struct dram_device *device, uint64_t n)
{
    for (uint32_t i = 0; i < DRAM_BANKS; i++) {
        device->banks[i] = (struct dram_bank){.row = DRAM_NO_ROW, .group = i % device->group_count};
        device->group_ready[i] = 0;
    }
    device->activate_ready = 0;
    device->read_ready = 0;
    device->write_ready = 0;
    device->refresh_due = device->timing.refresh_interval ? n + device->timing.refresh_interval : UINT64_MAX;
}

/* Precharges what is open as soon as that is legal, then refreshes all banks. */
static uint32_t refresh_once(struct dram_device *device)
{
    const struct dram_timing *timing = &device->timing;
    uint64_t start = device->refresh_due;
    uint32_t closed = 0;
    for (uint32_t i = 0; i < device->bank_count; i++) {
        const struct dram_bank *bank = &device->banks[i];
        if (bank->row == DRAM_NO_ROW) {
            start = dram_later(start, bank->activate_ready);
            continue;
        }
        closed++;
        start = dram_later(start, dram_later(device->refresh_due, bank->precharge_ready) + timing->precharge);
    }
    for (uint32_t i = 0; i < device->bank_count; i++) {
        device->banks[i].row = DRAM_NO_ROW;
        not_before(&device->banks[i].activate_ready, start + timing->refresh_time);
    }
    device->refresh_due += timing->refresh_interval;
    device->refreshes++;
    return closed;
}

uint32_t dram_refresh(struct dram_device *device, uint64_t n)
{
    uint32_t closed = 0;
    while (n >= device->refresh_due) {
        closed += refresh_once(device);
        if (n < device->refresh_due || dram_activate_ready(device, 0) > device->refresh_due)
            continue;
        /* Closed and rested, each of the refreshes missed is like the one before: only the last leaves a trace. */
        const uint64_t skipped = (n - device->refresh_due) / device->timing.refresh_interval;
        device->refresh_due += skipped * device->timing.refresh_interval;
        device->refreshes += skipped;
    }
    return closed;
}

void dram_issue_activate(struct dram_device *device, uint32_t bank, uint64_t row, uint64_t n)
{
    const struct dram_timing *timing = &device->timing;
    struct dram_bank *state = &device->banks[bank];
    state->row = row;
    state->activate_ready = n + timing->row_cycle;
    state->precharge_ready = n + timing->row_active;
    state->column_ready = n + timing->activate;
    device->activate_ready = n + timing->row_to_row;
}

void dram_issue_precharge(struct dram_device *device, uint32_t bank, uint64_t n)
{
    struct dram_bank *state = &device->banks[bank];
    state->row = DRAM_NO_ROW;
    not_before(&state->activate_ready, n + device->timing.precharge);
}

uint64_t dram_issue_column(struct dram_device *device, uint32_t bank, uint32_t is_write, uint64_t n)
{
    const struct dram_timing *timing = &device->timing;
    const uint64_t data_end = n + (is_write ? timing->write : timing->cas) + timing->burst;
    /* The bus is one: the next data must not start before these end, nor, the other way, before it has turned. */
    const uint64_t same = n + dram_later(timing->column, timing->burst);
    const uint64_t turned = data_end + timing->turnaround;
    if (is_write) {
        not_before(&device->write_ready, same);
        not_before(&device->read_ready, dram_later(same, data_end + timing->write_read));
        if (turned > timing->cas)
            not_before(&device->read_ready, turned - timing->cas);
        not_before(&device->banks[bank].precharge_ready, data_end + timing->recovery);
    } else {
        not_before(&device->read_ready, same);
        not_before(&device->write_ready, same);
        if (turned > timing->write)
            not_before(&device->write_ready, turned - timing->write);
        not_before(&device->banks[bank].precharge_ready, n + timing->read_pre);
    }
    device->group_ready[device->banks[bank].group] = n + timing->column_long;
    return data_end;
}
