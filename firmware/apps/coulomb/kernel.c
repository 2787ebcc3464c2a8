/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(coulomb, const coulomb_args *args)
{
    uint32_t column = simt_block_x() * COULOMB_BLOCK_X + simt_thread_x();
    uint32_t row = simt_block_y() * COULOMB_BLOCK_Y + simt_thread_y();
    if (column >= args->columns || row >= args->rows)
        return;
    HD_POINTER(float, args->potentials)
    [row * args->columns + column] =
        coulomb_potential(HD_POINTER(const coulomb_charge, args->charges), args->count, column, row);
}
