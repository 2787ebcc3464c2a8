/* SPDX-License-Identifier: MIT */
/*
 * Readings for validation, by attempt, lane and word. An epoch comes again after 255 attempts, but attempts of a warp do not
 * overlap: a validation is of the one in which it took place.
 */
#include <stdlib.h>

#include "history.h"

static int by_place(const hd_transaction_validation *a, const hd_transaction_validation *b)
{
    int order = compare_numbers(a->warp, b->warp);
    order = order ? order : compare_numbers(a->epoch, b->epoch);
    order = order ? order : compare_numbers(a->lane, b->lane);
    return order ? order : compare_numbers(a->word.address, b->word.address);
}

static int in_order(const void *left, const void *right)
{
    const hd_transaction_validation *a = left, *b = right;
    const int order = by_place(a, b);
    return order ? order : compare_numbers(a->word.sample, b->word.sample);
}

void validations_collect(history *history)
{
    const hd_transaction_checker *checker = history->checker;
    list *all = &history->validations;
    for (uint32_t e = 0; e < checker->endpoint_count; e++) {
        const hd_transaction_validation *validations = checker->endpoints[e].validations.items;
        for (size_t i = 0; i < checker->endpoints[e].validations.count; i++)
            *(hd_transaction_validation *)list_add(all, sizeof *validations) = validations[i];
    }
    if (all->count)
        qsort(all->items, all->count, sizeof(hd_transaction_validation), in_order);
}

/* Behind the last of this place. */
static size_t find_end(const list *all, const hd_transaction_validation *wanted)
{
    const hd_transaction_validation *validation = all->items;
    size_t low = 0, high = all->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_place(&validation[middle], wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const hd_transaction_word *validations_find(const history *history, const hd_transaction *transaction,
                                            const hd_transaction_word *read)
{
    const hd_transaction_validation wanted = {.warp = transaction->warp,
                                              .lane = transaction->lane,
                                              .epoch = transaction->epoch,
                                              .word = {.address = read->address}};
    const hd_transaction_validation *validation = history->validations.items;
    for (size_t i = find_end(&history->validations, &wanted); i > 0 && !by_place(&validation[i - 1], &wanted); i--)
        if (validation[i - 1].t >= transaction->begun && validation[i - 1].t <= transaction->committed &&
            !(read->byte_mask & ~validation[i - 1].word.byte_mask))
            return &validation[i - 1].word;
    return NULL;
}
