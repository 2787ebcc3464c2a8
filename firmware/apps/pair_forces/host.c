/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* Half the side of a cube in which so many in 100 of all pairs are near: fewer, the larger it is. */
static uint32_t side_for(uint32_t near)
{
    return 560 + 60 * (100 - near) / 10;
}

static pair_forces_vector place_random(uint64_t *random, uint32_t side)
{
    return (pair_forces_vector){(int32_t)host_random_below(random, 2 * side),
                                (int32_t)host_random_below(random, 2 * side),
                                (int32_t)host_random_below(random, 2 * side)};
}

int hd_app_main(void)
{
    uint32_t particles = host_option("particles", 1024, 1, 1u << 22);
    uint32_t pairs = host_option("pairs", 24, 1, 256);
    uint32_t near = host_option("near", 40, 1, 99);
    uint32_t spread = host_option("spread", 4194304, 1, 1u << 22);
    uint32_t block = host_option("block", 64, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t bytes = particles * sizeof(pair_forces_vector), first_bytes = (particles + 1) * sizeof(uint32_t);
    pair_forces_vector *places = hd_host_alloc(bytes);
    uint32_t *first = hd_host_alloc(first_bytes);
    uint32_t *others = hd_host_alloc((size_t)particles * 2 * pairs * sizeof *others);
    first[0] = 0;
    for (uint32_t i = 0; i < particles; i++) {
        places[i] = place_random(&random, side_for(near));
        first[i + 1] = first[i] + 1 + host_random_below(&random, 2 * pairs - 1);
        for (uint32_t p = first[i]; p < first[i + 1]; p++)
            others[p] = (i + host_random_below(&random, spread < particles ? spread : particles)) % particles;
    }

    pair_forces_args args = {.places = host_upload(places, bytes),
                             .first = host_upload(first, first_bytes),
                             .others = host_upload(others, first[particles] * sizeof *others),
                             .forces = host_poisoned(bytes),
                             .particles = particles};
    host_launch("pair_forces", host_blocks(particles, block), hd_1d(block), 0, &args, sizeof args);

    const pair_forces_vector *forces = host_download(args.forces, bytes);
    for (uint32_t i = 0; i < particles; i++) {
        pair_forces_vector expected = pair_forces_of(places, first, others, i);
        host_check_word("x", i, (uint32_t)forces[i].x, (uint32_t)expected.x);
        host_check_word("y", i, (uint32_t)forces[i].y, (uint32_t)expected.y);
        host_check_word("z", i, (uint32_t)forces[i].z, (uint32_t)expected.z);
    }
    hd_report("pairs", first[particles]);
    return HD_PASS;
}
