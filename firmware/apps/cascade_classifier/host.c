/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { WINDOW = CASCADE_CLASSIFIER_WINDOW, STAGES = 32, FEWEST = 3 /* features of the first stage */, THRESHOLD = -16 };

static cascade_classifier_feature feature_random(uint64_t *random)
{
    uint32_t width = 1 + host_random_below(random, WINDOW), height = 1 + host_random_below(random, WINDOW);
    cascade_classifier_rectangle rectangles[2];
    for (uint32_t i = 0; i < 2; i++)
        rectangles[i] = (cascade_classifier_rectangle){host_random_below(random, WINDOW + 1 - width),
                                                       host_random_below(random, WINDOW + 1 - height), width, height};
    return (cascade_classifier_feature){.one = rectangles[0],
                                        .other = rectangles[1],
                                        .if_brighter = (int32_t)host_random_below(random, 64),
                                        .if_not = -(int32_t)host_random_below(random, 64)};
}

static uint32_t *sums_of(const uint8_t *picture, uint32_t columns, uint32_t rows)
{
    uint32_t stride = columns + 1;
    uint32_t *sums = hd_host_alloc((size_t)stride * (rows + 1) * sizeof *sums);
    memset(sums, 0, stride * sizeof *sums);
    for (uint32_t y = 0; y < rows; y++) {
        uint32_t row = 0, *below = sums + (y + 1) * stride;
        *below = 0;
        for (uint32_t x = 0; x < columns; x++) {
            row += picture[y * columns + x];
            below[x + 1] = *(below + x + 1 - stride) + row;
        }
    }
    return sums;
}

/* Pixel by pixel, without sums. */
static uint32_t brightness(const uint8_t *window, uint32_t columns, cascade_classifier_rectangle rectangle)
{
    uint32_t sum = 0;
    for (uint32_t y = 0; y < rectangle.height; y++)
        for (uint32_t x = 0; x < rectangle.width; x++)
            sum += window[(rectangle.y + y) * columns + rectangle.x + x];
    return sum;
}

static uint32_t stages_passed(const uint8_t *window, uint32_t columns, const cascade_classifier_stage *stages,
                              uint32_t stage_count, const cascade_classifier_feature *features)
{
    int32_t votes = 0;
    uint32_t stage = 0;
    for (uint32_t i = 0; i < stages[stage_count].first; i++) {
        if (brightness(window, columns, features[i].one) > brightness(window, columns, features[i].other))
            votes += features[i].if_brighter;
        else
            votes += features[i].if_not;
        if (i + 1 < stages[stage + 1].first)
            continue;
        if (votes < stages[stage].threshold)
            return stage;
        votes = 0;
        stage++;
    }
    return stage;
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 64, WINDOW, 4096);
    uint32_t rows = host_option("rows", 40, WINDOW, 4096);
    uint32_t stage_count = host_option("stages", 8, 1, STAGES);
    uint64_t random = hd_option("seed", 1);

    uint8_t *picture = hd_host_alloc((size_t)columns * rows);
    for (uint32_t i = 0; i < columns * rows; i++)
        picture[i] = (uint8_t)host_random_below(&random, 256);
    cascade_classifier_stage stages[STAGES + 1];
    cascade_classifier_feature features[STAGES * (FEWEST + STAGES)];
    uint32_t count = 0;
    for (uint32_t stage = 0; stage <= stage_count; stage++) {
        stages[stage] = (cascade_classifier_stage){.first = count, .threshold = THRESHOLD};
        for (uint32_t i = 0; stage < stage_count && i < FEWEST + stage; i++)
            features[count++] = feature_random(&random);
    }

    uint32_t windows_x = columns - WINDOW + 1, windows_y = rows - WINDOW + 1, windows = windows_x * windows_y;
    cascade_classifier_args args = {
        .sums = host_upload(sums_of(picture, columns, rows), (columns + 1) * (rows + 1) * sizeof(uint32_t)),
        .stages = host_upload(stages, (stage_count + 1) * sizeof *stages),
        .features = host_upload(features, count * sizeof *features),
        .passed = host_poisoned(windows * sizeof(uint32_t)),
        .columns = columns,
        .rows = rows,
        .stage_count = stage_count};
    host_launch("cascade_classifier",
                host_blocks_2d(windows_x, windows_y, CASCADE_CLASSIFIER_BLOCK_X, CASCADE_CLASSIFIER_BLOCK_Y),
                hd_2d(CASCADE_CLASSIFIER_BLOCK_X, CASCADE_CLASSIFIER_BLOCK_Y), 0, &args, sizeof args);

    const uint32_t *passed = host_download(args.passed, windows * sizeof(uint32_t));
    uint32_t found = 0;
    for (uint32_t i = 0; i < windows; i++) {
        uint32_t expected =
            stages_passed(picture + i / windows_x * columns + i % windows_x, columns, stages, stage_count, features);
        host_check_word("passed", i, passed[i], expected);
        found += expected == stage_count;
    }
    hd_report("windows", windows);
    hd_report("found", found);
    return HD_PASS;
}
