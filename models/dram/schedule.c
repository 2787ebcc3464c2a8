/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint64_t burst_end(const struct dram *dram, const struct entry *entry)
{
    const uint64_t end = entry->address - entry->address % dram->burst_bytes + dram->burst_bytes;
    return end < entry->end ? end : entry->end;
}

static uint32_t has_room(const struct dram *dram)
{
    return dram->response_count < dram->response_size;
}

static uint32_t may_issue_column(const struct dram *dram, const struct entry *entry)
{
    return has_room(dram) || burst_end(dram, entry) < entry->end;
}

static void put_in_set(uint64_t *set, uint32_t bank, uint32_t is_in)
{
    *set = (*set & ~(UINT64_C(1) << bank)) | (uint64_t)is_in << bank;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* First edge at which a command for one of the bank's chosen requests may be issued. */
static void update_due(struct dram *dram, uint32_t bank)
{
    const struct dram_device *device = &dram->device;
    const struct bank_queue *queue = &dram->queues[bank];
    const uint32_t activates = queue->row != DRAM_NO_SLOT && device->banks[bank].row == DRAM_NO_ROW;
    uint64_t due = UINT64_MAX;
    if (queue->row != DRAM_NO_SLOT)
        due = activates ? dram_activate_ready(device, bank) : dram_precharge_ready(device, bank);
    if (queue->read != DRAM_NO_SLOT)
        due = dram_column_ready(device, bank, 0);
    if (queue->write != DRAM_NO_SLOT)
        due = earlier(due, dram_column_ready(device, bank, 1));
    dram->due[bank] = due;
    put_in_set(&dram->activate_banks, bank, activates);
}

static void update_all_due(struct dram *dram, uint64_t banks)
{
    for (; banks; banks &= banks - 1)
        update_due(dram, (uint32_t)__builtin_ctzll(banks));
}

void dram_choose(struct dram *dram, uint32_t bank)
{
    struct bank_queue *queue = &dram->queues[bank];
    const uint64_t open_row = dram->device.banks[bank].row;
    uint32_t hits = 0;
    queue->read = queue->write = queue->row = DRAM_NO_SLOT;
    for (uint8_t slot = queue->first; slot != DRAM_NO_SLOT; slot = dram->entries[slot].next) {
        const struct entry *entry = &dram->entries[slot];
        if (entry->older)
            continue;
        if (entry->row != open_row) {
            if (queue->row == DRAM_NO_SLOT)
                queue->row = slot;
            continue;
        }
        hits++;
        uint8_t *first = entry->is_write ? &queue->write : &queue->read;
        if (*first == DRAM_NO_SLOT && may_issue_column(dram, entry))
            *first = slot;
    }
    if (hits)
        queue->row = DRAM_NO_SLOT;
    put_in_set(&dram->column_banks, bank, queue->read != DRAM_NO_SLOT || queue->write != DRAM_NO_SLOT);
    put_in_set(&dram->row_banks, bank, queue->row != DRAM_NO_SLOT);
    update_due(dram, bank);
}

static void choose_all(struct dram *dram)
{
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank++)
        dram_choose(dram, bank);
    dram->chosen_with_room = has_room(dram);
    dram->is_unchosen = 0;
}

static void update_choices(struct dram *dram)
{
    if (dram->is_unchosen || dram->chosen_with_room != has_room(dram))
        choose_all(dram);
}

/* First edge from n on at which a command may be issued, or at which a refresh changes what may. */
static uint64_t next_command(struct dram *dram, uint64_t n)
{
    if (dram->device.refresh_due <= n)
        return n;
    update_choices(dram);
    uint64_t even = UINT64_MAX, odd = UINT64_MAX; /* two at a time: each waits for the one before */
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank += 2) {
        even = earlier(even, dram->due[bank]);
        odd = earlier(odd, dram->due[bank + 1]);
    }
    const uint64_t next = earlier(even, odd);
    return next > n ? next : n;
}

static uint64_t banks_due(const struct dram *dram, uint64_t n)
{
    uint64_t banks = 0;
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank++)
        banks |= (uint64_t)(dram->due[bank] <= n) << bank;
    return banks;
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
        if (queue->read != DRAM_NO_SLOT && dram_column_ready(&dram->device, bank, 0) <= n)
            oldest = older(dram, oldest, queue->read);
        if (queue->write != DRAM_NO_SLOT && dram_column_ready(&dram->device, bank, 1) <= n)
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
static void start(struct dram *dram, struct entry *entry, uint32_t how)
{
    if (!entry->started)
        dram->statistics[how]++;
    entry->started = 1;
}

static void issue_column(struct dram *dram, uint32_t slot, uint64_t n)
{
    struct entry *entry = &dram->entries[slot];
    const uint32_t bank = entry->bank;
    start(dram, entry, STATISTIC_ROW_HITS);
    const uint64_t data_end = dram_issue_column(&dram->device, bank, entry->is_write, n);
    dram->statistics[STATISTIC_BUS_BUSY_CYCLES] += dram->device.timing.burst;
    const uint64_t end = burst_end(dram, entry);
    if (end < entry->end) {
        dram_next_burst(dram, slot, end);
    } else {
        dram->statistics[STATISTIC_QUEUEING_CYCLES] += n - entry->accepted;
        dram_complete(dram, dram_leave(dram, slot), data_end + dram->latency);
    }
    dram_choose(dram, bank);
    update_all_due(dram, dram->column_banks);
}

static void issue_row(struct dram *dram, uint32_t slot, uint64_t n)
{
    struct entry *entry = &dram->entries[slot];
    const uint32_t bank = entry->bank;
    if (dram->device.banks[bank].row == DRAM_NO_ROW) {
        start(dram, entry, STATISTIC_ROW_MISSES);
        dram->statistics[STATISTIC_ACTIVATES]++;
        dram_issue_activate(&dram->device, bank, entry->row, n);
        dram_choose(dram, bank);
        update_all_due(dram, dram->activate_banks);
        return;
    }
    start(dram, entry, STATISTIC_ROW_CONFLICTS);
    dram->statistics[STATISTIC_PRECHARGES]++;
    dram_issue_precharge(&dram->device, bank, n);
    update_due(dram, bank);
}

static void refresh(struct dram *dram, uint64_t n)
{
    const uint64_t refreshes = dram->device.refreshes;
    dram->statistics[STATISTIC_PRECHARGES] += dram_refresh(&dram->device, n);
    dram->statistics[STATISTIC_REFRESHES] += dram->device.refreshes - refreshes;
    dram->is_unchosen = 1;
}

void dram_schedule(struct dram *dram, uint64_t n)
{
    if (n >= dram->device.refresh_due)
        refresh(dram, n);
    update_choices(dram);
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
    if (n >= dram->device.refresh_due || dram->is_unchosen || !dram->chosen_with_room || lost_row_command) {
        dram->command_edge = n;
        return;
    }
    dram->command_edge = earlier(dram->command_edge, dram_later(dram->due[bank], n));
}
