/* SPDX-License-Identifier: MIT */
/* What an interval leaves behind, and the calls between the files of this folder. Nobody outside includes it. */
#ifndef TRANSACTIONS_HISTORY_H
#define TRANSACTIONS_HISTORY_H

#include <stddef.h>

#include "image.h"
#include "transaction_checker.h"

/* Grows by doubling; element_bytes as of every call. Returns the place of the new last element, zeroed. */
typedef struct list {
    void *items;
    size_t count;
    size_t capacity;
} list;
void *list_add(list *list, size_t element_bytes);
void list_free(list *list);

typedef struct commit {
    hd_transaction transaction; /* what it points to: in the lists of its endpoint while collecting, then as it says */
    uint32_t endpoint;
    uint32_t reserved;
    size_t first_word, first_access;
} commit;

/* A write that a slice carried out on behalf of a transaction. */
typedef struct word_write {
    uint64_t address; /* of the word */
    uint64_t number;  /* in the slice's order */
    hd_time t;
    uint32_t warp;
    uint32_t epoch;
    uint32_t value;
    uint32_t byte_mask;
} word_write;

/* A slice returned what was not written last. */
typedef struct wrong_read {
    uint64_t address;
    uint32_t source;
    uint32_t is_transactional;
    hd_time t;
} wrong_read;

typedef struct slice_record {
    image image;
    list writes; /* word_write */
    list wrong;  /* wrong_read */
} slice_record;

/* What has become of a word of a scratchpad, besides commits. */
enum scratchpad_event_kind {
    WORD_STORED,     /* outside of transactions */
    WORD_INTERFERED, /* the same, and it is not compared from there on */
    WORD_HOLDS       /* behind the commits of that order: it is this */
};
typedef struct scratchpad_event {
    uint64_t order;
    hd_transaction_word word;
    uint32_t kind;
    uint32_t reserved;
} scratchpad_event;

/* A thread block that has ended. */
typedef struct scratchpad_end {
    hd_scratchpad_contents contents; /* words: in the list of its endpoint while collecting, then as it says */
    size_t first_word;
} scratchpad_end;

typedef struct endpoint_record {
    list commits;     /* commit */
    list events;      /* scratchpad_event */
    list ends;        /* scratchpad_end */
    list contents;    /* uint32_t, of those */
    list words;       /* hd_transaction_word */
    list accesses;    /* hd_transaction_access */
    list validations; /* hd_transaction_validation */
} endpoint_record;

struct hd_transaction_checker {
    hd_transactions extension;
    hd_transaction_places places;
    uint32_t slice_count, endpoint_count;
    slice_record *slices;
    endpoint_record *endpoints;
    hd_transaction_checks counts;
};

/* The transactions of an interval that are on one domain, put together. */
typedef struct history {
    hd_transaction_checker *checker;
    const commit **commits; /* in the protocol's order */
    size_t commit_count;
    list validations; /* hd_transaction_validation, in the order of validations_find */
    list events;      /* scratchpad_event, in their order */
    list ends;        /* scratchpad_end, by address */
    const hd_text_sink *sink;
    uint32_t rule; /* enum hd_serial_rule, of all of them */
    uint32_t has_failed_replay;
    uint32_t is_memory_wrong; /* 1: memory is not, at the end, what slices have written */
    uint32_t is_on_scratchpad;
    uint64_t violations;
    uint64_t shown;
} history;

#define VIOLATIONS_SHOWN 5u

/* ---- collect.c ---- */
void collect_free(hd_transaction_checker *checker);
/* Sorted; points into the checker's lists. history: of which domain. */
void collect_history(hd_transaction_checker *checker, history *history);
void collect_forget(hd_transaction_checker *checker);
image_word checker_word(const hd_transaction_checker *checker, uint64_t address);

/* ---- replay.c: in the protocol's order ---- */
void replay(history *history);

/* ---- scratchpads.c ---- */
/* Gathers those of the interval. */
void scratchpads_collect(history *history);
void scratchpads_forget(hd_transaction_checker *checker);
void scratchpads_free(hd_transaction_checker *checker);
/* That of the block that has this word, NULL: it has not ended. */
const scratchpad_end *scratchpads_find(const history *history, uint64_t address);
/* As of hd_transactions. */
void scratchpads_stored(void *context, uint32_t number, const hd_transaction_word *word, uint64_t order,
                        uint32_t interferes);
void scratchpads_hold(void *context, uint32_t number, const hd_transaction_word *word, uint64_t order);
void scratchpads_ended(void *context, uint32_t number, const hd_scratchpad_contents *contents);

/* ---- program.c: what protocols report is what programs have loaded and stored ---- */
void program_check(history *history);

/* ---- validations.c: readings that count instead of those while transactions ran ---- */
/* Gathers those of the interval. */
void validations_collect(history *history);
/* The last of these bytes of the word for this attempt, NULL: there is none. */
const hd_transaction_word *validations_find(const history *history, const hd_transaction *transaction,
                                            const hd_transaction_word *read);

/* ---- graph.c: in the slices' order ---- */
/* One after the other of two commits (positions in history.commits), because of a word. */
typedef struct graph_edge {
    uint32_t from, to;
    uint32_t kind; /* EDGE_* */
    uint32_t reserved;
    uint64_t address;
} graph_edge;
enum { EDGE_WRITE_READ, EDGE_WRITE_WRITE, EDGE_READ_WRITE };
void graph_check(history *history);
/* Whether the slices' order, with validations in the place of the reads before them, explains all values: then the history is
 * serialisable. 0: it does not, or that is not known. Reports and counts nothing. */
uint32_t graph_explains(const history *history);
/* Of accesses (graph_access): by address and number, of those reads first. */
void graph_sort(list *accesses);
/* Behind the accesses of the word that begin at `first`. */
size_t graph_end_of_word(const list *accesses, size_t first);
/* Appends edges (graph_edge) between the commits of sorted accesses, by the order of their numbers. Mixed words have none. */
void graph_join(const history *history, const list *accesses, list *edges);

/* ---- values.c: HD_SERIAL_BY_VALUE ---- */
void values_check(history *history);
/* A read that was validated as this. */
void values_compare(history *history, const commit *reader, const hd_transaction_word *read,
                    const hd_transaction_word *validation);

/* ---- readers.c: transactions without an order, by value ---- */
/* writes (graph_access), sorted: where to look first. */
void readers_place(history *history, const list *writes);

/* ---- writes.c: which commit a write to memory belongs to ---- */
typedef struct graph_access {
    uint64_t address;
    uint64_t number; /* in the slice's order */
    uint32_t commit; /* position in history.commits */
    uint32_t is_write;
    uint32_t value;
    uint8_t byte_mask;
    uint8_t is_replaced; /* a read of what has been validated later: it has no place in the order */
    uint16_t reserved;
} graph_access;
/* Appends (graph_access) the writes of all slices to `accesses`; reports those of nobody, and writes that never took place. */
void writes_match(history *history, list *accesses);

/* ---- versions.c: what words were, in the protocol's order ---- */
/* Each commit is at a moment, and there is one behind it; 0 is before all. */
static inline uint64_t moment_of(uint32_t commit)
{
    return 2 * (uint64_t)commit + 1;
}
/* What a word was from a moment on. */
typedef struct version {
    uint64_t address;
    uint64_t moment;
    uint32_t value;
    uint32_t known; /* bits */
} version;
/* accesses: graph_access, sorted, numbers are moments. Appends versions (version) of their words, by address and moment. */
void versions_list(const history *history, const list *accesses, list *versions);
/* Place in the list of the word's first version at this moment or later; that may be of another word, or behind the list. */
size_t versions_find(const list *versions, uint64_t address, uint64_t moment);
/* What the word was before all of these: what slices say, or else those who have read it first. */
version version_before(const history *history, uint64_t address, const graph_access *access, size_t count);

/* ---- cycle.c ---- */
/* A shortest cycle through one of the nodes that lie on any: its edges, in order, to be freed; *length 0: there is none. */
const graph_edge **cycle_find(const list *edges, size_t node_count, size_t *length);

/* ---- report.c ---- */
/* One more violation. Returns whether it is to be shown; then its headline has been. */
uint32_t report_violation(history *history, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_commit(const history *history, const char *what, const commit *commit);
void report_read(history *history, const commit *reader, const hd_transaction_word *read, const char *how,
                 uint32_t other);
/* One more if the commit has no order, and has written. */
void report_unordered_write(history *history, const commit *commit);

/* As qsort asks. */
static inline int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}
/* Of a word in some order. */
static inline int compare_places(uint64_t address, uint64_t place, uint64_t other_address, uint64_t other_place)
{
    const int order = compare_numbers(address, other_address);
    return order ? order : compare_numbers(place, other_place);
}

#endif
