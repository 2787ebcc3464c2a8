/* SPDX-License-Identifier: MIT */
/* The reference goes layer by layer over all columns; and no water may be lost. */
#include "args.h"
#include "common/host_check.h"

typedef cloud_microphysics_layer layer;

static layer layer_random(uint32_t height, uint64_t *random)
{
    int32_t temperature = 2950 - 60 * (int32_t)height + (int32_t)host_random_below(random, 100);
    int32_t holds = cloud_microphysics_saturation(temperature);
    uint32_t weather = host_random_below(random, 4);
    return (layer){.temperature = temperature,
                   .vapour = holds / 2 + (int32_t)host_random_below(random, (uint32_t)holds),
                   .cloud = weather > 1 ? (int32_t)host_random_below(random, 2000) : 0,
                   .rain = weather > 2 ? (int32_t)host_random_below(random, 1000) : 0};
}

/* The layer after a step with this rain from above. Returns what falls out of it. */
static int32_t layer_step(layer *l, int32_t falling)
{
    int32_t rain = l->rain + falling, lacking = cloud_microphysics_saturation(l->temperature) - l->vapour;
    int32_t cloud = l->cloud, water = l->vapour + cloud + rain, gone = 0, before;
    if (lacking < 0)
        cloud += -lacking / 2;
    else {
        cloud = lacking / 2 < cloud ? cloud - lacking / 2 : 0;
        if (cloud == 0 && rain > 0) {
            int32_t dry = (lacking - l->cloud) / 8;
            gone = dry < rain ? dry : rain;
        }
    }
    rain -= gone;
    int32_t vapour = water - cloud - rain;
    l->temperature -= (vapour - l->vapour) / CLOUD_MICROPHYSICS_HEAT;
    l->vapour = vapour;

    uint32_t is_cold = l->temperature < CLOUD_MICROPHYSICS_FREEZING;
    before = cloud;
    if (cloud > CLOUD_MICROPHYSICS_CLOUD_HOLDS)
        cloud -= (cloud - CLOUD_MICROPHYSICS_CLOUD_HOLDS) / 4;
    cloud -= rain / 16 < cloud / 2 ? rain / 16 : cloud / 2;
    int32_t collected = (before - cloud) / (is_cold ? 2 : 1);
    l->cloud = before - collected;
    rain += collected;
    int32_t leaves = rain / (is_cold ? 4 : 2);
    l->rain = rain - leaves;
    return leaves;
}

static int64_t water_in(const layer *layers, uint32_t count)
{
    int64_t water = 0;
    for (uint32_t i = 0; i < count; i++)
        water += layers[i].vapour + layers[i].cloud + layers[i].rain;
    return water;
}

static void check_layers(const layer *got, const layer *expected, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        host_check_word("temperature", i, (uint32_t)got[i].temperature, (uint32_t)expected[i].temperature);
        host_check_word("vapour", i, (uint32_t)got[i].vapour, (uint32_t)expected[i].vapour);
        host_check_word("cloud", i, (uint32_t)got[i].cloud, (uint32_t)expected[i].cloud);
        host_check_word("rain", i, (uint32_t)got[i].rain, (uint32_t)expected[i].rain);
    }
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 24, 1, 1024);
    uint32_t rows = host_option("rows", 24, 1, 1024);
    uint32_t layer_count = host_option("layers", 8, 1, 64);
    uint32_t steps = host_option("steps", 2, 1, 256);
    uint64_t random = hd_option("seed", 1);

    uint32_t area = columns * rows, count = area * layer_count;
    layer *layers = hd_host_alloc(count * sizeof *layers);
    for (uint32_t i = 0; i < count; i++)
        layers[i] = layer_random(layer_count - 1 - i / area, &random);
    int64_t water = water_in(layers, count);

    cloud_microphysics_args args = {.layers = host_upload(layers, count * sizeof *layers),
                                    .fallen = host_poisoned(area * sizeof(int32_t)),
                                    .columns = columns,
                                    .rows = rows,
                                    .layer_count = layer_count,
                                    .steps = steps};
    host_launch("cloud_microphysics",
                host_blocks_2d(columns, rows, CLOUD_MICROPHYSICS_BLOCK_X, CLOUD_MICROPHYSICS_BLOCK_Y),
                hd_2d(CLOUD_MICROPHYSICS_BLOCK_X, CLOUD_MICROPHYSICS_BLOCK_Y), 0, &args, sizeof args);

    int32_t *fallen = hd_host_alloc(area * sizeof *fallen), *falling = hd_host_alloc(area * sizeof *falling);
    memset(fallen, 0, area * sizeof *fallen);
    for (uint32_t step = 0; step < steps; step++) {
        memset(falling, 0, area * sizeof *falling);
        for (uint32_t i = 0; i < count; i++)
            falling[i % area] = layer_step(layers + i, falling[i % area]);
        for (uint32_t i = 0; i < area; i++)
            fallen[i] += falling[i];
    }

    const layer *got = host_download(args.layers, count * sizeof *got);
    check_layers(got, layers, count);
    const int32_t *got_fallen = host_download(args.fallen, area * sizeof *got_fallen);
    water -= water_in(got, count);
    for (uint32_t i = 0; i < area; i++) {
        host_check_word("fallen", i, (uint32_t)got_fallen[i], (uint32_t)fallen[i]);
        water -= got_fallen[i];
    }
    hd_check(water == 0, "%lld mg of water are lost", (long long)water);
    hd_report("layers", (uint64_t)count * steps);
    return HD_PASS;
}
