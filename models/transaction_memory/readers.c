/* SPDX-License-Identifier: MIT */
/* Who has read what, by words and by warps. */
#include <string.h>

#include "state.h"

static uint32_t *bucket_of(const ideal_memory *self, uint64_t address)
{
    return &self->reader_buckets[pool_bucket(&self->reader_pool, address)];
}

static void unlink_reader(ideal_memory *self, const reader *gone)
{
    if (gone->previous == NONE)
        *bucket_of(self, gone->address) = gone->next + 1;
    else
        self->readers[gone->previous].next = gone->next;
    if (gone->next != NONE)
        self->readers[gone->next].previous = gone->previous;
}

void ideal_forget(ideal_memory *self, warp *warp)
{
    for (uint32_t place = warp->readers, next; place != NONE; place = next) {
        next = self->readers[place].next_of_warp;
        unlink_reader(self, &self->readers[place]);
        pool_give(&self->reader_pool, place);
    }
    warp->readers = NONE;
    warp->doomed = 0;
    warp->changes = 0;
    warp->epoch = 0;
}

void ideal_attempt(ideal_memory *self, warp *warp, uint32_t epoch)
{
    if (warp->epoch != epoch)
        ideal_forget(self, warp);
    warp->epoch = epoch;
}

static reader *find(const ideal_memory *self, uint64_t address, uint32_t warp)
{
    for (uint32_t place = *bucket_of(self, address) - 1; place != NONE; place = self->readers[place].next)
        if (self->readers[place].address == address && self->readers[place].warp == warp)
            return &self->readers[place];
    return NULL;
}

static int add(ideal_memory *self, uint64_t address, uint32_t number, uint64_t lane, uint32_t pc, hd_time t)
{
    reader *known = find(self, address, number);
    if (known) {
        known->lanes |= lane;
        return 0;
    }
    const uint32_t place = pool_take(&self->reader_pool);
    uint32_t *bucket = bucket_of(self, address);
    if (place == NONE) {
        ideal_overflow(self, t, PARAMETER_READERS);
        return -1;
    }
    self->readers[place] = (reader){.address = address,
                                    .lanes = lane,
                                    .warp = number,
                                    .pc = pc,
                                    .next = *bucket - 1,
                                    .previous = NONE,
                                    .next_of_warp = self->warps[number].readers};
    if (*bucket)
        self->readers[*bucket - 1].previous = place;
    *bucket = place + 1;
    self->warps[number].readers = place;
    hd_raise_maximum(&self->counters.readers_maximum, self->reader_pool.taken);
    return 0;
}

/* The word's bytes that are not in memory yet. */
static void forward(ideal_memory *self, uint64_t address, hd_ideal_words *body)
{
    const word *word = ideal_find_word(self, address);
    const uint32_t at = address % HD_LINE_BYTES;
    if (!word || !self->forwards)
        return;
    self->counters.forwarded_words++;
    body->byte_mask[at / 32] |= word->byte_mask << at % 32;
    memcpy(body->data + at, &word->value, sizeof word->value);
}

void ideal_read(ideal_memory *self, const hd_packet *request, hd_time t)
{
    const hd_ideal_read *body = hd_body_const(request);
    const uint64_t line = request->address & ~(uint64_t)(HD_LINE_BYTES - 1);
    warp *warp = &self->warps[request->flow];
    ideal_attempt(self, warp, request->epoch);
    hd_packet *answer = ideal_answer(self, request->flow, self->message.words, sizeof(hd_ideal_words));
    hd_ideal_words *words = hd_body(answer);
    *words = (hd_ideal_words){0};
    answer->tag = request->tag;
    answer->address = request->address;
    answer->argument = request->argument;
    self->counters.reads++;
    for (uint64_t left = body->lanes; left; left &= left - 1) {
        const uint64_t address = line + 4 * (body->word[__builtin_ctzll(left)] % (HD_LINE_BYTES / 4));
        self->counters.read_words++;
        if (!(warp->doomed & left & -left) && add(self, address, request->flow, left & -left, body->pc, t))
            break;
        forward(self, address, words);
    }
    ideal_post(self, warp, answer, t);
}

static void hit(ideal_memory *self, const reader *reader, uint64_t lanes)
{
    warp *warp = &self->warps[reader->warp];
    if (!warp->hit) {
        self->hits[self->hit_count++] = reader->warp;
        warp->hit_address = reader->address;
        warp->hit_pc = reader->pc;
    }
    warp->hit |= lanes;
    warp->doomed |= lanes;
}

void ideal_hit_readers(ideal_memory *self, uint64_t address, uint32_t of, uint64_t spared)
{
    for (uint32_t place = *bucket_of(self, address) - 1; place != NONE; place = self->readers[place].next) {
        const reader *reader = &self->readers[place];
        const uint64_t lanes = reader->lanes & ~self->warps[reader->warp].doomed & ~(reader->warp == of ? spared : 0);
        if (reader->address == address && lanes)
            hit(self, reader, lanes);
    }
}

static void tell(ideal_memory *self, uint32_t number, const word *word, hd_time t)
{
    warp *warp = &self->warps[number];
    if (!warp->telling) {
        warp->telling = ideal_answer(self, number, self->message.changed, HD_IDEAL_WRITES * sizeof(hd_ideal_write));
        if (!warp->hit)
            self->hits[self->hit_count++] = number;
        warp->hit = 1;
    }
    hd_ideal_write *words = hd_body(warp->telling);
    words[warp->telling->argument++] =
        (hd_ideal_write){.address = word->address, .value = word->value, .byte_mask = (uint8_t)word->byte_mask};
    if (warp->telling->argument == HD_IDEAL_WRITES)
        ideal_send_changes(self, number, t);
}

void ideal_tell_readers(ideal_memory *self, const word *word, uint32_t of, hd_time t)
{
    for (uint32_t place = *bucket_of(self, word->address) - 1; place != NONE; place = self->readers[place].next)
        if (self->readers[place].address == word->address && self->readers[place].warp != of)
            tell(self, self->readers[place].warp, word, t);
}
