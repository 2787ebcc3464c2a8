/* SPDX-License-Identifier: MIT */
/* Sections, each with its name, its shapes and its values: the engine's own, then one for each block. */
#include "engine_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state_section.h"

#define REFUSAL_BYTES 256u

/* ---- Sections ------------------------------------------------------------------------------------------------------- */

static const hd_state *state_of(const node *node)
{
    return node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_STATE) : NULL;
}

#define ENGINE UINT32_MAX /* in place of the number of a block */

static void transfer(hd_engine *engine, uint32_t block, const hd_state_stream *stream)
{
    if (block == ENGINE)
        state_transfer_engine(engine, stream);
    else
        state_of(engine->nodes[block])->transfer(engine->nodes[block]->block, stream);
}

static void name_of(const hd_engine *engine, uint32_t block, char *text, size_t bytes)
{
    const node *node = block == ENGINE ? NULL : engine->nodes[block];
    if (node)
        snprintf(text, bytes, "%s (%s/%s)", node->name, node->block_class->kind, node->block_class->type);
    else
        snprintf(text, bytes, "the machine");
}

static void add_part(state_bytes *bytes, state_bytes *part)
{
    state_bytes_add_number(bytes, part->count);
    state_bytes_add(bytes, part->data, part->count);
    state_bytes_release(part);
}

static void save_section(hd_engine *engine, uint32_t block, state_bytes *bytes)
{
    char name[STATE_WHAT_BYTES];
    state_bytes values = {0}, shapes = {0};
    state_section self = {.engine = engine, .values = &values, .shapes = &shapes};
    const hd_state_stream stream = state_saving(&self);
    name_of(engine, block, name, sizeof name);
    transfer(engine, block, &stream);
    state_bytes_add_text(bytes, name);
    add_part(bytes, &shapes);
    add_part(bytes, &values);
}

void hd_engine_save(hd_engine *engine, state_bytes *bytes)
{
    save_section(engine, ENGINE, bytes);
    for (uint32_t b = 0; b < engine->node_count; b++)
        save_section(engine, b, bytes);
}

/* ---- Restoring ------------------------------------------------------------------------------------------------------ */

typedef struct saved_section {
    const char *name;
    state_bytes shapes; /* not its own */
    state_bytes values;
} saved_section;

static state_bytes take_part(state_bytes *bytes)
{
    const size_t count = state_bytes_take_number(bytes);
    const uint8_t *data = state_bytes_skip(bytes, count);
    return (state_bytes){.data = (uint8_t *)(uintptr_t)data, .count = data ? count : 0};
}

static saved_section take_section(state_bytes *bytes)
{
    saved_section taken = {.name = state_bytes_take_text(bytes)};
    taken.shapes = take_part(bytes);
    taken.values = take_part(bytes);
    return taken;
}

static void tell(const hd_text_sink *errors, const char *name, const char *what, uint64_t was, uint64_t is)
{
    errors->line(errors->context, "%s: %s: %llu in the state, %llu here", name, what, (unsigned long long)was,
                 (unsigned long long)is);
}

/* Returns 1 and tells the first difference, or 0. */
static uint32_t has_other_shape(hd_engine *engine, uint32_t block, saved_section *saved, const hd_text_sink *errors)
{
    state_bytes here = {0};
    state_section self = {.engine = engine, .shapes = &here};
    const hd_state_stream stream = state_saving(&self);
    uint32_t differs = 0;
    transfer(engine, block, &stream);
    while (!differs && (here.at < here.count || saved->shapes.at < saved->shapes.count)) {
        const char *what = state_bytes_take_text(&here), *then = state_bytes_take_text(&saved->shapes);
        const uint64_t is = state_bytes_take_number(&here), was = state_bytes_take_number(&saved->shapes);
        differs = is != was || strcmp(what, then) != 0;
        if (differs && strcmp(what, then) == 0)
            tell(errors, saved->name, what, was, is);
        else if (differs)
            errors->line(errors->context, "%s: %s in the state, %s here", saved->name, *then ? then : "nothing more",
                         *what ? what : "nothing more");
    }
    state_bytes_release(&here);
    return differs;
}

/* Returns how many errors there are. */
static uint32_t compare(hd_engine *engine, state_bytes *bytes, saved_section *sections, const hd_text_sink *errors)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i <= engine->node_count && !wrong; i++) {
        const uint32_t block = i ? i - 1 : ENGINE;
        char name[STATE_WHAT_BYTES];
        sections[i] = take_section(bytes);
        name_of(engine, block, name, sizeof name);
        if (strcmp(name, sections[i].name) != 0) {
            errors->line(errors->context, "%s in the state, %s here", *sections[i].name ? sections[i].name : "nothing",
                         name);
            wrong = 1;
        } else {
            wrong = has_other_shape(engine, block, &sections[i], errors);
        }
    }
    return wrong;
}

/* A block that takes less than it has given, or more, is a mistake of its own. */
static void check_all_taken(hd_engine *engine, uint32_t block, const state_bytes *values)
{
    char text[HD_FAULT_TEXT_MAX], name[STATE_WHAT_BYTES];
    if (engine->has_fault || (values->at == values->count && !values->is_short))
        return;
    name_of(engine, block, name, sizeof name);
    snprintf(text, sizeof text, "%s takes %zu bytes of the %zu of its state", name, values->at, values->count);
    hd_engine_report_fault(engine, block == ENGINE ? HD_NO_BLOCK : block, engine->now, text);
}

uint32_t hd_engine_restore(hd_engine *engine, state_bytes *bytes, const hd_text_sink *errors)
{
    saved_section *sections = calloc(engine->node_count + 1, sizeof *sections);
    if (!sections)
        abort();
    const uint32_t wrong = compare(engine, bytes, sections, errors);
    for (uint32_t i = 0; i <= engine->node_count && !wrong; i++) {
        state_section self = {.engine = engine, .values = &sections[i].values};
        const hd_state_stream stream = state_restoring(&self);
        transfer(engine, i ? i - 1 : ENGINE, &stream);
        check_all_taken(engine, i ? i - 1 : ENGINE, &sections[i].values);
    }
    free(sections);
    return wrong;
}

/* ---- What cannot be saved -------------------------------------------------------------------------------------------- */

/* Returns 1, and text is why, or 0. */
static uint32_t is_refused(const node *node, char *text, size_t bytes)
{
    const hd_state *state = state_of(node);
    if (!state)
        snprintf(text, bytes, "it does not offer " HD_EXTENSION_STATE);
    return !state || (state->refuses && state->refuses(node->block, text, bytes));
}

/* Has one of its class been refused before? */
static uint32_t is_told(const hd_engine *engine, uint32_t block)
{
    char text[REFUSAL_BYTES];
    for (uint32_t b = 0; b < block; b++)
        if (engine->nodes[b]->block_class == engine->nodes[block]->block_class &&
            is_refused(engine->nodes[b], text, sizeof text))
            return 1;
    return 0;
}

uint32_t hd_engine_state_refused(const hd_engine *engine, const hd_text_sink *sink)
{
    uint32_t refused = 0;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        char text[REFUSAL_BYTES], name[STATE_WHAT_BYTES];
        if (!is_refused(engine->nodes[b], text, sizeof text) || is_told(engine, b))
            continue;
        name_of(engine, b, name, sizeof name);
        sink->line(sink->context, "%s: %s", name, text);
        refused++;
    }
    if (engine->wire_count)
        sink->line(sink->context, "a link leads out of the engine, to a model from elsewhere or by --tlm");
    return refused + (engine->wire_count != 0);
}

/* ---- For tests ------------------------------------------------------------------------------------------------------ */

/* What the new block saves is what it was given. */
static void check_renewed(hd_engine *engine, uint32_t block, const state_bytes *given)
{
    const node *node = engine->nodes[block];
    state_bytes values = {0};
    state_section self = {.engine = engine, .values = &values};
    const hd_state_stream stream = state_saving(&self);
    transfer(engine, block, &stream);
    if (values.count != given->count || (values.count && memcmp(values.data, given->data, values.count)))
        services_fault(engine->nodes[block], engine->now, "%s does not save the state that it was given", node->name);
    state_bytes_release(&values);
}

size_t hd_engine_renew(hd_engine *engine, uint32_t block, uint32_t only_saves)
{
    node *node = engine->nodes[block];
    state_bytes values = {0};
    state_section self = {.engine = engine, .values = &values};
    const hd_state_stream stream = state_saving(&self), back = state_restoring(&self);
    transfer(engine, block, &stream);
    if (!only_saves) {
        elaborate_again(node);
        transfer(engine, block, &back);
        check_all_taken(engine, block, &values);
        check_renewed(engine, block, &values);
    }
    const size_t count = values.count;
    state_bytes_release(&values);
    return count;
}
