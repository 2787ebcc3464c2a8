/* SPDX-License-Identifier: MIT */
#include "ownership.h"

#include <stdlib.h>
#include <string.h>

int ownership_words_create(ownership_words *words, uint32_t count, uint32_t release)
{
    *words = (ownership_words){.states = calloc(count + 1, sizeof *words->states),
                               .next = calloc(count + 1, sizeof *words->next),
                               .previous = calloc(count + 1, sizeof *words->previous),
                               .shared = calloc(count + 1, sizeof *words->shared),
                               .place = calloc(count + 1, sizeof *words->place)};
    if (release == OWNERSHIP_PRECISE)
        words->readers = calloc(count + 1, sizeof *words->readers);
    return words->states && words->next && words->previous && words->shared && words->place &&
                   (words->readers || release != OWNERSHIP_PRECISE)
               ? 0
               : -1;
}

void ownership_words_destroy(ownership_words *words)
{
    free(words->states);
    free(words->next);
    free(words->previous);
    free(words->shared);
    free(words->place);
    free(words->readers);
}

void ownership_open(ownership *o, const ownership_words *words, uint32_t first)
{
    o->words = (ownership_words){.states = words->states + first,
                                 .next = words->next + first,
                                 .previous = words->previous + first,
                                 .shared = words->shared + first,
                                 .place = words->place + first,
                                 .readers = words->readers ? words->readers + first : NULL};
    memset(o->words.states, WORD_UNSET, shadow_words(&o->layout));
    for (uint32_t thread = 0; thread < OWNERSHIP_THREADS; thread++)
        o->first[thread] = WORD_NONE;
    o->shared_count = o->set_count = o->inside = 0;
}

/* ---- Shadow memory ---------------------------------------------------------------------------------------------------- */

static void copy_word(const ownership *o, uint32_t to, uint32_t from)
{
    memcpy(o->bytes + (size_t)4 * to, o->bytes + (size_t)4 * from, 4);
}

static void back_up(const ownership *o, uint32_t word)
{
    copy_word(o, shadow_backup(&o->layout, word), word);
}

static uint8_t *owner_byte(const ownership *o, uint32_t word)
{
    return &o->bytes[shadow_owner(&o->layout, word)];
}

/* ---- Words of a thread ------------------------------------------------------------------------------------------------ */

static void link_word(ownership *o, uint32_t thread, uint32_t word)
{
    const uint32_t next = o->first[thread];
    o->words.next[word] = next;
    o->words.previous[word] = WORD_NONE;
    if (next != WORD_NONE)
        o->words.previous[next] = word;
    o->first[thread] = word;
}

static void unlink_word(ownership *o, uint32_t thread, uint32_t word)
{
    const uint32_t next = o->words.next[word], previous = o->words.previous[word];
    if (next != WORD_NONE)
        o->words.previous[next] = previous;
    if (previous != WORD_NONE)
        o->words.next[previous] = next;
    else
        o->first[thread] = next;
}

static void take(ownership *o, uint32_t thread, uint32_t word, uint32_t state)
{
    o->set_count += o->words.states[word] == WORD_UNSET;
    *owner_byte(o, word) = (uint8_t)thread;
    o->words.states[word] = (uint8_t)state;
    link_word(o, thread, word);
}

static void unset(ownership *o, uint32_t word)
{
    o->words.states[word] = WORD_UNSET;
    o->set_count--;
}

/* ---- Shared words ----------------------------------------------------------------------------------------------------- */

static void add_shared(ownership *o, uint32_t word)
{
    o->words.states[word] = WORD_SHARED;
    o->words.place[word] = o->shared_count;
    o->words.shared[o->shared_count++] = word;
}

static void remove_shared(ownership *o, uint32_t word)
{
    const uint32_t last = o->words.shared[--o->shared_count], place = o->words.place[word];
    o->words.shared[place] = last;
    o->words.place[last] = place;
}

static void unset_shared(ownership *o, uint32_t word)
{
    remove_shared(o, word);
    unset(o, word);
}

static void note_reader(const ownership *o, uint32_t thread, uint32_t word)
{
    o->words.readers[word][thread / 64] |= UINT64_C(1) << thread % 64;
}

static uint32_t is_only_reader(const ownership *o, uint32_t thread, uint32_t word)
{
    for (uint32_t i = 0; i < OWNERSHIP_THREADS / 64; i++)
        if (o->words.readers[word][i] != (i == thread / 64 ? UINT64_C(1) << thread % 64 : 0))
            return 0;
    return 1;
}

static uint32_t has_readers(const ownership *o, uint32_t word)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < OWNERSHIP_THREADS / 64; i++)
        any |= o->words.readers[word][i];
    return any != 0;
}

static uint32_t has_warp_map(const ownership *o)
{
    return o->release == OWNERSHIP_WARP_MAP || o->release == OWNERSHIP_LANE_MAP;
}

static uint32_t reader_bit(const ownership *o, uint32_t thread)
{
    return 1u << thread % o->lanes % 32;
}

static uint32_t lane_map(const ownership *o, uint32_t word)
{
    uint32_t map;
    memcpy(&map, o->bytes + (size_t)4 * shadow_backup(&o->layout, word), sizeof map);
    return map;
}

static void set_lane_map(const ownership *o, uint32_t word, uint32_t map)
{
    memcpy(o->bytes + (size_t)4 * shadow_backup(&o->layout, word), &map, sizeof map);
}

/* No lane that runs, of this warp or another, may have read the word but this one. */
static uint32_t is_last_reader(const ownership *o, uint32_t thread, uint32_t word, uint64_t running)
{
    const uint64_t others = running & ~(UINT64_C(1) << thread % o->lanes);
    return *owner_byte(o, word) == 1u << thread / o->lanes && !(lane_map(o, word) & (others | others >> 32));
}

/* A second thread reads what another has read. */
static void share(ownership *o, uint32_t owner, uint32_t thread, uint32_t word)
{
    if (o->release != OWNERSHIP_PAPER)
        unlink_word(o, owner, word);
    if (has_warp_map(o))
        *owner_byte(o, word) = (uint8_t)(1u << owner / o->lanes | 1u << thread / o->lanes);
    if (o->release == OWNERSHIP_LANE_MAP)
        set_lane_map(o, word, reader_bit(o, owner) | reader_bit(o, thread));
    if (o->release == OWNERSHIP_PRECISE) {
        memset(o->words.readers[word], 0, sizeof o->words.readers[word]);
        note_reader(o, owner, word);
        note_reader(o, thread, word);
    }
    add_shared(o, word);
}

/* Accesses to the map of warps, where there is one. */
static uint32_t join_readers(const ownership *o, uint32_t thread, uint32_t word)
{
    if (o->release == OWNERSHIP_PRECISE)
        note_reader(o, thread, word);
    if (!has_warp_map(o))
        return 0;
    uint8_t *map = owner_byte(o, word);
    const uint8_t bit = (uint8_t)(1u << thread / o->lanes);
    const uint32_t is_new = !(*map & bit);
    *map |= bit;
    return 1 + is_new;
}

/* Accesses to the map of lanes, where there is one. */
static uint32_t join_lanes(const ownership *o, uint32_t thread, uint32_t word)
{
    if (o->release != OWNERSHIP_LANE_MAP)
        return 0;
    const uint32_t map = lane_map(o, word), bit = reader_bit(o, thread);
    set_lane_map(o, word, map | bit);
    return map & bit ? 1 : 2;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------------- */

static ownership_verdict granted(uint32_t accesses, uint32_t to_owner)
{
    return (ownership_verdict){
        .conflict = CONFLICT_NONE, .accesses = accesses, .to_owner = to_owner, .owner = OWNERSHIP_THREADS};
}

/* Of a conflict the owner is all that is looked at, if he is. */
static ownership_verdict refused(uint32_t conflict, uint32_t accesses, uint32_t owner)
{
    return (ownership_verdict){.conflict = conflict, .accesses = accesses, .to_owner = accesses, .owner = owner};
}

static ownership_verdict access_unset(ownership *o, uint32_t thread, uint32_t word, uint32_t stores)
{
    if (!stores && o->algorithm == OWNERSHIP_SMDCD) {
        take(o, thread, word, WORD_READ);
        return granted(2, 1);
    }
    back_up(o, word);
    take(o, thread, word, stores ? WORD_MODIFIED : WORD_READ);
    return granted(stores ? 4 : 3, 1);
}

static uint32_t conflict_of(uint32_t state, uint32_t stores)
{
    if (state == WORD_MODIFIED)
        return stores ? CONFLICT_WRITE_AFTER_WRITE : CONFLICT_READ_AFTER_WRITE;
    return stores ? CONFLICT_WRITE_AFTER_READ : CONFLICT_READ_READ;
}

static ownership_verdict access_own(ownership *o, uint32_t word, uint32_t stores)
{
    if (!stores || o->words.states[word] == WORD_MODIFIED)
        return granted(2, 1);
    o->words.states[word] = WORD_MODIFIED;
    if (o->algorithm == OWNERSHIP_DCD)
        return granted(2, 1); /* backed up when it was first read */
    back_up(o, word);
    return granted(4, 1);
}

static void take_shared(ownership *o, uint32_t thread, uint32_t word)
{
    remove_shared(o, word);
    back_up(o, word);
    take(o, thread, word, WORD_MODIFIED);
}

/* Behind the map of warps, that of lanes is looked at. */
static ownership_verdict store_by_lane_map(ownership *o, uint32_t thread, uint32_t word, uint64_t running)
{
    if (is_last_reader(o, thread, word, running)) {
        take_shared(o, thread, word);
        return granted(6, 2);
    }
    ownership_verdict verdict = refused(CONFLICT_WRITE_AFTER_READ, 1, OWNERSHIP_THREADS);
    verdict.accesses += *owner_byte(o, word) == 1u << thread / o->lanes;
    return verdict;
}

static ownership_verdict access_shared(ownership *o, uint32_t thread, uint32_t word, uint32_t stores, uint64_t running)
{
    if (!stores) {
        const uint32_t to_map = join_readers(o, thread, word);
        return granted(1 + to_map + join_lanes(o, thread, word), to_map);
    }
    if (o->release == OWNERSHIP_LANE_MAP)
        return store_by_lane_map(o, thread, word, running);
    if (o->release != OWNERSHIP_PRECISE || !is_only_reader(o, thread, word))
        return refused(CONFLICT_WRITE_AFTER_READ, 0, OWNERSHIP_THREADS);
    take_shared(o, thread, word);
    return granted(4, 1);
}

ownership_verdict ownership_access(ownership *o, uint32_t thread, uint32_t word, uint32_t stores, uint64_t running)
{
    const uint32_t state = o->words.states[word];
    if (state == WORD_UNSET)
        return access_unset(o, thread, word, stores);
    if (state == WORD_SHARED)
        return access_shared(o, thread, word, stores, running);
    const uint32_t owner = *owner_byte(o, word);
    if (owner == thread)
        return access_own(o, word, stores);
    if (o->algorithm == OWNERSHIP_DCD || stores || state == WORD_MODIFIED)
        return refused(conflict_of(state, stores), 1, owner);
    share(o, owner, thread, word);
    const uint32_t to_owner = has_warp_map(o) ? 2 : 1;
    return granted(1 + to_owner + (o->release == OWNERSHIP_LANE_MAP), to_owner);
}

/* ---- Ends --------------------------------------------------------------------------------------------------------------- */

static void forget_reader(ownership *o, uint32_t thread)
{
    for (uint32_t i = o->shared_count; o->release == OWNERSHIP_PRECISE && i-- > 0;) {
        const uint32_t word = o->words.shared[i];
        o->words.readers[word][thread / 64] &= ~(UINT64_C(1) << thread % 64);
        if (!has_readers(o, word))
            unset_shared(o, word);
    }
}

static void let_go(ownership *o, uint32_t word)
{
    if (o->words.states[word] == WORD_SHARED)
        unset_shared(o, word);
    else
        unset(o, word);
}

static void restore(ownership *o, uint32_t word, uint32_t *restored)
{
    if (o->algorithm == OWNERSHIP_SMDCD && o->words.states[word] != WORD_MODIFIED)
        return;
    copy_word(o, word, shadow_backup(&o->layout, word));
    restored[shadow_bank_of(&o->layout, word)]++;
}

void ownership_abort(ownership *o, uint32_t thread, uint32_t *restored)
{
    for (uint32_t word = o->first[thread]; word != WORD_NONE; word = o->words.next[word]) {
        restore(o, word, restored);
        let_go(o, word);
    }
    o->first[thread] = WORD_NONE;
    forget_reader(o, thread);
}

void ownership_commit(ownership *o, uint32_t thread)
{
    for (uint32_t word = o->first[thread]; word != WORD_NONE; word = o->words.next[word])
        let_go(o, word);
    o->first[thread] = WORD_NONE;
    forget_reader(o, thread);
}

void ownership_enter(ownership *o, uint32_t warp)
{
    o->inside |= 1u << warp;
}

void ownership_end_attempt(ownership *o, uint32_t warp)
{
    for (uint32_t i = o->shared_count; has_warp_map(o) && i-- > 0;) {
        const uint32_t word = o->words.shared[i];
        uint8_t *map = owner_byte(o, word);
        *map &= (uint8_t) ~(1u << warp);
        if (!*map)
            unset_shared(o, word);
    }
}

void ownership_leave(ownership *o, uint32_t warp)
{
    o->inside &= ~(1u << warp);
    if (o->release == OWNERSHIP_STICKY && !o->inside)
        ownership_clear_shared(o);
}

void ownership_clear_shared(ownership *o)
{
    while (o->shared_count)
        unset_shared(o, o->words.shared[o->shared_count - 1]);
}
