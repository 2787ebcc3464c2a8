/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "history.h"

static int in_order(const void *left, const void *right)
{
    const graph_access *a = left, *b = right;
    int order = compare_numbers(a->address, b->address);
    order = order ? order : compare_numbers(a->number, b->number);
    order = order ? order : compare_numbers(a->is_write, b->is_write);
    return order ? order : compare_numbers(a->commit, b->commit);
}

static void gather_reads(const history *history, list *accesses)
{
    for (size_t i = 0; i < history->commit_count; i++) {
        const hd_transaction *transaction = &history->commits[i]->transaction;
        for (uint32_t k = 0; k < transaction->read_count; k++)
            if (transaction->reads[k].sample != HD_NO_SAMPLE)
                *(graph_access *)list_add(accesses, sizeof(graph_access)) =
                    (graph_access){.address = transaction->reads[k].address,
                                   .number = transaction->reads[k].sample,
                                   .commit = (uint32_t)i};
    }
}

static void join(list *edges, const graph_access *from, const graph_access *to)
{
    if (from->commit == to->commit)
        return;
    *(graph_edge *)list_add(edges, sizeof(graph_edge)) = (graph_edge){.from = from->commit,
                                                                      .to = to->commit,
                                                                      .kind = !to->is_write    ? EDGE_WRITE_READ
                                                                              : from->is_write ? EDGE_WRITE_WRITE
                                                                                               : EDGE_READ_WRITE,
                                                                      .address = to->address};
}

/* Accesses of one word: each write comes after the write before it and after the reads of that; each read after the last write.
 * A write of several lanes of a warp is one: by the order of lanes. */
static void join_word(const graph_access *access, size_t count, list *edges)
{
    const graph_access *writer = NULL;
    size_t first_read = 0;
    for (size_t i = 0; i < count; i++) {
        if (!access[i].is_write) {
            if (writer)
                join(edges, writer, &access[i]);
            continue;
        }
        if (writer)
            join(edges, writer, &access[i]);
        for (size_t r = first_read; r < i; r++)
            if (!access[r].is_write)
                join(edges, &access[r], &access[i]);
        writer = &access[i];
        first_read = i + 1;
    }
}

static void join_all(const history *history, const list *accesses, list *edges)
{
    const graph_access *access = accesses->items;
    for (size_t i = 0, end; i < accesses->count; i = end) {
        for (end = i + 1; end < accesses->count && access[end].address == access[i].address;)
            end++;
        if (!checker_word(history->checker, access[i].address).is_plain)
            join_word(access + i, end - i, edges);
    }
}

static void report_cycle(history *history, const graph_edge *const *edges, size_t length)
{
    static const char *const texts[] = {[EDGE_WRITE_READ] = "wrote what the next read",
                                        [EDGE_WRITE_WRITE] = "wrote what the next wrote later",
                                        [EDGE_READ_WRITE] = "read what the next wrote later"};
    if (!report_violation(history, "cycle: %zu transactions each come before the next, and the last before the first",
                          length))
        return;
    for (size_t i = 0; i < length && i < 8; i++) {
        report_commit(history, "transaction", history->commits[edges[i]->from]);
        history->sink->line(history->sink->context, "    %s, the word at 0x%llx", texts[edges[i]->kind],
                            (unsigned long long)edges[i]->address);
    }
}

void graph_check(history *history)
{
    list accesses = {0}, edges = {0};
    gather_reads(history, &accesses);
    writes_match(history, &accesses);
    if (accesses.count)
        qsort(accesses.items, accesses.count, sizeof(graph_access), in_order);
    join_all(history, &accesses, &edges);
    history->checker->counts.edges += edges.count;
    size_t length;
    const graph_edge **cycle = cycle_find(&edges, history->commit_count, &length);
    if (length)
        report_cycle(history, cycle, length);
    free(cycle);
    list_free(&accesses);
    list_free(&edges);
}
