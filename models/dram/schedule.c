/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "state.h"

/* Consecutive chunks of bank_interleave bytes lie in consecutive banks, and so in different bank groups. */
void dram_locate(const struct dram *dram, struct entry *entry)
{
    const uint64_t chunk = dram_store_offset(&dram->store, entry->address) / dram->bank_interleave;
    entry->bank = (uint32_t)(chunk % dram->device.bank_count);
    entry->row = chunk / dram->device.bank_count / dram->chunks_per_row;
}

/* Counts, before the first command for a request changes the bank, how the request finds it. */
static void start(struct dram *dram, struct entry *entry, uint32_t how)
{
    if (!entry->started)
        dram->statistics[how]++;
    entry->started = 1;
}

static void remove_entry(struct dram *dram, uint32_t position)
{
    const uint32_t slot = dram->order[position];
    dram->count--;
    memmove(&dram->order[position], &dram->order[position + 1], dram->count - position);
    dram->slots_used &= ~(UINT64_C(1) << slot);
    for (uint32_t i = 0; i < dram->count; i++)
        dram->entries[dram->order[i]].older &= ~(UINT64_C(1) << slot);
}

static uint64_t burst_end(const struct dram *dram, const struct entry *entry)
{
    const uint64_t end = entry->address - entry->address % dram->burst_bytes + dram->burst_bytes;
    return end < entry->end ? end : entry->end;
}

static void issue_column(struct dram *dram, uint32_t position, uint64_t n)
{
    struct entry *entry = &dram->entries[dram->order[position]];
    start(dram, entry, STATISTIC_ROW_HITS);
    const uint64_t data_end = dram_issue_column(&dram->device, entry->bank, entry->is_write, n);
    dram->statistics[STATISTIC_BUS_BUSY_CYCLES] += dram->device.timing.burst;
    entry->address = burst_end(dram, entry);
    if (entry->address < entry->end) {
        dram_locate(dram, entry);
        return;
    }
    dram->statistics[STATISTIC_QUEUEING_CYCLES] += n - entry->accepted;
    hd_packet *packet = entry->packet;
    remove_entry(dram, position);
    dram_complete(dram, packet, data_end + dram->latency);
}

static uint32_t may_issue_column(const struct dram *dram, const struct entry *entry)
{
    return dram->response_count < dram->response_size || burst_end(dram, entry) < entry->end;
}

/* First ready: the oldest request whose row is open. *hits collects the banks that still have such requests. */
static uint32_t schedule_column(struct dram *dram, uint64_t n, uint64_t *hits, uint64_t *next)
{
    for (uint32_t i = 0; i < dram->count; i++) {
        const struct entry *entry = &dram->entries[dram->order[i]];
        if (entry->older || dram->device.banks[entry->bank].row != entry->row)
            continue;
        *hits |= UINT64_C(1) << entry->bank;
        if (!may_issue_column(dram, entry))
            continue;
        const uint64_t ready = dram_column_ready(&dram->device, entry->bank, entry->is_write);
        if (ready <= n) {
            issue_column(dram, i, n);
            return 1;
        }
        *next = ready < *next ? ready : *next;
    }
    return 0;
}

static void issue_row(struct dram *dram, struct entry *entry, uint64_t n)
{
    if (dram->device.banks[entry->bank].row == DRAM_NO_ROW) {
        start(dram, entry, STATISTIC_ROW_MISSES);
        dram->statistics[STATISTIC_ACTIVATES]++;
        dram_issue_activate(&dram->device, entry->bank, entry->row, n);
        return;
    }
    start(dram, entry, STATISTIC_ROW_CONFLICTS);
    dram->statistics[STATISTIC_PRECHARGES]++;
    dram_issue_precharge(&dram->device, entry->bank, n);
}

/* First come: the oldest request whose bank may be activated, or precharged for want of further hits. */
static uint32_t schedule_row(struct dram *dram, uint64_t n, uint64_t hits, uint64_t *next)
{
    uint64_t looked_at = hits;
    for (uint32_t i = 0; i < dram->count; i++) {
        struct entry *entry = &dram->entries[dram->order[i]];
        if (entry->older || (looked_at >> entry->bank & 1))
            continue;
        looked_at |= UINT64_C(1) << entry->bank;
        const uint64_t ready = dram->device.banks[entry->bank].row == DRAM_NO_ROW
                                   ? dram_activate_ready(&dram->device, entry->bank)
                                   : dram_precharge_ready(&dram->device, entry->bank);
        if (ready <= n) {
            issue_row(dram, entry, n);
            return 1;
        }
        *next = ready < *next ? ready : *next;
    }
    return 0;
}

void dram_schedule(struct dram *dram, uint64_t n)
{
    const uint64_t refreshes = dram->device.refreshes;
    dram->statistics[STATISTIC_PRECHARGES] += dram_refresh(&dram->device, n);
    dram->statistics[STATISTIC_REFRESHES] += dram->device.refreshes - refreshes;
    uint64_t hits = 0;
    uint64_t next = UINT64_MAX;
    if (schedule_column(dram, n, &hits, &next) || schedule_row(dram, n, hits, &next))
        next = dram->count ? n + 1 : UINT64_MAX;
    dram->command_edge = next;
}
