/* SPDX-License-Identifier: MIT */
/*
 * Places for transactions without an order, by the values that they have read (Fung 2015 §6.4).
 *
 * Those with an order keep it where they have a word in common that one of them writes; others may change places. A reader
 * stands, for each word, between who has written what it has read and who has written the word next. The same value may have been
 * written several times: which of them was seen is chosen so that nobody comes before itself.
 */
#ifndef TRANSACTIONS_READERS_H
#define TRANSACTIONS_READERS_H

#include "history.h"

#define NO_MOMENT UINT64_MAX

/* What a transaction without an order has read of a word. Moments: the word was as it was seen from then on, until the next write. */
typedef struct seen_word {
    uint64_t address;
    uint64_t sample;
    uint64_t moment;    /* chosen */
    uint64_t low, high; /* it is one of these, or between them */
    uint32_t commit;
    uint32_t value;
    uint32_t bits;
    uint32_t is_broken; /* the transaction has read different values */
} seen_word;

typedef struct placing {
    history *history;
    list ordered;    /* graph_access of commits with an order; number = moment */
    list versions;   /* version, of their words, by address and moment */
    list seen;       /* seen_word, by commit */
    list base;       /* graph_edge between commits with an order */
    uint64_t effort; /* edges that may still be looked at */
    uint64_t edges;  /* of the latest graph */
    uint32_t depth;
    uint32_t culprit; /* a commit that has no place by itself, or because of what others have seen for certain */
} placing;
#define NO_CULPRIT UINT32_MAX

enum placing_outcome { PLACED, IMPOSSIBLE, GIVEN_UP };

/* ---- readers.c ---- */
/* The first moment from `from` on, or the last before `end`, at which the word was as it was seen; NO_MOMENT: there is none. */
uint64_t readers_moment_from(const placing *placing, const seen_word *seen, uint64_t from);
uint64_t readers_moment_before(const placing *placing, const seen_word *seen, uint64_t end);

/* ---- readers_bounds.c ---- */
/* Takes away moments at which a reader cannot have seen its words, as those with an order, and other readers as far as they are
 * certain, stand before or behind it. 0: one has none left; it is the culprit. */
uint32_t readers_narrow(placing *placing);

/* ---- readers_search.c ---- */
/* Chooses moments, from those that are chosen. */
enum placing_outcome readers_search(placing *placing);
/* A cycle, in order, to be freed, among all with the chosen moments; or among those with an order and this one. NULL: none. */
graph_edge *readers_cycle(placing *placing, uint32_t only, size_t *length);

#endif
