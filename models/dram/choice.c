/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint32_t may_issue_column(const struct dram *dram, const struct entry *entry)
{
    return dram_front_has_room(&dram->front, entry->port) || dram_burst_end(dram, entry) < entry->end;
}

static void put_in_set(uint64_t *set, uint32_t bank, uint32_t is_in)
{
    *set = (*set & ~(UINT64_C(1) << bank)) | (uint64_t)is_in << bank;
}

/* First edge at which a command for one of the bank's chosen requests may be issued. */
static void update_due(struct dram *dram, uint32_t bank)
{
    const struct dram_device *device = &dram->device;
    const struct bank_queue *queue = &dram->queues[bank];
    const uint32_t activates = queue->row != DRAM_NO_SLOT && device->banks[bank].row == DRAM_NO_ROW;
    uint64_t due = UINT64_MAX;
    if (queue->row != DRAM_NO_SLOT)
        due = dram_probe(device, activates ? DRAM_ACTIVATE : DRAM_PRECHARGE, bank);
    if (queue->read != DRAM_NO_SLOT)
        due = dram_probe(device, DRAM_READ, bank);
    if (queue->write != DRAM_NO_SLOT) {
        const uint64_t write = dram_probe(device, DRAM_WRITE, bank);
        due = write < due ? write : due;
    }
    dram->due[bank] = due;
    put_in_set(&dram->activate_banks, bank, activates);
}

void dram_update_due(struct dram *dram, uint64_t banks)
{
    for (; banks; banks &= banks - 1)
        update_due(dram, (uint32_t)__builtin_ctzll(banks));
}

/* Chooses the slot if it is the first of its sort. Returns whether it finds its row open. */
static uint32_t consider(struct dram *dram, struct bank_queue *queue, uint8_t slot, uint64_t open_row)
{
    const struct entry *entry = &dram->entries[slot];
    if (entry->row != open_row) {
        if (queue->row == DRAM_NO_SLOT)
            queue->row = slot;
        return 0;
    }
    uint8_t *first = entry->is_write ? &queue->write : &queue->read;
    if (*first == DRAM_NO_SLOT && may_issue_column(dram, entry))
        *first = slot;
    return 1;
}

static uint32_t consider_all(struct dram *dram, struct bank_queue *queue, uint64_t open_row)
{
    uint32_t hits = 0;
    for (uint8_t slot = queue->first; slot != DRAM_NO_SLOT; slot = dram->entries[slot].next) {
        if (!dram->entries[slot].older)
            hits |= consider(dram, queue, slot, open_row);
    }
    return hits;
}

/* What there is to choose from, but not when it may be issued. */
static void choose(struct dram *dram, uint32_t bank)
{
    struct bank_queue *queue = &dram->queues[bank];
    const uint64_t open_row = dram->device.banks[bank].row;
    uint32_t hits = 0;
    queue->read = queue->write = queue->row = DRAM_NO_SLOT;
    if (dram->only == DRAM_NO_SLOT)
        hits = consider_all(dram, queue, open_row);
    else if (dram->entries[dram->only].bank == bank)
        hits = consider(dram, queue, dram->only, open_row);
    if (hits)
        queue->row = DRAM_NO_SLOT;
    put_in_set(&dram->column_banks, bank, queue->read != DRAM_NO_SLOT || queue->write != DRAM_NO_SLOT);
    put_in_set(&dram->row_banks, bank, queue->row != DRAM_NO_SLOT);
}

void dram_choose(struct dram *dram, uint32_t bank)
{
    choose(dram, bank);
    update_due(dram, bank);
}

void dram_choose_after(struct dram *dram, uint32_t bank, uint64_t others)
{
    choose(dram, bank);
    dram_update_due(dram, others | UINT64_C(1) << bank);
}

void dram_choose_all(struct dram *dram)
{
    for (uint32_t bank = 0; bank < dram->device.bank_count; bank++)
        dram_choose(dram, bank);
    dram->chosen_full_ports = dram->front.full_ports;
    dram->is_unchosen = 0;
}

static uint32_t is_overtaken(const struct dram *dram)
{
    return dram->starvation_cap && dram->served - dram->entries[dram->oldest].position >= dram->starvation_cap;
}

void dram_update_only(struct dram *dram)
{
    uint8_t only = DRAM_NO_SLOT;
    if (dram->count && (dram->scheduler == SCHEDULER_FCFS || is_overtaken(dram)))
        only = dram->oldest;
    if (only == dram->only)
        return;
    const uint32_t is_next = only != DRAM_NO_SLOT && dram->only != DRAM_NO_SLOT;
    dram->only = only;
    if (only != DRAM_NO_SLOT && dram->scheduler != SCHEDULER_FCFS)
        dram->statistics[STATISTIC_CAPPED]++;
    if (is_next)
        dram_choose(dram, dram->entries[only].bank);
    else
        dram->is_unchosen = 1;
}
