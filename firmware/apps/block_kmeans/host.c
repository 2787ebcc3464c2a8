/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

#define RANGE 4096u /* of coordinates */

static const char *const kernels[] = {[FORM_TM] = "block_kmeans_tm",
                                      [FORM_LOCKS] = "block_kmeans_locks",
                                      [FORM_SERIAL] = "block_kmeans_serial",
                                      [FORM_ATOMICS] = "block_kmeans_atomics"};

typedef struct input {
    uint32_t *points, *centres;
    uint32_t all; /* points */
    uint32_t clusters;
} input;

static uint32_t nearest_to(const input *in, uint32_t point)
{
    uint32_t nearest = 0, least = UINT32_MAX;
    for (uint32_t c = 0; c < in->clusters; c++) {
        uint32_t distance = 0;
        for (uint32_t d = 0; d < DIMENSIONS; d++) {
            const uint32_t difference = in->points[d * in->all + point] - in->centres[c * DIMENSIONS + d];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    return nearest;
}

static uint32_t *random_words(uint32_t count, uint64_t *random)
{
    uint32_t *words = hd_host_alloc(count * 4);
    for (uint32_t i = 0; i < count; i++)
        words[i] = host_random_below(random, RANGE);
    return words;
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 1);
    block_kmeans_args args = {.clusters = host_option("clusters", 16, 1, CLUSTERS_MAX),
                              .point_count = host_option("points", 512, 1, 1u << 20)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t words = args.clusters * SUM_WORDS;
    input in = {.all = shape.grid * args.point_count, .clusters = args.clusters};
    in.points = random_words(in.all * DIMENSIONS, &random);
    in.centres = random_words(args.clusters * DIMENSIONS, &random);
    args.points = host_upload(in.points, in.all * DIMENSIONS * 4);
    args.centres = host_upload(in.centres, args.clusters * DIMENSIONS * 4);
    args.nearest = host_poisoned(in.all * 4);
    args.results = host_poisoned(shape.grid * words * 4);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block),
                (words + (form == FORM_LOCKS ? args.clusters : 0)) * 4, &args, sizeof args);

    uint32_t *sums = hd_host_alloc(shape.grid * words * 4);
    memset(sums, 0, shape.grid * words * 4);
    const uint32_t *nearest = host_download(args.nearest, in.all * 4);
    for (uint32_t i = 0; i < in.all; i++) {
        const uint32_t cluster = nearest_to(&in, i);
        uint32_t *sum = sums + i / args.point_count * words + cluster * SUM_WORDS;
        host_check_word("nearest", i, nearest[i], cluster);
        for (uint32_t d = 0; d < DIMENSIONS; d++)
            sum[d] += in.points[d * in.all + i];
        sum[DIMENSIONS]++;
    }
    const uint32_t *results = host_download(args.results, shape.grid * words * 4);
    for (uint32_t i = 0; i < shape.grid * words; i++)
        host_check_word("sum", i, results[i], sums[i]);
    return HD_PASS;
}
