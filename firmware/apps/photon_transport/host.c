/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"
#include "common/inverse_root.h"

typedef struct body {
    uint32_t side;
    uint8_t *materials;
    photon_odds odds[PHOTON_MATERIALS][PHOTON_LEVELS];
    int32_t directions[PHOTON_DIRECTIONS][3];
    uint32_t *energies, *image; /* by the reference */
} body;

static uint32_t voxels_of(const body *b)
{
    return b->side * b->side * b->side;
}

/* A ball of tissue with pieces of bone, in air. */
static void random_materials(body *b, uint64_t *random)
{
    int32_t side = (int32_t)b->side;
    for (uint32_t i = 0; i < voxels_of(b); i++) {
        int32_t x = 2 * (int32_t)(i % b->side) - side + 1, y = 2 * (int32_t)(i / b->side % b->side) - side + 1;
        int32_t z = 2 * (int32_t)(i / b->side / b->side) - side + 1;
        b->materials[i] = x * x + y * y + z * z <= side * side ? 1 + (host_random_below(random, 8) == 0) : 0;
    }
}

/* Denser materials do more, low energies are absorbed more. */
static void set_odds(body *b)
{
    static const uint32_t density[PHOTON_MATERIALS] = {600, 22000, 52000};
    for (uint32_t material = 0; material < PHOTON_MATERIALS; material++)
        for (uint32_t level = 0; level < PHOTON_LEVELS; level++)
            b->odds[material][level] = (photon_odds){.interaction = density[material] + 1600 * (PHOTON_LEVELS - level),
                                                     .absorbed = (4000 + 2000 * material) * (PHOTON_LEVELS - level),
                                                     .scattered = 16000};
}

/* The first direction is that of the source: along z. */
static void random_directions(body *b, uint64_t *random)
{
    b->directions[0][2] = PHOTON_UNIT;
    for (uint32_t i = 1; i < PHOTON_DIRECTIONS; i++) {
        float direction[3], square = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            direction[axis] = host_random_float(random) + (axis == 2 ? 0.01f : 0);
            square += direction[axis] * direction[axis];
        }
        for (uint32_t axis = 0; axis < 3; axis++)
            b->directions[i][axis] = (int32_t)(direction[axis] * inverse_root(square) * PHOTON_UNIT);
    }
}

/* The voxel of a place, or -1 outside of the body. */
static int32_t voxel_at(const body *b, const int32_t place[3])
{
    int32_t voxel = 0;
    for (uint32_t axis = 3; axis-- > 0;) {
        if (place[axis] < 0 || place[axis] >= (int32_t)(b->side * PHOTON_UNIT))
            return -1;
        voxel = voxel * (int32_t)b->side + place[axis] / PHOTON_UNIT;
    }
    return voxel;
}

static void come_out(body *b, int32_t place[3], uint32_t energy)
{
    if (place[2] < (int32_t)(b->side * PHOTON_UNIT))
        return;
    place[2] = 0;
    if (voxel_at(b, place) >= 0)
        b->image[voxel_at(b, place)] += energy;
}

static void follow(body *b, uint32_t random)
{
    int32_t place[3] = {0};
    uint32_t energy = PHOTON_ENERGY, direction = 0;
    for (uint32_t axis = 0; axis < 2; axis++)
        place[axis] = (int32_t)(photon_random(&random) * b->side * PHOTON_UNIT >> 16);
    for (;;) {
        int32_t path = (int32_t)photon_path(photon_random(&random));
        for (uint32_t axis = 0; axis < 3; axis++)
            place[axis] += b->directions[direction][axis] * path / PHOTON_UNIT;
        int32_t voxel = voxel_at(b, place);
        if (voxel < 0) {
            come_out(b, place, energy);
            return;
        }
        const photon_odds *odds = &b->odds[b->materials[voxel]][photon_level(energy)];
        if (photon_random(&random) >= odds->interaction)
            continue;
        uint32_t kind = photon_random(&random), lost = 0;
        if (kind < odds->absorbed) {
            lost = energy;
        } else if (kind < odds->absorbed + odds->scattered) {
            lost = energy * (1 + photon_random(&random) % 7) / 16;
            direction = photon_random(&random) % PHOTON_DIRECTIONS;
            lost = energy - lost < PHOTON_LEAST ? energy : lost;
        } else {
            direction = (direction + 1) % PHOTON_DIRECTIONS;
        }
        b->energies[voxel] += lost;
        energy -= lost;
        if (!energy)
            return;
    }
}

int hd_app_main(void)
{
    body b = {.side = host_option("side", 16, 1, 64)};
    uint32_t photons = host_option("photons", 4, 1, 1u << 16);
    uint32_t block = host_option("block", 64, 1, 1024);
    uint32_t grid = host_option("grid", 8, 1, 4096);
    uint64_t random = hd_option("seed", 1);
    hd_check(!(b.side & (b.side - 1)), "option side is %u; it must be a power of two", b.side);

    uint32_t area = b.side * b.side, threads = grid * block;
    size_t image_bytes = area * sizeof(uint32_t), energy_bytes = image_bytes * b.side;
    b.materials = hd_host_alloc(voxels_of(&b));
    b.energies = hd_host_alloc(energy_bytes);
    b.image = hd_host_alloc(image_bytes);
    memset(b.energies, 0, energy_bytes);
    memset(b.image, 0, image_bytes);
    random_materials(&b, &random);
    set_odds(&b);
    random_directions(&b, &random);

    photon_args args = {.materials = host_upload(b.materials, voxels_of(&b)),
                        .odds = host_upload(b.odds, sizeof b.odds),
                        .directions = host_upload(b.directions, sizeof b.directions),
                        .energies = host_poisoned(energy_bytes),
                        .image = host_poisoned(image_bytes),
                        .side = b.side,
                        .photons = photons,
                        .seed = (uint32_t)hd_random(&random)};
    hd_wait(host_launch("photon_clear", host_blocks(voxels_of(&b), PHOTON_CLEAR_BLOCK), hd_1d(PHOTON_CLEAR_BLOCK), 0,
                        &args, sizeof args));
    host_launch("photon_transport", hd_1d(grid), hd_1d(block), 0, &args, sizeof args);

    for (uint32_t thread = 0; thread < threads; thread++)
        for (uint32_t i = 0; i < photons; i++)
            follow(&b, photon_seed(args.seed, thread, i));
    const uint32_t *energies = host_download(args.energies, energy_bytes);
    for (uint32_t i = 0; i < voxels_of(&b); i++)
        host_check_word("energies", i, energies[i], b.energies[i]);
    const uint32_t *image = host_download(args.image, image_bytes);
    for (uint32_t i = 0; i < area; i++)
        host_check_word("image", i, image[i], b.image[i]);
    hd_report("photons", (uint64_t)threads * photons);
    return HD_PASS;
}
