/* SPDX-License-Identifier: MIT */
/*
 * Words that a core has read while it is asked whether it computes (HD_EXTENSION_COMPUTES): one that reads on and on what it
 * has not read before does not poll. Nothing is noted while nobody asks.
 */
#ifndef SIMT_CORE_SEEN_WORDS_H
#define SIMT_CORE_SEEN_WORDS_H

#include <stdint.h>

#include "hd_time.h"

/* All zero at first. */
typedef struct seen_words {
    uint32_t *words; /* [SEEN_WORDS_SLOTS], by hash: number of the word, and 1; 0: free. NULL: nobody has asked */
    uint32_t count;
    uint32_t fresh; /* since it was looked at, a word was read that was not there, or it is full */
    uint32_t left;  /* lanes to be noted until it is looked at again */
    hd_time since;  /* at each look there was something fresh */
} seen_words;

/* Must what is read be noted? */
static inline uint32_t seen_words_notes(const seen_words *seen)
{
    return seen->left != 0;
}
/* These lanes read words of shared memory at these addresses, or others do. */
void seen_words_note(seen_words *seen, const uint32_t *address, uint64_t lanes);
/* Since when there was something fresh at each look; `anew`: as if nothing had been read before. */
hd_time seen_words_check(seen_words *seen, hd_time t, uint32_t anew);
/* Back to all zero. */
void seen_words_reset(seen_words *seen);

#endif
