/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */
#include "bench.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64];

void bench_enter(void)
{
    strcpy(directory, "/tmp/netlist_XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

void bench_leave(void)
{
    cr_assert_eq(chdir("/"), 0);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void bench_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

void bench_text(const char *path, const char *text)
{
    bench_write(path, text, strlen(text));
}

static size_t count(const char *const *overrides)
{
    size_t number = 0;
    while (overrides && overrides[number])
        number++;
    return number;
}

netlist *bench_load_file(const char *path, const char *const *overrides)
{
    char *errors;
    netlist *machine = netlist_load(path, fake_registry(), overrides, count(overrides), &errors);
    cr_assert_not_null(machine, "%s", errors);
    cr_assert_null(errors);
    return machine;
}

netlist *bench_load(const char *text, const char *const *overrides)
{
    bench_text("machine.yaml", text);
    return bench_load_file("machine.yaml", overrides);
}

char *bench_errors(const char *text, const char *const *overrides)
{
    char *errors;
    bench_text("machine.yaml", text);
    netlist *machine = netlist_load("machine.yaml", fake_registry(), overrides, count(overrides), &errors);
    cr_assert_null(machine);
    cr_assert_not_null(errors);
    return errors;
}

uint32_t bench_block(const netlist *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->block_count; i++) {
        if (strcmp(machine->blocks[i].name, name) == 0)
            return i;
    }
    cr_assert(0, "no block '%s'", name);
    return 0;
}

uint32_t bench_parameter(const netlist *machine, const char *block, const char *parameter)
{
    const hd_block_class *block_class = machine->blocks[bench_block(machine, block)].block_class;
    for (uint32_t i = 0; i < block_class->parameter_count; i++) {
        if (strcmp(block_class->parameters[i].name, parameter) == 0)
            return i;
    }
    cr_assert(0, "no parameter '%s'", parameter);
    return 0;
}

const hd_value *bench_value(const netlist *machine, const char *block, const char *parameter)
{
    return &machine->blocks[bench_block(machine, block)].values[bench_parameter(machine, block, parameter)];
}

const netlist_place *bench_origin(const netlist *machine, const char *block, const char *parameter)
{
    return &machine->blocks[bench_block(machine, block)].origins[bench_parameter(machine, block, parameter)];
}

static int put_end(const netlist *machine, netlist_end end, char *text, size_t bytes)
{
    char name[64];
    netlist_instance_name(machine, end.block, end.instance, name, sizeof name);
    const hd_port *port = &machine->blocks[end.block].block_class->ports[end.port];
    return snprintf(text, bytes, "%s.%s[%u]", name, port->name, end.element);
}

const char *bench_link(const netlist *machine, uint32_t link)
{
    static char text[256];
    cr_assert_lt(link, machine->link_count);
    int used = put_end(machine, machine->links[link].from, text, 120);
    used += snprintf(text + used, 8, " -> ");
    put_end(machine, machine->links[link].to, text + used, 120);
    return text;
}

char *bench_written(const netlist *machine, void (*write)(const netlist *machine, FILE *out))
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    write(machine, out);
    fclose(out);
    return text;
}
