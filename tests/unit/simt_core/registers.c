/* SPDX-License-Identifier: MIT */
/* The register file by itself: lanes of one row in place, lanes of several rows gathered and scattered, and who is told. */
#include "registers/registers.h"

#include <criterion/criterion.h>
#include <string.h>

#include "core_rig.h"
#include "hd_address.h"

#define ROWS 3u
#define LANES 4u

static register_file file_of_three_rows(void)
{
    register_file file = {0};
    cr_assert_eq(registers_create(&file, ROWS, LANES), 0);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t i = LANES; i < ISA_REGISTER_COUNT * LANES; i++)
            file.rows[row].registers[i] = row << 16 | i;
    }
    return file;
}

static uint32_t at(const register_file *file, uint32_t row, uint32_t number, uint32_t lane)
{
    return file->rows[row].registers[number * LANES + lane];
}

typedef struct told {
    uint32_t calls;
    uint32_t row;
    uint64_t registers, lanes;
} told;

static void note(void *context, lane_homes home, uint64_t registers, uint64_t lanes)
{
    told *t = context;
    *t = (told){.calls = t->calls + 1, .row = home.row, .registers = registers, .lanes = lanes};
}

Test(simt_core_registers, lanes_of_one_row_are_used_in_place)
{
    register_file file = file_of_three_rows();
    cr_expect_eq(registers_gather(&file, homes_of_row(2), UINT64_MAX, 0xF), &file.rows[2]);
    registers_destroy(&file);
}

Test(simt_core_registers, lanes_of_several_rows_execute_as_one)
{
    static const uint32_t rows[LANES] = {2, 0, 1, 2};
    const lane_homes home = {.rows = rows};
    const isa_instruction instruction = isa_decode(add(A0, A1, A2));
    register_file file = file_of_three_rows();
    file.rows[1].fcsr[2] = 0x60;
    isa_lanes *lanes = registers_gather(&file, home, instruction.reads | REGISTERS_FCSR, 0x7);
    isa_execute(&instruction, 0, lanes, 0x7);
    cr_expect_eq(lanes->fcsr[2], 0x60);
    lanes->fcsr[0] = 0x1F;
    registers_scatter(&file, home, instruction.writes | REGISTERS_FCSR, 0x7);
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t written = rows[lane] == row && lane < 3;
            cr_expect_eq(at(&file, row, A0, lane),
                         written ? at(&file, row, A1, lane) + at(&file, row, A2, lane)
                                 : (row << 16 | (A0 * LANES + lane)),
                         "row %u, lane %u", row, lane);
            cr_expect_eq(at(&file, row, A1, lane), row << 16 | (A1 * LANES + lane));
        }
    }
    cr_expect_eq(file.rows[2].fcsr[0], 0x1F);
    cr_expect_eq(file.rows[0].fcsr[0], 0);
    lanes->fcsr[1] = 0x55;
    registers_scatter(&file, home, instruction.writes, 0x7);
    cr_expect_eq(file.rows[0].fcsr[1], 0, "of an instruction without");
    registers_destroy(&file);
}

Test(simt_core_registers, floats_and_csr_instructions_have_fcsr)
{
    const struct {
        uint32_t word;
        uint64_t fcsr;
    } cases[] = {{add(A0, A1, A2), 0},
                 {lw(A0, 0, A1), 0},
                 {beq(A0, A1, 8), 0},
                 {csrr(A0, 0x001), REGISTERS_FCSR},
                 {r_type(0x53, 0, 0x00, 3, 1, 2) /* fadd.s */, REGISTERS_FCSR},
                 {r_type(0x53, 0, 0x0C, 3, 1, 2) /* fdiv.s */, REGISTERS_FCSR},
                 {r_type(0x53, 2, 0x50, A0, 1, 2) /* feq.s */, REGISTERS_FCSR},
                 {r_type(0x43, 0, 3 << 2, 4, 1, 2) /* fmadd.s */, REGISTERS_FCSR}};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const isa_instruction instruction = isa_decode(cases[i].word);
        cr_expect_eq(registers_fcsr(&instruction), cases[i].fcsr, "0x%08x", cases[i].word);
    }
}

Test(simt_core_registers, whoever_listens_is_told_of_every_write)
{
    static const uint32_t rows[LANES] = {0, 1, 0, 1};
    told t = {0};
    const hd_grid grid = {.private_bytes = 256};
    register_file file = file_of_three_rows();
    file.listener = (register_listener){.context = &t, .written = note};
    registers_scatter(&file, homes_of_row(1), UINT64_C(1) << A3, 0x5);
    cr_expect(t.calls == 1 && t.row == 1 && t.registers == UINT64_C(1) << A3 && t.lanes == 0x5);
    registers_scatter(&file, homes_of_row(1), 0, 0x5);
    registers_scatter(&file, homes_of_row(1), REGISTERS_FCSR, 0x5);
    cr_expect_eq(t.calls, 1, "an instruction without a result");
    registers_scatter(&file, (lane_homes){.rows = rows}, UINT64_C(1) << 40 | REGISTERS_FCSR, 0x3);
    cr_expect(t.calls == 2 && t.registers == UINT64_C(1) << 40 && t.lanes == 0x3);
    registers_start(&file, 2, &grid);
    cr_expect(t.calls == 3 && t.row == 2 && t.registers == ~UINT64_C(1) && t.lanes == 0xF);
    cr_expect_eq(at(&file, 2, SP, 3), HD_PRIVATE_BASE + 256);
    registers_destroy(&file);
}

Test(simt_core_registers, what_is_saved_comes_back_to_the_lanes_that_ask)
{
    static const uint32_t rows[LANES] = {2, 0, 1, 2};
    const lane_homes home = {.rows = rows};
    uint32_t words[ISA_REGISTER_COUNT * LANES];
    uint8_t fcsr[LANES];
    told t = {0};
    register_file file = file_of_three_rows();
    file.rows[0].fcsr[1] = 0x21;
    registers_save(&file, home, 0xF, words, fcsr);
    file.rows[0].fcsr[1] = 0;
    for (uint32_t row = 0; row < ROWS; row++)
        memset(file.rows[row].registers + LANES, 0xFF, (ISA_REGISTER_COUNT - 1) * LANES * sizeof(uint32_t));
    file.listener = (register_listener){.context = &t, .written = note};
    registers_restore(&file, home, 0x6, words, fcsr);
    cr_expect(t.calls == 1 && t.lanes == 0x6);
    for (uint32_t number = 1; number < ISA_REGISTER_COUNT; number++) {
        cr_expect_eq(at(&file, 0, number, 1), number * LANES + 1);
        cr_expect_eq(at(&file, 1, number, 2), UINT32_C(1) << 16 | (number * LANES + 2));
        cr_expect_eq(at(&file, 2, number, 0), UINT32_MAX);
    }
    cr_expect_eq(file.rows[0].fcsr[1], 0x21);
    registers_destroy(&file);
}

Test(simt_core_registers, a_row_passes_through_a_stream)
{
    uint8_t bytes[ISA_REGISTER_COUNT * LANES * 4];
    told t = {0};
    register_file file = file_of_three_rows();
    byte_stream out = byte_stream_writer(bytes, sizeof bytes);
    file.listener = (register_listener){.context = &t, .written = note};
    file.rows[1].fcsr[3] = 0x42;
    registers_stream(&file, 1, UINT64_MAX, &out);
    cr_expect_eq(t.calls, 0);
    byte_stream in = byte_stream_reader(bytes, out.at);
    registers_stream(&file, 0, UINT64_MAX, &in);
    cr_expect(t.calls == 1 && t.row == 0);
    cr_expect(!out.too_short && !in.too_short && in.at == out.at);
    cr_expect_arr_eq(file.rows[0].registers, file.rows[1].registers, sizeof(uint32_t) * ISA_REGISTER_COUNT * LANES);
    cr_expect_eq(file.rows[0].fcsr[3], 0x42);
    registers_destroy(&file);
}

Test(simt_core_registers, homes_are_taken_by_row)
{
    static const uint32_t rows[LANES] = {2, 0, 2, 1};
    uint64_t left = 0xE;
    const home_part first = homes_take((lane_homes){.rows = rows}, &left);
    cr_expect(first.row == 0 && first.lanes == 0x2 && left == 0xC);
    const home_part second = homes_take((lane_homes){.rows = rows}, &left);
    cr_expect(second.row == 2 && second.lanes == 0x4 && left == 0x8);
    const home_part all = homes_take(homes_of_row(5), &left);
    cr_expect(all.row == 5 && all.lanes == 0x8 && left == 0);
    cr_expect_eq(homes_lanes_of((lane_homes){.rows = rows}, 0x7, 2), 0x5);
}

/* What is in flight keeps the homes that its lanes had, until its last user lets go of them. */
Test(simt_core_registers, homes_are_kept_while_they_are_used)
{
    uint32_t rows[LANES] = {2, 0, 2, 1}, numbers[200];
    kept_homes kept;
    homes_create(&kept, ROWS, LANES);
    for (uint32_t i = 0; i < 200; i++) {
        rows[3] = i % ROWS;
        numbers[i] = homes_keep(&kept, (lane_homes){.rows = rows}, 0xB, i);
        cr_assert_geq(numbers[i], ROWS);
    }
    for (uint32_t i = 0; i < 200; i++) {
        cr_expect_eq(homes_at(&kept, numbers[i]).rows[3], i % ROWS);
        cr_expect_eq(homes_at(&kept, numbers[i]).rows[0], 2);
        cr_expect(homes_entry(&kept, numbers[i])->lanes == 0xB && homes_entry(&kept, numbers[i])->path == i);
    }
    homes_use(&kept, numbers[7]);
    homes_drop(&kept, numbers[7]);
    const uint32_t other = homes_keep(&kept, homes_of_row(1), 0x1, 0);
    cr_expect_neq(other, numbers[7], "it has a user still");
    homes_drop(&kept, numbers[7]);
    cr_expect_eq(homes_keep(&kept, homes_of_row(1), 0x1, 0), numbers[7]);
    cr_expect_eq(homes_at(&kept, 2).row, 2);
    cr_expect_null(homes_at(&kept, 2).rows);
    homes_destroy(&kept);
}

/* What is kept is taken apart once: the lanes of each row, from the lowest lane on; and of one row they are as if they had always been. */
Test(simt_core_registers, homes_that_are_kept_are_taken_apart)
{
    static const uint32_t rows[LANES] = {2, 0, 2, 1};
    kept_homes kept;
    homes_create(&kept, ROWS, LANES);
    const uint32_t several = homes_keep(&kept, (lane_homes){.rows = rows}, 0xD, 7),
                   one = homes_keep(&kept, homes_of_row(1), 0x6, 8);
    const lane_homes homes = homes_at(&kept, several);
    cr_assert(homes.rows && homes.parts);
    cr_expect(homes.parts[0].row == 2 && homes.parts[0].lanes == 0x5);
    cr_expect(homes.parts[1].row == 1 && homes.parts[1].lanes == 0x8);
    cr_expect_eq(homes.parts[2].lanes, 0);
    uint64_t left = 0xC;
    const home_part first = homes_take(homes, &left), second = homes_take(homes, &left);
    cr_expect(first.row == 2 && first.lanes == 0x4 && second.row == 1 && second.lanes == 0x8 && !left);
    cr_expect_null(homes_at(&kept, one).rows);
    cr_expect_eq(homes_row_of(homes_at(&kept, one), 2), 1);
    cr_expect_eq(homes_row_of(homes_at(&kept, several), 3), 1);
    cr_expect(homes_entry(&kept, one)->lanes == 0x6 && homes_entry(&kept, one)->path == 8 && one >= ROWS);
    homes_destroy(&kept);
}
