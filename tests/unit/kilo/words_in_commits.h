/* SPDX-License-Identifier: MIT */
/* What a timed core knows of words that are being committed (EAPG). */
#ifndef KILO_WORDS_IN_COMMITS_H
#define KILO_WORDS_IN_COMMITS_H

#include "hd_block.h"

/* Of a core at the end of a run: there are none (EI-2), if the core takes in what it is told as it comes. */
void expect_no_words_in_commits(hd_block *core);

#endif
