/* SPDX-License-Identifier: MIT */
/*
 * Texts of words as a dictionary has them: lower case, of 2 to 16 letters, 8 on average. A text is one word, or several with
 * blanks in between; each begins at a multiple of 16, as what is allocated does.
 */
#ifndef HEDDLE_WORDS_H
#define HEDDLE_WORDS_H

#include <stdint.h>

#define WORDS_TEXTS 1024u
#define WORDS_ROOM (4u << 20)
#define WORDS_CALLS (1u << 20)

typedef struct words {
    uint32_t texts;
    const char *text[WORDS_TEXTS];
    uint32_t length[WORDS_TEXTS];
    uint16_t order[WORDS_CALLS]; /* which text each call works on */
    uint32_t calls;
} words;

/* Arguments of every program: how often its function is called, the seed, words in a text, and bytes of all texts together, or of as many
 * as there may be; 0: 1000, 1, 1 and 16 KiB, of which a first cache has room. */
const words *words_make(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes);
uint32_t words_random(void);
/* Reads all of it, so that the caches have what they have room for. */
void words_warm(void);

#endif
