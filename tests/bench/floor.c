/* SPDX-License-Identifier: MIT */
#include "floor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "floor_memory.h"
#include "hd_address.h"
#include "matmul/args.h"
#include "program.h"
#include "xorshift/args.h"

enum { LANES = 32, WARPS = 32, ARRAYS = 64 << 10 /* offset of the first array in the global window */ };

struct warp {
    uint32_t pc;
    uint32_t index; /* in its block */
    uint32_t is_done;
    uint64_t mask;
    uint8_t fcsr[LANES];
    uint32_t registers[ISA_REGISTER_COUNT * LANES];
};

struct grid {
    isa_program *program;
    floor_memory *memory;
    uint32_t entry;
    uint32_t grid_size[3], block_size[3];
    uint32_t block[3]; /* index of the one that runs */
    struct warp warps[WARPS];
    floor_result result;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct reader {
    const struct grid *grid;
    const struct warp *warp;
};

static int read_csr(void *context, uint32_t csr, uint32_t lane, uint32_t *value)
{
    const struct reader *reader = context;
    const uint32_t *size = reader->grid->block_size;
    const uint32_t thread = reader->warp->index * LANES + lane;
    const uint32_t index[3] = {thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
    if (csr - ISA_CSR_THREAD_X < 3)
        *value = index[csr - ISA_CSR_THREAD_X];
    else if (csr - ISA_CSR_BLOCK_X < 3)
        *value = reader->grid->block[csr - ISA_CSR_BLOCK_X];
    else if (csr - ISA_CSR_BLOCK_SIZE_X < 3)
        *value = size[csr - ISA_CSR_BLOCK_SIZE_X];
    else
        return 1;
    return 0;
}

static int write_csr(void *context, uint32_t csr, uint32_t lane, uint32_t value)
{
    (void)context, (void)csr, (void)lane, (void)value;
    return 1;
}

static void transfer(struct warp *warp, const isa_instruction *instruction, isa_lanes *lanes)
{
    if (instruction->instruction_class == ISA_CLASS_BRANCH) {
        const uint64_t taken = isa_branch_taken(instruction, lanes, warp->mask);
        if (taken && taken != warp->mask)
            floor_fail("lanes part at 0x%08x", warp->pc);
        warp->pc += taken ? (uint32_t)instruction->immediate : 4;
        return;
    }
    if (instruction->flags & (ISA_FLAG_CALL | ISA_FLAG_RETURN)) {
        warp->is_done = instruction->flags & ISA_FLAG_RETURN ? 1 : 0;
        if (!warp->is_done)
            floor_fail("call at 0x%08x", warp->pc);
        return;
    }
    warp->pc += (uint32_t)instruction->immediate;
}

/* Up to the end of the warp, or past a barrier. */
static void run_warp(struct grid *grid, struct warp *warp)
{
    isa_lanes lanes = {.registers = warp->registers, .fcsr = warp->fcsr, .lanes = LANES};
    struct reader reader = {grid, warp};
    for (;;) {
        const isa_instruction *instruction = isa_program_at(grid->program, warp->pc);
        if (!instruction)
            floor_fail("no code at 0x%08x", warp->pc);
        grid->result.warp_instructions++;
        switch (instruction->instruction_class) {
        case ISA_CLASS_BRANCH:
        case ISA_CLASS_JUMP:
        case ISA_CLASS_JUMP_REGISTER:
            transfer(warp, instruction, &lanes);
            if (warp->is_done)
                return;
            continue;
        case ISA_CLASS_LOAD:
        case ISA_CLASS_STORE: floor_access(grid->memory, instruction, &lanes, warp->mask); break;
        case ISA_CLASS_CSR:
            if (isa_csr(instruction, &lanes, warp->mask, read_csr, write_csr, &reader))
                floor_fail("CSR at 0x%08x", warp->pc);
            break;
        case ISA_CLASS_BARRIER: warp->pc += 4; return;
        default: isa_execute(instruction, warp->pc, &lanes, warp->mask); break;
        }
        warp->pc += 4;
    }
}

static void run_block(struct grid *grid)
{
    const uint32_t threads = grid->block_size[0] * grid->block_size[1] * grid->block_size[2];
    const uint32_t warps = threads / LANES;
    for (uint32_t i = 0; i < warps; i++) {
        struct warp *warp = &grid->warps[i];
        memset(warp, 0, sizeof *warp);
        *warp = (struct warp){.pc = grid->entry, .index = i, .mask = (UINT64_C(1) << LANES) - 1};
        for (uint32_t lane = 0; lane < LANES; lane++)
            warp->registers[10 * LANES + lane] = HD_CONSTANT_BASE;
    }
    for (uint32_t left = warps; left;)
        for (uint32_t i = left = 0; i < warps; i++) {
            if (!grid->warps[i].is_done)
                run_warp(grid, &grid->warps[i]);
            left += !grid->warps[i].is_done;
        }
}

static void run_grid(struct grid *grid)
{
    const double begin = now();
    for (grid->block[1] = 0; grid->block[1] < grid->grid_size[1]; grid->block[1]++)
        for (grid->block[0] = 0; grid->block[0] < grid->grid_size[0]; grid->block[0]++)
            run_block(grid);
    grid->result.seconds = now() - begin;
    grid->result.thread_instructions = grid->result.warp_instructions * LANES;
}

static isa_program *load(const char *apps, const char *app)
{
    char path[4096], error[256];
    static uint8_t file[1 << 20];
    snprintf(path, sizeof path, "%s/%s/kernel.elf", apps, app);
    FILE *in = fopen(path, "rb");
    const size_t bytes = in ? fread(file, 1, sizeof file, in) : 0;
    if (in)
        fclose(in);
    isa_program *program = isa_program_load(file, bytes, error, sizeof error);
    if (!program)
        floor_fail("%s: %s", path, error);
    return program;
}

static struct grid *grid_new(const char *apps, const char *app, const void *arguments, size_t argument_bytes)
{
    struct grid *grid = calloc(1, sizeof *grid);
    floor_memory *memory = calloc(1, sizeof *memory);
    if (!grid || !memory)
        floor_fail("out of memory");
    grid->memory = memory;
    grid->program = load(apps, app);
    if (!isa_program_symbol(grid->program, app, &grid->entry))
        floor_fail("no kernel %s", app);
    memcpy(memory->constant, arguments, argument_bytes);
    return grid;
}

static floor_result grid_free(struct grid *grid)
{
    const floor_result result = grid->result;
    isa_program_free(grid->program);
    free(grid->memory);
    free(grid);
    return result;
}

floor_result floor_xorshift(const char *apps)
{
    const xorshift_args args = {.state = {HD_GLOBAL_BASE + ARRAYS}, .steps = 512, .threads = 8192};
    struct grid *grid = grid_new(apps, "xorshift", &args, sizeof args);
    memcpy(grid->grid_size, (uint32_t[]){args.threads / 256, 1, 1}, sizeof grid->grid_size);
    memcpy(grid->block_size, (uint32_t[]){256, 1, 1}, sizeof grid->block_size);
    uint32_t *state = (uint32_t *)(void *)(grid->memory->global + ARRAYS);
    for (uint32_t i = 0; i < args.threads; i++)
        state[i] = i + 1;
    run_grid(grid);
    for (uint32_t i = 0; i < args.threads; i++) {
        uint32_t x = i + 1;
        for (uint32_t step = 0; step < args.steps; step++)
            x = xorshift_step(x);
        if (state[i] != x)
            floor_fail("xorshift: state %u is wrong", i);
    }
    return grid_free(grid);
}

floor_result floor_matmul(const char *apps)
{
    enum { N = 128, ELEMENTS = N * N, BYTES = ELEMENTS * 4 };
    const uint32_t first = HD_GLOBAL_BASE + ARRAYS;
    const matmul_args args = {.a = {first}, .b = {first + BYTES}, .c = {first + 2 * BYTES}, .n = N};
    struct grid *grid = grid_new(apps, "matmul", &args, sizeof args);
    memcpy(grid->grid_size, (uint32_t[]){N / MATMUL_TILE, N / MATMUL_TILE, 1}, sizeof grid->grid_size);
    memcpy(grid->block_size, (uint32_t[]){MATMUL_TILE, MATMUL_TILE, 1}, sizeof grid->block_size);
    float *a = (float *)(void *)(grid->memory->global + ARRAYS);
    float *b = a + ELEMENTS;
    const float *c = b + ELEMENTS;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        a[i] = (float)(i % 17) - 8;
        b[i] = (float)(i % 13) - 6;
    }
    run_grid(grid);
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        float sum = 0; /* small whole numbers: exact in any order */
        for (uint32_t k = 0; k < N; k++)
            sum += a[i / N * N + k] * b[k * N + i % N];
        if (fabsf(c[i] - sum) > 0)
            floor_fail("matmul: element %u is wrong", i);
    }
    return grid_free(grid);
}
