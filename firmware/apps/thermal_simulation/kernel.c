/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

enum { LAST = THERMAL_SIMULATION_TILE - 1 };

/* Tiles overlap by what they lose. Beyond the border of the chip it is as warm as at the border. */
SIMT_KERNEL(thermal_simulation, const thermal_simulation_args *args)
{
    float(*tile)[THERMAL_SIMULATION_TILE] = (float(*)[THERMAL_SIMULATION_TILE])simt_scratchpad;
    uint32_t steps = args->steps, kept = THERMAL_SIMULATION_TILE - 2 * steps;
    uint32_t tile_x = simt_thread_x(), tile_y = simt_thread_y();
    uint32_t x = simt_block_x() * kept + tile_x - steps, y = simt_block_y() * kept + tile_y - steps;
    uint32_t is_on_chip = x < args->columns && y < args->rows; /* below 0 is far above */
    uint32_t cell = y * args->columns + x;
    float power = 0;
    if (is_on_chip) {
        tile[tile_y][tile_x] = HD_POINTER(const float, args->from)[cell];
        power = HD_POINTER(const float, args->power)[cell];
    }
    uint32_t left = x == 0 ? tile_x : tile_x - 1, right = x == args->columns - 1 ? tile_x : tile_x + 1;
    uint32_t up = y == 0 ? tile_y : tile_y - 1, down = y == args->rows - 1 ? tile_y : tile_y + 1;
    simt_barrier();

    float own = 0;
    uint32_t is_valid = 0;
#pragma GCC unroll 1
    for (uint32_t step = 1; step <= steps; step++) {
        is_valid = is_on_chip && tile_x >= step && tile_x <= LAST - step && tile_y >= step && tile_y <= LAST - step;
        if (is_valid)
            own = thermal_simulation_cell(tile[tile_y][tile_x], power, tile[up][tile_x], tile[down][tile_x],
                                          tile[tile_y][left], tile[tile_y][right]);
        simt_barrier();
        if (is_valid)
            tile[tile_y][tile_x] = own;
        simt_barrier();
    }
    if (is_valid)
        HD_POINTER(float, args->to)[cell] = own;
}
