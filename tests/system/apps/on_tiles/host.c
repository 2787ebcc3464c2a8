/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* poked: by a debugger, which adds to a word and to what the scratchpad of another one has. */
static uint32_t expected(uint32_t pe, uint32_t poked)
{
    return 300 + 2 * pe + (poked && pe == 2 ? 1000 : 0) + (poked && pe == 7 ? 2000 : 0);
}

int hd_app_main(void)
{
    const uint32_t poked = host_option("poked", 0, 0, 1);
    uint32_t words[2 * ON_TILES_PES];
    on_tiles_args args = {.words = host_poisoned(sizeof words),
                          .wrong = host_option("wrong", 0, 0, ON_TILES_MISTAKES - 1)};
    host_launch("on_tiles", hd_1d(ON_TILES_PES), hd_1d(1), 0, &args, sizeof args);
    hd_copy_from_device(words, args.words, sizeof words);
    for (uint32_t pe = 0; pe < ON_TILES_PES; pe++)
        hd_check(words[ON_TILES_PES + pe] == expected(pe, poked), "PE %u has %u", pe, words[ON_TILES_PES + pe]);
    return HD_PASS;
}
