/* SPDX-License-Identifier: MIT */
/* What cores and slices tell during an interval. */
#include <stdlib.h>
#include <string.h>

#include "hd_message.h"
#include "history.h"

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

#define NOTE_LOAD 1u
#define NOTE_TRANSACTIONAL 2u

static uint32_t on_sample(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    (void)tap;
    (void)element;
    *note = NOTE_LOAD | (access->request->epoch ? NOTE_TRANSACTIONAL : 0);
    return HD_TAP_PASS;
}

/* Words of the line of which a store with this mask, from this byte of the line on, writes a byte. */
static uint32_t words_of_store(const hd_store *store, uint32_t first, uint32_t bytes)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < bytes; i++)
        if (store->byte_mask[i / 32] >> i % 32 & 1)
            words |= 1u << (first + i) / 4;
    return words;
}

/* Bytes of the store that lie in the word at this place of the line. */
static void take_bytes(word_write *write, const hd_packet *request, uint32_t place)
{
    const hd_store *store = hd_body_const(request);
    const uint32_t first = (uint32_t)(request->address % HD_LINE_BYTES);
    for (uint32_t byte = 0; byte < 4; byte++) {
        const uint32_t i = place + byte - first;
        if (i >= request->argument || !(store->byte_mask[i / 32] >> i % 32 & 1))
            continue;
        write->byte_mask |= 1u << byte;
        write->value |= (uint32_t)hd_store_data_const(store)[i] << 8 * byte;
    }
}

static uint32_t on_write(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note)
{
    slice_record *slice = (slice_record *)tap;
    const hd_packet *request = access->request;
    (void)element;
    if (!request->epoch) {
        *note = 0;
        return HD_TAP_PASS;
    }
    *note = NOTE_TRANSACTIONAL;
    const uint32_t first = (uint32_t)(request->address % HD_LINE_BYTES);
    for (uint32_t rest = words_of_store(hd_body_const(request), first, request->argument); rest; rest &= rest - 1) {
        word_write *write = list_add(&slice->writes, sizeof *write);
        *write = (word_write){.address = request->address - first + 4 * (uint64_t)__builtin_ctz(rest),
                              .number = access->number,
                              .t = access->t,
                              .warp = request->flow,
                              .epoch = request->epoch};
        take_bytes(write, request, 4 * (uint32_t)__builtin_ctz(rest));
    }
    return HD_TAP_PASS;
}

static void note_read(slice_record *slice, const hd_tap_release *release)
{
    const uint32_t first = (uint32_t)(release->reply->address % HD_LINE_BYTES);
    const uint32_t last = first + release->reply->argument - 1;
    const uint32_t words = (uint32_t)((UINT64_C(2) << last / 4) - (UINT64_C(1) << first / 4));
    const uint64_t line = release->reply->address - first;
    for (uint32_t rest = image_read(&slice->image, line, release->line, words); rest; rest &= rest - 1) {
        wrong_read *wrong = list_add(&slice->wrong, sizeof *wrong);
        *wrong = (wrong_read){.address = line + 4 * (uint64_t)__builtin_ctz(rest),
                              .source = release->reply->destination,
                              .is_transactional = release->note & NOTE_TRANSACTIONAL ? 1 : 0,
                              .t = release->t};
    }
    if (release->note & NOTE_TRANSACTIONAL)
        hd_tap_append(release->reply, &release->number, HD_SAMPLE_BYTES, 0);
}

static void release(hd_block *tap, uint32_t element, const hd_tap_release *release)
{
    slice_record *slice = (slice_record *)tap;
    (void)element;
    if (release->note & NOTE_LOAD && !release->written)
        note_read(slice, release);
    else if (release->written)
        image_write(&slice->image, release->reply->address - release->reply->address % HD_LINE_BYTES, release->line,
                    release->written, !(release->note & NOTE_TRANSACTIONAL));
}

const hd_tap hd_transaction_tap = {on_sample, on_write, release};

hd_block *hd_transaction_checker_slice(hd_transaction_checker *checker, uint32_t slice)
{
    return (hd_block *)&checker->slices[slice];
}

image_word checker_word(const hd_transaction_checker *checker, uint64_t address)
{
    for (uint32_t i = 0; i < checker->slice_count; i++) {
        const image_word word = image_find(&checker->slices[i].image, address);
        if (word.is_known)
            return word;
    }
    return (image_word){0};
}

/* ---- Cores ------------------------------------------------------------------------------------------------------- */

static void add_words(endpoint_record *endpoint, const hd_transaction_word *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        *(hd_transaction_word *)list_add(&endpoint->words, sizeof *words) = words[i];
}

static void committed(void *context, uint32_t number, const hd_transaction *transaction)
{
    hd_transaction_checker *checker = context;
    endpoint_record *endpoint = &checker->endpoints[number];
    commit *added = list_add(&endpoint->commits, sizeof *added);
    *added = (commit){.transaction = *transaction,
                      .endpoint = number,
                      .first_word = endpoint->words.count,
                      .first_access = endpoint->accesses.count};
    add_words(endpoint, transaction->reads, transaction->read_count);
    add_words(endpoint, transaction->writes, transaction->write_count);
    for (uint32_t i = 0; i < transaction->access_count; i++)
        *(hd_transaction_access *)list_add(&endpoint->accesses, sizeof *transaction->accesses) =
            transaction->accesses[i];
}

static void validated(void *context, uint32_t number, const hd_transaction_validation *validation)
{
    hd_transaction_checker *checker = context;
    *(hd_transaction_validation *)list_add(&checker->endpoints[number].validations, sizeof *validation) = *validation;
}

const hd_transactions *hd_transaction_checker_extension(hd_transaction_checker *checker)
{
    return &checker->extension;
}

/* ---- Intervals --------------------------------------------------------------------------------------------------- */

static int in_order(const void *left, const void *right)
{
    const hd_transaction *a = &(*(const commit *const *)left)->transaction;
    const hd_transaction *b = &(*(const commit *const *)right)->transaction;
    int order = compare_numbers(a->era, b->era);
    order = order ? order : compare_numbers(a->order, b->order);
    order = order ? order : compare_numbers(a->warp, b->warp);
    order = order ? order : compare_numbers(a->attempt, b->attempt);
    return order ? order : compare_numbers(a->lane, b->lane);
}

void collect_history(hd_transaction_checker *checker, history *history)
{
    list all = {0};
    for (uint32_t e = 0; e < checker->endpoint_count; e++) {
        commit *commits = checker->endpoints[e].commits.items;
        const hd_transaction_word *words = checker->endpoints[e].words.items;
        const hd_transaction_access *accesses = checker->endpoints[e].accesses.items;
        for (size_t i = 0; i < checker->endpoints[e].commits.count; i++) {
            hd_transaction *transaction = &commits[i].transaction;
            if (transaction->is_on_scratchpad != history->is_on_scratchpad)
                continue;
            transaction->reads = words + commits[i].first_word;
            transaction->writes = transaction->reads + transaction->read_count;
            transaction->accesses = accesses + commits[i].first_access;
            checker->counts.reads += transaction->read_count;
            checker->counts.writes += transaction->write_count;
            *(const commit **)list_add(&all, sizeof(const commit *)) = &commits[i];
        }
    }
    if (all.count)
        qsort(all.items, all.count, sizeof(const commit *), in_order);
    history->commits = all.items;
    history->commit_count = all.count;
    history->rule = all.count ? history->commits[0]->transaction.rule : HD_SERIAL_BY_ACCESS;
    validations_collect(history);
    scratchpads_collect(history);
    checker->counts.transactions += all.count;
    checker->counts.on_scratchpad += history->is_on_scratchpad ? all.count : 0;
}

void collect_forget(hd_transaction_checker *checker)
{
    for (uint32_t i = 0; i < checker->slice_count; i++)
        checker->slices[i].writes.count = checker->slices[i].wrong.count = 0;
    for (uint32_t e = 0; e < checker->endpoint_count; e++)
        checker->endpoints[e].commits.count = checker->endpoints[e].words.count = checker->endpoints[e].accesses.count =
            checker->endpoints[e].validations.count = 0;
    scratchpads_forget(checker);
}

hd_transaction_checker *hd_transaction_checker_create(uint32_t slice_count, uint32_t endpoint_count,
                                                      const hd_transaction_places *places)
{
    hd_transaction_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        abort();
    checker->extension = (hd_transactions){.context = checker,
                                           .committed = committed,
                                           .validated = validated,
                                           .stored = scratchpads_stored,
                                           .holds = scratchpads_hold,
                                           .ended = scratchpads_ended};
    checker->places = *places;
    checker->slice_count = slice_count;
    checker->endpoint_count = endpoint_count;
    checker->slices = calloc(slice_count + 1, sizeof *checker->slices);
    checker->endpoints = calloc(endpoint_count + 1, sizeof *checker->endpoints);
    if (!checker->slices || !checker->endpoints)
        abort();
    return checker;
}

void collect_free(hd_transaction_checker *checker)
{
    for (uint32_t i = 0; i < checker->slice_count; i++) {
        image_clear(&checker->slices[i].image);
        list_free(&checker->slices[i].writes);
        list_free(&checker->slices[i].wrong);
    }
    for (uint32_t e = 0; e < checker->endpoint_count; e++) {
        list_free(&checker->endpoints[e].commits);
        list_free(&checker->endpoints[e].words);
        list_free(&checker->endpoints[e].accesses);
        list_free(&checker->endpoints[e].validations);
    }
    scratchpads_free(checker);
    free(checker->slices);
    free(checker->endpoints);
}
