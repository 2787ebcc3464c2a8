/* SPDX-License-Identifier: MIT */
/* Words that are committed and not yet in memory. */
#include "hd_transactions.h"
#include "state.h"

static uint32_t *bucket_of(const ideal_memory *self, uint64_t address)
{
    return &self->word_buckets[pool_bucket(&self->word_pool, address)];
}

word *ideal_find_word(const ideal_memory *self, uint64_t address)
{
    for (uint32_t place = *bucket_of(self, address) - 1; place != NONE; place = self->words[place].next)
        if (self->words[place].address == address)
            return &self->words[place];
    return NULL;
}

static word *new_word(ideal_memory *self, uint64_t address)
{
    const uint32_t place = pool_take(&self->word_pool);
    uint32_t *bucket = bucket_of(self, address);
    if (place == NONE)
        return NULL;
    self->words[place] = (word){.address = address, .next = *bucket - 1};
    *bucket = place + 1;
    hd_raise_maximum(&self->counters.words_maximum, self->word_pool.taken);
    return &self->words[place];
}

int ideal_put_word(ideal_memory *self, const hd_ideal_write *write, uint32_t stores, hd_time t)
{
    word *word = ideal_find_word(self, write->address);
    if (!word && !(word = new_word(self, write->address))) {
        ideal_overflow(self, t, PARAMETER_WORDS);
        return -1;
    }
    const uint32_t bits = hd_bits_of_bytes(write->byte_mask);
    word->value = (word->value & ~bits) | (write->value & bits);
    word->byte_mask |= write->byte_mask;
    word->pending += stores;
    return 0;
}

void ideal_word_stored(ideal_memory *self, uint64_t address)
{
    uint32_t *bucket = bucket_of(self, address), previous = NONE, place = *bucket - 1;
    for (; self->words[place].address != address; place = self->words[place].next)
        previous = place;
    if (--self->words[place].pending)
        return;
    if (previous == NONE)
        *bucket = self->words[place].next + 1;
    else
        self->words[previous].next = self->words[place].next;
    pool_give(&self->word_pool, place);
}
