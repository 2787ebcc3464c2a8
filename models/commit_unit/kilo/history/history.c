/* SPDX-License-Identifier: MIT */
#include "history/history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void set_sizes(history_parameters *parameters)
{
    static const struct {
        uint32_t kind, entries, filter;
    } sizes[] = {{HISTORY_LWH5K, 512, 1024}, {HISTORY_LWH512, 64, 64}};
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (parameters->kind == sizes[i].kind) {
            parameters->entries = sizes[i].entries;
            parameters->filter = sizes[i].filter;
            parameters->ways = parameters->subarrays = 4;
        }
}

uint32_t history_create(history *history, const history_parameters *parameters, kilo_counters *counters)
{
    history->parameters = *parameters;
    history->counters = counters;
    set_sizes(&history->parameters);
    const history_parameters *sizes = &history->parameters;
    uint64_t seed = sizes->seed;
    if (sizes->kind == HISTORY_PERFECT)
        return 1;
    history->sets = sizes->entries / sizes->ways;
    history->table = calloc(sizes->entries, sizeof *history->table);
    hd_h3_draw(&history->set_hash, &seed);
    history->filter.overwrites = sizes->overwrites;
    return recency_create(&history->filter, sizes->filter, sizes->subarrays, &seed) && history->table;
}

void history_destroy(history *history)
{
    free(history->table);
    recency_destroy(&history->filter);
    exact_reset(&history->exact);
}

void history_reset(history *history)
{
    exact_reset(&history->exact);
    if (!history->table)
        return;
    memset(history->table, 0, history->parameters.entries * sizeof *history->table);
    recency_reset(&history->filter);
}

static history_entry *set_of(const history *history, uint64_t word)
{
    return &history->table[hd_h3_hash(&history->set_hash, word) % history->sets * history->parameters.ways];
}

/* NULL: the table does not have it. */
static history_entry *find(const history *history, uint64_t word)
{
    history_entry *set = set_of(history, word);
    for (uint32_t way = 0; way < history->parameters.ways; way++)
        if (set[way].writer && set[way].word == word)
            return &set[way];
    return NULL;
}

uint64_t history_peek(const history *history, uint64_t address)
{
    if (!history->table)
        return exact_of(&history->exact, address / 4);
    const history_entry *entry = find(history, address / 4);
    const uint64_t writer = entry ? entry->writer : recency_of(&history->filter, address / 4);
    return writer;
}

uint64_t history_look_up(history *history, uint64_t address)
{
    history->counters->history_hits += history->table && find(history, address / 4);
    return history_peek(history, address);
}

/* A free way, or that of the oldest writer. */
static history_entry *victim_of(const history *history, uint64_t word)
{
    history_entry *set = set_of(history, word), *victim = set;
    for (uint32_t way = 1; way < history->parameters.ways; way++)
        victim = set[way].writer < victim->writer ? &set[way] : victim;
    return victim;
}

/* What is evicted goes into the filter even if it has retired: who began to validate before that may not have looked yet. */
static void evict(history *history, const history_entry *victim, uint64_t retired)
{
    if (!victim->writer)
        return;
    history->counters->evictions++;
    if (!history->parameters.drops_retired || victim->writer >= retired)
        recency_note(&history->filter, victim->word, victim->writer);
}

void history_note(history *history, uint64_t address, uint64_t writer, uint64_t retired)
{
    const uint64_t word = address / 4;
#ifndef NDEBUG
    exact_note(&history->exact, word, writer);
#endif
    if (!history->table) {
        exact_note(&history->exact, word, writer);
        return;
    }
    history_entry *entry = find(history, word);
    if (!entry) {
        entry = victim_of(history, word);
        evict(history, entry, retired);
    }
    *entry = (history_entry){word, writer};
}
