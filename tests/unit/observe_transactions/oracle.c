/* SPDX-License-Identifier: MIT */
/*
 * Random histories of protocols that validate by value, right and wrong, against an oracle that tries all serial orders: what
 * is right by construction is accepted, and nothing is that no serial order explains. They are held against either rule; by value
 * nobody has to tell of validations.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rig.h"

#define TRANSACTIONS 5u
#define WORDS 3u
#define OPERATIONS 5u
#define VALUES 3u /* few: words get back what they had */

enum {
    RIGHT,             /* all that it has read is validated at once, and it writes at once */
    RIGHT_SILENT,      /* and who only reads what nobody has changed since does not ask, and has no order */
    NOT_VALIDATED,     /* wrong: it commits whatever it has read */
    ONE_NOT_VALIDATED, /* wrong: one word is not looked at */
    NOT_AT_ONCE,       /* wrong: others commit between the validation of one word and that of the next */
    OWN_FROM_MEMORY,   /* wrong: loads of what it has stored find what memory has */
    OWN_TOO_OLD,       /* wrong: they find its first store */
    WRITE_LOST,        /* wrong: one word does not get into memory as it should */
    ANY_ORDER,         /* wrong: the order that is said is drawn */
    SILENT_UNCHECKED,  /* wrong: whoever only reads commits and has no order */
    PROTOCOLS
};
static const char *const names[PROTOCOLS] = {"right",
                                             "right, silent readers",
                                             "not validated",
                                             "one word not validated",
                                             "validated one after the other",
                                             "own stores not forwarded",
                                             "first own store forwarded",
                                             "a write lost",
                                             "any order",
                                             "silent readers not checked"};

static const uint32_t places[WORDS] = {3, 4, 40};

typedef struct thread {
    attempt attempt;
    uint32_t words[OPERATIONS]; /* number of the word, */
    uint32_t kinds[OPERATIONS]; /* 0: load; else store: 1 + constant, or of what was loaded last */
    uint32_t length, step;
    uint32_t last;         /* loaded */
    uint32_t own[WORDS];   /* 1: stored */
    uint32_t first[WORDS]; /* what was stored first */
    uint32_t validated;    /* words, as bits */
    uint32_t is_stale;     /* another has committed a word that it had read */
    uint32_t state;        /* 0: runs, 1: committed, 2: aborted */
} thread;

/* What the checker is told. */
typedef struct telling {
    const char *name;
    uint32_t rule;
    uint32_t is_silent; /* 1: of validations nothing */
} telling;
static const telling tellings[] = {{"by access", HD_SERIAL_BY_ACCESS, 0},
                                   {"by value", HD_SERIAL_BY_VALUE, 0},
                                   {"by value alone", HD_SERIAL_BY_VALUE, 1}};
enum { TELLINGS = sizeof tellings / sizeof *tellings };

typedef struct world {
    rig *rig;
    uint64_t random;
    uint32_t protocol;
    const telling *telling;
    uint32_t count;
    uint32_t commits; /* orders so far */
    thread threads[TRANSACTIONS];
    uint32_t initial[WORDS];
} world;

static rig rig_here;

static uint32_t draw(world *w, uint32_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % below;
}

static void begin(world *w)
{
    w->count = 2 + draw(w, TRANSACTIONS - 1);
    for (uint32_t i = 0; i < WORDS; i++)
        w->initial[i] = w->rig->memory[places[i]] = draw(w, VALUES);
    for (uint32_t i = 0; i < WORDS; i++)
        rig_plain_load(w->rig, places[i]); /* what it was is known */
    rig_begin(w->rig);
    for (uint32_t i = 0; i < w->count; i++) {
        thread *thread = &w->threads[i];
        thread->attempt = rig_attempt(w->rig, i, 0, 0);
        thread->attempt.tells = 1;
        thread->length = 1 + draw(w, OPERATIONS);
        const uint32_t reads_only = draw(w, 3) == 0;
        for (uint32_t k = 0; k < thread->length; k++) {
            thread->words[k] = draw(w, WORDS);
            thread->kinds[k] = reads_only || draw(w, 2) ? 0 : 1 + draw(w, 2 * VALUES);
        }
    }
}

static uint32_t own_value(const world *w, const thread *thread, uint32_t word)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < thread->attempt.transaction.write_count; i++)
        if (thread->attempt.writes[i].address == RIG_BASE + 4 * (uint64_t)places[word])
            value = thread->attempt.writes[i].value;
    if (w->protocol == OWN_FROM_MEMORY)
        return w->rig->memory[places[word]];
    return w->protocol == OWN_TOO_OLD ? thread->first[word] : value;
}

static void load(world *w, thread *thread, uint32_t word)
{
    if (!thread->own[word]) {
        thread->last = rig_read(w->rig, &thread->attempt, places[word]);
        return;
    }
    thread->last = own_value(w, thread, word);
    rig_own_read(&thread->attempt, places[word], thread->last);
}

static void store(thread *thread, uint32_t word, uint32_t kind)
{
    const uint32_t value = kind <= VALUES ? kind - 1 : (thread->last + kind) % VALUES;
    if (!thread->own[word])
        thread->first[word] = value;
    thread->own[word] = 1;
    rig_write(&thread->attempt, places[word], value, 0xF);
}

/* One word that it has read. 0: it has another value now. */
static uint32_t validate(world *w, thread *thread, uint32_t read)
{
    const hd_transaction_word *word = &thread->attempt.reads[read];
    const uint32_t place = (uint32_t)((word->address - RIG_BASE) / 4);
    thread->validated |= 1u << read;
    if (w->telling->is_silent)
        return w->rig->memory[place] == word->value;
    return rig_validate(w->rig, &thread->attempt, place) == word->value;
}

static uint32_t validates(const world *w, uint32_t read, uint32_t skipped)
{
    return w->protocol != NOT_VALIDATED && (w->protocol != ONE_NOT_VALIDATED || read != skipped);
}

static void make_stale(world *w, const thread *winner)
{
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = 0; k < w->threads[i].attempt.transaction.read_count; k++)
            for (uint32_t j = 0; j < winner->attempt.transaction.write_count; j++)
                w->threads[i].is_stale |= w->threads[i].attempt.reads[k].address == winner->attempt.writes[j].address;
}

static void commit(world *w, thread *thread)
{
    attempt *a = &thread->attempt;
    const uint32_t is_silent = !a->transaction.write_count &&
                               (w->protocol == SILENT_UNCHECKED || (w->protocol == RIGHT_SILENT && !thread->is_stale));
    a->transaction.order = is_silent ? HD_NO_ORDER : w->protocol == ANY_ORDER ? draw(w, 100) : ++w->commits;
    rig_commit(w->rig, a);
    const uint32_t lost = w->protocol == WRITE_LOST ? draw(w, 3) : UINT32_MAX;
    for (uint32_t i = 0; i < a->transaction.write_count; i++)
        if (i != lost)
            rig_apply_word(w->rig, a, i);
    make_stale(w, thread);
    thread->state = 1;
}

static void finish(world *w, thread *thread)
{
    attempt *a = &thread->attempt;
    const uint32_t reads = a->transaction.read_count, skipped = reads ? draw(w, reads) : 0;
    const uint32_t is_silent = !a->transaction.write_count &&
                               (w->protocol == SILENT_UNCHECKED || (w->protocol == RIGHT_SILENT && !thread->is_stale));
    for (uint32_t read = 0; read < reads && !is_silent; read++) {
        if (thread->validated >> read & 1 || !validates(w, read, skipped))
            continue;
        if (!validate(w, thread, read)) {
            thread->state = 2;
            return;
        }
        if (w->protocol == NOT_AT_ONCE)
            return; /* the next when it is its turn again */
    }
    commit(w, thread);
}

static void run(world *w)
{
    for (;;) {
        uint32_t running[TRANSACTIONS], count = 0;
        for (uint32_t i = 0; i < w->count; i++)
            if (!w->threads[i].state)
                running[count++] = i;
        if (!count)
            return;
        thread *thread = &w->threads[running[draw(w, count)]];
        if (thread->step == thread->length) {
            finish(w, thread);
            continue;
        }
        const uint32_t word = thread->words[thread->step], kind = thread->kinds[thread->step];
        thread->step++;
        if (kind)
            store(thread, word, kind);
        else
            load(w, thread, word);
    }
}

/* ---- The oracle ---------------------------------------------------------------------------------------------------------- */

static uint32_t number_of(uint64_t address)
{
    uint32_t word = 0;
    while (RIG_BASE + 4 * (uint64_t)places[word] != address)
        word++;
    return word;
}

/* Whether the program would have had these values from that memory, which it changes. */
static uint32_t explains(const thread *thread, uint32_t *memory)
{
    for (uint32_t i = 0; i < thread->attempt.access_count; i++) {
        const hd_transaction_access *access = &thread->attempt.accesses[i];
        uint32_t *word = &memory[number_of(access->address)];
        if (access->is_store)
            *word = access->value;
        else if (*word != access->value)
            return 0;
    }
    return 1;
}

/* Is there a serial order of those left, from that memory, which ends as memory is? */
static uint32_t is_serialisable(const world *w, uint32_t left, const uint32_t *memory)
{
    if (!left) {
        for (uint32_t i = 0; i < WORDS; i++)
            if (memory[i] != w->rig->memory[places[i]])
                return 0;
        return 1;
    }
    for (uint32_t rest = left; rest; rest &= rest - 1) {
        uint32_t after[WORDS];
        memcpy(after, memory, sizeof after);
        if (explains(&w->threads[__builtin_ctz(rest)], after) && is_serialisable(w, left & ~(rest & -rest), after))
            return 1;
    }
    return 0;
}

/* ---- Comparison ------------------------------------------------------------------------------------------------------------ */

typedef struct tally {
    uint32_t serialisable, accepted; /* of histories */
    uint64_t validations, own_reads, commits;
} tally;

static void compare(uint64_t seed, uint32_t protocol, const telling *telling, tally *tally)
{
    world *w = calloc(1, sizeof *w);
    w->rig = &rig_here;
    w->random = seed * UINT64_C(0x9E3779B97F4A7C15) + protocol;
    w->protocol = protocol;
    w->telling = telling;
    rig_open(w->rig);
    w->rig->rule = telling->rule;
    begin(w);
    run(w);
    rig_end(w->rig);
    uint32_t committed = 0;
    for (uint32_t i = 0; i < w->count; i++)
        committed |= (w->threads[i].state == 1) << i;
    const uint32_t expected = is_serialisable(w, committed, w->initial), accepted = !w->rig->violations;
    cr_assert(!accepted || expected, "%s, %s, seed %llu: accepted, and there is no order", names[protocol],
              telling->name, (unsigned long long)seed);
    if (protocol <= RIGHT_SILENT)
        cr_assert(expected && accepted, "%s, %s, seed %llu: %s", names[protocol], telling->name,
                  (unsigned long long)seed, w->rig->report);
    const hd_transaction_checks counts = hd_transaction_checker_counts(w->rig->checker);
    tally->serialisable += expected;
    tally->accepted += accepted;
    tally->validations += counts.validations;
    tally->own_reads += counts.own_reads;
    tally->commits += counts.transactions;
    rig_close(w->rig);
    free(w);
}

Test(transaction_oracle, nothing_is_accepted_that_no_serial_order_explains, .timeout = 300)
{
    const char *asked = getenv("HEDDLE_TRANSACTION_HISTORIES"), *given = getenv("HEDDLE_TRANSACTION_SEED");
    const uint64_t histories = asked ? strtoull(asked, NULL, 0) : 2000;
    const uint64_t first = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) << 20;
    fprintf(stderr, "histories of transactions: seeds %llu to %llu\n", (unsigned long long)first,
            (unsigned long long)(first + histories - 1));
    for (uint32_t i = 0; i < PROTOCOLS * TELLINGS; i++) {
        const uint32_t protocol = i / TELLINGS;
        const telling *telling = &tellings[i % TELLINGS];
        tally tally = {0};
        for (uint64_t seed = first; seed < first + histories; seed++)
            compare(seed, protocol, telling, &tally);
        fprintf(stderr, "transaction histories: %s, %s: %u of %llu serialisable, %u accepted, %llu commits\n",
                names[protocol], telling->name, tally.serialisable, (unsigned long long)histories, tally.accepted,
                (unsigned long long)tally.commits);
        cr_expect_gt(tally.own_reads, 0, "%s", names[protocol]);
        cr_expect_eq(tally.validations > 0, protocol != NOT_VALIDATED && !telling->is_silent, "%s", names[protocol]);
        cr_expect_gt(tally.accepted, histories / 20, "%s", names[protocol]);
        if (protocol > RIGHT_SILENT)
            cr_expect_lt(protocol == ANY_ORDER ? tally.accepted : tally.serialisable, histories, "%s: never wrong",
                         names[protocol]);
    }
}
