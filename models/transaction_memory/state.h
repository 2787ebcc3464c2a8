/* SPDX-License-Identifier: MIT */
#ifndef TRANSACTION_MEMORY_STATE_H
#define TRANSACTION_MEMORY_STATE_H

#include "hd_extension.h"
#include "hd_ideal.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_tables.h"
#include "hd_trace.h"
#include "hd_work.h"

enum { PORT_REQUEST, PORT_REPLY, PORT_STORE, PORT_STORED, PORT_COUNT };
enum {
    PARAMETER_WARPS,
    PARAMETER_READERS,
    PARAMETER_WORDS,
    PARAMETER_STORES,
    PARAMETER_COMMIT_WORDS,
    PARAMETER_CONFLICTS,
    PARAMETER_TEST_FORWARDING,
    PARAMETER_COUNT
};
enum { FORWARDING_YES, FORWARDING_NO };
enum { EVENT_COMMITTED, EVENT_DOOMED, EVENT_DOOM, EVENT_CHANGED, EVENT_WORDS, EVENT_COUNT }; /* of the trace */

#define CORES_MAX 1024u
#define PARTITIONS_MAX 64u
#define NONE UINT32_MAX

/* X(identifier, name, unit, kind, doc) */
#define IDEAL_STATISTICS(X)                                                                                            \
    X(reads, "reads", "requests", COUNT, "reads registered: one per warp and line")                                    \
    X(read_words, "read_words", "words", COUNT, "words in them, summed over lanes")                                    \
    X(forwarded_words, "forwarded_words", "words", COUNT, "of read_words, those committed but not in memory yet")      \
    X(commits, "commits", "commits", COUNT, "commit requests of warps")                                                \
    X(committed_lanes, "committed_lanes", "transactions", COUNT, "lanes that committed")                               \
    X(late_lanes, "late_lanes", "attempts", COUNT, "lanes that requested a commit after they had lost a conflict")     \
    X(doomed_lanes, "doomed_lanes", "attempts", COUNT,                                                                 \
      "lanes that lost a conflict: they had read a word that another lane committed")                                  \
    X(dooms, "dooms", "messages", COUNT, "messages about lost conflicts: one per warp and commit")                     \
    X(changes, "changes", "messages", COUNT,                                                                           \
      "messages about words that an attempt has read and another has committed (conflicts: values)")                   \
    X(changed_words, "changed_words", "words", COUNT, "words in them")                                                 \
    X(late_commits, "late_commits", "commits", COUNT,                                                                  \
      "commit requests of lanes that had not been compared with all changes yet (conflicts: values)")                  \
    X(written_words, "written_words", "words", COUNT, "words written by commits, summed over lanes")                   \
    X(stores, "stores", "requests", COUNT, "stores to the slices: one per commit and line")                            \
    X(bytes, "bytes", "bytes", COUNT, "bytes written by these stores")                                                 \
    X(settle_cycles, "settle_cycles", "cycles", COUNT,                                                                 \
      "time from the commit to the reply of the slice, summed over stores")                                            \
    X(slice_wait_cycles, "wait_cycles.slice", "cycles", COUNT,                                                         \
      "a store waits for a credit of the link to a slice, summed over slices")                                         \
    X(reply_wait_cycles, "wait_cycles.reply", "cycles", COUNT, "the block waits for a credit of the link to a core")   \
    X(readers_maximum, "readers_maximum", "words", MAXIMUM, "most registered reads at one time")                       \
    X(words_maximum, "words_maximum", "words", MAXIMUM, "most committed words that were not in memory")                \
    X(stores_maximum, "stores_maximum", "requests", MAXIMUM, "most outstanding stores")

typedef struct ideal_counters {
    IDEAL_STATISTICS(HD_COUNTER)
} ideal_counters;

/* Places in an array, handed out from its beginning, so that what is never used costs nothing. */
typedef struct pool {
    uint32_t *free;
    uint32_t free_count;
    uint32_t used; /* places from here on have never been taken */
    uint32_t capacity;
    uint32_t taken;
    uint32_t buckets; /* that they are to be found by: a power of two */
} pool;
/* NONE: all are taken. */
uint32_t pool_take(pool *pool);
void pool_give(pool *pool, uint32_t place);
/* Of a word's address. */
static inline uint32_t pool_bucket(const pool *pool, uint64_t address)
{
    return (uint32_t)((address / 4 * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (pool->buckets - 1);
}

/* Lanes of a warp that have read a word. */
typedef struct reader {
    uint64_t address;
    uint64_t lanes;
    uint32_t warp;
    uint32_t pc;
    uint32_t next, previous; /* in its bucket */
    uint32_t next_of_warp;
    uint32_t reserved;
} reader;

/* A word that is committed and not yet in memory. */
typedef struct word {
    uint64_t address;
    uint32_t value;
    uint32_t byte_mask;
    uint32_t pending; /* stores of it */
    uint32_t next;    /* in its bucket */
    uint64_t told;    /* number of the commit whose readers have been told last */
} word;

/* Words of a line that one commit writes. */
typedef struct store {
    uint64_t address; /* of the line */
    uint64_t commit;  /* its number */
    uint64_t since;   /* edge */
    uint32_t warp, epoch;
    uint32_t next; /* of the partition */
    uint32_t is_sent;
    uint32_t reserved;
    uint32_t byte_mask[HD_LINE_BYTES / 32];
    uint8_t data[HD_LINE_BYTES];
} store;

typedef struct queue {
    uint32_t first, last;
    uint32_t waits;     /* for a credit */
    uint32_t of_commit; /* first of the latest commit's, if `commit` is its number */
    uint64_t commit;
    uint64_t waits_since;
} queue;

typedef struct warp {
    uint32_t epoch;    /* of the attempt that is registered; 0: none is */
    uint32_t endpoint; /* its core's */
    uint32_t element;  /* of the reply port that leads there */
    uint32_t readers;  /* first */
    uint64_t doomed;   /* lanes of the attempt */
    uint64_t stores;   /* not acknowledged */
    /* By the commit being decided */
    uint64_t hit;
    uint64_t hit_address;
    uint32_t hit_pc;
    uint32_t changes;   /* messages of the attempt about words that are another now */
    hd_packet *telling; /* the next of them; NULL: there is none */
} warp;

/* What has come of a core's commit so far. */
typedef struct arriving {
    hd_ideal_write *writes;
    uint32_t count;
} arriving;

typedef struct answer {
    hd_packet *packet;
    uint32_t element;
} answer;

typedef struct ideal_memory {
    const hd_services *services;
    const hd_trace *trace;
    const hd_address_map *map;
    hd_cursor cursor; /* first edge not yet dealt with */
    struct {
        uint32_t read, words, commit, verdict, doom, settled, changed, written, store, store_ack;
    } message;
    hd_link *request[CORES_MAX], *reply[CORES_MAX];
    hd_link *store[PARTITIONS_MAX], *stored[PARTITIONS_MAX];
    uint32_t request_count, stored_count;
    uint32_t route[PARTITIONS_MAX]; /* element of the port, by partition */

    uint32_t compares_values, forwards;

    warp *warps;
    uint32_t warp_limit;
    uint32_t *hits; /* warps, scratch */
    uint32_t hit_count;

    reader *readers;
    pool reader_pool;
    uint32_t *reader_buckets; /* place + 1 */
    word *words;
    pool word_pool;
    uint32_t *word_buckets; /* likewise */
    store *stores;
    pool store_pool;
    queue queues[PARTITIONS_MAX];

    arriving arriving[CORES_MAX];
    hd_ideal_write *writes; /* their memory */
    uint32_t commit_words;

    answer *outbox;   /* ring: in order, whoever they are for */
    hd_ring outgoing; /* answers in the outbox */
    uint64_t outbox_since;

    uint64_t order; /* commits so far */
    uint64_t dooms; /* messages so far */
    ideal_counters counters;
} ideal_memory;

/* The run ends: the parameter is too small. */
void ideal_overflow(const ideal_memory *self, hd_time t, uint32_t parameter);

/* readers.c */
void ideal_read(ideal_memory *self, const hd_packet *request, hd_time t);
/* The warp runs this attempt: what is registered of an earlier one is forgotten. */
void ideal_attempt(ideal_memory *self, warp *warp, uint32_t epoch);
void ideal_forget(ideal_memory *self, warp *warp);
/* Notes in `hit` who has read the word: but for `spared` lanes of warp number `of`. */
void ideal_hit_readers(ideal_memory *self, uint64_t address, uint32_t of, uint64_t spared);
/* Adds the word to what each warp but number `of` is told that has read it. */
void ideal_tell_readers(ideal_memory *self, const struct word *word, uint32_t of, hd_time t);

/* words.c */
word *ideal_find_word(const ideal_memory *self, uint64_t address);
/* Over what is there; `stores` more of it are to come. Nonzero: there is no room, and the run has ended. */
int ideal_put_word(ideal_memory *self, const hd_ideal_write *write, uint32_t stores, hd_time t);
void ideal_word_stored(ideal_memory *self, uint64_t address);

/* commit.c */
void ideal_commit(ideal_memory *self, uint32_t element, const hd_packet *packet, hd_time t);

/* values.c: conflicts by values */
/* All of a commit has arrived. */
void ideal_commit_compared(ideal_memory *self, const hd_packet *last, const arriving *log, hd_time t);
/* What has been collected for the warp leaves. */
void ideal_send_changes(ideal_memory *self, uint32_t number, hd_time t);
void ideal_written(ideal_memory *self, const hd_packet *packet, hd_time t);

/* stores.c */
/* A word of the commit that self->order counts, into its store. 0: it is there already, 1: it was not; -1: there is no room,
 * and the run has ended. */
int ideal_store_word(ideal_memory *self, const hd_ideal_write *write, uint32_t warp, hd_time t);
void ideal_send_stores(ideal_memory *self, uint64_t n, hd_time t);
/* An answer of a slice. */
void ideal_stored(ideal_memory *self, const hd_packet *packet, hd_time t);

/* outbox.c */
hd_packet *ideal_answer(ideal_memory *self, uint32_t warp, uint32_t message, uint32_t body_bytes);
void ideal_post(ideal_memory *self, const warp *warp, hd_packet *packet, hd_time t);
void ideal_send_verdict(ideal_memory *self, uint32_t warp, const hd_ideal_verdict *verdict, hd_time t);
/* As many as there are credits for; 1: it is empty. */
uint32_t ideal_flush(ideal_memory *self, hd_time t);

/* advance.c */
hd_time ideal_advance(hd_block *block, hd_time now, hd_time horizon);

/* checkpoint.c */
extern const hd_state ideal_state;

/* create.c, extension.c */
void ideal_clear(ideal_memory *self); /* nobody is in a transaction, and nothing on its way */
hd_block *ideal_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void ideal_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void ideal_reset(hd_block *block);
void ideal_destroy(hd_block *block);
const void *ideal_extension(hd_block *block, const char *id);

#endif
