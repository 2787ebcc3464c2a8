/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Those for which a command is due some time. */
static uint64_t wanted_banks(const struct dram *dram)
{
    return dram->column_banks | dram->row_banks;
}

/* First edge from n on at which a command may be issued, or at which a refresh changes what may. */
static uint64_t next_command(struct dram *dram, uint64_t n)
{
    if (dram->device.refresh_due <= n)
        return n;
    dram_update_choices(dram);
    uint64_t next = UINT64_MAX;
    for (uint64_t banks = wanted_banks(dram); banks; banks &= banks - 1)
        next = earlier(next, dram->due[__builtin_ctzll(banks)]);
    return next > n ? next : n;
}

static uint64_t banks_due(const struct dram *dram, uint64_t n)
{
    uint64_t due = 0;
    for (uint64_t banks = wanted_banks(dram); banks; banks &= banks - 1)
        due |= (uint64_t)(dram->due[__builtin_ctzll(banks)] <= n) << __builtin_ctzll(banks);
    return due;
}

static uint32_t older(const struct dram *dram, uint32_t a, uint32_t b)
{
    return a == DRAM_NO_SLOT || (b != DRAM_NO_SLOT && dram->entries[b].accepted < dram->entries[a].accepted) ? b : a;
}

/* First ready: the oldest request whose row is open. */
static uint32_t find_column(const struct dram *dram, uint64_t banks, uint64_t n)
{
    uint32_t oldest = DRAM_NO_SLOT;
    for (; banks; banks &= banks - 1) {
        const uint32_t bank = (uint32_t)__builtin_ctzll(banks);
        const struct bank_queue *queue = &dram->queues[bank];
        if (queue->read != DRAM_NO_SLOT && dram_probe(&dram->device, DRAM_READ, bank) <= n)
            oldest = older(dram, oldest, queue->read);
        if (queue->write != DRAM_NO_SLOT && dram_probe(&dram->device, DRAM_WRITE, bank) <= n)
            oldest = older(dram, oldest, queue->write);
    }
    return oldest;
}

/* First come: the oldest request whose bank may be activated, or precharged for want of further hits. */
static uint32_t find_row(const struct dram *dram, uint64_t banks)
{
    uint32_t oldest = DRAM_NO_SLOT;
    for (; banks; banks &= banks - 1)
        oldest = older(dram, oldest, dram->queues[__builtin_ctzll(banks)].row);
    return oldest;
}

/* Counts, before the first command for a request changes the bank, how the request finds it. */
static void start(struct dram *dram, uint32_t slot, uint32_t how)
{
    struct entry *entry = &dram->entries[slot];
    if (entry->started)
        return;
    entry->started = 1;
    dram->statistics[how]++;
    dram_learn_page(dram, slot);
}

static uint64_t count_busy(struct busy_time *busy, uint64_t end)
{
    const uint64_t begin = dram_later(busy->since, busy->counted);
    busy->counted = dram_later(end, busy->counted);
    return end > begin ? end - begin : 0;
}

static void count_column(struct dram *dram, const struct entry *entry, enum dram_command command, uint64_t data_end)
{
    uint64_t *statistics = dram->statistics;
    statistics[command == DRAM_WRITE ? STATISTIC_WRITE_COMMANDS : STATISTIC_READ_COMMANDS]++;
    statistics[STATISTIC_BUS_BUSY_CYCLES] += dram->device.timing.burst;
    statistics[STATISTIC_TURNAROUNDS] += dram->last_column != DRAM_COMMANDS && dram->last_column != command;
    statistics[STATISTIC_BUSY_CYCLES] += count_busy(&dram->busy, data_end);
    statistics[STATISTIC_BANK_BUSY_CYCLES] += count_busy(&dram->bank_busy[entry->bank], data_end);
    dram->last_column = (uint8_t)command;
}

static void count_precharge(struct dram *dram, uint32_t bank)
{
    uint32_t bucket = 0;
    for (uint64_t most = 64; bucket + 1 < DRAM_ROW_BUCKETS && dram->row_bytes[bank] > most; most *= 4)
        bucket++;
    dram->statistics[STATISTIC_PRECHARGES]++;
    dram->statistics[STATISTIC_ROW_BYTES + bucket]++;
}

/* The precharge comes with the column command and takes no cycle of the command bus. */
static void close_page(struct dram *dram, uint32_t bank)
{
    const uint64_t n = dram_probe(&dram->device, DRAM_PRECHARGE, bank);
    dram_issue(&dram->device, DRAM_PRECHARGE, bank, 0, n);
    if (dram->front.trace)
        dram_trace_auto_precharge(dram, bank, n);
    count_precharge(dram, bank);
    dram->statistics[STATISTIC_PAGE_CLOSES]++;
}

/* The request has more bursts. As long as these find their row open, and the last one room for the response, the request is what its
 * bank would choose again. */
static void go_on(struct dram *dram, uint32_t slot, uint64_t address, uint64_t n)
{
    const struct entry *entry = &dram->entries[slot];
    const uint32_t bank = entry->bank;
    if (address < entry->located_end && dram_front_has_room(&dram->front, entry->port)) {
        dram_next_burst(dram, slot, address, n);
        dram_update_due(dram, dram->column_banks | UINT64_C(1) << bank);
        return;
    }
    dram_next_burst(dram, slot, address, n);
    dram_choose_after(dram, bank, dram->column_banks);
}

static void issue_column(struct dram *dram, uint32_t slot, uint64_t n)
{
    struct entry *entry = &dram->entries[slot];
    const uint32_t bank = entry->bank;
    const enum dram_command command = entry->is_write ? DRAM_WRITE : DRAM_READ;
    const uint64_t end = dram_burst_end(dram, entry);
    start(dram, slot, STATISTIC_ROW_HITS);
    const uint64_t data_end = dram_issue(&dram->device, command, bank, entry->row, n);
    count_column(dram, entry, command, data_end);
    dram->row_bytes[bank] += end - entry->address;
    if (dram->front.trace)
        dram_trace_command(dram, command, bank, entry->row, n);
    if (dram->front.trace)
        dram_front_trace_data(&dram->front, entry->is_write, entry->address, bank, data_end - dram->device.timing.burst,
                              data_end);
    if ((end == entry->end || end >= entry->located_end) && dram_closes_page(dram, slot))
        close_page(dram, bank);
    if (end < entry->end) {
        go_on(dram, slot, end, n);
        return;
    }
    const uint32_t port = entry->port;
    dram->statistics[STATISTIC_QUEUEING_CYCLES] += n - entry->accepted;
    dram_front_complete(&dram->front, port, dram_leave(dram, slot), data_end + dram->latency);
    if (dram->front.trace)
        dram_trace_queue(dram, n);
    dram_choose_after(dram, bank, dram->column_banks);
}

static void issue_row(struct dram *dram, uint32_t slot, uint64_t n)
{
    struct entry *entry = &dram->entries[slot];
    const uint32_t bank = entry->bank;
    if (dram->device.banks[bank].row == DRAM_NO_ROW) {
        start(dram, slot, STATISTIC_ROW_MISSES);
        dram->statistics[STATISTIC_ACTIVATES]++;
        dram_issue(&dram->device, DRAM_ACTIVATE, bank, entry->row, n);
        dram->row_bytes[bank] = 0;
        if (dram->front.trace)
            dram_trace_command(dram, DRAM_ACTIVATE, bank, entry->row, n);
        dram_choose_after(dram, bank, dram->activate_banks);
        return;
    }
    start(dram, slot, STATISTIC_ROW_CONFLICTS);
    count_precharge(dram, bank);
    if (dram->front.trace)
        dram_trace_command(dram, DRAM_PRECHARGE, bank, dram->device.banks[bank].row, n);
    dram_issue(&dram->device, DRAM_PRECHARGE, bank, 0, n);
    dram_update_due(dram, UINT64_C(1) << bank);
}

static void count_refreshes(struct dram *dram)
{
    for (; dram->closed_by_refresh; dram->closed_by_refresh &= dram->closed_by_refresh - 1)
        count_precharge(dram, (uint32_t)__builtin_ctzll(dram->closed_by_refresh));
    dram->statistics[STATISTIC_REFRESHES] += dram->device.refreshes - dram->refreshes_counted;
    dram->refreshes_counted = dram->device.refreshes;
}

hd_time dram_next_refresh(const struct dram *dram)
{
    const uint64_t due = dram->device.refresh_due;
    return due == UINT64_MAX ? HD_NEVER : hd_clock_edge(dram->front.services->clock, due);
}

void dram_trace_refreshes_before(struct dram *dram, hd_time t)
{
    while (dram_next_refresh(dram) < t) {
        const struct dram_refreshed done = dram_refresh_once(&dram->device);
        dram->closed_by_refresh |= done.closed;
        dram->is_unchosen = 1;
        dram_trace_refresh(dram, &done);
    }
}

void dram_schedule(struct dram *dram, uint64_t n)
{
    if (n >= dram->device.refresh_due) {
        dram->closed_by_refresh |= dram_refresh(&dram->device, n);
        dram->is_unchosen = 1;
    }
    if (dram->device.refreshes != dram->refreshes_counted)
        count_refreshes(dram);
    dram_update_choices(dram);
    const uint64_t banks = banks_due(dram, n);
    if (banks & dram->column_banks)
        issue_column(dram, find_column(dram, banks & dram->column_banks, n), n);
    else if (banks)
        issue_row(dram, find_row(dram, banks), n);
    dram->command_edge = dram->count ? next_command(dram, n + 1) : UINT64_MAX;
}

void dram_expect_command(struct dram *dram, uint32_t slot, uint64_t n)
{
    const uint32_t bank = dram->entries[slot].bank;
    const uint64_t rows = dram->row_banks;
    dram_choose(dram, bank);
    const uint32_t lost_row_command = (rows & ~dram->row_banks) != 0;
    const uint32_t is_stale = dram->is_unchosen || dram->chosen_full_ports != dram->front.full_ports;
    if (n >= dram->device.refresh_due || is_stale || lost_row_command) {
        dram->command_edge = n;
        return;
    }
    dram->command_edge = earlier(dram->command_edge, dram_later(dram->due[bank], n));
}
