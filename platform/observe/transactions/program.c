/* SPDX-License-Identifier: MIT */
/*
 * The program's view of a transaction against the protocol's: loads of bytes that the lane has stored find what it stored last;
 * all others are, in order, the protocol's reads; and the protocol writes what was stored last, and nothing else.
 */
#include <stdlib.h>

#include "history.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct own_word {
    uint64_t address;
    uint32_t value;
    uint32_t byte_mask; /* stored */
    uint32_t written;   /* bytes of them that the protocol writes */
    uint32_t reserved;
    UT_hash_handle hh;
} own_word;

typedef struct view {
    history *history;
    const commit *commit;
    own_word *words;
    uint32_t next_read; /* of the protocol's */
} view;

static own_word *find(const view *view, uint64_t address)
{
    own_word *word;
    HASH_FIND(hh, view->words, &address, sizeof address, word);
    return word;
}

static void store(view *view, const hd_transaction_access *access)
{
    own_word *word = find(view, access->address);
    if (!word) {
        word = calloc(1, sizeof *word);
        if (!word)
            abort();
        word->address = access->address;
        HASH_ADD(hh, view->words, address, sizeof word->address, word);
    }
    const uint32_t bits = hd_bits_of_bytes(access->byte_mask);
    word->value = (word->value & ~bits) | (access->value & bits);
    word->byte_mask |= access->byte_mask;
}

static void report(const view *view, const char *what, uint64_t address, uint32_t one, const char *how, uint32_t other)
{
    if (report_violation(view->history, "the word at 0x%llx was %s as 0x%08x, %s 0x%08x", (unsigned long long)address,
                         what, one, how, other))
        report_commit(view->history, "by", view->commit);
}

/* Bytes that came from memory: they are the protocol's next read. */
static void load_others(view *view, const hd_transaction_access *access, uint32_t byte_mask)
{
    const hd_transaction *transaction = &view->commit->transaction;
    const hd_transaction_word *read =
        view->next_read < transaction->read_count ? &transaction->reads[view->next_read++] : NULL;
    const uint32_t bits = hd_bits_of_bytes(byte_mask);
    if (!read || read->address != access->address || read->byte_mask != byte_mask ||
        (read->value ^ access->value) & bits)
        report(view, "loaded", access->address, access->value & bits, "of which the protocol has not read",
               read ? read->value & bits : bits);
}

static void load(view *view, const hd_transaction_access *access)
{
    const own_word *word = find(view, access->address);
    const uint32_t own = word ? word->byte_mask & access->byte_mask : 0, bits = hd_bits_of_bytes(own);
    view->history->checker->counts.own_reads += own != 0;
    if (own && (word->value ^ access->value) & bits)
        report(view, "loaded", access->address, access->value & bits, "after the transaction itself had stored",
               word->value & bits);
    if (access->byte_mask & ~own)
        load_others(view, access, access->byte_mask & ~own);
}

static void compare_write(const view *view, const hd_transaction_word *write)
{
    own_word *word = find(view, write->address);
    const uint32_t bits = hd_bits_of_bytes(write->byte_mask);
    if (!word || write->byte_mask & ~word->byte_mask || (word->value ^ write->value) & bits)
        report(view, "committed", write->address, write->value & bits, "and stored as", word ? word->value & bits : 0);
    if (word)
        word->written |= write->byte_mask;
}

static void finish(view *view)
{
    own_word *word, *next;
    HASH_ITER(hh, view->words, word, next)
    {
        const uint32_t lost = word->byte_mask & ~word->written;
        if (lost)
            report(view, "stored", word->address, word->value & hd_bits_of_bytes(lost), "and not committed; bytes",
                   lost);
        HASH_DEL(view->words, word);
        free(word);
    }
}

static void check(history *history, const commit *commit)
{
    const hd_transaction *transaction = &commit->transaction;
    view view = {.history = history, .commit = commit};
    for (uint32_t i = 0; i < transaction->access_count; i++) {
        if (transaction->accesses[i].is_store)
            store(&view, &transaction->accesses[i]);
        else
            load(&view, &transaction->accesses[i]);
    }
    if (view.next_read < transaction->read_count)
        report(&view, "read", transaction->reads[view.next_read].address, transaction->reads[view.next_read].value,
               "and never loaded; reads", transaction->read_count - view.next_read);
    for (uint32_t i = 0; i < transaction->write_count; i++)
        compare_write(&view, &transaction->writes[i]);
    finish(&view);
}

void program_check(history *history)
{
    for (size_t i = 0; i < history->commit_count; i++)
        if (history->commits[i]->transaction.access_count)
            check(history, history->commits[i]);
}
