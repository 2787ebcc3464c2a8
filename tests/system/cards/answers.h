/* SPDX-License-Identifier: MIT */
/* docs/cards.csv: what is known of each card, a row for each known answer. */
#ifndef CARDS_ANSWERS_H
#define CARDS_ANSWERS_H

#include <stdint.h>

enum { ANSWER_FIELDS = 6 };

typedef struct answer {
    char text[256]; /* the fields lie in it */
    const char *card, *row, *value, *tolerance, *source, *cause;
} answer;

/* All rows in order, asserted to have the fields that they need; to be freed. */
answer *answers_read(uint32_t *count);

/* Is a measured value within what is known? */
int answer_holds(const answer *of, double measured);

#endif
