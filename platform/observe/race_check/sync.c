/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "state.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct sync_word {
    uint32_t address;
    race_clock *known; /* what those that wrote it had made visible */
    race_clock *near;  /* of the block whose scratchpad it is in: what they had done */
    UT_hash_handle hh;
} sync_word;

static sync_words *words_of(hd_race_checker *checker, block_state *state, uint32_t address)
{
    return is_scratchpad(address) ? &state->syncs : &checker->syncs;
}

static sync_word *find(const sync_words *words, uint32_t address)
{
    sync_word *found;
    HASH_FIND(hh, words->words, &address, sizeof address, found);
    return found;
}

static sync_word *get(sync_words *words, uint32_t address)
{
    sync_word *word = find(words, address);
    if (word)
        return word;
    word = calloc(1, sizeof *word);
    if (!word)
        abort();
    word->address = address;
    HASH_ADD(hh, words->words, address, sizeof word->address, word);
    return word;
}

void sync_publish(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, uint64_t number)
{
    const thread_state *own = &state->threads[thread];
    const uint64_t self = thread_number(checker, state, thread);
    if (!is_scratchpad(address) && !own->fenced && !own->known)
        return;
    sync_word *word = get(words_of(checker, state, address), address & ~3u);
    clock_join(&word->known, own->known);
    clock_learn(&word->known, self, own->fenced);
    if (!is_scratchpad(address))
        return;
    clock_join(&word->near, own->near);
    clock_learn(&word->near, self, number);
}

void sync_see(hd_race_checker *checker, block_state *state, uint32_t thread, uint32_t address, uint32_t acquires)
{
    thread_state *own = &state->threads[thread];
    const sync_word *word = find(words_of(checker, state, address), address & ~3u);
    if (!word)
        return;
    clock_join(&own->near, word->near);
    clock_join(acquires ? &own->known : &own->seen, word->known);
}

void sync_free(sync_words *words)
{
    sync_word *word, *next;
    HASH_ITER(hh, words->words, word, next)
    {
        HASH_DEL(words->words, word);
        clock_drop(&word->known);
        clock_drop(&word->near);
        free(word);
    }
}
