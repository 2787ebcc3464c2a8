/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static nearest_neighbour_place place_random(uint64_t *random)
{
    return (nearest_neighbour_place){(int32_t)host_random_below(random, 180 * 64) - 90 * 64,
                                     (int32_t)host_random_below(random, 360 * 64) - 180 * 64};
}

static uint32_t difference(int32_t a, int32_t b)
{
    return (uint32_t)(a > b ? a - b : b - a);
}

int hd_app_main(void)
{
    uint32_t count = host_option("places", 4096, 1, 1u << 24);
    uint32_t block = host_option("block", 16, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = count * sizeof(nearest_neighbour_place);
    nearest_neighbour_place *places = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < count; i++)
        places[i] = place_random(&random);

    nearest_neighbour_args args = {.places = host_upload(places, bytes),
                                   .distances = host_poisoned(count * sizeof(uint32_t)),
                                   .nearest = host_filled(0xFF, sizeof(uint32_t)),
                                   .count = count,
                                   .target = place_random(&random)};
    host_launch("nearest_neighbour", host_blocks(count, block), hd_1d(block), 0, &args, sizeof args);

    const uint32_t *distances = host_download(args.distances, count * sizeof(uint32_t));
    const uint32_t *nearest = host_download(args.nearest, sizeof(uint32_t));
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t north = difference(places[i].latitude, args.target.latitude);
        uint32_t east = difference(places[i].longitude, args.target.longitude);
        host_check_word("distances", i, distances[i], north * north + east * east);
        if (distances[i] < least)
            least = distances[i];
    }
    host_check_word("nearest", 0, *nearest, least);
    hd_report("places", count);
    return HD_PASS;
}
