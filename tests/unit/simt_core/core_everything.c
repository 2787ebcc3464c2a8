/* SPDX-License-Identifier: MIT */
#include "core_everything.h"

#include <criterion/criterion.h>

#define BLOCKS 3u
#define THREADS 96u

#define FADD 0x00107053  /* fadd.s ft0, ft0, ft1 */
#define FMADD 0x08107143 /* fmadd.s ft2, ft0, ft1, ft1 */
#define FDIV 0x181071D3  /* fdiv.s ft3, ft0, ft1 */
#define LW_CG 0x0006A32B /* lw.cg t1, 0(a3) */
#define STRIDE_LOADS 6u

typedef struct writer {
    uint32_t words[256];
    uint32_t count;
} writer;

static void put(writer *w, uint32_t word)
{
    cr_assert_lt(w->count, sizeof w->words / sizeof *w->words - 1);
    w->words[w->count++] = word;
}

static void indices(writer *w)
{
    put(w, add(S0, RA, ZERO));
    put(w, csrr(T0, 0xCC0));
    put(w, slli(T1, T0, 2));
    put(w, lui(A3, DATA));
    put(w, add(A3, A3, T1)); /* own word */
    put(w, slli(T1, T0, 3));
    put(w, lui(A4, HD_SCRATCHPAD_BASE));
    put(w, add(A4, A4, T1)); /* own two words of the scratchpad: two lanes to a bank */
    put(w, slli(T1, T0, 7));
    put(w, lui(A5, DATA + 0x8000));
    put(w, add(A5, A5, T1)); /* own line */
    put(w, lui(A6, DATA + 0x4000));
}

static void lanes_part(writer *w)
{
    put(w, csrr(T1, 0xCCC)); /* lanes leave a loop one by one */
    put(w, addi(T1, T1, -1));
    put(w, blt(ZERO, T1, -4));
    put(w, csrr(T1, 0xCCC)); /* the first ten go one way, the others another */
    put(w, addi(T2, ZERO, 10));
    put(w, blt(T1, T2, 12));
    put(w, mul(A1, T0, T0));
    put(w, jal(ZERO, 8));
    put(w, divu(A1, T0, T2));
    put(w, addi(T2, ZERO, 20)); /* and here the side with fewer lanes is the other one */
    put(w, blt(T1, T2, 12));
    put(w, mul(A1, A1, T0));
    put(w, jal(ZERO, 8));
    put(w, addi(A1, A1, 1));
    put(w, warp_sync());
}

static void arithmetic(writer *w)
{
    for (uint32_t i = 0; i < 4; i++) {
        put(w, mul(T1, T0, T2));
        put(w, mul(T2, T0, T2));
        put(w, divu(A1, T0, T2));
        put(w, divu(A2, T0, T2));
        put(w, FADD);
        put(w, FMADD);
        put(w, FDIV);
        put(w, FDIV | 1 << 7 << 2);              /* ft7 */
        put(w, r_type(0x53, 0, 0x70, 28, 2, 0)); /* fmv.x.w t3, ft2 */
        put(w, r_type(0x53, 0, 0x70, 29, 3, 0)); /* fmv.x.w t4, ft3 */
        put(w, vote_any(A1, T1));
        put(w, add(A1, A1, A1));
    }
}

static void global_memory(writer *w)
{
    put(w, lw(T1, 0, A0)); /* constant */
    put(w, andi(A1, T0, 31));
    put(w, slli(A1, A1, 3));
    put(w, add(A1, A0, A1));
    put(w, lw(A1, 0, A1)); /* another constant for each lane */
    put(w, LW_CG);
    put(w, lw(T2, 0, A3));
    put(w, lw(A1, 0, A6)); /* the same line for all warps, which one of them stores to */
    put(w, sw(T1, 4, A6));
    for (uint32_t i = 0; i < STRIDE_LOADS; i++)
        put(w, lw(T1 + i % 2, (int32_t)(4 * i), A5));
    put(w, lw(T1, 0, A3));
    put(w, sw(T1, 0, A3));
    put(w, amoadd(T1, T0, A6));
    put(w, amoswap_acquire(T1, T0, A3));
    put(w, lw(T2, 0, A3));
    put(w, fence());
    put(w, lw(T2, 0, A3));
    put(w, lw(T2, 0, A6));
}

static void own_memory(writer *w)
{
    for (int32_t i = 1; i <= 8; i++)
        put(w, sw(T0, -4 * i, SP));
    for (int32_t i = 1; i <= 8; i++)
        put(w, lw(T1 + (uint32_t)i % 2, -4 * i, SP));
    put(w, sw(T0, 0, A4));
    put(w, bar_sync(0));
    put(w, lw(T1, 4, A4));
    put(w, amoadd(T1, T0, A4));
    put(w, add(T1, T1, T1));
    put(w, bar_sync(1));
}

core_rig *everything_create(const char *const *parameters)
{
    writer w = {.count = 0};
    indices(&w);
    lanes_part(&w);
    put(&w, jal(RA, 12));
    put(&w, add(RA, S0, ZERO));
    put(&w, ret());
    put(&w, add(S1, RA, ZERO));
    arithmetic(&w);
    global_memory(&w);
    own_memory(&w);
    put(&w, csrr(T1, 0xCCD)); /* the last warp ends, the others meet once more */
    put(&w, addi(T2, ZERO, 2));
    put(&w, beq(T1, T2, 8));
    put(&w, bar_sync(2));
    put(&w, ret());
    return rig_create(parameters, w.words);
}

void everything_launch(core_rig *rig)
{
    hd_grid grid = {.grid_size = {BLOCKS, 1, 1},
                    .block_size = {THREADS, 1, 1},
                    .scratchpad_bytes = THREADS * 8,
                    .private_bytes = 128,
                    .argument_address = DATA + 0x5000,
                    .argument_bytes = 256};
    for (uint32_t block = 0; block < BLOCKS; block++)
        rig_launch_grid(rig, &grid, (uint32_t[]){block, 0, 0}, kit_now(rig_kit(rig)));
}
