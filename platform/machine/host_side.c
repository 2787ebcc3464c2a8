/* SPDX-License-Identifier: MIT */
#include "host_side.h"

#include <stdlib.h>
#include <string.h>

#include "beside.h"
#include "driver.h"
#include "exit_device.h"
#include "firmware.h"
#include "host_cpu.h"

/* NULL: there is none. */
static const netlist_block *block_of(const netlist *list, const hd_block_class *block_class)
{
    for (uint32_t block = 0; block < list->block_count; block++)
        if (list->blocks[block].block_class == block_class)
            return &list->blocks[block];
    return NULL;
}

static uint32_t find_class(const hd_machine *machine, const hd_block_class *block_class, uint32_t *endpoint)
{
    const netlist_block *block = block_of(machine->netlist, block_class);
    if (block)
        *endpoint = machine->endpoints[block->first_endpoint];
    return block != NULL;
}

/* A model from elsewhere in the place of a host CPU: it brings its own program, and only the kernels are the app's. */
static uint32_t has_foreign_cpu(const netlist *list)
{
    for (uint32_t block = 0; block < list->block_count; block++)
        if (!list->blocks[block].block_class->create && !strcmp(list->blocks[block].block_class->kind, "host_cpu"))
            return 1;
    return 0;
}

uint32_t host_side_find(hd_machine *machine, char **error)
{
    machine->has_app = 1;
    if (find_class(machine, &hd_host_native, &machine->host_endpoint))
        return 1;
    machine->has_foreign_cpu = has_foreign_cpu(machine->netlist);
    if (machine->has_foreign_cpu && find_class(machine, &hd_exit_device_mailbox, &machine->host_endpoint))
        return 1;
    machine->has_firmware = find_class(machine, &hd_host_cpu_rv64, &machine->cpu_endpoint);
    if (machine->has_firmware && find_class(machine, &hd_exit_device_mailbox, &machine->host_endpoint))
        return 1;
    *error =
        machine->has_firmware || machine->has_foreign_cpu
            ? hd_text_format("error: %s: the machine has a host CPU and no block of kind exit_device, type mailbox, by "
                             "which its firmware could end\n",
                             machine->netlist->file)
            : hd_text_format("error: %s: the machine has no block of kind host_cpu, type native or rv64, to run an "
                             "app on\n",
                             machine->netlist->file);
    return 0;
}

uint32_t host_side_find_native(hd_machine *machine, char **error)
{
    if (find_class(machine, &hd_host_native, &machine->host_endpoint))
        return 1;
    *error =
        hd_text_format("error: %s: the machine has no block of kind host_cpu, type native, in whose place a program "
                       "could be its host\n",
                       machine->netlist->file);
    return 0;
}

uint32_t host_side_drive(hd_machine *machine, char **error)
{
    machine->host = hd_engine_block(machine->engine, machine->host_endpoint);
    machine->progress = hd_host_native.extension(machine->host, HD_EXTENSION_HOST_PROGRAM);
    machine->driver = host_driver_create(machine->host);
    if (!machine->driver)
        *error = hd_text_format("error: out of memory\n");
    return machine->driver != NULL;
}

uint32_t host_side_open(hd_machine *machine, const hd_machine_setup *setup, char **error)
{
    char refusal[256];
    size_t bytes;
    if (setup->firmware && !machine->has_firmware) {
        *error = hd_text_format(
            "error: %s: the host of the machine runs no firmware: it has no block of kind host_cpu, type "
            "rv64, that could run %s\n",
            machine->netlist->file, setup->firmware);
        return 0;
    }
    if (machine->has_foreign_cpu)
        return 1;
    if (!machine->has_firmware)
        return hd_app_open_library(&machine->app, setup->app, error);
    char *path =
        setup->firmware ? hd_text_format("%s", setup->firmware) : hd_text_format("%s/firmware.elf", setup->app);
    machine->firmware_bytes = hd_app_read(path, &bytes, error);
    if (machine->firmware_bytes) {
        machine->firmware = hd_firmware_open(machine->firmware_bytes, bytes, refusal, sizeof refusal);
        if (!machine->firmware)
            *error = hd_text_format("error: firmware %s: %s\n", path, refusal);
    }
    free(path);
    return machine->firmware != NULL;
}

static void place(void *context, uint64_t pc, char *text, size_t bytes)
{
    hd_firmware_place(context, pc, text, bytes);
}

static void prepare_native(hd_machine *machine, const hd_machine_setup *setup)
{
    const hd_host_program program = {.entry = machine->app.entry,
                                     .kernels = hd_program_registry_find(machine->programs, machine->module),
                                     .module = machine->module,
                                     .option_count = setup->option_count,
                                     .options = setup->options,
                                     .print = setup->print,
                                     .is_interrupted = setup->is_interrupted,
                                     .context = setup->context};
    beside_prepare(machine, &program);
}

void host_side_prepare(hd_machine *machine, const hd_machine_setup *setup)
{
    hd_engine *engine = machine->engine;
    const uint32_t has_mailbox = machine->has_firmware || machine->has_foreign_cpu;
    const hd_block_class *host_class = has_mailbox ? &hd_exit_device_mailbox : &hd_host_native;
    machine->host = hd_engine_block(engine, machine->host_endpoint);
    machine->progress = host_class->extension(machine->host, HD_EXTENSION_HOST_PROGRAM);
    if (!has_mailbox) {
        prepare_native(machine, setup);
        return;
    }
    hd_exit_device_set_options(machine->host, setup->options, setup->option_count);
    if (!machine->has_firmware)
        return;
    const hd_host_cpu_firmware firmware = {.entry = hd_firmware_entry(machine->firmware),
                                           .entry_of_others = hd_firmware_entry_of_others(machine->firmware),
                                           .place = place,
                                           .context = machine->firmware};
    hd_host_cpu_set_firmware(hd_engine_block(engine, machine->cpu_endpoint), &firmware);
}

static uint32_t load(hd_block *cpu, const hd_firmware_segment *segment)
{
    uint64_t done = 0;
    uint8_t last;
    while (done < segment->file_bytes) {
        const uint64_t left = segment->file_bytes - done;
        const uint32_t count = hd_host_cpu_rv64.debug_access(
            cpu, segment->address + done, (void *)(segment->data + done), left < 65536 ? (uint32_t)left : 65536, 1);
        if (!count)
            return 0;
        done += count;
    }
    return hd_host_cpu_rv64.debug_access(cpu, segment->address + segment->memory_bytes - 1, &last, 1, 0);
}

static uint64_t ram_bytes_of(const netlist_block *cpu)
{
    uint32_t parameter = 0;
    while (strcmp(cpu->block_class->parameters[parameter].name, "ram.bytes") != 0)
        parameter++;
    return cpu->values[parameter].u;
}

static char *does_not_fit(const hd_machine *machine, const hd_firmware_segment *segment)
{
    const netlist_block *cpu = block_of(machine->netlist, &hd_host_cpu_rv64);
    const uint64_t last = segment->address + segment->memory_bytes - 1;
    return hd_text_format("error: %s: the firmware needs 0x%llx .. 0x%llx, which is not in the RAM of the host CPU: "
                          "%s.ram.bytes is %llu KiB from 0x%llx on\n",
                          machine->netlist->file, (unsigned long long)segment->address, (unsigned long long)last,
                          cpu->name, (unsigned long long)(ram_bytes_of(cpu) / 1024),
                          (unsigned long long)HD_HOST_RAM_BASE);
}

uint32_t host_side_start(hd_machine *machine, char **error)
{
    uint32_t count;
    if (!machine->has_firmware)
        return 1;
    hd_block *cpu = hd_engine_block(machine->engine, machine->cpu_endpoint);
    const hd_firmware_segment *segments = hd_firmware_segments(machine->firmware, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (load(cpu, &segments[i]))
            continue;
        *error = does_not_fit(machine, &segments[i]);
        return 0;
    }
    return 1;
}

uint32_t host_side_is_abandoned(const hd_machine *machine)
{
    return machine->app.library && machine->host && hd_host_native_is_abandoned(machine->host);
}

void host_side_leave(hd_machine *machine)
{
    if (!host_side_is_abandoned(machine))
        return;
    machine->app.library = NULL;
    beside_leave(machine);
}

void host_side_close(hd_machine *machine)
{
    hd_firmware_close(machine->firmware);
    free(machine->firmware_bytes);
}
