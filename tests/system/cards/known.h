/* SPDX-License-Identifier: MIT */
/*
 * Known answers: quantities that small kernels measure, numbered as in docs/cards.md. Each has a formula of the machine's
 * parameters, where there is one, so that what the file says, what the model does, and what the card does are told apart.
 */
#ifndef CARDS_KNOWN_H
#define CARDS_KNOWN_H

#include "card.h"

typedef struct known {
    const char *id;   /* "K10"; rows may name an argument after it: "K10 32" */
    const char *what; /* with %s for the argument */
    const char *unit;
    double (*measure)(const card *of, const char *argument);
    double (*formula)(const card *of, const char *argument); /* NULL: none */
    double within;                                           /* of the formula, relative, is what is measured */
    uint32_t is_long;                                        /* the whole card is needed: for the long tier */
    uint32_t is_ratio;                                       /* of interest is what it is of the known value */
} known;

/* The one that a row is about ("K10" or "K10 32"), and where its argument begins, "" without one; NULL: there is none. */
const known *known_find(const char *row, const char **argument);

/* Groups, each ending with an id of NULL. */
extern const known known_arithmetic[], known_latencies[], known_bandwidths[], known_atomics[], known_launches[],
    known_misses[], known_registers[], known_programs[];

#endif
