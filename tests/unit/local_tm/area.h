/* SPDX-License-Identifier: MIT */
/* The transactional scratchpad of one block, with its shadow memory, for tests. */
#ifndef LOCAL_TM_AREA_H
#define LOCAL_TM_AREA_H

#include "bank_steps.h"

#define AREA_WORDS 64u

typedef struct area {
    ownership ownership;
    ownership_words words;
    uint64_t running; /* lanes, of whatever warp */
    uint32_t memory[AREA_WORDS * 3];
} area;

/* Word w holds 100 + w. rows * banks <= AREA_WORDS. */
area *area_create(uint32_t algorithm, uint32_t release, uint32_t lanes, uint32_t banks, uint32_t rows);
void area_destroy(area *a);

static inline uint32_t area_backup(const area *a, uint32_t word)
{
    return a->memory[shadow_backup(&a->ownership.layout, word)];
}
static inline uint32_t area_owner(const area *a, uint32_t word)
{
    return a->ownership.bytes[shadow_owner(&a->ownership.layout, word)];
}
static inline uint32_t area_state(const area *a, uint32_t word)
{
    return a->ownership.words.states[word];
}
/* An access that must have this result; a store puts `value` there. */
void area_load(area *a, uint32_t thread, uint32_t word, uint32_t conflict, uint32_t accesses);
void area_store(area *a, uint32_t thread, uint32_t word, uint32_t value, uint32_t conflict, uint32_t accesses);
/* Words restored, the most of a bank. */
uint32_t area_abort(area *a, uint32_t thread);

#endif
