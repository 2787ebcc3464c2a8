/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "readers.h"

/* Edges by the node that they leave, or enter: next[first[n]] .. next[first[n + 1]]. */
typedef struct neighbours {
    size_t *first;
    uint32_t *next;
} neighbours;

/* Everything that is certain. */
typedef struct certain {
    placing *placing;
    size_t nodes;
    neighbours before, behind;
    uint8_t *reached;
    uint32_t *pending;
} certain;

static void *take(size_t count, size_t bytes)
{
    void *taken = calloc(count + 2, bytes);
    if (!taken)
        abort();
    return taken;
}

static uint32_t from_of(const graph_edge *edge, uint32_t is_backwards)
{
    return is_backwards ? edge->to : edge->from;
}

static neighbours sort_edges(const list *list, size_t nodes, uint32_t is_backwards)
{
    const graph_edge *edge = list->items;
    neighbours sorted = {.first = take(nodes, sizeof *sorted.first), .next = take(list->count, sizeof *sorted.next)};
    for (size_t i = 0; i < list->count; i++)
        sorted.first[from_of(&edge[i], is_backwards) + 2]++;
    for (size_t n = 1; n <= nodes + 1; n++)
        sorted.first[n] += sorted.first[n - 1];
    for (size_t i = 0; i < list->count; i++)
        sorted.next[sorted.first[from_of(&edge[i], is_backwards) + 1]++] = from_of(&edge[i], !is_backwards);
    return sorted;
}

/* Of a version that was written. */
static uint32_t writer_of(uint64_t moment)
{
    return (uint32_t)(moment / 2 - 1);
}

/* The moment of the write after the version at this one; NO_MOMENT: it is the last. */
static uint64_t moment_after(const placing *placing, const seen_word *seen, uint64_t moment)
{
    const version *version = placing->versions.items;
    const size_t i = versions_find(&placing->versions, seen->address, moment + 1);
    return i < placing->versions.count && version[i].address == seen->address ? version[i].moment : NO_MOMENT;
}

static void add_edge(list *edges, uint32_t from, uint32_t to)
{
    *(graph_edge *)list_add(edges, sizeof(graph_edge)) = (graph_edge){.from = from, .to = to};
}

/* A reader stands behind the earliest write that it may have seen, and before the one after the latest. */
static void gather_edges(const placing *placing, list *edges)
{
    const seen_word *seen = placing->seen.items;
    for (size_t i = 0; i < placing->base.count; i++)
        *(graph_edge *)list_add(edges, sizeof(graph_edge)) = ((graph_edge *)placing->base.items)[i];
    for (size_t i = 0; i < placing->seen.count; i++) {
        const uint64_t after = moment_after(placing, &seen[i], seen[i].high);
        if (seen[i].low)
            add_edge(edges, writer_of(seen[i].low), seen[i].commit);
        if (after != NO_MOMENT)
            add_edge(edges, seen[i].commit, writer_of(after));
    }
}

/* All that come before it, or behind. */
static void reach(certain *certain, const neighbours *by, uint32_t node)
{
    size_t count = 0;
    memset(certain->reached, 0, certain->nodes);
    certain->pending[count++] = node;
    while (count > 0) {
        const uint32_t at = certain->pending[--count];
        for (size_t i = by->first[at]; i < by->first[at + 1]; i++) {
            const uint32_t next = by->next[i];
            if (certain->reached[next])
                continue;
            certain->reached[next] = 1;
            certain->pending[count++] = next;
        }
    }
}

/* Writes that come before the reader have been before what it has seen. 0: nothing is left. */
static uint32_t raise_low(const certain *certain, seen_word *seen)
{
    for (;;) {
        const uint64_t after = moment_after(certain->placing, seen, seen->low);
        if (after == NO_MOMENT || !certain->reached[writer_of(after)])
            return 1;
        const uint64_t low = readers_moment_from(certain->placing, seen, after);
        if (low == NO_MOMENT || low > seen->high)
            return 0;
        seen->low = low;
    }
}

/* It has not seen writes that come behind it. */
static uint32_t lower_high(const certain *certain, seen_word *seen)
{
    while (seen->high && certain->reached[writer_of(seen->high)]) {
        const uint64_t high = readers_moment_before(certain->placing, seen, seen->high);
        if (high == NO_MOMENT || high < seen->low)
            return 0;
        seen->high = high;
    }
    return 1;
}

/* Words first .. end of one reader. */
static uint32_t narrow_reader(certain *certain, seen_word *first, const seen_word *end)
{
    uint32_t is_left = 1;
    reach(certain, &certain->before, first->commit);
    is_left &= !certain->reached[first->commit];
    for (seen_word *seen = first; seen < end; seen++)
        is_left &= raise_low(certain, seen);
    for (seen_word *seen = first; seen < end && !is_left; seen++)
        seen->moment = seen->low;
    if (!is_left)
        return 0;
    reach(certain, &certain->behind, first->commit);
    for (seen_word *seen = first; seen < end; seen++)
        is_left &= lower_high(certain, seen);
    for (seen_word *seen = first; seen < end && !is_left; seen++)
        seen->moment = seen->high;
    return is_left;
}

static uint64_t sum_of_bounds(const placing *placing)
{
    const seen_word *seen = placing->seen.items;
    uint64_t sum = 0;
    for (size_t i = 0; i < placing->seen.count; i++)
        sum += seen[i].low - seen[i].high;
    return sum;
}

/* All readers once, by what is certain before. 0: one has nothing left. */
static uint32_t narrow_all(placing *placing)
{
    seen_word *seen = placing->seen.items;
    const size_t nodes = placing->history->commit_count;
    list edges = {0};
    gather_edges(placing, &edges);
    certain certain = {.placing = placing,
                       .nodes = nodes,
                       .before = sort_edges(&edges, nodes, 1),
                       .behind = sort_edges(&edges, nodes, 0),
                       .reached = take(nodes, 1),
                       .pending = take(nodes, sizeof *certain.pending)};
    uint32_t are_left = 1;
    for (size_t i = 0, end; i < placing->seen.count && are_left; i = end) {
        for (end = i + 1; end < placing->seen.count && seen[end].commit == seen[i].commit;)
            end++;
        are_left = narrow_reader(&certain, &seen[i], &seen[end]);
        placing->effort -= placing->effort < edges.count ? placing->effort : edges.count;
        if (!are_left)
            placing->culprit = seen[i].commit;
    }
    free(certain.before.first);
    free(certain.before.next);
    free(certain.behind.first);
    free(certain.behind.next);
    free(certain.reached);
    free(certain.pending);
    list_free(&edges);
    return are_left;
}

uint32_t readers_narrow(placing *placing)
{
    for (;;) {
        const uint64_t before = sum_of_bounds(placing);
        if (!narrow_all(placing))
            return 0;
        if (sum_of_bounds(placing) == before || !placing->effort)
            return 1;
    }
}
