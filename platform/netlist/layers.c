/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "machine_names.h"
#include "utf8.h"

#define LAYERS_MAX 16u

typedef struct layer {
    const node *root;
    const char *real_path;
} layer;

const char *netlist_beside(loader *state, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash)
        return path;
    return arena_format(state->memory, "%.*s/%s", (int)(slash - file), file, path);
}

/* Where to point when the file itself cannot be shown: at the extends that asked for it, or at the file's name. */
static span asked_at(const source *file)
{
    return file->extended_from.source ? file->extended_from : (span){.source = file};
}

/* Editors of some systems put one in front. It is no part of the first line. */
static void skip_byte_order_mark(const char **text, size_t *length)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t bytes = sizeof mark - 1;
    if (*length < bytes || memcmp(*text, mark, bytes) != 0)
        return;
    *text += bytes;
    *length -= bytes;
}

const node *netlist_parse_file(loader *state, source *file)
{
    const char *text = NULL;
    size_t length = 0;
    int too_large = 0;
    const char *reason = source_read_file(state->memory, file->name, &text, &length, &too_large);
    if (reason) {
        report_error(&state->log, ERROR_UNREADABLE, asked_at(file), "cannot read '%s': %s", file->name, reason);
        return NULL;
    }
    skip_byte_order_mark(&text, &length);
    const source asked = *file;
    *file = *source_of_text(state->memory, asked.name, text, length);
    file->extended_from = asked.extended_from;
    file->named_by = asked.named_by;
    if (too_large) {
        report_error(&state->log, ERROR_BOUND, (span){.source = file}, "the file is larger than %u MiB",
                     SOURCE_BYTES_MAX >> 20);
        return NULL;
    }
    size_t fault = utf8_fault(text, length);
    if (fault < length) {
        report_error(&state->log, ERROR_ENCODING, span_at(file, fault), "byte 0x%02X is not UTF-8 text",
                     (unsigned char)text[fault]);
        return NULL;
    }
    return netlist_parse(state->memory, &state->log, file, text, length, 0);
}

static int is_seen(const layer *layers, uint32_t count, const char *real_path)
{
    for (uint32_t i = 0; i < count; i++) {
        if (real_path && layers[i].real_path && strcmp(layers[i].real_path, real_path) == 0)
            return 1;
    }
    return 0;
}

/* The file of the machine that is asked for: a path as it stands in `from`, or a name. NULL after an error. */
static const char *file_asked_for(loader *state, const char *asked, const char *from, span at)
{
    if (!netlist_is_machine_name(asked))
        return from ? netlist_beside(state, from, asked) : asked;
    const source whole = {.name = asked, .text = ""};
    return netlist_machine_path(state->memory, &state->log, at.source ? at : (span){.source = &whole}, asked, from);
}

/* From the file given to the one that extends nothing. 0 after an error. */
static uint32_t read_chain(loader *state, const char *path, layer *layers)
{
    span extended_from = {0};
    path = file_asked_for(state, path, NULL, extended_from);
    for (uint32_t count = 0; path; count++) {
        source *file = arena_alloc(state->memory, sizeof *file);
        *file = (source){.name = path, .text = "", .extended_from = extended_from};
        if (count == LAYERS_MAX) {
            report_error(&state->log, ERROR_EXTENDS_CYCLE, extended_from, "the chain of extends is longer than %u",
                         LAYERS_MAX);
            return 0;
        }
        char *real_path = realpath(path, NULL);
        int is_cycle = is_seen(layers, count, real_path);
        layers[count].real_path = real_path ? arena_copy(state->memory, real_path, strlen(real_path)) : NULL;
        free(real_path);
        if (is_cycle) {
            report_error(&state->log, ERROR_EXTENDS_CYCLE, extended_from, "'%s' extends itself", path);
            return 0;
        }
        layers[count].root = netlist_parse_file(state, file);
        if (!layers[count].root)
            return 0;
        const node *next = netlist_find_kind(layers[count].root, "extends", NODE_SCALAR);
        if (!next || netlist_is_null(next))
            return count + 1;
        extended_from = next->at;
        path = file_asked_for(state, next->text, path, extended_from);
    }
    return 0;
}

static void refuse_remove(loader *state, const node *root)
{
    const entry *removed = netlist_entry(root, "remove");
    if (removed)
        report_error(&state->log, ERROR_REMOVE_NOTHING, removed->key->at,
                     "'remove' is only allowed in a file that extends another");
}

static const node *merge_layers(loader *state, layer *layers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        netlist_check_shape(state, layers[i].root, 0);
    if (state->log.errors)
        return NULL;
    refuse_remove(state, layers[count - 1].root);
    const node *machine = netlist_flatten(state, layers[count - 1].root);
    for (uint32_t i = count - 1; i-- > 0;) {
        const node *over = netlist_flatten(state, layers[i].root);
        machine = netlist_merge(state, netlist_remove(state, machine, over), over);
    }
    return state->log.errors ? NULL : machine;
}

const node *netlist_read_layers(loader *state, const char *path, const netlist_changes *changes)
{
    layer layers[LAYERS_MAX + 1] = {0};
    uint32_t count = read_chain(state, path, layers);
    if (!count)
        return NULL;
    const node *machine = merge_layers(state, layers, count);
    if (!machine)
        return NULL;
    machine = netlist_apply_changes(state, machine, changes);
    return machine ? netlist_take_parameters(state, machine) : NULL;
}
