/* SPDX-License-Identifier: MIT */
#include "seen_words.h"

#include <stdlib.h>
#include <string.h>

#include "window.h"

#define SLOTS 131072u /* a power of two */
#define FULL (SLOTS / 2)
#define LANES_PER_LOOK 262144u

static void note(seen_words *seen, uint32_t address)
{
    const uint32_t word = address / 4 + 1;
    uint32_t slot = (uint32_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> 40) % SLOTS;
    while (seen->words[slot] != 0 && seen->words[slot] != word)
        slot = (slot + 1) % SLOTS;
    if (seen->words[slot] == word)
        return;
    seen->fresh = 1;
    if (seen->count == FULL)
        return;
    seen->words[slot] = word;
    seen->count++;
}

void seen_words_note(seen_words *seen, const uint32_t *address, uint64_t lanes)
{
    for (; lanes && seen->left; lanes &= lanes - 1) {
        const uint32_t at = address[__builtin_ctzll(lanes)];
        if (window_is_shared(at))
            note(seen, at);
        seen->left--;
    }
}

hd_time seen_words_check(seen_words *seen, hd_time t, uint32_t anew)
{
    if (!seen->words)
        seen->words = malloc(SLOTS * sizeof *seen->words);
    if (!seen->words)
        return t;
    if (anew) {
        memset(seen->words, 0, SLOTS * sizeof *seen->words);
        seen->count = 0;
    }
    if (anew || !seen->fresh)
        seen->since = t;
    seen->fresh = 0;
    seen->left = LANES_PER_LOOK;
    return seen->since;
}

void seen_words_reset(seen_words *seen)
{
    free(seen->words);
    *seen = (seen_words){0};
}
