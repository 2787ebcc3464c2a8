/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"
#include "search.h"

enum { SIDE = 10000 }; /* of the square that the cities are in */

static uint32_t root(uint64_t square)
{
    uint32_t value = 0;
    for (uint32_t bit = 1u << 15; bit; bit >>= 1)
        if ((uint64_t)(value + bit) * (value + bit) <= square)
            value += bit;
    return value;
}

static uint32_t *distances(uint32_t cities, uint64_t *random)
{
    int32_t(*place)[2] = hd_host_alloc(cities * sizeof *place);
    uint32_t *distance = hd_host_alloc((size_t)cities * cities * sizeof *distance);
    for (uint32_t i = 0; i < cities; i++)
        for (uint32_t axis = 0; axis < 2; axis++)
            place[i][axis] = (int32_t)host_random_below(random, SIDE);
    for (uint32_t i = 0; i < cities; i++)
        for (uint32_t j = 0; j < cities; j++) {
            const int64_t x = place[i][0] - place[j][0], y = place[i][1] - place[j][1];
            distance[i * cities + j] = root((uint64_t)(x * x + y * y));
        }
    return distance;
}

int hd_app_main(void)
{
    static const char *const forms[] = {"lanes", "locks"}, *const kernels[] = {"tsp_lanes", "tsp_locks"};
    const uint32_t form = HOST_CHOICE("sync", hd_option_text("sync", "lanes"), forms);
    const uint32_t cities = host_option("cities", 12, 3, 1024), climbers = host_option("climbers", 192, 1, 1u << 16);
    const uint32_t block = host_option("block", 64, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    const size_t tour_bytes = (size_t)cities * climbers * sizeof(uint32_t);
    const uint32_t none = UINT32_MAX;
    const uint32_t *distance = distances(cities, &random);
    tsp_args args = {.distance = host_upload(distance, (size_t)cities * cities * sizeof *distance),
                     .tours = host_poisoned(tour_bytes),
                     .lock = host_filled(0, sizeof(uint32_t)),
                     .best = host_upload(&none, sizeof none),
                     .cities = cities,
                     .climbers = climbers};
    host_launch(kernels[form], host_blocks(climbers, block), hd_1d(block), 0, &args, sizeof args);

    const uint32_t *tours = host_download(args.tours, tour_bytes);
    const uint32_t *best = host_download(args.best, sizeof(uint32_t)),
                   *lock = host_download(args.lock, sizeof(uint32_t));
    uint32_t *own = hd_host_alloc(tour_bytes), shortest = UINT32_MAX;
    for (uint32_t i = 0; i < climbers; i++) {
        const climber c = {.distance = distance, .tour = own + i, .cities = cities, .climbers = climbers};
        const uint32_t length = climb(&c, i);
        shortest = length < shortest ? length : shortest;
    }
    for (uint32_t i = 0; i < cities * climbers; i++)
        host_check_word("tours", i, tours[i], own[i]);
    host_check_word("best", 0, *best, shortest);
    host_check_word("lock", 0, *lock, 0);
    hd_report("best", shortest);
    return HD_PASS;
}
