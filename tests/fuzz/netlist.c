/* SPDX-License-Identifier: MIT */
/*
 * Machine files. Sections of an input: machine.yaml; base.yaml, which it may extend, and which extends the gtx480 machine
 * if the section is empty; overrides, one in a line; device.yaml, a file of parameters that a block may name.
 * What loads can be printed, and the print loads to the same machine. What does not load gives errors in their form.
 */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "netlist.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "registry.h"

#define OVERRIDES_MAX 16u

typedef struct override_list {
    char *texts[OVERRIDES_MAX];
    uint32_t count;
} override_list;

/* Plug-ins that are there and bring nothing, and others that are not. */
static uint32_t load_plugin(void *context, const char *path, netlist_registry *registry, char **refusal)
{
    (void)context;
    *registry = hd_builtin_classes();
    if (strstr(path, "good"))
        return 0;
    *refusal = strdup("plug-in is not there\nnote of the plug-in");
    return 42;
}

static netlist *load(const char *path, const override_list *overrides, char **errors)
{
    static const netlist_plugin_loader loader = {.load = load_plugin};
    netlist_registry registry = hd_builtin_classes();
    registry.loader = &loader;
    return netlist_load(path, registry, (const char *const *)overrides->texts, overrides->count, errors);
}

static char *written(const netlist *machine, void (*write)(const netlist *machine, FILE *out))
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    write(machine, out);
    fclose(out);
    return text;
}

static void require_same_again(const netlist *machine)
{
    static const override_list none;
    char *errors, *text = written(machine, netlist_print);
    fuzz_write("again.yaml", text, strlen(text));
    netlist *again = load("again.yaml", &none, &errors);
    fuzz_require(again, "%s\n%s", errors, text);
    json_t *first = netlist_json(machine), *second = netlist_json(again);
    fuzz_require(json_equal(first, second), "%s", text);
    json_decref(first);
    json_decref(second);
    netlist_free(again);
    free(text);
}

static void require_good(const netlist *machine)
{
    char name[64], *graph = written(machine, netlist_graph);
    require_same_again(machine);
    for (uint32_t i = 0; i < machine->block_count; i++) {
        char *refusal = netlist_refusal(machine, i, "it does not like them");
        fuzz_require_lines(refusal);
        free(refusal);
        netlist_instance_name(machine, i, machine->blocks[i].count - 1, name, sizeof name);
    }
    free(graph);
}

static void require_errors(const char *errors)
{
    uint32_t count = 0;
    fuzz_require_lines(errors);
    for (const char *at = errors; (at = strstr(at, ": error[N")); at++)
        count++;
    fuzz_require(count >= 1, "%s", errors);
}

static void write_base(fuzz_input text)
{
    static const char gtx480[] = "heddle: 1\nextends: " FUZZ_BASE_MACHINE "\n";
    if (text.left)
        fuzz_write("base.yaml", text.bytes, text.left);
    else
        fuzz_write("base.yaml", gtx480, strlen(gtx480));
}

void fuzz_one(fuzz_input input)
{
    char *errors;
    override_list overrides = {0};
    fuzz_enter_folder();
    fuzz_input machine_text = fuzz_section(&input), base_text = fuzz_section(&input);
    fuzz_input override_text = fuzz_section(&input);
    fuzz_write("machine.yaml", machine_text.bytes, machine_text.left);
    write_base(base_text);
    fuzz_write("device.yaml", input.bytes, input.left);
    while (overrides.count < OVERRIDES_MAX && (overrides.texts[overrides.count] = fuzz_line(&override_text)))
        overrides.count++;

    netlist *machine = load("machine.yaml", &overrides, &errors);
    if (machine)
        require_good(machine);
    else
        require_errors(errors);
    netlist_free(machine);
    free(errors);
    for (uint32_t i = 0; i < overrides.count; i++)
        free(overrides.texts[i]);
}
