/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static const uint8_t code[128] = {0x67, 0x80, 0x00, 0x00};
static const uint8_t table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static isa_segment segments[] = {
    {.address = RIG_FIRST_PC, .file_bytes = sizeof code, .memory_bytes = sizeof code, .data = code},
    {.address = RIG_TABLE, .file_bytes = sizeof table, .memory_bytes = 64, .data = table},
};
static isa_symbol symbols[] = {
    {.name = "first", .address = RIG_FIRST_PC, .bytes = 64, .is_function = 1},
    {.name = "second", .address = RIG_SECOND_PC, .bytes = 64, .is_function = 1},
    {.name = "table", .address = RIG_TABLE, .bytes = 64},
};
const isa_program rig_kernels = {.segment_count = 2, .segments = segments, .symbol_count = 3, .symbols = symbols};

static void print(void *context, const char *line)
{
    rig *r = context;
    strcat(r->printed, line);
    strcat(r->printed, "\n");
}

static void set_program(rig *r, int (*entry)(void), const hd_host_option *options)
{
    hd_host_program program = {
        .entry = entry,
        .kernels = &rig_kernels,
        .module = RIG_MODULE,
        .options = options,
        .print = print,
        .context = r,
    };
    while (options != NULL && options[program.option_count].name != NULL)
        program.option_count++;
    hd_host_native_set_program(kit_instance(r->kit), &program);
}

rig *rig_create(const char *const *parameters, int (*entry)(void), const hd_host_option *options)
{
    rig *r = calloc(1, sizeof *r);
    r->device.memory = malloc(DEVICE_BYTES);
    device_reset(&r->device);
    r->kit = kit_create(&hd_host_native, parameters);
    kit_connect(r->kit, PORT_BUS, 0, 1, 0);
    kit_connect(r->kit, PORT_INTERRUPT, 0, 1, 0);
    kit_respond(r->kit, device_respond, &r->device);
    kit_start(r->kit);
    set_program(r, entry, options);
    kit_reset(r->kit);
    return r;
}

void rig_destroy(rig *r)
{
    kit_destroy(r->kit);
    free(r->device.memory);
    free(r);
}

uint32_t rig_run(rig *r)
{
    kit_drain(r->kit, UINT64_C(1000000000000));
    return hd_host_native_status(kit_instance(r->kit));
}

const char *rig_message(rig *r)
{
    return hd_host_native_message(kit_instance(r->kit));
}

void rig_expect(int (*entry)(void), const hd_host_option *options, uint32_t status, const char *message)
{
    rig *r = rig_create(NULL, entry, options);
    cr_expect_eq(rig_run(r), status, "%s", rig_message(r));
    cr_expect_str_eq(rig_message(r), message);
    rig_destroy(r);
}
