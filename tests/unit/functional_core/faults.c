/* SPDX-License-Identifier: MIT */
/* A program's mistakes are said in the words of the timed core. */
#include <criterion/criterion.h>
#include <string.h>

#include "core_rig.h"
#include "functional_core.h"

#define LOAD_ADDRESS(address) lui(A1, (address) + 0x800), addi(A1, A1, (int32_t)((uint32_t)(address) << 20) >> 20)
#define MOST_WORDS 12

static void fault_of(const hd_block_class *type, const uint32_t *mistake, char *text, size_t bytes)
{
    const char *const parameters[] = {NULL};
    uint32_t words[MOST_WORDS + 2];
    uint32_t count = 0;
    for (; count < MOST_WORDS && mistake[count]; count++)
        words[count] = mistake[count];
    words[count] = ret();
    words[count + 1] = 0;
    core_rig *rig = rig_create_of(type, parameters, words);
    const hd_grid grid = {.grid_size = {1, 1, 1},
                          .block_size = {40, 1, 1},
                          .scratchpad_bytes = 64,
                          .private_bytes = 1024,
                          .argument_address = DATA,
                          .argument_bytes = 64};
    kit_expect_fault(rig_kit(rig));
    rig_launch_grid(rig, &grid, (uint32_t[]){0, 0, 0}, 0);
    rig_finish(rig);
    const char *fault = kit_fault_text(rig_kit(rig));
    strncpy(text, fault ? fault : "no fault", bytes - 1);
    text[bytes - 1] = 0;
    rig_destroy(rig);
}

Test(functional_core, says_mistakes_as_the_timed_core_does)
{
    const struct {
        const char *says;
        uint32_t words[MOST_WORDS];
    } mistakes[] = {
        {"null dereference", {LOAD_ADDRESS(0x10), lw(T0, 0, A1)}},
        {"misaligned 4-byte load", {LOAD_ADDRESS(0x10000002), lw(T0, 0, A1)}},
        {"misaligned 4-byte atomic", {LOAD_ADDRESS(0x10000002), amoadd(T0, T0, A1)}},
        {"unmapped", {LOAD_ADDRESS(0x00800000), sw(T0, 0, A1)}},
        {"scratchpad overrun", {LOAD_ADDRESS(HD_SCRATCHPAD_BASE + 64), sw(T0, 0, A1)}},
        {"stack overflow", {LOAD_ADDRESS(HD_PRIVATE_BASE - 4), sw(T0, 0, A1)}},
        {"private memory overrun", {LOAD_ADDRESS(HD_PRIVATE_BASE + 1024), lw(T0, 0, A1)}},
        {"private memory takes no atomics", {amoadd(T0, T0, SP)}},
        {"private memory takes no atomics", {addi(A1, SP, -8), amoadd(T0, T0, A1)}},
        {"constant memory is read-only", {sw(T0, 0, A0)}},
        {"constant memory overrun", {lw(T0, 64, A0)}},
        {"illegal instruction", {0xFFFFFFFF}},
        {"jumped outside the code of its kernel, to 0x10008000\n  kernel kernel, pc 0x10000008",
         {LOAD_ADDRESS(0x10008000), jalr(ZERO, A1, 0)}},
        {"to 0x10008000\n  kernel kernel, pc 0x10000014",
         {LOAD_ADDRESS(0x10008000), jal(RA, 8), ret(), addi(RA, A1, 0), ret()}},
        {"return address was overwritten", {addi(RA, ZERO, 8), ret()}},
        {"illegal access to CSR 0xcc0", {csrrw(ZERO, 0xCC0, T0)}},
        {"illegal access to CSR 0x7ff", {csrr(T0, 0x7FF)}},
        {"barrier number 77", {bar_sync(77)}},
        {"divergent barrier", {csrr(T1, 0xCCC), addi(T2, ZERO, 10), blt(T1, T2, 8), bar_sync(0), addi(T0, T0, 1)}},
        {"divergent barrier", {csrr(T1, 0xCCC), addi(T2, ZERO, 10), blt(T1, T2, 8), warp_sync(), addi(T0, T0, 1)}},
        {"has no meaning", {0x0000600B /* pin.vl */}},
        {"has no meaning", {0x00000073 /* ecall */}},
        {"fcsr holds a rounding mode",
         {addi(T0, ZERO, 5), csrrw(ZERO, 0x002, T0), r_type(0x53, 7, 0, 1, 1, 1) /* fadd.s, dynamic */}},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char timed[1024], functional[1024];
        fault_of(&hd_simt_core_timed, mistakes[i].words, timed, sizeof timed);
        fault_of(&hd_simt_core_functional, mistakes[i].words, functional, sizeof functional);
        cr_expect_str_eq(functional, timed);
        cr_expect(strstr(functional, mistakes[i].says), "%s:\n%s", mistakes[i].says, functional);
    }
}

Test(functional_core, refuses_blocks_that_it_cannot_run)
{
    const uint32_t words[] = {ret(), 0};
    static const struct {
        hd_grid grid;
        const char *says;
    } blocks[] = {
        {{.block_size = {2048, 1, 1}}, "2048 threads"},
        {{.block_size = {32, 1, 1}, .scratchpad_bytes = 65536}, "65536 B of scratchpad"},
        {{.block_size = {32, 1, 1}, .module = 7}, "module 7, which is not loaded"},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        core_rig *rig = rig_create_of(&hd_simt_core_functional, (const char *const[]){NULL}, words);
        kit_expect_fault(rig_kit(rig));
        rig_launch_grid(rig, &blocks[i].grid, (uint32_t[]){0, 0, 0}, 0);
        rig_finish(rig);
        const char *text = kit_fault_text(rig_kit(rig));
        cr_assert(text && strstr(text, blocks[i].says), "%s", text);
        rig_destroy(rig);
    }
}
