/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "checks.h"
#include "common/transactional.h"

static const char *const kernels[][2] = {[HOST_TM] = {"cloth_tm", "cloth_tm_preloaded"},
                                         [HOST_LOCKS] = {"cloth_locks", "cloth_locks_preloaded"},
                                         [HOST_COARSE] = {"cloth_coarse", NULL},
                                         [HOST_SERIAL] = {"cloth_serial", NULL}};

static cloth read_cloth(void)
{
    cloth c = {.garments = host_option("garments", 1, 1, 4096),
               .around = host_option("around", 43, 3, 200),
               .height = host_option("height", 34, 2, 100),
               .is_in_pairs = host_option("pairs", 0, 0, 1)};
    c.particles = c.around * c.height;
    c.constraints = c.is_in_pairs ? c.around / 2 * c.height : c.around * (3 * c.height - 2);
    return c;
}

static void upload_particles(const cloth *c, const cloth_args *args)
{
    const size_t bytes = (size_t)c->garments * c->particles * args->particle_bytes;
    uint8_t *image = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < c->garments * c->particles; i++)
        memcpy(&image[(size_t)i * args->particle_bytes], &c->particle[i], sizeof *c->particle);
    hd_copy_to_device(args->particles, image, bytes);
    hd_host_free(image);
}

static cloth_particle *download_particles(const cloth *c, const cloth_args *args)
{
    const uint32_t count = c->garments * c->particles;
    uint8_t *image = host_download(args->particles, (size_t)count * args->particle_bytes);
    cloth_particle *particles = hd_host_alloc(count * sizeof *particles);
    for (uint32_t i = 0; i < count; i++)
        memcpy(&particles[i], &image[(size_t)i * args->particle_bytes], sizeof *particles);
    hd_host_free(image);
    return particles;
}

static void check_order(const cloth *c, const cloth_particle *result)
{
    cloth_particle *expected = hd_host_alloc((size_t)c->garments * c->particles * sizeof *expected);
    memcpy(expected, c->particle, (size_t)c->garments * c->particles * sizeof *expected);
    for (uint32_t i = 0; i < c->garments * c->constraints; i++) {
        const cloth_constraint *one = &c->constraint[i];
        cloth_hold(one->rest, one->longest, &expected[one->a], &expected[one->b]);
    }
    for (uint32_t i = 0; i < c->garments * c->particles; i++) {
        host_check_float("x", i, result[i].x, expected[i].x);
        host_check_float("y", i, result[i].y, expected[i].y);
        host_check_float("z", i, result[i].z, expected[i].z);
    }
}

static void check_garments(const cloth *c, const cloth_particle *result)
{
    cloth_constraint *order = hd_host_alloc(c->constraints * sizeof *order);
    cloth_particle *particles = hd_host_alloc((size_t)c->garments * c->particles * sizeof *particles);
    for (uint32_t g = 0; g < c->garments; g++) {
        cloth_check_momentum(c, g, result);
        cloth_check_residual(c, g, result, cloth_serial_residual(c, g, order, particles));
    }
}

int hd_app_main(void)
{
    const char *sync = hd_option_text("sync", "locks");
    uint32_t form = host_form(sync);
    uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    uint32_t preload = host_option("preload", 0, 0, 1);
    uint32_t block = host_option("block", 512, 1, 1024);
    uint32_t grid = host_option("grid", 118, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);
    cloth c = read_cloth();
    hd_check(kernels[form][preload], "option preload is 1; with sync %s it must be 0", sync);

    const uint32_t count = c.garments * c.constraints, particles = c.garments * c.particles;
    cloth_args args = {.particle_bytes = is_padded ? GRANULE_BYTES : sizeof(cloth_particle), .count = count};
    args.constraints = hd_malloc((size_t)count * sizeof(cloth_constraint));
    args.particles = hd_malloc((size_t)particles * args.particle_bytes);
    args.locks = host_filled(0, (size_t)particles * sizeof(uint32_t));
    cloth_draw(&c, &random);
    hd_copy_to_device(args.constraints, c.constraint, count * sizeof *c.constraint);
    upload_particles(&c, &args);
    host_launch(kernels[form][preload], hd_1d(form == HOST_SERIAL ? 1 : grid), hd_1d(form == HOST_SERIAL ? 1 : block),
                0, &args, sizeof args);

    cloth_particle *result = download_particles(&c, &args);
    uint32_t *locks = host_download(args.locks, particles * sizeof *locks);
    for (uint32_t i = 0; i < particles; i++)
        host_check_word("locks", i, locks[i], 0);
    if (form == HOST_SERIAL || c.is_in_pairs)
        check_order(&c, result);
    check_garments(&c, result);
    hd_report("particles", particles);
    hd_report("constraints", count);
    return HD_PASS;
}
