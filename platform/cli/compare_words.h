/* SPDX-License-Identifier: MIT */
/* What `heddle compare` was asked to do. */
#ifndef HD_COMPARE_WORDS_H
#define HD_COMPARE_WORDS_H

#include <stdint.h>

#include "command.h"

enum compare_form { COMPARE_TEXT, COMPARE_CSV, COMPARE_JSON };

typedef struct compare_words {
    const char *others[3]; /* two machines, and an app or NULL; or two files of results */
    int other_count;
    int are_machines;
    const char **sets[3]; /* for both, A, B */
    size_t set_counts[3];
    const char *seed;
    uint32_t repeat; /* runs of each machine */
    const char *out; /* a folder; NULL: none */
    size_t jobs;     /* 0: as many as there are processors */
    uint32_t rows;   /* of statistics; UINT32_MAX: all */
    enum compare_form form;
} compare_words;

/* Returns HD_EXIT_PASS, or HD_EXIT_USAGE after it has said why. To be given to compare_words_free in any case. */
int compare_words_read(compare_words *read, const hd_command *command, int count, char **words);
void compare_words_free(compare_words *read);

#endif
