/* SPDX-License-Identifier: MIT */
#include "registers.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "warp_place.h"

#define ALL_REGISTERS UINT64_MAX /* and fcsr; x0 is 0 everywhere */

int registers_create(register_file *file, uint32_t rows, uint32_t lanes)
{
    const size_t all = (size_t)(rows + 1) * lanes; /* the last row gathers */
    file->lanes = lanes;
    file->rows = calloc(rows + 1, sizeof *file->rows);
    file->registers = rows_allocate(all * ISA_REGISTER_COUNT, sizeof *file->registers);
    file->fcsr = calloc(all, sizeof *file->fcsr);
    if (!file->rows || !file->registers || !file->fcsr)
        return -1;
    for (size_t row = 0; row <= rows; row++)
        file->rows[row] = (isa_lanes){.registers = file->registers + row * ISA_REGISTER_COUNT * lanes,
                                      .fcsr = file->fcsr + row * lanes,
                                      .lanes = lanes};
    file->gathered = &file->rows[rows];
    return 0;
}

void registers_destroy(register_file *file)
{
    free(file->rows);
    rows_free(file->registers);
    free(file->fcsr);
}

/* One register after the other, since that is how they lie. */
isa_lanes *registers_gather_rows(const register_file *file, lane_homes homes, uint64_t registers, uint64_t mask)
{
    const size_t row = (size_t)ISA_REGISTER_COUNT * file->lanes;
    for (uint64_t of = registers & ~REGISTERS_FCSR; of; of &= of - 1) {
        const size_t number = (size_t)__builtin_ctzll(of) * file->lanes;
        const uint32_t *from = file->registers + number;
        uint32_t *to = file->gathered->registers + number;
        for (uint64_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            to[lane] = from[homes.rows[lane] * row + lane];
        }
    }
    for (uint64_t left = registers & REGISTERS_FCSR ? mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        file->gathered->fcsr[lane] = file->rows[homes.rows[lane]].fcsr[lane];
    }
    return file->gathered;
}

void registers_scatter_rows(const register_file *file, lane_homes homes, uint64_t registers, uint64_t mask)
{
    const size_t row = (size_t)ISA_REGISTER_COUNT * file->lanes;
    for (uint64_t of = registers & ~REGISTERS_FCSR; of; of &= of - 1) {
        const size_t number = (size_t)__builtin_ctzll(of) * file->lanes;
        const uint32_t *from = file->gathered->registers + number;
        uint32_t *to = file->registers + number;
        for (uint64_t left = mask; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            to[homes.rows[lane] * row + lane] = from[lane];
        }
    }
    for (uint64_t left = registers & REGISTERS_FCSR ? mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        file->rows[homes.rows[lane]].fcsr[lane] = file->gathered->fcsr[lane];
    }
}

static uint64_t all_lanes(const register_file *file)
{
    return file->lanes == 64 ? UINT64_MAX : (UINT64_C(1) << file->lanes) - 1;
}

void registers_start(const register_file *file, uint32_t row, const hd_grid *grid)
{
    const lane_homes homes = homes_of_row(row);
    warp_start_registers(&file->rows[row], grid);
    registers_scatter(file, homes, ALL_REGISTERS, all_lanes(file));
}

void registers_stream(const register_file *file, uint32_t row, uint64_t registers, byte_stream *stream)
{
    const isa_lanes *lanes = &file->rows[row];
    byte_stream_bytes(stream, lanes->fcsr, lanes->lanes);
    for (uint64_t left = registers & ~REGISTERS_FCSR; left; left &= left - 1) {
        uint32_t *values = lanes->registers + (size_t)__builtin_ctzll(left) * lanes->lanes;
        for (uint32_t lane = 0; lane < lanes->lanes; lane++)
            byte_stream_u32(stream, &values[lane]);
    }
    if (stream->from)
        registers_scatter(file, homes_of_row(row), registers | REGISTERS_FCSR, all_lanes(file));
}

void registers_save(const register_file *file, lane_homes homes, uint64_t mask, uint32_t *words, uint8_t *fcsr)
{
    const isa_lanes *lanes = registers_gather(file, homes, ALL_REGISTERS, mask);
    memcpy(words, lanes->registers, (size_t)ISA_REGISTER_COUNT * lanes->lanes * sizeof *words);
    memcpy(fcsr, lanes->fcsr, lanes->lanes);
}

void registers_restore(const register_file *file, lane_homes homes, uint64_t mask, const uint32_t *words,
                       const uint8_t *fcsr)
{
    isa_lanes *lanes = registers_gather(file, homes, 0, mask);
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++)
            lanes->registers[number * lanes->lanes + lane] = words[number * lanes->lanes + lane];
        lanes->fcsr[lane] = fcsr[lane];
    }
    registers_scatter(file, homes, ALL_REGISTERS, mask);
}

void registers_transfer(const register_file *file, uint32_t row, const hd_state_stream *stream)
{
    const isa_lanes *lanes = &file->rows[row];
    HD_STATE_ARRAY(stream, lanes->registers, (size_t)ISA_REGISTER_COUNT * lanes->lanes);
    HD_STATE_ARRAY(stream, lanes->fcsr, lanes->lanes);
}
