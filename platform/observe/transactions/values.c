/* SPDX-License-Identifier: MIT */
/* What a protocol that validates by value has promised beside its order, which replay.c follows. */
#include "history.h"

/* Who has validated another value than it had read was not to commit, whether or not it has been lucky. */
void values_compare(history *history, const commit *reader, const hd_transaction_word *read,
                    const hd_transaction_word *validation)
{
    history->checker->counts.validations++;
    if ((validation->value ^ read->value) & hd_bits_of_bytes(read->byte_mask))
        report_read(history, reader, read, "and validated as", validation->value);
}

static void compare_validations(history *history, const commit *commit)
{
    for (uint32_t k = 0; k < commit->transaction.read_count; k++) {
        const hd_transaction_word *read = &commit->transaction.reads[k];
        const hd_transaction_word *validation = validations_find(history, &commit->transaction, read);
        if (validation)
            values_compare(history, commit, read, validation);
    }
}

/* One ID is one lane's attempt. Lanes of an attempt may share one: then they follow each other by number. */
static uint32_t is_taken_twice(const hd_transaction *a, const hd_transaction *b)
{
    return a->order != HD_NO_ORDER && a->era == b->era && a->order == b->order &&
           (a->warp != b->warp || a->attempt != b->attempt || a->lane == b->lane);
}

static void check_orders(history *history)
{
    for (size_t i = 1; i < history->commit_count; i++) {
        const commit *a = history->commits[i - 1], *b = history->commits[i];
        if (is_taken_twice(&a->transaction, &b->transaction) &&
            report_violation(history, "two transactions have the same place in the order of the protocol")) {
            report_commit(history, "one", a);
            report_commit(history, "the other", b);
        }
    }
}

void values_check(history *history)
{
    list writes = {0};
    check_orders(history);
    for (size_t i = 0; i < history->commit_count; i++) {
        compare_validations(history, history->commits[i]);
        report_unordered_write(history, history->commits[i]);
        history->checker->counts.placed += history->commits[i]->transaction.order == HD_NO_ORDER;
    }
    writes_match(history, &writes);
    graph_sort(&writes);
    readers_place(history, &writes);
    list_free(&writes);
}
