/* SPDX-License-Identifier: MIT */
/* The commit unit of Kilo TM: what it holds, and the calls between its files. */
#ifndef COMMIT_UNIT_KILO_STATE_H
#define COMMIT_UNIT_KILO_STATE_H

#include "broadcast/broadcast.h"
#include "hd_extension.h"
#include "hd_kilo.h"
#include "hd_ring.h"
#include "hd_state.h"
#include "hd_tap.h"
#include "hd_trace.h"
#include "hd_transactions.h"
#include "hd_work.h"
#include "history/history.h"
#include "history/signatures.h"
#include "parameters.h"
#include "temporal/write_times.h"

enum { PORT_REQUEST, PORT_REPLY, PORT_ACCESS, PORT_ACCESSED, PORT_ROOM, PORT_TAP, PORT_COUNT };

enum {
    EVENT_ENTRIES,
    EVENT_VERDICT,
    EVENT_OUTCOME,
    EVENT_HAZARD,
    EVENT_FAILURE,
    EVENT_VALIDATED,
    EVENT_WRITTEN,
    EVENT_RETIRED,
    EVENT_COUNT
}; /* of the trace */

#define NONE UINT32_MAX
#define LARGE_SET 8u /* words: a set of more than that would not fit a buffer of 64 B */

/* States of an entry (Fung 2015 §4.2.5, Fig. 4.5). */
enum entry_state {
    ENTRY_UNUSED,  /* nothing of it has come */
    ENTRY_FILL,    /* its logs are coming */
    ENTRY_WAIT,    /* for replies of its validation, or until an older writer retires */
    ENTRY_PASS,    /* passes as far as is known, and has not been told */
    ENTRY_FAIL,    /* fails, and has not been told */
    ENTRY_AGAIN,   /* is validated again */
    ENTRY_TOLD,    /* it passes here: waits for its outcome */
    ENTRY_COMMITS, /* commits, and has not written yet */
    ENTRY_WRITES,  /* its stores are on their way */
    ENTRY_RETIRED
};

/* Words that stand in a list; places of self->words, NONE at its end. */
typedef struct list {
    uint32_t first, last;
} list;

typedef struct word {
    uint64_t id; /* whose it is */
    uint32_t address;
    uint32_t value;
    uint32_t next;
    uint8_t byte_mask;
    uint8_t reserved[3];
} word;

/* A read or write set: the first words of it are kept, at most self->buffer_words. */
typedef struct word_set {
    list words;
    uint32_t kept;
    uint32_t count;
    uint32_t looked; /* word that hazard detection comes to next; NONE: behind the last */
} word_set;

typedef struct entry {
    uint64_t id;
    uint64_t retired; /* when its first word came, all older IDs than this one had retired (RCID) */
    uint64_t writer;  /* youngest that it has to wait for (YCID) */
    uint32_t state;   /* enum entry_state */
    uint32_t group;   /* place */
    uint32_t lane;
    uint32_t validations; /* words whose replies are missing */
    uint32_t stores;      /* words on their way */
    uint32_t step;        /* of hazard detection: STEP_* */
    uint32_t is_asked;    /* 1: words are being resent */
    uint8_t is_skip, fails, is_hazarded, holds_reads, holds_writes, is_revalidated;
    uint8_t reserved[2];
    word_set reads, writes;
    signature read_signature, write_signature; /* HISTORY_BFARRAY */
} entry;
enum { STEP_READS, STEP_MORE_READS, STEP_WRITES, STEP_MORE_WRITES, STEP_DONE };

/* Lanes of a warp with consecutive IDs. */
struct group {
    hd_kilo_group ids;
    uint64_t ended;   /* lanes whose logs are complete */
    uint64_t done;    /* of ended, those with words here */
    uint64_t told;    /* of done, those with a verdict */
    uint64_t passed;  /* of told */
    uint64_t decided; /* of done, those whose outcome is known */
    uint64_t writers; /* of decided, those that commit and write here */
    uint64_t written; /* of writers, those that have written */
    uint32_t warp, epoch;
    uint16_t core; /* endpoint */
    uint16_t reserved;
    uint32_t entries;             /* that have not retired; 0: free */
    uint32_t next;                /* free one */
    list counted[BROADCAST_SETS]; /* words that self->broadcast counts */
};

/* A load or store of the slice. */
typedef struct access {
    uint64_t address;
    uint32_t bytes;
    uint32_t is_store;
    uint32_t is_again; /* of a revalidation */
    uint32_t is_sent;  /* and not answered */
    uint32_t next;     /* in its queue, or free one */
    list words;        /* that it is for */
    uint32_t warp, epoch;
    uint32_t count; /* of words */
    uint32_t reserved;
} access;

typedef struct queue {
    uint32_t first, last;
} queue;

/* Places of an array that grows. */
typedef struct places {
    void *items;
    size_t item_bytes;
    size_t next_at;          /* offset of the item's uint32_t that links free ones */
    uint32_t free;           /* first free place, NONE: take a new one */
    uint32_t used, capacity; /* places from `used` on have never been taken */
} places;

/* Messages to cores, in order. */
typedef struct outbox {
    hd_packet **packets;
    hd_ring ring; /* of them; grows */
} outbox;

struct kilo_unit {
    const hd_services *services;
    const hd_trace *trace;
    const hd_transactions *checker; /* NULL: nobody checks */
    hd_cursor cursor;
    struct {
        uint32_t read_set, write_set, done_skip, verdict, outcome, committed, resend, resent, room, enter, leave,
            signature;
        uint32_t load, load_reply, store, store_ack, atomic;
    } message;
    hd_link *request, *reply, *access, *accessed, *room;

    /* Parameters */
    uint32_t entry_limit;  /* 0: none */
    uint32_t buffer_words; /* UINT32_MAX: no limit */
    uint32_t validates, issues_two, aggregates, clamps;
    uint32_t block_bytes; /* that are validated or written together; 0: a word */
    uint32_t hazard_rate;
    uint32_t has_signatures;
    uint32_t has_times, is_strict, notes_all;
    hd_time skew;

    /* The ring: IDs retire_pointer .. head. They keep retire <= commit <= pass <= hazard <= head + 1 (I-18). */
    entry *ring;
    uint64_t ring_size; /* a power of two */
    uint64_t head, hazard_pointer, pass_pointer, commit_pointer, retire_pointer;
    uint64_t unsent; /* first ID at or before commit_pointer whose stores may still have to be put together */

    places groups, words, accesses;
    queue validations, stores;        /* accesses to be sent */
    uint32_t load_batch, store_batch; /* first of those that words may still be added to; NONE: none */
    outbox outbox;

    hd_packet *current; /* log whose words are being taken */
    uint32_t current_word;
    uint64_t room_reported;

    history history;
    signature_hashes hashes;
    write_times times;
    broadcast broadcast;
#ifndef NDEBUG
    exact last_written; /* I-3: who has written a word last */
#endif

    uint32_t has_moved; /* 1: something has changed at this edge */
    struct {
        uint32_t log, validation, writer, outcome, slice, reply;
    } waits; /* from the last edge to the next */
    uint64_t accounted;
    struct {
        uint64_t accessed; /* entries, and sets, that have buffers in these ways of counting */
        uint64_t used, needed;
    } in_use;
    kilo_counters counters;
};

static inline entry *kilo_unit_entry(const kilo_unit *self, uint64_t id)
{
    return &self->ring[id & (self->ring_size - 1)];
}
/* Valid until the next item of its kind is taken. */
static inline group *kilo_unit_group(const kilo_unit *self, const entry *entry)
{
    return (group *)self->groups.items + entry->group;
}
static inline word *kilo_unit_word(const kilo_unit *self, uint32_t place)
{
    return (word *)self->words.items + place;
}
static inline access *kilo_unit_access(const kilo_unit *self, uint32_t place)
{
    return (access *)self->accesses.items + place;
}
static inline uint32_t kilo_unit_same_group(const entry *one, const entry *other)
{
    return one->group == other->group;
}
/* places.c. Running out of memory ends the program: what is modelled has no limit then. */
uint32_t places_take(places *places);
void places_give(places *places, uint32_t place);
void places_clear(places *places);

/* ring.c: entries, groups, and lists of words */
/* The ring has entries up to that ID. */
void kilo_unit_extend_ring(kilo_unit *self, uint64_t id);
/* The place of the group, which is made if nothing of it has come. packet: of it. NONE: all of it has retired. */
uint32_t kilo_unit_open_group(kilo_unit *self, const hd_kilo_group *ids, const hd_packet *packet);
void kilo_unit_append(kilo_unit *self, list *list, const word *word);
void kilo_unit_free_words(kilo_unit *self, list *list);
/* Counts the buffers of a set that has its first word, or needs none any more (the way "needed"). */
void kilo_unit_count_buffer_needed(kilo_unit *self, uint8_t *holds);
void kilo_unit_count_buffer_freed(kilo_unit *self, uint8_t *holds);
void kilo_unit_free_oldest(kilo_unit *self);
void kilo_unit_clear_ring(kilo_unit *self);

/* requests.c: what cores send */
void kilo_unit_take_request(kilo_unit *self, hd_time t);

/* hazards.c */
void kilo_unit_step_hazards(kilo_unit *self, hd_time t);
/* A word that was resent, of the entry that hazard detection is at. */
void kilo_unit_detect_hazard(kilo_unit *self, entry *entry, uint32_t address, hd_time t);
void kilo_unit_note_writer(kilo_unit *self, entry *entry, uint32_t address);
/* HISTORY_BFARRAY: a word arrives. */
void kilo_unit_compare_read(kilo_unit *self, entry *entry, uint32_t address, hd_time t);
void kilo_unit_compare_write(kilo_unit *self, entry *entry, uint32_t address, hd_time t);
/* The youngest transaction that may write the word and has not retired, or an older one: as good as none. */
uint64_t kilo_unit_writer_of(const kilo_unit *self, uint64_t address);

/* stages.c: what comes behind hazard detection */
void kilo_unit_step_verdicts(kilo_unit *self, hd_time t);
void kilo_unit_step_commits(kilo_unit *self);
/* Without validation: the log of a lane that has words here is complete, so it commits. */
void kilo_unit_commit_at_once(kilo_unit *self, entry *entry, hd_time t);
void kilo_unit_step_retirement(kilo_unit *self, hd_time t);
/* All of its validation is there; it has not been told yet. */
void kilo_unit_end_validation(kilo_unit *self, entry *entry);
/* Its second validation may be complete. */
void kilo_unit_end_revalidation(kilo_unit *self, entry *entry, hd_time t);
/* Its stores may all be done. */
void kilo_unit_end_writing(kilo_unit *self, entry *entry);
/* All lanes of a warp may have a verdict. */
void kilo_unit_end_verdicts(kilo_unit *self, group *group);
void kilo_unit_take_outcome(kilo_unit *self, const hd_packet *packet, hd_time t);

/* accesses.c: to the slice and back */
/* What is added from here on is not put together with what was before. */
void kilo_unit_begin_batch(kilo_unit *self);
void kilo_unit_add_load(kilo_unit *self, entry *entry, const word *word, uint32_t is_again);
void kilo_unit_add_store(kilo_unit *self, const entry *entry, const word *word);
void kilo_unit_issue(kilo_unit *self, hd_time t);
void kilo_unit_take_answers(kilo_unit *self, hd_time t);

/* outbox.c */
/* A message of these lanes of the group. */
void kilo_unit_send_lanes(kilo_unit *self, const group *group, uint32_t message, uint64_t lanes, uint64_t marked);
/* A message about words, or 64 bits in which they are, to one receiver. */
void kilo_unit_send_addresses(kilo_unit *self, uint16_t receiver, uint32_t message, enum broadcast_set set,
                              const uint32_t *addresses, uint32_t count);
void kilo_unit_send_signature(kilo_unit *self, uint16_t receiver, enum broadcast_set set, uint64_t bits);
void kilo_unit_request_resend(kilo_unit *self, entry *entry, uint32_t is_write_set);
void kilo_unit_send(kilo_unit *self, hd_time t);
void kilo_unit_report_room(kilo_unit *self, hd_time t);

/* checkpoint.c */
extern const hd_state kilo_unit_state;

/* temporal/tap.c */
extern const hd_tap kilo_unit_tap;

/* advance.c, create.c, extension.c */
hd_time kilo_unit_advance(hd_block *block, hd_time now, hd_time horizon);
uint32_t kilo_unit_check(const hd_value *values, hd_clock clock, hd_conflict *conflict);
hd_block *kilo_unit_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void kilo_unit_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void kilo_unit_reset(hd_block *block);
void kilo_unit_destroy(hd_block *block);
const void *kilo_unit_extension(hd_block *block, const char *id);

#endif
