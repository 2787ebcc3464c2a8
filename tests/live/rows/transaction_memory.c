/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_transaction_memory, "transaction_memory/ideal",
    {"warps", "4096 | 2", "ideal", "fails: warps (2) does not suffice"},
    {"readers", "262144 | 10", "ideal", "fails: readers (10) does not suffice"},
    {"words", "262144 | 10", "ideal", "fails: words (10) does not suffice"},
    {"stores", "65536 | 3", "ideal", "fails: stores (3) does not suffice"},
    {"commit_words", "16384 | 4", "ideal", "fails: commit_words (4) does not suffice"},
    {"conflicts", "words | values", "ideal", "refused: tx 'ideal' needs a block that decides who loses"},
    {"test.forwarding", "yes | no", "warptm_el", "fails: are counted"});
