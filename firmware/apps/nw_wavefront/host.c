/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static void fill(int32_t *scores, const int32_t *match, uint32_t n)
{
    const uint32_t pitch = n + 1;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            int32_t *cell = scores + (y + 1) * pitch + x + 1;
            *cell = nw_score(cell[-(int32_t)pitch - 1] + match[y * n + x], cell[-(int32_t)pitch], cell[-1]);
        }
}

int hd_app_main(void)
{
    const uint32_t tiles = host_option("tiles", 8, 1, 512), n = tiles * NW_TILE, pitch = n + 1;
    uint64_t random = hd_option("seed", 1);
    const size_t bytes = (size_t)pitch * pitch * sizeof(int32_t), match_bytes = (size_t)n * n * sizeof(int32_t);
    int32_t *scores = hd_host_alloc(bytes), *match = hd_host_alloc(match_bytes);
    for (uint32_t i = 0; i < pitch * pitch; i++)
        scores[i] = i / pitch && i % pitch ? 0 : -NW_GAP * (int32_t)(i / pitch + i % pitch);
    for (uint32_t i = 0; i < n * n; i++)
        match[i] = (int32_t)host_random_below(&random, 20) - 5;
    nw_wavefront_args args = {
        .scores = host_upload(scores, bytes), .match = host_upload(match, match_bytes), .tiles = tiles};
    for (uint32_t diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        args.first_row = diagonal < tiles ? 0 : diagonal - tiles + 1;
        args.first_column = diagonal - args.first_row;
        const uint32_t count = diagonal < tiles ? diagonal + 1 : 2 * tiles - 1 - diagonal;
        /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
        hd_wait(host_launch("nw_wavefront", hd_1d(count), hd_1d(NW_TILE),
                            ((NW_TILE + 1) * (NW_TILE + 1) + NW_TILE * NW_TILE) * sizeof(int32_t), &args, sizeof args));
    }
    const uint32_t *got = host_download(args.scores, bytes);
    fill(scores, match, n);
    for (uint32_t i = 0; i < pitch * pitch; i++)
        host_check_word("scores", i, got[i], (uint32_t)scores[i]);
    hd_report("cells", (uint64_t)n * n);
    return HD_PASS;
}
