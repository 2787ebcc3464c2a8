/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <string.h>

uint32_t spin_hash_of(uint32_t hash, uint32_t value, uint32_t bits)
{
    const uint32_t mask = (1u << bits) - 1;
    if (hash == SPIN_MODULO)
        return value & mask;
    uint32_t folded = 0;
    for (; value; value >>= bits)
        folded ^= value & mask;
    return folded;
}

void history_clear(history *h)
{
    memset(h, 0, sizeof *h);
}

static uint32_t is_same(const history_entry *a, const history_entry *b)
{
    return a->path == b->path && a->value[0] == b->value[0] && a->value[1] == b->value[1];
}

static void anchor(history *h)
{
    h->distance = 0;
    h->state = HISTORY_SEARCH;
}

static void search(history *h, uint32_t reach)
{
    if (++h->distance > reach) {
        anchor(h);
    } else if (is_same(&h->entries[h->distance], &h->entries[0])) {
        h->remaining = h->distance - 1;
        h->state = h->remaining ? HISTORY_CONFIRM : HISTORY_SPIN;
    }
}

static void go_on(history *h)
{
    if (!is_same(&h->entries[h->distance], &h->entries[0]))
        anchor(h);
    else if (h->state == HISTORY_CONFIRM && --h->remaining == 0)
        h->state = HISTORY_SPIN;
}

void history_insert(history *h, history_entry entry, uint32_t length, uint32_t reach)
{
    memmove(h->entries + 1, h->entries, (length - 1) * sizeof *h->entries);
    h->entries[0] = entry;
    switch (h->state) {
    case HISTORY_EMPTY: anchor(h); break;
    case HISTORY_SEARCH: search(h, reach); break;
    default: go_on(h); break;
    }
}
