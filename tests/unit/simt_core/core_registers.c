/* SPDX-License-Identifier: MIT */
/* Whoever listens to the register file of a core is told of every register that changes: a copy kept from that is the file. */
#include "core.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core_everything.h"
#include "core_random_program.h"
#include "core_rig.h"

static const char *const defaults[] = {NULL};

typedef struct mirror {
    const register_file *file;
    uint32_t *words; /* [row][64][lane] */
    uint64_t calls;
} mirror;

static void copy_written(void *context, lane_homes home, uint64_t registers, uint64_t lanes)
{
    mirror *m = context;
    const size_t row = (size_t)home.row * ISA_REGISTER_COUNT * m->file->lanes;
    cr_assert_null(home.rows);
    m->calls++;
    for (; registers; registers &= registers - 1) {
        const size_t from = row + (size_t)__builtin_ctzll(registers) * m->file->lanes;
        for (uint64_t left = lanes; left; left &= left - 1) {
            const size_t at = from + (size_t)__builtin_ctzll(left);
            m->words[at] = m->file->registers[at];
        }
    }
}

static void listen(core_rig *rig, mirror *m)
{
    simt_core *core = (simt_core *)kit_instance(rig_kit(rig));
    *m = (mirror){.file = &core->registers,
                  .words = calloc((size_t)core->warp_count * ISA_REGISTER_COUNT * core->lane_count, sizeof *m->words)};
    core->registers.listener = (register_listener){.context = m, .written = copy_written};
}

static void expect_copy(core_rig *rig, mirror *m, const char *what)
{
    const simt_core *core = (const simt_core *)kit_instance(rig_kit(rig));
    const size_t bytes = (size_t)core->warp_count * ISA_REGISTER_COUNT * core->lane_count * sizeof *m->words;
    cr_expect_gt(m->calls, 20);
    cr_expect_eq(memcmp(m->words, m->file->registers, bytes), 0, "%s", what);
    free(m->words);
    rig_destroy(rig);
}

Test(simt_core_registers, a_listener_misses_no_write_of_random_programs)
{
    static uint32_t words[RANDOM_WORDS];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const hd_grid grid = {
            .grid_size = {2, 1, 1}, .block_size = {70, 1, 1}, .scratchpad_bytes = 70 * 4 + 32, .private_bytes = 128};
        mirror m;
        random_program(seed, words);
        core_rig *rig = rig_create(defaults, words);
        listen(rig, &m);
        for (uint32_t block = 0; block < 2; block++)
            rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, 0);
        rig_finish(rig);
        expect_copy(rig, &m, "a random program");
    }
}

Test(simt_core_registers, a_listener_misses_no_write_of_a_program_with_everything)
{
    mirror m;
    core_rig *rig = everything_create(defaults);
    listen(rig, &m);
    everything_launch(rig);
    rig_finish(rig);
    expect_copy(rig, &m, "everything");
}

Test(simt_core_registers, a_listener_is_told_of_what_a_jump_leaves)
{
    const uint32_t words[] = {jal(T1, 4), ret(), 0};
    mirror m;
    core_rig *rig = rig_create(defaults, words);
    listen(rig, &m);
    rig_launch(rig, 1024, 0);
    rig_finish(rig);
    expect_copy(rig, &m, "a jump");
}
