/* SPDX-License-Identifier: MIT */
#include "transaction_checker.h"

#include <stdlib.h>

#include "history.h"

void *list_add(list *list, size_t element_bytes)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = realloc(list->items, list->capacity * element_bytes);
        if (!list->items)
            abort();
    }
    char *added = (char *)list->items + list->count++ * element_bytes;
    for (size_t i = 0; i < element_bytes; i++)
        added[i] = 0;
    return added;
}

void list_free(list *list)
{
    free(list->items);
    list->items = NULL;
    list->count = list->capacity = 0;
}

void hd_transaction_checker_begin(hd_transaction_checker *checker)
{
    for (uint32_t i = 0; i < checker->slice_count; i++)
        image_begin_interval(&checker->slices[i].image);
    collect_forget(checker);
}

static void report_wrong_reads(history *history)
{
    const hd_transaction_checker *checker = history->checker;
    for (uint32_t i = 0; i < checker->slice_count; i++) {
        const wrong_read *wrong = checker->slices[i].wrong.items;
        for (size_t k = 0; k < checker->slices[i].wrong.count; k++)
            report_violation(
                history, "the word at 0x%llx was read by endpoint %u at %llu ps, %s, and is not what was written last",
                (unsigned long long)wrong[k].address, wrong[k].source, (unsigned long long)wrong[k].t,
                wrong[k].is_transactional ? "in a transaction" : "plainly");
    }
}

/* Protocols with different rules have no order in common. */
static void compare_rules(history *history)
{
    for (size_t i = 1; i < history->commit_count; i++)
        if (history->commits[i]->transaction.rule != history->rule) {
            if (report_violation(history, "transactions of protocols that promise different things")) {
                report_commit(history, "one", history->commits[0]);
                report_commit(history, "the other", history->commits[i]);
            }
            return;
        }
}

/* The replay has failed: is it the order that is wrong, or are the values? */
static void report_other_order(const history *history)
{
    if (history->has_failed_replay && graph_explains(history))
        history->sink->line(history->sink->context,
                            "all of them are serialisable in the order in which the slices have carried out what they "
                            "validated and wrote: it is the order of the protocol that is wrong");
}

/* What the slices know of those on global memory. */
static void check_slices(history *history)
{
    report_wrong_reads(history);
    if (history->rule != HD_SERIAL_BY_VALUE) {
        graph_check(history);
        return;
    }
    values_check(history);
    report_other_order(history);
}

/* Of one domain: transactions on different ones have no word in common, nor an order. */
static void check_domain(history *history)
{
    collect_history(history->checker, history);
    compare_rules(history);
    program_check(history);
    replay(history);
    if (!history->is_on_scratchpad)
        check_slices(history);
    free(history->commits);
    list_free(&history->validations);
    list_free(&history->events);
    list_free(&history->ends);
}

uint64_t hd_transaction_checker_end(hd_transaction_checker *checker, const hd_text_sink *sink)
{
    history history = {.checker = checker, .sink = sink};
    check_domain(&history);
    history.is_on_scratchpad = 1;
    history.has_failed_replay = 0;
    check_domain(&history);
    if (history.violations > history.shown)
        sink->line(sink->context, "and %llu more", (unsigned long long)(history.violations - history.shown));
    collect_forget(checker);
    checker->counts.violations += history.violations;
    return history.violations;
}

hd_transaction_checks hd_transaction_checker_counts(const hd_transaction_checker *checker)
{
    return checker->counts;
}

void hd_transaction_checker_destroy(hd_transaction_checker *checker)
{
    if (!checker)
        return;
    collect_free(checker);
    free(checker);
}
