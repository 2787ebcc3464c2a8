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

static void add_read(list *accesses, const hd_transaction_word *read, size_t commit, uint32_t is_replaced)
{
    if (read->sample != HD_NO_SAMPLE)
        *(graph_access *)list_add(accesses, sizeof(graph_access)) =
            (graph_access){.address = read->address,
                           .number = read->sample,
                           .commit = (uint32_t)commit,
                           .value = read->value,
                           .byte_mask = (uint8_t)read->byte_mask,
                           .is_replaced = is_replaced != 0};
}

/* A read that was validated, if it was, is that of the validation. */
static void gather_read(history *history, list *accesses, size_t i, const hd_transaction_word *read)
{
    const commit *reader = history->commits[i];
    const hd_transaction_word *validation = validations_find(history, &reader->transaction, read);
    const hd_transaction_word *counts = validation ? validation : read;
    add_read(accesses, read, i, validation != NULL);
    if (validation) {
        add_read(accesses, validation, i, 0);
        values_compare(history, reader, read, validation);
    }
    if (reader->transaction.order == HD_NO_ORDER && counts->sample == HD_NO_SAMPLE)
        report_read(history, reader, read, "at no known time, by a transaction without an order; a validation says",
                    counts->value);
}

static void gather_reads(history *history, list *accesses)
{
    for (size_t i = 0; i < history->commit_count; i++) {
        const commit *commit = history->commits[i];
        for (uint32_t k = 0; k < commit->transaction.read_count; k++)
            gather_read(history, accesses, i, &commit->transaction.reads[k]);
        report_unordered_write(history, commit);
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
        if (access[i].is_replaced)
            continue;
        if (!access[i].is_write) {
            if (writer)
                join(edges, writer, &access[i]);
            continue;
        }
        if (writer)
            join(edges, writer, &access[i]);
        for (size_t r = first_read; r < i; r++)
            if (!access[r].is_write && !access[r].is_replaced)
                join(edges, &access[r], &access[i]);
        writer = &access[i];
        first_read = i + 1;
    }
}

/* What a read says that it has found is what the writes before it have left. */
static void compare_word(history *history, const graph_access *access, size_t count)
{
    const image_word before = checker_word(history->checker, access->address);
    uint32_t value = before.before, known = before.is_known_before ? UINT32_MAX : 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = hd_bits_of_bytes(access[i].byte_mask);
        if (access[i].is_write) {
            value = (value & ~bits) | (access[i].value & bits);
            known |= bits;
        } else if ((access[i].value ^ value) & bits & known) {
            report_read(history, history->commits[access[i].commit],
                        &(hd_transaction_word){
                            .address = access->address, .value = access[i].value, .byte_mask = access[i].byte_mask},
                        "where the slice had", value);
        }
    }
}

size_t graph_end_of_word(const list *accesses, size_t first)
{
    const graph_access *access = accesses->items;
    size_t end = first + 1;
    while (end < accesses->count && access[end].address == access[first].address)
        end++;
    return end;
}

static uint32_t is_mixed(const history *history, uint64_t address)
{
    return checker_word(history->checker, address).is_plain;
}

static void compare_all(history *history, const list *accesses)
{
    const graph_access *access = accesses->items;
    for (size_t i = 0, end; i < accesses->count; i = end) {
        end = graph_end_of_word(accesses, i);
        if (!is_mixed(history, access[i].address))
            compare_word(history, access + i, end - i);
    }
}

void graph_join(const history *history, const list *accesses, list *edges)
{
    const graph_access *access = accesses->items;
    for (size_t i = 0, end; i < accesses->count; i = end) {
        end = graph_end_of_word(accesses, i);
        if (!is_mixed(history, access[i].address))
            join_word(access + i, end - i, edges);
    }
}

void graph_sort(list *accesses)
{
    if (accesses->count)
        qsort(accesses->items, accesses->count, sizeof(graph_access), in_order);
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
    graph_sort(&accesses);
    compare_all(history, &accesses);
    graph_join(history, &accesses, &edges);
    history->checker->counts.edges += edges.count;
    size_t length;
    const graph_edge **cycle = cycle_find(&edges, history->commit_count, &length);
    if (length)
        report_cycle(history, cycle, length);
    free(cycle);
    list_free(&accesses);
    list_free(&edges);
}

static uint32_t has_all_samples(const history *history)
{
    for (size_t i = 0; i < history->commit_count; i++) {
        const hd_transaction *transaction = &history->commits[i]->transaction;
        for (uint32_t k = 0; k < transaction->read_count; k++) {
            const hd_transaction_word *validation = validations_find(history, transaction, &transaction->reads[k]);
            if ((validation ? validation : &transaction->reads[k])->sample == HD_NO_SAMPLE)
                return 0;
        }
    }
    return 1;
}

uint32_t graph_explains(const history *given)
{
    const hd_transaction_checks counts = given->checker->counts;
    history quiet = *given;
    quiet.violations = VIOLATIONS_SHOWN;
    if (quiet.is_memory_wrong || !has_all_samples(&quiet))
        return 0;
    graph_check(&quiet);
    given->checker->counts = counts;
    return quiet.violations == VIOLATIONS_SHOWN;
}
