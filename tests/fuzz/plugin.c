/* SPDX-License-Identifier: MIT */
/*
 * What a plug-in says of itself: an input is an entry with its classes and their tables, number by number and text by
 * text (a length, its characters; lengths from 250 on are no text). A class that is taken can be listed, and be used by
 * a machine file that names it.
 */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "fuzz.h"
#include "netlist.h"
#include "netlist_errors.h"
#include "plugin_internal.h"
#include "utf8.h"
#include "yaml_text.h"

#define TABLES_MAX 64u

/* An entry and all that hangs on it. */
typedef struct maker {
    fuzz_input input;
    void *pieces[4096];
    uint32_t count;
} maker;

static void *keep(maker *m, void *piece)
{
    if (!piece || m->count == sizeof m->pieces / sizeof *m->pieces)
        abort();
    return m->pieces[m->count++] = piece;
}

static const char *text(maker *m)
{
    uint32_t length = fuzz_number(&m->input, 1);
    if (length >= 250 || m->count > 4000)
        return NULL;
    length = length < m->input.left ? length : (uint32_t)m->input.left;
    char *copy = keep(m, strndup((const char *)m->input.bytes, length));
    m->input.bytes += length;
    m->input.left -= length;
    return copy;
}

/* A small number of rows; the table may be missing all the same. */
static void *table(maker *m, uint32_t *count, size_t row_bytes)
{
    uint32_t number = fuzz_number(&m->input, 1);
    *count = number % TABLES_MAX;
    if (number >= 250)
        return NULL;
    return keep(m, calloc(*count ? *count : 1, row_bytes));
}

static uint64_t wide(maker *m)
{
    uint64_t low = fuzz_number(&m->input, 4);
    return low | (uint64_t)fuzz_number(&m->input, 4) << 32;
}

static void make_parameters(maker *m, hd_block_class *made)
{
    hd_parameter *rows = table(m, &made->parameter_count, sizeof *rows);
    for (uint32_t i = 0; rows && i < made->parameter_count; i++) {
        rows[i].name = text(m);
        rows[i].doc = text(m);
        rows[i].standard = text(m);
        rows[i].choices = text(m);
        rows[i].type = fuzz_number(&m->input, 1);
        rows[i].unit = fuzz_number(&m->input, 1);
        rows[i].minimum = wide(m);
        rows[i].maximum = wide(m);
    }
    made->parameters = rows;
}

static void make_ports(maker *m, hd_block_class *made)
{
    hd_port *rows = table(m, &made->port_count, sizeof *rows);
    for (uint32_t i = 0; rows && i < made->port_count; i++) {
        rows[i].name = text(m);
        rows[i].doc = text(m);
        rows[i].direction = fuzz_number(&m->input, 1);
        rows[i].minimum_count = fuzz_number(&m->input, 4);
        rows[i].maximum_count = fuzz_number(&m->input, 4);
        rows[i].latency_cycles = fuzz_number(&m->input, 4);
        rows[i].credits = fuzz_number(&m->input, 4);
    }
    made->ports = rows;
}

static void make_statistics(maker *m, hd_block_class *made)
{
    hd_statistic *rows = table(m, &made->statistic_count, sizeof *rows);
    for (uint32_t i = 0; rows && i < made->statistic_count; i++) {
        rows[i].name = text(m);
        rows[i].unit = text(m);
        rows[i].doc = text(m);
        rows[i].kind = fuzz_number(&m->input, 1);
    }
    made->statistics = rows;
}

static void make_messages(maker *m, hd_block_class *made)
{
    hd_message_use *rows = table(m, &made->message_count, sizeof *rows);
    for (uint32_t i = 0; rows && i < made->message_count; i++) {
        rows[i].name = text(m);
        rows[i].port = text(m);
        rows[i].direction = fuzz_number(&m->input, 1);
    }
    made->messages = rows;
}

static void make_windows(maker *m, hd_block_class *made)
{
    hd_window *rows = table(m, &made->window_count, sizeof *rows);
    for (uint32_t i = 0; rows && i < made->window_count; i++) {
        rows[i].name = text(m);
        rows[i].doc = text(m);
        rows[i].port = text(m);
        rows[i].parameter = text(m);
        rows[i].base = wide(m);
        rows[i].bytes = wide(m);
        rows[i].flags = fuzz_number(&m->input, 1);
    }
    made->windows = rows;
}

/* Refuses values by what they are. */
static uint32_t check(const hd_value *values, hd_clock clock, hd_conflict *conflict)
{
    (void)clock;
    *conflict = (hd_conflict){.text = "they do not go together"};
    return values[0].u % 2 == 0;
}

/* ---- Functions that nobody calls ------------------------------------------------------------------------------------- */

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    abort();
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
    abort();
}

static void end(hd_block *block)
{
    (void)block;
    abort();
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    abort();
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    abort();
}

/* ---- Entry ----------------------------------------------------------------------------------------------------------- */

static const hd_block_class *make_class(maker *m)
{
    uint32_t shape = fuzz_number(&m->input, 1);
    if (shape == 255)
        return NULL;
    hd_block_class *made = keep(m, calloc(1, sizeof *made));
    *made = (hd_block_class){.abi_version = shape == 254 ? 0 : HD_ABI_VERSION,
                             .struct_bytes = shape == 253 ? 8 : sizeof *made,
                             .flags = shape & 3,
                             .create = shape & 4 ? NULL : create,
                             .connect = shape & 4 ? NULL : connect,
                             .reset = shape & 4 ? NULL : end,
                             .advance = shape & 4 ? NULL : advance,
                             .counters = shape & 4 ? NULL : counters,
                             .destroy = shape & 4 ? NULL : end};
    made->kind = text(m);
    made->type = text(m);
    made->doc = text(m);
    made->source = text(m);
    make_parameters(m, made);
    make_ports(m, made);
    make_statistics(m, made);
    make_messages(m, made);
    make_windows(m, made);
    made->check = shape & 8 && made->parameter_count ? check : NULL;
    return made;
}

static hd_plugin make_entry(maker *m)
{
    uint32_t shape = fuzz_number(&m->input, 1);
    hd_plugin entry = {.abi_version = shape == 255 ? 2 : HD_ABI_VERSION,
                       .struct_bytes = shape == 254 ? 4 : sizeof entry,
                       .name = text(m),
                       .version = text(m),
                       .licence = text(m)};
    const hd_block_class **classes = table(m, &entry.class_count, sizeof *classes);
    for (uint32_t i = 0; classes && i < entry.class_count; i++)
        classes[i] = make_class(m);
    entry.classes = classes;
    return entry;
}

/* ---- Use ------------------------------------------------------------------------------------------------------------- */

/* The loader of plug-ins: the entry that was made is the only one there is. */
static uint32_t load(void *context, const char *path, netlist_registry *registry, char **refusal_text)
{
    const hd_plugin *entry = context;
    refusal why = {0};
    *registry = (netlist_registry){.classes = entry->classes, .count = entry->class_count};
    if (c_entry_check(entry, path, &why))
        return 0;
    *registry = (netlist_registry){0};
    fuzz_require(why.number && why.text, "error %u", why.number);
    *refusal_text = why.text;
    return why.number;
}

/* Everything that is written from the declarations. */
static void require_lists(const hd_plugin *entry)
{
    static size_t (*const lists[])(netlist_registry, const char *, enum text_format, FILE *) = {
        netlist_list_classes, netlist_list_details, netlist_list_units, netlist_list_messages, netlist_list_protocols,
    };
    netlist_registry registry = {.classes = entry->classes, .count = entry->class_count};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        char *text;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        size_t count = lists[i](registry, NULL, TEXT_PLAIN, out);
        fuzz_require(lists[i](registry, NULL, TEXT_MARKDOWN, out) == count, "list %zu: %zu", i, count);
        lists[i](registry, "*a*", TEXT_PLAIN, out);
        fclose(out);
        fuzz_require(utf8_fault(text, bytes) == bytes, "list %zu: %s", i, text);
        free(text);
    }
}

static void write_machine(const hd_block_class *used)
{
    FILE *out = fopen("machine.yaml", "w");
    if (!out)
        abort();
    fputs("heddle: 1\nname: m\nplugins: [fuzz.so]\nclocks: {c: 1 GHz}\nblocks:\n  b: {clock: c, count: 2, kind: ", out);
    yaml_write_text(used->kind, out);
    fputs(", type: ", out);
    yaml_write_text(used->type, out);
    fputs("}\n", out);
    fclose(out);
}

static void require_same_again(const netlist *machine, netlist_registry registry)
{
    char *errors;
    FILE *out = fopen("again.yaml", "w");
    if (!out)
        abort();
    netlist_print(machine, out);
    fclose(out);
    netlist *again = netlist_load("again.yaml", registry, NULL, 0, &errors);
    fuzz_require(again, "%s", errors);
    netlist_free(again);
}

/* 1 = the plug-in is taken. */
static int use(const hd_plugin *entry, const hd_block_class *used)
{
    char *errors;
    int is_taken = 1;
    const netlist_plugin_loader loader = {.context = (void *)entry, .load = load};
    netlist_registry registry = {.loader = &loader};
    write_machine(used);
    netlist *machine = netlist_load("machine.yaml", registry, NULL, 0, &errors);
    if (machine) {
        require_same_again(machine, registry);
    } else {
        uint32_t number = 0;
        fuzz_require_lines(errors);
        fuzz_require(sscanf(errors, "machine.yaml:%*u:%*u: error[N%u]", &number) == 1, "%s", errors);
        is_taken = number < ERROR_PLUGIN_UNLOADABLE || number > ERROR_PLUGIN_DUPLICATE;
        fuzz_require(number != ERROR_UNKNOWN_KIND && number != ERROR_UNKNOWN_TYPE, "%s", errors);
    }
    netlist_free(machine);
    free(errors);
    return is_taken;
}

void fuzz_one(fuzz_input input)
{
    static const hd_block_class nothing = {.kind = "nothing", .type = "nothing"};
    refusal why = {0};
    maker m = {.input = input};
    fuzz_enter_folder();
    hd_plugin entry = make_entry(&m);
    if (c_entry_check(&entry, "fuzz.so", &why)) {
        require_lists(&entry);
        for (uint32_t i = 0; i < entry.class_count; i++)
            fuzz_require(use(&entry, entry.classes[i]), "it was taken before");
    } else {
        fuzz_require(!use(&entry, &nothing), "%s", why.text);
    }
    free(why.text);
    while (m.count)
        free(m.pieces[--m.count]);
}
