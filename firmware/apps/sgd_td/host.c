/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

typedef struct problem {
    uint32_t users, items, ratings, groups;
    sgd_rating *rating;
    uint32_t *first;      /* [groups * groups + 1] */
    float *user_features; /* [users][SGD_FEATURES] */
    float *item_features;
} problem;

/* 0 more often than 1, and so on: the smallest of three draws. */
static uint32_t draw_popular(uint64_t *random, uint32_t below)
{
    uint32_t least = host_random_below(random, below);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t other = host_random_below(random, below);
        least = other < least ? other : least;
    }
    return least;
}

/* Neighbours in number are in a group. */
static uint32_t group_of(uint32_t number, uint32_t count, uint32_t groups)
{
    return (uint32_t)((uint64_t)number * groups / count);
}

static uint32_t tile_of(const problem *p, const sgd_rating *rating)
{
    return group_of(rating->item, p->items, p->groups) * p->groups + group_of(rating->user, p->users, p->groups);
}

static void sort_by_tile(problem *p, const sgd_rating *drawn)
{
    const uint32_t tiles = p->groups * p->groups;
    p->first = hd_host_alloc((tiles + 1) * sizeof *p->first);
    for (uint32_t i = 0; i < p->ratings; i++)
        p->first[tile_of(p, &drawn[i]) + 1]++;
    for (uint32_t t = 0; t < tiles; t++)
        p->first[t + 1] += p->first[t];
    uint32_t *place = hd_host_alloc(tiles * sizeof *place);
    memcpy(place, p->first, tiles * sizeof *place);
    for (uint32_t i = 0; i < p->ratings; i++)
        p->rating[place[tile_of(p, &drawn[i])]++] = drawn[i];
    hd_host_free(place);
}

static float *draw_features(uint32_t count, uint64_t *random)
{
    float *features = hd_host_alloc((size_t)count * SGD_FEATURES * sizeof *features);
    for (uint32_t i = 0; i < count * SGD_FEATURES; i++)
        features[i] = (float)host_random_below(random, 256) / 512;
    return features;
}

static problem draw_problem(uint64_t *random)
{
    problem p = {.users = host_option("users", 256, 1, 1u << 20),
                 .items = host_option("items", 128, 1, 1u << 20),
                 .ratings = host_option("ratings", 4096, 1, 1u << 22),
                 .groups = host_option("groups", 16, 1, 512)};
    p.rating = hd_host_alloc(p.ratings * sizeof *p.rating);
    sgd_rating *drawn = hd_host_alloc(p.ratings * sizeof *drawn);
    for (uint32_t i = 0; i < p.ratings; i++)
        drawn[i] = (sgd_rating){.user = host_random_below(random, p.users),
                                .item = draw_popular(random, p.items),
                                .value = (float)(1 + host_random_below(random, 5))};
    sort_by_tile(&p, drawn);
    hd_host_free(drawn);
    p.user_features = draw_features(p.users, random);
    p.item_features = draw_features(p.items, random);
    return p;
}

static void see(const problem *p, const sgd_rating *rating)
{
    float *user = p->user_features + rating->user * SGD_FEATURES,
          *item = p->item_features + rating->item * SGD_FEATURES;
    float terms[SGD_FEATURES];
    for (uint32_t i = 0; i < SGD_FEATURES; i++)
        terms[i] = user[i] * item[i];
    for (uint32_t half = SGD_FEATURES / 2; half > 0; half /= 2)
        for (uint32_t i = 0; i < half; i++)
            terms[i] += terms[i + half];
    const float error = rating->value - terms[0];
    for (uint32_t i = 0; i < SGD_FEATURES; i++) {
        const float of_user = user[i], of_item = item[i];
        user[i] = sgd_improved(of_user, of_item, error);
        item[i] = sgd_improved(of_item, of_user, error);
    }
}

/* The same order for each user and each item as on the device. */
static void see_all(const problem *p)
{
    for (uint32_t shift = 0; shift < p->groups; shift++)
        for (uint32_t b = 0; b < p->groups; b++) {
            const uint32_t tile = b * p->groups + (b + shift) % p->groups;
            for (uint32_t i = p->first[tile]; i < p->first[tile + 1]; i++)
                see(p, &p->rating[i]);
        }
}

static void check(const char *name, hd_device_ptr got, const float *expected, uint32_t count)
{
    const float *features = host_download(got, (size_t)count * SGD_FEATURES * sizeof *features);
    for (uint32_t i = 0; i < count * SGD_FEATURES; i++)
        host_check_float(name, i, features[i], expected[i]);
}

int hd_app_main(void)
{
    uint64_t random = hd_option("seed", 1);
    const problem p = draw_problem(&random);
    const uint32_t epochs = host_option("epochs", 1, 1, 1024);
    sgd_args args = {.first = host_upload(p.first, (p.groups * p.groups + 1) * sizeof *p.first),
                     .ratings = host_upload(p.rating, p.ratings * sizeof *p.rating),
                     .users = host_upload(p.user_features, (size_t)p.users * SGD_FEATURES * sizeof(float)),
                     .items = host_upload(p.item_features, (size_t)p.items * SGD_FEATURES * sizeof(float)),
                     .groups = p.groups};
    for (uint32_t epoch = 0; epoch < epochs; epoch++) {
        for (args.shift = 0; args.shift < p.groups; args.shift++)
            hd_wait(host_launch("sgd_step", hd_1d(p.groups), hd_1d(SGD_FEATURES), (SGD_FEATURES + 1) * 4, &args,
                                sizeof args));
        see_all(&p);
    }
    check("users", args.users, p.user_features, p.users);
    check("items", args.items, p.item_features, p.items);
    hd_report("ratings", (uint64_t)p.ratings * epochs);
    return HD_PASS;
}
