/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"

/* Diagonal by diagonal, from the first tile or the last. */
static uint32_t *order_of_tiles(uint32_t tiles, uint32_t is_backwards)
{
    uint32_t *order = hd_host_alloc(tiles * tiles * sizeof *order), count = 0;
    for (uint32_t diagonal = 0; diagonal < 2 * tiles - 1; diagonal++)
        for (uint32_t row = 0; row < tiles; row++)
            if (row <= diagonal && diagonal - row < tiles) {
                const uint32_t at = is_backwards ? tiles * tiles - 1 - count : count;
                order[at] = row << 16 | (diagonal - row);
                count++;
            }
    return order;
}

/* Its border is that of a gap that grows. */
static int32_t *scores_at_first(uint32_t pitch)
{
    int32_t *scores = hd_host_alloc((size_t)pitch * pitch * sizeof *scores);
    for (uint32_t row = 0; row < pitch; row++)
        for (uint32_t column = 0; column < pitch; column++)
            scores[row * pitch + column] = -NEEDLEMAN_GAP * (int32_t)(row + column);
    return scores;
}

static void fill(int32_t *scores, const int32_t *match, uint32_t n, int32_t step)
{
    const int32_t pitch = (int32_t)n + 2;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t row = step > 0 ? i + 1 : n - i, column = step > 0 ? j + 1 : n - j;
            int32_t *cell = scores + row * (n + 2) + column;
            *cell = needleman_score(cell[-step * pitch - step] + match[(row - 1) * n + column - 1], cell[-step * pitch],
                                    cell[-step]);
        }
}

int hd_app_main(void)
{
    static const char *const directions[] = {"forwards", "backwards"};
    const uint32_t is_backwards = HOST_CHOICE("direction", hd_option_text("direction", "forwards"), directions);
    const uint32_t tiles = host_option("tiles", 32, 1, 1024), side = host_option("side", 4, 1, 64);
    const uint32_t block = host_option("block", 64, 1, 1024), grid = host_option("grid", 8, 1, 1u << 16);
    const uint32_t n = tiles * side, pitch = n + 2;
    hd_check(n <= 8192, "tiles * side is %u; it must be at most 8192", n);
    const size_t bytes = (size_t)pitch * pitch * sizeof(int32_t), match_bytes = (size_t)n * n * sizeof(int32_t);
    uint64_t random = hd_option("seed", 1);
    int32_t *match = hd_host_alloc(match_bytes), *scores = scores_at_first(pitch);
    for (uint32_t i = 0; i < n * n; i++)
        match[i] = (int32_t)host_random_below(&random, 20) - 5;
    needleman_args args = {.scores = host_upload(scores, bytes),
                           .match = host_upload(match, match_bytes),
                           .order = host_upload(order_of_tiles(tiles, is_backwards), tiles * tiles * sizeof(uint32_t)),
                           .flags = host_filled(0, tiles * tiles * sizeof(uint32_t)),
                           .tiles = tiles,
                           .side = side};
    host_launch(is_backwards ? "needleman_backwards" : "needleman_forwards", hd_1d(grid), hd_1d(block), 0, &args,
                sizeof args);
    const uint32_t *got = host_download(args.scores, bytes);
    fill(scores, match, n, is_backwards ? -1 : 1);
    for (uint32_t i = 0; i < pitch * pitch; i++)
        host_check_word("scores", i, got[i], (uint32_t)scores[i]);
    hd_report("tiles", tiles * tiles);
    return HD_PASS;
}
