/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(call) cr_assert_eq((call), HEDDLE_OK, "%s: %s", #call, heddle_message())

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(1 << 20);
    cr_assert(file && text, "%s", path);
    *bytes = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

kernelc_output bench_compile(const char *path, const char *options)
{
    kernelc_output made;
    kernelc_input input = {.name = path, .options = options, .cache = ""};
    char *text = read_file(path, &input.bytes);
    input.data = text;
    input.is_spirv = strstr(path, ".spv") != NULL;
    const kernelc_outcome outcome = heddle_kernelc_compile(&input, &made);
    cr_assert_eq(outcome, KERNELC_DONE, "%s: %s", path, made.log ? made.log : "");
    free(text);
    return made;
}

bench bench_open_with(const bench_machine *on, const char *path, const heddle_callbacks *callbacks)
{
    bench b = {0};
    char error[256];
    size_t count = 0;
    while (on->overrides[count])
        count++;
    const heddle_settings settings = {.struct_bytes = sizeof settings,
                                      .netlist = on->netlist,
                                      .overrides = on->overrides,
                                      .override_count = count,
                                      .callbacks = *callbacks};
    kernelc_output made = bench_compile(path, NULL);
    REQUIRE(heddle_open(&settings, &b.machine));
    REQUIRE(heddle_load_image(b.machine, made.image, made.bytes));
    REQUIRE(heddle_default_queue(b.machine, &b.queue));
    cr_assert_eq(heddle_kernelc_kernels(made.image, made.bytes, &b.kernels, error, sizeof error), KERNELC_DONE, "%s",
                 error);
    heddle_kernelc_free(&made);
    return b;
}

bench bench_open(const bench_machine *on, const char *path)
{
    return bench_open_with(on, path, &(heddle_callbacks){0});
}

void bench_close(bench *b)
{
    heddle_kernelc_kernels_free(&b->kernels);
    REQUIRE(heddle_close(b->machine));
}

heddle_address bench_buffer(bench *b, const void *data, size_t bytes)
{
    heddle_address address;
    REQUIRE(heddle_allocate(b->machine, bytes, &address));
    if (data)
        REQUIRE(heddle_copy_to_device(b->machine, address, data, bytes));
    else
        REQUIRE(heddle_fill(b->machine, address, 0, bytes));
    return address;
}

void bench_read(bench *b, void *data, heddle_address from, size_t bytes)
{
    REQUIRE(heddle_copy_from_device(b->machine, data, from, bytes));
}

static const kernelc_kernel *kernel_named(const bench *b, const char *name)
{
    for (uint32_t i = 0; i < b->kernels.count; i++)
        if (!strcmp(b->kernels.kernels[i].name, name))
            return &b->kernels.kernels[i];
    cr_assert_fail("no kernel %s", name);
    return NULL;
}

/* Fills the block as kernel_format.h says. Returns how much local memory that takes. */
static uint32_t fill_block(uint8_t *block, const kernelc_kernel *kernel, const bench_sizes *sizes,
                           const bench_value *values)
{
    kernelc_launch_header header = {.work_dimensions = sizes->dimensions};
    uint32_t local = kernel->local_bytes;
    memcpy(header.global_offset, sizes->offset, sizeof header.global_offset);
    memcpy(block, &header, sizeof header);
    for (uint32_t i = 0; i < kernel->argument_count; i++) {
        const kernelc_argument *argument = &kernel->arguments[i];
        if (argument->space == KERNELC_LOCAL) {
            local = (local + KERNELC_LOCAL_ALIGNMENT - 1) / KERNELC_LOCAL_ALIGNMENT * KERNELC_LOCAL_ALIGNMENT;
            const uint32_t place = KERNELC_LOCAL_BASE + local;
            memcpy(block + argument->offset, &place, sizeof place);
            local += (uint32_t)values[i].bytes;
        } else {
            cr_assert_eq(values[i].bytes, argument->bytes, "argument %s", argument->name);
            memcpy(block + argument->offset, values[i].data, values[i].bytes);
        }
    }
    return local;
}

uint64_t bench_launch(bench *b, const char *name, const bench_sizes *sizes, const bench_value *values, uint32_t count)
{
    uint8_t block[4096] = {0};
    uint32_t launch;
    heddle_kernel *kernel;
    heddle_launch_record record;
    const kernelc_kernel *of = kernel_named(b, name);
    cr_assert_eq(of->argument_count, count, "%s", name);
    heddle_size size = {.scratchpad_bytes = fill_block(block, of, sizes, values)};
    memcpy(size.grid, sizes->groups, sizeof size.grid);
    memcpy(size.block, sizes->group, sizeof size.block);
    REQUIRE(heddle_kernel_named(b->machine, name, &kernel));
    REQUIRE(heddle_launch(b->queue, kernel, &size, block, of->block_bytes, &launch));
    REQUIRE(heddle_wait(b->machine));
    REQUIRE(heddle_launch_info(b->machine, launch, &record));
    return record.end_cycle - record.start_cycle;
}
