/* SPDX-License-Identifier: MIT */
#include "state.h"

void dram_forget_pages(struct dram *dram)
{
    for (uint32_t bank = 0; bank < DRAM_BANKS; bank++)
        dram->pages[bank] = (struct page_history){.row = DRAM_NO_ROW, .counter = (dram->page_history_maximum + 1) / 2};
}

void dram_learn_page(struct dram *dram, uint32_t slot)
{
    struct page_history *page = &dram->pages[dram->entries[slot].bank];
    if (!page->is_asked)
        return;
    page->is_asked = 0;
    if (dram->entries[slot].row != page->row)
        page->counter -= page->counter > 0;
    else
        page->counter += page->counter < dram->page_history_maximum;
}

static uint32_t row_has_others(const struct dram *dram, uint32_t slot)
{
    const struct entry *entry = &dram->entries[slot];
    for (uint8_t other = dram->queues[entry->bank].first; other != DRAM_NO_SLOT; other = dram->entries[other].next) {
        if (other != slot && dram->entries[other].row == entry->row)
            return 1;
    }
    return 0;
}

uint32_t dram_closes_page(struct dram *dram, uint32_t slot)
{
    const struct entry *entry = &dram->entries[slot];
    struct page_history *page = &dram->pages[entry->bank];
    if (dram->page_policy == PAGE_OPEN || row_has_others(dram, slot))
        return 0;
    if (dram->page_policy == PAGE_CLOSED)
        return 1;
    page->row = entry->row;
    page->is_asked = 1;
    return 2 * page->counter < dram->page_history_maximum;
}
