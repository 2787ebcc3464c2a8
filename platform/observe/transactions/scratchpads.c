/* SPDX-License-Identifier: MIT */
/* What cores tell of scratchpads during an interval, besides commits: no slice sees their words. */
#include <stdlib.h>

#include "history.h"

static void add_event(hd_transaction_checker *checker, uint32_t number, const scratchpad_event *event)
{
    *(scratchpad_event *)list_add(&checker->endpoints[number].events, sizeof *event) = *event;
}

void scratchpads_stored(void *context, uint32_t number, const hd_transaction_word *word, uint64_t order,
                        uint32_t interferes)
{
    add_event(context, number,
              &(scratchpad_event){.order = order, .word = *word, .kind = interferes ? WORD_INTERFERED : WORD_STORED});
}

void scratchpads_hold(void *context, uint32_t number, const hd_transaction_word *word, uint64_t order)
{
    add_event(context, number, &(scratchpad_event){.order = order, .word = *word, .kind = WORD_HOLDS});
}

void scratchpads_ended(void *context, uint32_t number, const hd_scratchpad_contents *contents)
{
    hd_transaction_checker *checker = context;
    endpoint_record *endpoint = &checker->endpoints[number];
    *(scratchpad_end *)list_add(&endpoint->ends, sizeof(scratchpad_end)) =
        (scratchpad_end){.contents = *contents, .first_word = endpoint->contents.count};
    for (uint32_t i = 0; i < contents->count; i++)
        *(uint32_t *)list_add(&endpoint->contents, sizeof(uint32_t)) = contents->words[i];
}

static int by_order(const void *left, const void *right)
{
    return compare_numbers(((const scratchpad_event *)left)->order, ((const scratchpad_event *)right)->order);
}

static int by_address(const void *left, const void *right)
{
    return compare_numbers(((const scratchpad_end *)left)->contents.address,
                           ((const scratchpad_end *)right)->contents.address);
}

static void collect_ends(history *history, const endpoint_record *endpoint)
{
    const scratchpad_end *ends = endpoint->ends.items;
    const uint32_t *words = endpoint->contents.items;
    for (size_t i = 0; i < endpoint->ends.count; i++) {
        scratchpad_end *added = list_add(&history->ends, sizeof *added);
        *added = ends[i];
        added->contents.words = words + ends[i].first_word;
    }
}

void scratchpads_collect(history *history)
{
    const hd_transaction_checker *checker = history->checker;
    for (uint32_t e = 0; history->is_on_scratchpad && e < checker->endpoint_count; e++) {
        const scratchpad_event *events = checker->endpoints[e].events.items;
        for (size_t i = 0; i < checker->endpoints[e].events.count; i++)
            *(scratchpad_event *)list_add(&history->events, sizeof *events) = events[i];
        collect_ends(history, &checker->endpoints[e]);
    }
    if (history->events.count)
        qsort(history->events.items, history->events.count, sizeof(scratchpad_event), by_order);
    if (history->ends.count)
        qsort(history->ends.items, history->ends.count, sizeof(scratchpad_end), by_address);
}

const scratchpad_end *scratchpads_find(const history *history, uint64_t address)
{
    const scratchpad_end wanted = {.contents = {.address = address - hd_scratchpad_offset(address)}};
    if (address < HD_SCRATCHPAD_WORDS || !history->ends.count)
        return NULL;
    return bsearch(&wanted, history->ends.items, history->ends.count, sizeof wanted, by_address);
}

void scratchpads_forget(hd_transaction_checker *checker)
{
    for (uint32_t e = 0; e < checker->endpoint_count; e++)
        checker->endpoints[e].events.count = checker->endpoints[e].ends.count = checker->endpoints[e].contents.count =
            0;
}

void scratchpads_free(hd_transaction_checker *checker)
{
    for (uint32_t e = 0; e < checker->endpoint_count; e++) {
        list_free(&checker->endpoints[e].events);
        list_free(&checker->endpoints[e].ends);
        list_free(&checker->endpoints[e].contents);
    }
}
