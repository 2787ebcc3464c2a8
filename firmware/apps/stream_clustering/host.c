/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { REACH = 64, MOST_WEIGHT = 4, MOST_DIMENSIONS = 256 };

typedef struct clustering {
    int32_t *coordinates; /* [dimensions][count] */
    stream_clustering_point *points;
    uint32_t count, dimensions;
} clustering;

static uint32_t cost_between(const clustering *c, uint32_t point, uint32_t centre)
{
    uint32_t cost = 0;
    for (uint32_t d = c->dimensions; d-- > 0;) {
        int32_t from = c->coordinates[d * c->count + point], to = c->coordinates[d * c->count + centre];
        uint32_t way = (uint32_t)(from > to ? from - to : to - from);
        cost += c->points[point].weight * way * way;
    }
    return cost;
}

/* The first points are the centres, and each point is with the nearest. */
static clustering clustering_random(uint32_t count, uint32_t dimensions, uint32_t centres, uint64_t *random)
{
    clustering c = {.coordinates = hd_host_alloc((size_t)count * dimensions * sizeof(int32_t)),
                    .points = hd_host_alloc(count * sizeof(stream_clustering_point)),
                    .count = count,
                    .dimensions = dimensions};
    for (uint32_t i = 0; i < count * dimensions; i++)
        c.coordinates[i] = (int32_t)host_random_below(random, REACH);
    for (uint32_t i = 0; i < count; i++) {
        stream_clustering_point *point = c.points + i;
        *point = (stream_clustering_point){1 + host_random_below(random, MOST_WEIGHT), UINT32_MAX, 0};
        for (uint32_t centre = 0; centre < centres; centre++) {
            uint32_t cost = cost_between(&c, i, centre);
            if (cost < point->cost) {
                point->cost = cost;
                point->centre = centre;
            }
        }
    }
    return c;
}

int hd_app_main(void)
{
    uint32_t count = host_option("points", 1024, 1, 1u << 20);
    uint32_t dimensions = host_option("dimensions", 8, 1, MOST_DIMENSIONS);
    uint32_t centres = host_option("centres", 16, 1, 256);
    uint32_t block = host_option("block", 512, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    hd_check(centres <= count, "option centres is %u; there are %u points", centres, count);

    clustering c = clustering_random(count, dimensions, centres, &random);
    stream_clustering_args args = {.coordinates =
                                       host_upload(c.coordinates, (size_t)count * dimensions * sizeof *c.coordinates),
                                   .points = host_upload(c.points, count * sizeof *c.points),
                                   .moves = host_poisoned(count * sizeof(uint32_t)),
                                   .gain = host_filled(0, sizeof(uint32_t)),
                                   .losses = host_filled(0, centres * sizeof(uint32_t)),
                                   .count = count,
                                   .dimensions = dimensions,
                                   .candidate = host_random_below(&random, count)};
    host_launch("stream_clustering", host_blocks(count, block), hd_1d(block), dimensions * (uint32_t)sizeof(int32_t),
                &args, sizeof args);

    const uint32_t *moves = host_download(args.moves, count * sizeof *moves);
    uint32_t gain = 0, *losses = hd_host_alloc(centres * sizeof *losses);
    memset(losses, 0, centres * sizeof *losses);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cost = cost_between(&c, i, args.candidate);
        host_check_word("moves", i, moves[i], cost < c.points[i].cost);
        if (moves[i])
            gain += c.points[i].cost - cost;
        else
            losses[c.points[i].centre] += cost - c.points[i].cost;
    }
    host_check_word("gain", 0, *(const uint32_t *)host_download(args.gain, sizeof gain), gain);
    const uint32_t *got = host_download(args.losses, centres * sizeof *got);
    for (uint32_t centre = 0; centre < centres; centre++)
        host_check_word("losses", centre, got[centre], losses[centre]);
    hd_report("distances", count);
    return HD_PASS;
}
