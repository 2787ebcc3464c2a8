/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

static int has_text(const node *value, const char *text)
{
    return value && value->kind == NODE_SCALAR && strcmp(value->text, text) == 0;
}

static int is_same_link(const node *a, const node *b)
{
    const node *from = netlist_find(b, "from");
    const node *to = netlist_find(b, "to");
    return from && to && has_text(netlist_find(a, "from"), from->text) && has_text(netlist_find(a, "to"), to->text);
}

/* Links by their ends; plug-ins are all added. */
static const node *merge_lists(loader *state, const node *base, const node *child)
{
    node *result = netlist_new_node(state->memory, NODE_SEQUENCE, child->at);
    for (uint32_t i = 0; i < base->count; i++) {
        const node *link = base->entries[i].value;
        for (uint32_t j = 0; j < child->count; j++) {
            if (is_same_link(base->entries[i].value, child->entries[j].value))
                link = child->entries[j].value;
        }
        netlist_append(state->memory, result, NULL, link);
    }
    for (uint32_t j = 0; j < child->count; j++) {
        int is_new = 1;
        for (uint32_t i = 0; i < base->count && is_new; i++)
            is_new = !is_same_link(base->entries[i].value, child->entries[j].value);
        if (is_new)
            netlist_append(state->memory, result, NULL, child->entries[j].value);
    }
    return result;
}

static const node *merge_values(loader *state, const node *base, const node *child)
{
    if (child->replaces || base->kind != child->kind || child->kind == NODE_SCALAR)
        return child;
    if (child->kind == NODE_SEQUENCE)
        return merge_lists(state, base, child);
    return netlist_merge(state, base, child);
}

static int belongs_to_its_file(const node *key)
{
    return strcmp(key->text, "extends") == 0 || strcmp(key->text, "remove") == 0;
}

static int changes_text(const node *base, const node *child, const char *key)
{
    const node *old = netlist_find_kind(base, key, NODE_SCALAR);
    const node *over = netlist_find_kind(child, key, NODE_SCALAR);
    return old && over && strcmp(old->text, over->text) != 0;
}

const node *netlist_merge(loader *state, const node *base, const node *child)
{
    node *result = netlist_new_node(state->memory, NODE_MAPPING, base->at);
    int is_swapped = changes_text(base, child, "kind") || changes_text(base, child, "type");
    result->former = is_swapped ? base : base->former;
    for (uint32_t i = 0; i < base->count; i++) {
        const entry *old = &base->entries[i];
        const entry *over = netlist_entry(child, old->key->text);
        if (belongs_to_its_file(old->key))
            continue;
        if (!over)
            netlist_append(state->memory, result, old->key, old->value);
        else
            netlist_append(state->memory, result, old->value->kind == NODE_MAPPING ? old->key : over->key,
                           merge_values(state, old->value, over->value));
    }
    for (uint32_t i = 0; i < child->count; i++) {
        const entry *over = &child->entries[i];
        if (!belongs_to_its_file(over->key) && !netlist_entry(base, over->key->text))
            netlist_append(state->memory, result, over->key, over->value);
    }
    return result;
}

/* ---- remove ----------------------------------------------------------------------------------------------------- */

static int names_block(const node *reference, const char *block)
{
    if (!reference || reference->kind != NODE_SCALAR)
        return 0;
    size_t length = strcspn(reference->text, "[.");
    return strlen(block) == length && memcmp(reference->text, block, length) == 0;
}

static int is_removed_link(const node *link, const node *removed)
{
    if (removed->kind == NODE_MAPPING)
        return is_same_link(link, removed);
    return names_block(netlist_find(link, "from"), removed->text) ||
           names_block(netlist_find(link, "to"), removed->text);
}

static int has_block(const node *blocks, const char *name)
{
    return netlist_entry(blocks, name) != NULL;
}

static int has_link(const node *links, const node *removed)
{
    for (uint32_t i = 0; links && i < links->count; i++) {
        if (is_same_link(links->entries[i].value, removed))
            return 1;
    }
    return 0;
}

static void check_removed(loader *state, const node *removed, const node *blocks, const node *links)
{
    if (removed->kind == NODE_MAPPING) {
        span at = removed->at;
        at.width = 1;
        if (!has_link(links, removed))
            report_error(&state->log, ERROR_REMOVE_NOTHING, at, "there is no link from '%s' to '%s' to remove",
                         netlist_find(removed, "from")->text, netlist_find(removed, "to")->text);
        return;
    }
    if (has_block(blocks, removed->text))
        return;
    candidates known = {0};
    for (uint32_t i = 0; blocks && i < blocks->count; i++)
        candidates_add(state->memory, &known, blocks->entries[i].key->text);
    report_error(&state->log, ERROR_REMOVE_NOTHING, removed->at, "there is no block '%s' to remove", removed->text);
    candidates_suggest(&state->log, removed->text, &known);
}

static const node *without(loader *state, const node *parent, const node *removed)
{
    node *result = netlist_new_node(state->memory, parent->kind, parent->at);
    for (uint32_t i = 0; i < parent->count; i++) {
        const entry *item = &parent->entries[i];
        int is_gone = 0;
        for (uint32_t r = 0; r < removed->count && !is_gone; r++) {
            const node *what = removed->entries[r].value;
            is_gone = item->key ? has_text(what, item->key->text) : is_removed_link(item->value, what);
        }
        if (!is_gone)
            netlist_append(state->memory, result, item->key, item->value);
    }
    return result;
}

const node *netlist_remove(loader *state, const node *base, const node *child)
{
    const node *removed = netlist_find(child, "remove");
    if (!removed)
        return base;
    const node *blocks = netlist_find(base, "blocks");
    const node *links = netlist_find(base, "links");
    for (uint32_t i = 0; i < removed->count; i++)
        check_removed(state, removed->entries[i].value, blocks, links);

    node *result = netlist_new_node(state->memory, NODE_MAPPING, base->at);
    for (uint32_t i = 0; i < base->count; i++) {
        const entry *item = &base->entries[i];
        int is_thinned = item->value == blocks || item->value == links;
        netlist_append(state->memory, result, item->key,
                       is_thinned ? without(state, item->value, removed) : item->value);
    }
    return result;
}
