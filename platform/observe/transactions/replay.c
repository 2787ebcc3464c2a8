/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "history.h"

#define uthash_fatal(message) abort()
#include <uthash.h>

typedef struct shadow_word {
    uint64_t address;
    uint32_t value;
    uint32_t known; /* bits */
    uint32_t is_mixed;
    uint32_t is_written;
    const commit *writer; /* latest; NULL: what was there before */
    UT_hash_handle hh;
} shadow_word;

typedef struct shadow {
    history *history;
    shadow_word *words;
} shadow;

/* What a word is at first. Before a block that begins its scratchpad is 0. */
static shadow_word before(const history *history, uint64_t address)
{
    const image_word image = checker_word(history->checker, address);
    const scratchpad_end *end = scratchpads_find(history, address);
    return (shadow_word){.address = address,
                         .value = image.before,
                         .known = image.is_known_before || (end && end->contents.was_cleared) ? UINT32_MAX : 0,
                         .is_mixed = image.is_plain};
}

static shadow_word *find(shadow *shadow, uint64_t address)
{
    shadow_word *word;
    HASH_FIND(hh, shadow->words, &address, sizeof address, word);
    if (word)
        return word;
    word = calloc(1, sizeof *word);
    if (!word)
        abort();
    *word = before(shadow->history, address);
    HASH_ADD(hh, shadow->words, address, sizeof word->address, word);
    shadow->history->checker->counts.mixed += word->is_mixed;
    return word;
}

static void compare_read(shadow *shadow, const commit *reader, const hd_transaction_word *read)
{
    shadow_word *word = find(shadow, read->address);
    const uint32_t bits = hd_bits_of_bytes(read->byte_mask);
    if (word->is_mixed)
        return;
    if ((word->value ^ read->value) & bits & word->known) {
        if (report_violation(shadow->history,
                             "replay: the word at 0x%llx was read as 0x%08x; in the order of the protocol it is 0x%08x",
                             (unsigned long long)read->address, read->value & bits, word->value & bits)) {
            report_commit(shadow->history, "read by", reader);
            if (word->writer)
                report_commit(shadow->history, "written by", word->writer);
        }
    }
    word->value = (word->value & ~(bits & ~word->known)) | (read->value & bits & ~word->known);
    word->known |= bits;
}

static void apply_write(shadow *shadow, const commit *writer, const hd_transaction_word *write)
{
    shadow_word *word = find(shadow, write->address);
    const uint32_t bits = hd_bits_of_bytes(write->byte_mask);
    word->value = (word->value & ~bits) | (write->value & bits);
    word->known |= bits;
    word->is_written = 1;
    word->writer = writer;
}

/* who: "who at what time has". */
static void compare_content(shadow *shadow, const shadow_word *word, uint32_t value, const char *who)
{
    if (word->is_mixed || !((word->value ^ value) & word->known))
        return;
    if (report_violation(shadow->history, "replay: %s 0x%08x at 0x%llx; in the order of the protocol it is 0x%08x", who,
                         value, (unsigned long long)word->address, word->value) &&
        word->writer)
        report_commit(shadow->history, "written last by", word->writer);
}

static void store_plainly(shadow *shadow, const scratchpad_event *event)
{
    apply_write(shadow, NULL, &event->word);
    shadow_word *word = find(shadow, event->word.address);
    const uint32_t interferes = event->kind == WORD_INTERFERED;
    shadow->history->checker->counts.mixed += interferes && !word->is_mixed;
    word->is_mixed |= interferes;
}

/* What has become of words of scratchpads before the commits with this place in the order, from number *next on. */
static void apply_events(shadow *shadow, size_t *next, uint64_t order)
{
    const scratchpad_event *events = shadow->history->events.items;
    for (; *next < shadow->history->events.count && events[*next].order < order; ++*next) {
        const scratchpad_event *event = &events[*next];
        if (event->kind == WORD_HOLDS)
            compare_content(shadow, find(shadow, event->word.address), event->word.value,
                            "behind the commit the scratchpad has");
        else
            store_plainly(shadow, event);
    }
}

/* Whole scratchpads, words that nobody has accessed included. */
static void compare_ends(shadow *shadow)
{
    const scratchpad_end *ends = shadow->history->ends.items;
    for (size_t i = 0; i < shadow->history->ends.count; i++)
        for (uint32_t k = 0; k < ends[i].contents.count; k++) {
            const uint64_t address = ends[i].contents.address + 4 * (uint64_t)k;
            const shadow_word *accessed;
            HASH_FIND(hh, shadow->words, &address, sizeof address, accessed);
            const shadow_word word = accessed ? *accessed : before(shadow->history, address);
            compare_content(shadow, &word, ends[i].contents.words[k], "at its block's end the scratchpad has");
        }
}

/* What the slices were told to write, and what memory answers now. */
static void compare_memory(shadow *shadow, const shadow_word *word)
{
    const hd_transaction_checker *checker = shadow->history->checker;
    const image_word at_end = checker_word(checker, word->address);
    uint32_t value;
    if (word->is_mixed || !word->is_written || word->address >= HD_SCRATCHPAD_WORDS)
        return;
    if (at_end.is_known)
        compare_content(shadow, word, at_end.now, "at the end the slices have written");
    if (checker->places.memory && checker->places.memory(checker->places.context, word->address, &value)) {
        compare_content(shadow, word, value, "at the end memory has");
        shadow->history->is_memory_wrong |= !at_end.is_known || at_end.now != value;
    }
}

static int by_address(const shadow_word *a, const shadow_word *b)
{
    return compare_numbers(a->address, b->address);
}

static void finish(shadow *shadow)
{
    HASH_SORT(shadow->words, by_address); /* reports come in one order */
    shadow_word *word, *next;
    HASH_ITER(hh, shadow->words, word, next)
    {
        compare_memory(shadow, word);
        HASH_DEL(shadow->words, word);
        free(word);
    }
}

/* Equal orders of different warps: the protocol does not say which comes first. */
static uint32_t is_ambiguous(const history *history)
{
    for (size_t i = 1; i < history->commit_count; i++) {
        const hd_transaction *a = &history->commits[i - 1]->transaction, *b = &history->commits[i]->transaction;
        if (a->era == b->era && a->order == b->order && a->order != HD_NO_ORDER && a->warp != b->warp)
            return 1;
    }
    return 0;
}

void replay(history *history)
{
    shadow shadow = {.history = history};
    const uint64_t violations = history->violations;
    if (is_ambiguous(history))
        return;
    size_t events = 0;
    for (size_t i = 0; i < history->commit_count; i++) {
        const commit *commit = history->commits[i];
        if (commit->transaction.order == HD_NO_ORDER)
            continue;
        apply_events(&shadow, &events, commit->transaction.order);
        for (uint32_t k = 0; k < commit->transaction.read_count; k++)
            compare_read(&shadow, commit, &commit->transaction.reads[k]);
        for (uint32_t k = 0; k < commit->transaction.write_count; k++)
            apply_write(&shadow, commit, &commit->transaction.writes[k]);
        history->checker->counts.replayed++;
    }
    apply_events(&shadow, &events, UINT64_MAX);
    compare_ends(&shadow);
    finish(&shadow);
    history->has_failed_replay = history->violations > violations;
}
