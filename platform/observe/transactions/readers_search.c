/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "readers.h"

#define DEPTH 2048u /* choices that depend on each other */

/* ---- Cycles ---------------------------------------------------------------------------------------------------------- */

static void join_readers(const placing *placing, uint32_t only, list *edges)
{
    const seen_word *seen = placing->seen.items;
    list accesses = {0};
    for (size_t i = 0; i < placing->ordered.count; i++)
        *(graph_access *)list_add(&accesses, sizeof(graph_access)) = ((graph_access *)placing->ordered.items)[i];
    for (size_t i = 0; i < placing->seen.count; i++)
        if (only == NO_CULPRIT || seen[i].commit == only)
            *(graph_access *)list_add(&accesses, sizeof(graph_access)) =
                (graph_access){.address = seen[i].address, .number = seen[i].moment, .commit = seen[i].commit};
    graph_sort(&accesses);
    graph_join(placing->history, &accesses, edges);
    list_free(&accesses);
}

graph_edge *readers_cycle(placing *placing, uint32_t only, size_t *length)
{
    list edges = {0};
    graph_edge *copy = NULL;
    join_readers(placing, only, &edges);
    placing->edges = edges.count;
    const graph_edge **cycle = cycle_find(&edges, placing->history->commit_count, length);
    if (*length && !(copy = malloc(*length * sizeof *copy)))
        abort();
    for (size_t i = 0; i < *length; i++)
        copy[i] = *cycle[i];
    free(cycle);
    list_free(&edges);
    return copy;
}

/* ---- Choices on a cycle ---------------------------------------------------------------------------------------------- */

static seen_word *seen_by(const placing *placing, uint32_t commit, uint64_t address)
{
    seen_word *seen = placing->seen.items;
    size_t low = 0, high = placing->seen.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (seen[middle].commit < commit)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < placing->seen.count && seen[low].commit == commit && seen[low].address != address)
        low++;
    return low < placing->seen.count && seen[low].commit == commit ? &seen[low] : NULL;
}

static uint32_t is_open(const seen_word *seen)
{
    return seen && seen->low != seen->high;
}

/* One that is at an end of the edge, and may have seen another write; NULL: none. */
static seen_word *open_end(const placing *placing, const graph_edge *edge)
{
    seen_word *seen = seen_by(placing, edge->from, edge->address);
    if (is_open(seen))
        return seen;
    seen = seen_by(placing, edge->to, edge->address);
    return is_open(seen) ? seen : NULL;
}

/* ---- Search ---------------------------------------------------------------------------------------------------------- */

static enum placing_outcome search_within(placing *placing, const seen_word *word, uint64_t low, uint64_t high)
{
    const size_t bytes = placing->seen.count * sizeof(seen_word);
    if (low == NO_MOMENT || high == NO_MOMENT || low > high)
        return IMPOSSIBLE;
    seen_word *saved = malloc(bytes);
    if (!saved)
        abort();
    memcpy(saved, placing->seen.items, bytes);
    const size_t number = (size_t)(word - (const seen_word *)placing->seen.items);
    ((seen_word *)placing->seen.items)[number].low = low;
    ((seen_word *)placing->seen.items)[number].high = high;
    const enum placing_outcome outcome = readers_search(placing);
    memcpy(placing->seen.items, saved, bytes);
    free(saved);
    return outcome;
}

/* The cycle must not be: one of those on it has seen an earlier write, or a later one. Those that have been tried keep what they have. */
static enum placing_outcome try_others(placing *placing, const graph_edge *cycle, size_t length)
{
    enum placing_outcome outcome = IMPOSSIBLE;
    for (size_t i = 0; i < length && outcome == IMPOSSIBLE; i++) {
        seen_word *seen;
        while (outcome == IMPOSSIBLE && (seen = open_end(placing, &cycle[i]))) {
            outcome = search_within(placing, seen, seen->low, readers_moment_before(placing, seen, seen->moment));
            if (outcome == IMPOSSIBLE)
                outcome =
                    search_within(placing, seen, readers_moment_from(placing, seen, seen->moment + 1), seen->high);
            seen->low = seen->high = seen->moment;
        }
    }
    return outcome;
}

static void choose_within(const placing *placing)
{
    seen_word *seen = placing->seen.items;
    for (size_t i = 0; i < placing->seen.count; i++)
        if (seen[i].moment < seen[i].low || seen[i].moment > seen[i].high)
            seen[i].moment = seen[i].low;
}

enum placing_outcome readers_search(placing *placing)
{
    const uint64_t effort = placing->base.count + placing->seen.count + placing->history->commit_count;
    if (placing->effort < effort || placing->depth == DEPTH)
        return GIVEN_UP;
    placing->effort -= effort;
    if (!readers_narrow(placing))
        return IMPOSSIBLE;
    choose_within(placing);
    size_t length;
    graph_edge *cycle = readers_cycle(placing, NO_CULPRIT, &length);
    if (!cycle)
        return PLACED;
    placing->depth++;
    const enum placing_outcome outcome = try_others(placing, cycle, length);
    placing->depth--;
    free(cycle);
    return outcome;
}
