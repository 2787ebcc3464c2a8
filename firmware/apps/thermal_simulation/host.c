/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

/* One step of the whole chip, without tiles. */
static void step(const float *from, const float *power, float *to, uint32_t columns, uint32_t rows)
{
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const float *cell = from + y * columns + x;
            to[y * columns + x] = thermal_simulation_cell(
                *cell, power[y * columns + x], y > 0 ? *(cell - columns) : *cell, y + 1 < rows ? cell[columns] : *cell,
                x > 0 ? cell[-1] : *cell, x + 1 < columns ? cell[1] : *cell);
        }
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 40, 1, 4096);
    uint32_t rows = host_option("rows", 40, 1, 4096);
    uint32_t steps = host_option("steps", 4, 1, 1024);
    uint32_t steps_per_launch = host_option("steps_per_launch", 2, 1, 7);
    uint64_t random = hd_option("seed", 1);

    uint32_t cells = columns * rows;
    size_t bytes = cells * sizeof(float);
    float *from = hd_host_alloc(bytes), *power = hd_host_alloc(bytes), *to = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < cells; i++) {
        from[i] = 60 + host_random_float(&random);
        power[i] = 4 + host_random_float(&random);
    }

    thermal_simulation_args args = {.power = host_upload(power, bytes),
                                    .from = host_upload(from, bytes),
                                    .to = host_poisoned(bytes),
                                    .columns = columns,
                                    .rows = rows};
    for (uint32_t done = 0; done < steps; done += args.steps) {
        args.steps = steps - done < steps_per_launch ? steps - done : steps_per_launch;
        uint32_t kept = THERMAL_SIMULATION_TILE - 2 * args.steps;
        /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
        hd_wait(host_launch("thermal_simulation", host_blocks_2d(columns, rows, kept, kept),
                            hd_2d(THERMAL_SIMULATION_TILE, THERMAL_SIMULATION_TILE),
                            THERMAL_SIMULATION_TILE * THERMAL_SIMULATION_TILE * sizeof(float), &args, sizeof args));
        hd_device_ptr last = args.to;
        args.to = args.from;
        args.from = last;
    }
    for (uint32_t done = 0; done < steps; done++) {
        step(from, power, to, columns, rows);
        memcpy(from, to, bytes);
    }

    hd_copy_from_device(to, args.from, bytes);
    for (uint32_t i = 0; i < cells; i++)
        host_check_float("temperatures", i, to[i], from[i]);
    hd_report("cells", (uint64_t)cells * steps);
    return HD_PASS;
}
