/* SPDX-License-Identifier: MIT */
#include "written_bytes.h"

#include <stdlib.h>
#include <string.h>

static uint64_t *page_of(written_bytes *written, uint32_t address)
{
    uint64_t **page = &written->pages[address / WRITTEN_PAGE_BYTES];
    if (!*page && !(*page = calloc(WRITTEN_PAGE_BYTES / 64, sizeof **page)))
        abort();
    return *page;
}

void written_set(written_bytes *written, uint32_t address, uint32_t mask)
{
    page_of(written, address)[address % WRITTEN_PAGE_BYTES / 64] |= (uint64_t)mask << address % 64;
}

uint32_t written_all(const written_bytes *written, uint32_t address, uint32_t mask)
{
    const uint64_t *page = written->pages[address / WRITTEN_PAGE_BYTES];
    const uint64_t bits = (uint64_t)mask << address % 64;
    return page && (page[address % WRITTEN_PAGE_BYTES / 64] & bits) == bits;
}

static void change_range(written_bytes *written, uint64_t address, uint64_t bytes, uint32_t is_set)
{
    for (uint64_t at = address, end = address + bytes, next; at < end; at = next) {
        uint64_t **page = &written->pages[at / WRITTEN_PAGE_BYTES];
        next = (at / WRITTEN_PAGE_BYTES + 1) * WRITTEN_PAGE_BYTES;
        next = next < end ? next : end;
        if (!is_set && (!*page || next - at == WRITTEN_PAGE_BYTES)) {
            free(*page);
            *page = NULL;
            continue;
        }
        uint64_t *words = page_of(written, (uint32_t)at);
        for (uint64_t byte = at; byte < next; byte++) {
            const uint64_t bit = UINT64_C(1) << byte % 64;
            uint64_t *word = &words[byte % WRITTEN_PAGE_BYTES / 64];
            *word = is_set ? *word | bit : *word & ~bit;
        }
    }
}

void written_set_range(written_bytes *written, uint64_t address, uint64_t bytes)
{
    change_range(written, address, bytes, 1);
}

void written_clear_range(written_bytes *written, uint64_t address, uint64_t bytes)
{
    change_range(written, address, bytes, 0);
}

void written_free(written_bytes *written)
{
    for (uint32_t page = 0; page < WRITTEN_PAGES; page++)
        free(written->pages[page]);
}
