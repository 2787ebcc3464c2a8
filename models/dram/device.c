/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <string.h>

static void need(struct dram_device *device, enum dram_scope scope, enum dram_command first, enum dram_command second,
                 int64_t cycles)
{
    uint32_t *gap = &device->gaps[scope][first][second];
    if (cycles > *gap)
        *gap = (uint32_t)cycles;
}

static void need_of_rows(struct dram_device *device)
{
    const struct dram_timing *timing = &device->timing;
    need(device, DRAM_SAME_BANK, DRAM_ACTIVATE, DRAM_READ, timing->trcd);
    need(device, DRAM_SAME_BANK, DRAM_ACTIVATE, DRAM_WRITE, timing->trcd);
    need(device, DRAM_SAME_BANK, DRAM_ACTIVATE, DRAM_PRECHARGE, timing->tras);
    need(device, DRAM_SAME_BANK, DRAM_ACTIVATE, DRAM_ACTIVATE, timing->trc);
    need(device, DRAM_SAME_BANK, DRAM_PRECHARGE, DRAM_ACTIVATE, timing->trp);
    need(device, DRAM_SAME_BANK, DRAM_READ, DRAM_PRECHARGE, timing->trtp);
    need(device, DRAM_SAME_BANK, DRAM_WRITE, DRAM_PRECHARGE, (int64_t)timing->tcwl + timing->burst + timing->twr);
    need(device, DRAM_SAME_GROUP, DRAM_ACTIVATE, DRAM_ACTIVATE, timing->trrd_l);
    need(device, DRAM_SAME_CHANNEL, DRAM_ACTIVATE, DRAM_ACTIVATE, timing->trrd_s);
}

/* The bus is one: the next data must not start before the last end, nor, the other way, before it has turned. */
static void need_of_columns(struct dram_device *device)
{
    const struct dram_timing *timing = &device->timing;
    const int64_t read_end = (int64_t)timing->tcl + timing->burst, write_end = (int64_t)timing->tcwl + timing->burst;
    for (enum dram_command first = DRAM_READ; first <= DRAM_WRITE; first++) {
        for (enum dram_command second = DRAM_READ; second <= DRAM_WRITE; second++) {
            need(device, DRAM_SAME_CHANNEL, first, second, timing->tccd_s);
            need(device, DRAM_SAME_CHANNEL, first, second, timing->burst);
            need(device, DRAM_SAME_GROUP, first, second, timing->tccd_l);
        }
    }
    need(device, DRAM_SAME_CHANNEL, DRAM_READ, DRAM_WRITE, read_end + timing->turnaround - timing->tcwl);
    need(device, DRAM_SAME_CHANNEL, DRAM_WRITE, DRAM_READ, write_end + timing->turnaround - timing->tcl);
    need(device, DRAM_SAME_CHANNEL, DRAM_WRITE, DRAM_READ, write_end + timing->twtr_s);
    need(device, DRAM_SAME_GROUP, DRAM_WRITE, DRAM_READ, write_end + timing->twtr_l);
}

void dram_device_init(struct dram_device *device, const struct dram_timing *timing, uint32_t bank_count,
                      uint32_t group_count)
{
    memset(device, 0, sizeof *device);
    device->timing = *timing;
    device->bank_count = bank_count;
    device->group_count = group_count;
    need_of_rows(device);
    need_of_columns(device);
    dram_device_reset(device, 0);
}

void dram_device_reset(struct dram_device *device, uint64_t n)
{
    for (uint32_t i = 0; i < DRAM_BANKS; i++) {
        device->banks[i] = (struct dram_bank){.row = DRAM_NO_ROW, .group = i % device->group_count};
        device->groups[i] = (struct dram_ready){{0}};
    }
    device->channel = (struct dram_ready){{0}};
    device->activate_count = 0;
    device->refresh_due = device->timing.trefi ? n + device->timing.trefi : UINT64_MAX;
}

/* All open banks are precharged by one command, as soon as the last of them allows it. What else is on its way to be closed is
 * closed by then: the refresh has to wait for it anyway. */
static uint64_t close_all(struct dram_device *device, uint64_t *n)
{
    uint64_t closed = 0;
    for (uint32_t i = 0; i < device->bank_count; i++) {
        struct dram_bank *bank = &device->banks[i];
        const uint64_t activate = bank->ready.at[DRAM_ACTIVATE], trp = device->timing.trp;
        if (bank->row == DRAM_NO_ROW) {
            *n = dram_later(*n, activate > trp ? activate - trp : 0);
            continue;
        }
        closed |= UINT64_C(1) << i;
        *n = dram_later(*n, bank->ready.at[DRAM_PRECHARGE]);
        bank->row = DRAM_NO_ROW;
    }
    return closed;
}

struct dram_refreshed dram_refresh_once(struct dram_device *device)
{
    const struct dram_timing *timing = &device->timing;
    struct dram_refreshed done = {.precharge = device->refresh_due, .start = device->refresh_due};
    done.closed = close_all(device, &done.precharge);
    if (done.closed)
        done.start = done.precharge + timing->trp;
    for (uint32_t i = 0; i < device->bank_count; i++)
        done.start = dram_later(done.start, device->banks[i].ready.at[DRAM_ACTIVATE]);
    for (uint32_t i = 0; i < device->bank_count; i++)
        device->banks[i].ready.at[DRAM_ACTIVATE] = done.start + dram_later(timing->trfc, 1);
    device->refresh_due += timing->trefi;
    device->refreshes++;
    return done;
}

uint64_t dram_refresh(struct dram_device *device, uint64_t n)
{
    uint64_t closed = 0;
    while (n >= device->refresh_due) {
        closed |= dram_refresh_once(device).closed;
        if (n < device->refresh_due || device->banks[0].ready.at[DRAM_ACTIVATE] > device->refresh_due)
            continue;
        /* Closed and rested, each of the refreshes missed is like the one before: only the last leaves a trace. */
        const uint64_t skipped = (n - device->refresh_due) / device->timing.trefi;
        device->refresh_due += skipped * device->timing.trefi;
        device->refreshes += skipped;
    }
    return closed;
}

static inline void hold(struct dram_ready *ready, const uint32_t *gaps, uint64_t n)
{
    for (uint32_t second = 0; second < DRAM_COMMANDS; second++)
        ready->at[second] = dram_later(ready->at[second], n + gaps[second]);
}

/* No five activates within tFAW. */
static void hold_activates(struct dram_device *device, uint64_t n)
{
    device->activates[device->activate_count++ % DRAM_ACTIVATES] = n;
    if (!device->timing.tfaw || device->activate_count < DRAM_ACTIVATES)
        return;
    const uint64_t first = device->activates[device->activate_count % DRAM_ACTIVATES];
    uint64_t *ready = &device->channel.at[DRAM_ACTIVATE];
    *ready = dram_later(*ready, first + device->timing.tfaw);
}

uint64_t dram_issue(struct dram_device *device, enum dram_command command, uint32_t bank, uint64_t row, uint64_t n)
{
    struct dram_bank *state = &device->banks[bank];
    hold(&state->ready, device->gaps[DRAM_SAME_BANK][command], n);
    if (command == DRAM_PRECHARGE) {
        state->row = DRAM_NO_ROW;
        return n;
    }
    hold(&device->groups[state->group], device->gaps[DRAM_SAME_GROUP][command], n);
    hold(&device->channel, device->gaps[DRAM_SAME_CHANNEL][command], n);
    if (command == DRAM_ACTIVATE) {
        state->row = row;
        hold_activates(device, n);
        return n;
    }
    return n + (command == DRAM_READ ? device->timing.tcl : device->timing.tcwl) + device->timing.burst;
}
