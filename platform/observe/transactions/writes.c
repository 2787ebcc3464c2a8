/* SPDX-License-Identifier: MIT */
/*
 * Slices know warp and epoch of a write, and when; epochs come again after 255 attempts. A write belongs to the latest
 * commit of that warp and epoch before it: an attempt's writes are all done before its epoch comes again.
 */
#include <stdlib.h>

#include "history.h"

/* A word that a commit wrote, to be found by who and what. */
typedef struct written_word {
    uint64_t address;
    hd_time committed;
    uint64_t attempt;
    uint32_t warp;
    uint32_t epoch;
    uint32_t commit;
    uint32_t took_place;
} written_word;

static int by_place(const written_word *a, const written_word *b)
{
    int order = compare_numbers(a->address, b->address);
    order = order ? order : compare_numbers(a->warp, b->warp);
    return order ? order : compare_numbers(a->epoch, b->epoch);
}

static int in_order(const void *left, const void *right)
{
    const written_word *a = left, *b = right;
    int order = by_place(a, b);
    order = order ? order : compare_numbers(a->committed, b->committed);
    order = order ? order : compare_numbers(a->attempt, b->attempt);
    return order ? order : compare_numbers(a->commit, b->commit);
}

static void gather(const history *history, list *words)
{
    for (size_t i = 0; i < history->commit_count; i++) {
        const hd_transaction *transaction = &history->commits[i]->transaction;
        for (uint32_t k = 0; k < transaction->write_count; k++) {
            if (transaction->writes[k].address >= HD_SCRATCHPAD_WORDS)
                continue; /* no slice sees it */
            *(written_word *)list_add(words, sizeof(written_word)) =
                (written_word){.address = transaction->writes[k].address,
                               .committed = transaction->committed,
                               .attempt = transaction->attempt,
                               .warp = transaction->warp,
                               .epoch = transaction->epoch,
                               .commit = (uint32_t)i};
        }
    }
    if (words->count)
        qsort(words->items, words->count, sizeof(written_word), in_order);
}

/* Behind the last that is of this place and committed at or before t. */
static size_t find_end(const list *words, const written_word *wanted)
{
    const written_word *word = words->items;
    size_t low = 0, high = words->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = by_place(&word[middle], wanted);
        if (order < 0 || (order == 0 && word[middle].committed <= wanted->committed))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All lanes of the attempt that wrote the word: a warp's log has it once. */
static uint32_t match(const word_write *write, const list *words, list *accesses)
{
    written_word *word = words->items;
    const written_word wanted = {
        .address = write->address, .warp = write->warp, .epoch = write->epoch, .committed = write->t};
    const size_t end = find_end(words, &wanted);
    if (!end || by_place(&word[end - 1], &wanted))
        return 0;
    for (size_t i = end; i > 0 && !by_place(&word[i - 1], &wanted) && word[i - 1].attempt == word[end - 1].attempt;
         i--) {
        word[i - 1].took_place = 1;
        *(graph_access *)list_add(accesses, sizeof(graph_access)) =
            (graph_access){.address = write->address,
                           .number = write->number,
                           .commit = word[i - 1].commit,
                           .is_write = 1,
                           .value = write->value,
                           .byte_mask = (uint8_t)write->byte_mask};
    }
    return 1;
}

void writes_match(history *history, list *accesses)
{
    const hd_transaction_checker *checker = history->checker;
    list words = {0};
    gather(history, &words);
    for (uint32_t s = 0; s < checker->slice_count; s++) {
        const word_write *write = checker->slices[s].writes.items;
        for (size_t i = 0; i < checker->slices[s].writes.count; i++)
            if (!match(&write[i], &words, accesses))
                report_violation(history,
                                 "the word at 0x%llx was written at %llu ps for warp %u, epoch %u, which has not "
                                 "committed it",
                                 (unsigned long long)write[i].address, (unsigned long long)write[i].t, write[i].warp,
                                 write[i].epoch);
    }
    const written_word *word = words.items;
    for (size_t i = 0; i < words.count; i++)
        if (!word[i].took_place && report_violation(history, "the word at 0x%llx was committed and never written",
                                                    (unsigned long long)word[i].address))
            report_commit(history, "by", history->commits[word[i].commit]);
    list_free(&words);
}
