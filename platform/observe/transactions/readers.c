/* SPDX-License-Identifier: MIT */
#include "readers.h"

#include <stdlib.h>

#define MOMENT_FIRST UINT64_C(0)

/* Edges that may be looked at; histories of a few thousand transactions never need as many. */
#define EFFORT UINT64_C(200000000)

/* ---- What has been read and written ---------------------------------------------------------------------------------- */

static void add_ordered(placing *placing, uint32_t commit, const hd_transaction_word *word, uint32_t is_write)
{
    *(graph_access *)list_add(&placing->ordered, sizeof(graph_access)) =
        (graph_access){.address = word->address,
                       .number = moment_of(commit),
                       .commit = commit,
                       .is_write = is_write,
                       .value = word->value,
                       .byte_mask = (uint8_t)word->byte_mask};
}

static seen_word *seen_before(const placing *placing, size_t first, uint64_t address)
{
    seen_word *seen = placing->seen.items;
    for (size_t i = first; i < placing->seen.count; i++)
        if (seen[i].address == address)
            return &seen[i];
    return NULL;
}

static void add_seen(placing *placing, uint32_t commit, size_t first, const hd_transaction_word *read)
{
    const uint32_t bits = hd_bits_of_bytes(read->byte_mask);
    seen_word *seen = seen_before(placing, first, read->address);
    if (checker_word(placing->history->checker, read->address).is_plain)
        return;
    if (!seen) {
        seen = list_add(&placing->seen, sizeof *seen);
        *seen = (seen_word){.address = read->address, .sample = read->sample, .commit = commit};
    }
    seen->is_broken |= ((seen->value ^ read->value) & seen->bits & bits) != 0;
    seen->value = (seen->value & ~bits) | (read->value & bits);
    seen->bits |= bits;
}

static void gather(placing *placing)
{
    const history *history = placing->history;
    for (uint32_t i = 0; i < history->commit_count; i++) {
        const hd_transaction *transaction = &history->commits[i]->transaction;
        const size_t first = placing->seen.count;
        for (uint32_t k = 0; k < transaction->read_count; k++) {
            if (transaction->order == HD_NO_ORDER)
                add_seen(placing, i, first, &transaction->reads[k]);
            else
                add_ordered(placing, i, &transaction->reads[k], 0);
        }
        for (uint32_t k = 0; k < transaction->write_count && transaction->order != HD_NO_ORDER; k++)
            add_ordered(placing, i, &transaction->writes[k], 1);
    }
    graph_sort(&placing->ordered);
    versions_list(placing->history, &placing->ordered, &placing->versions);
}

/* ---- Moments at which a word had a value ----------------------------------------------------------------------------- */

static uint32_t is_as_seen(const seen_word *seen, const version *version)
{
    return !((version->value ^ seen->value) & seen->bits & version->known);
}

static const version *version_at(const placing *placing, const seen_word *seen, size_t i)
{
    const version *version = placing->versions.items;
    return i < placing->versions.count && version[i].address == seen->address ? &version[i] : NULL;
}

/* Nobody with an order has read or written it. */
static uint32_t is_untouched(const placing *placing, const seen_word *seen)
{
    return !version_at(placing, seen, versions_find(&placing->versions, seen->address, MOMENT_FIRST));
}

static uint32_t was_as_seen_at_first(const placing *placing, const seen_word *seen)
{
    const version before = version_before(placing->history, seen->address, NULL, 0);
    return is_as_seen(seen, &before);
}

uint64_t readers_moment_from(const placing *placing, const seen_word *seen, uint64_t from)
{
    if (is_untouched(placing, seen))
        return from == MOMENT_FIRST && was_as_seen_at_first(placing, seen) ? MOMENT_FIRST : NO_MOMENT;
    size_t i = versions_find(&placing->versions, seen->address, from);
    const version *version;
    while ((version = version_at(placing, seen, i)) && !is_as_seen(seen, version))
        i++;
    return version ? version->moment : NO_MOMENT;
}

uint64_t readers_moment_before(const placing *placing, const seen_word *seen, uint64_t end)
{
    if (is_untouched(placing, seen))
        return end > MOMENT_FIRST ? readers_moment_from(placing, seen, MOMENT_FIRST) : NO_MOMENT;
    const version *version = placing->versions.items;
    for (size_t i = versions_find(&placing->versions, seen->address, end);
         i > 0 && version[i - 1].address == seen->address; i--)
        if (is_as_seen(seen, &version[i - 1]))
            return version[i - 1].moment;
    return NO_MOMENT;
}

/* Behind the write that the slice had carried out last when it was asked. */
static uint64_t sampled_moment(const list *writes, const seen_word *seen)
{
    const graph_access *write = writes->items;
    size_t low = 0, high = seen->sample == HD_NO_SAMPLE ? 0 : writes->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_places(write[middle].address, write[middle].number, seen->address, seen->sample) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low && write[low - 1].address == seen->address ? moment_of(write[low - 1].commit) + 1 : MOMENT_FIRST;
}

static void report_unseen(placing *placing, const seen_word *seen)
{
    history *history = placing->history;
    if (report_violation(history,
                         seen->is_broken
                             ? "a transaction without an order has read different values of the word at "
                               "0x%llx, 0x%08x last"
                             : "a transaction without an order has read the word at 0x%llx as 0x%08x, which "
                               "it never was in the order of the protocol",
                         (unsigned long long)seen->address, seen->value & seen->bits))
        report_commit(history, "read by", history->commits[seen->commit]);
}

/* 0: there is none. */
static uint32_t choose_moment(const placing *placing, const list *writes, seen_word *seen)
{
    const uint64_t sampled = sampled_moment(writes, seen);
    seen->low = readers_moment_from(placing, seen, MOMENT_FIRST);
    seen->high = readers_moment_before(placing, seen, NO_MOMENT);
    seen->moment = readers_moment_from(placing, seen, sampled) == sampled ? sampled : seen->low;
    return seen->moment != NO_MOMENT;
}

/* 0: one of them has none. */
static uint32_t choose_moments(placing *placing, const list *writes)
{
    seen_word *seen = placing->seen.items;
    uint32_t all = 1;
    for (size_t i = 0; i < placing->seen.count; i++)
        if (seen[i].is_broken || !choose_moment(placing, writes, &seen[i])) {
            report_unseen(placing, &seen[i]);
            all = 0;
        }
    return all;
}

/* ---- Reports --------------------------------------------------------------------------------------------------------- */

static uint32_t value_of(const hd_transaction_word *words, uint32_t count, uint64_t address)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        if (words[i].address == address)
            value = words[i].value & hd_bits_of_bytes(words[i].byte_mask);
    return value;
}

static uint32_t written_by(const commit *commit, uint64_t address)
{
    return value_of(commit->transaction.writes, commit->transaction.write_count, address);
}

static void report_edge(const history *history, const graph_edge *edge)
{
    const commit *from = history->commits[edge->from], *to = history->commits[edge->to];
    const hd_text_sink *sink = history->sink;
    const unsigned long long address = edge->address;
    report_commit(history, "transaction", from);
    if (edge->kind == EDGE_WRITE_READ)
        sink->line(sink->context, "    wrote 0x%08x to the word at 0x%llx, which the next read",
                   written_by(from, address), address);
    else if (edge->kind == EDGE_WRITE_WRITE)
        sink->line(sink->context, "    wrote 0x%08x to the word at 0x%llx, to which the next wrote 0x%08x later",
                   written_by(from, address), address, written_by(to, address));
    else
        sink->line(sink->context, "    read 0x%08x from the word at 0x%llx, to which the next wrote 0x%08x later",
                   value_of(from->transaction.reads, from->transaction.read_count, address), address,
                   written_by(to, address));
}

static void report_cycle(history *history, const graph_edge *cycle, size_t length, enum placing_outcome outcome)
{
    if (!report_violation(history,
                          outcome == IMPOSSIBLE
                              ? "values: there is no place for transactions without an order. %zu "
                                "transactions each come before the next, and the last before the first"
                              : "values: no place was found for transactions without an order, and not "
                                "all were tried. Of %zu transactions each would come before the next, "
                                "and the last before the first",
                          length))
        return;
    for (size_t i = 0; i < length && i < 8; i++)
        report_edge(history, &cycle[i]);
}

/* The first cycle says why not, unless there is a transaction that has no place by itself. */
static void place(placing *placing)
{
    size_t length, shorter = 0;
    graph_edge *cycle = readers_cycle(placing, NO_CULPRIT, &length);
    placing->history->checker->counts.edges += placing->edges;
    if (!cycle)
        return;
    graph_join(placing->history, &placing->ordered, &placing->base);
    const enum placing_outcome outcome = readers_search(placing);
    graph_edge *own = placing->culprit == NO_CULPRIT ? NULL : readers_cycle(placing, placing->culprit, &shorter);
    if (outcome != PLACED)
        report_cycle(placing->history, own ? own : cycle, own ? shorter : length, outcome);
    free(own);
    free(cycle);
}

void readers_place(history *history, const list *writes)
{
    placing placing = {.history = history, .effort = EFFORT, .culprit = NO_CULPRIT};
    if (history->checker->counts.placed)
        gather(&placing);
    if (placing.seen.count && choose_moments(&placing, writes))
        place(&placing);
    list_free(&placing.ordered);
    list_free(&placing.versions);
    list_free(&placing.seen);
    list_free(&placing.base);
}
