/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "ir_text.h"

#include <stdlib.h>
#include <string.h>

static const char opening[] = "([{<", closing[] = ")]}>";

static int is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Behind the quoted text that begins here. */
static const char *skip_quoted(const char *at, const char *end)
{
    const char *found = at < end ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
    return found ? found + 1 : end;
}

static ir_piece trimmed(const char *from, const char *to)
{
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    return (ir_piece){from, (size_t)(to - from)};
}

ir_list ir_split(arena *memory, ir_piece text)
{
    ir_list list = {0};
    uint32_t capacity = 0, depth = 0;
    const char *end = text.text + text.bytes, *from = text.text;
    for (const char *at = text.text; at <= end && text.bytes; at++) {
        if (at == end || (*at == ',' && !depth)) {
            list.items = arena_grow(memory, list.items, list.count, &capacity, sizeof *list.items);
            list.items[list.count++] = trimmed(from, at);
            from = at + 1;
        } else if (*at == '"') {
            at = skip_quoted(at, end) - 1;
        } else if (is_one_of(*at, opening)) {
            depth++;
        } else if (is_one_of(*at, closing) && depth) {
            depth--;
        }
    }
    return list;
}

ir_piece ir_bracketed(ir_piece text, char bracket)
{
    const char *end = text.text + text.bytes, *from = NULL;
    uint32_t depth = 0;
    for (const char *at = text.text; at < end; at++) {
        if (*at == '"') {
            at = skip_quoted(at, end) - 1;
        } else if (!from) {
            if (*at == bracket)
                from = at + 1;
        } else if (is_one_of(*at, opening)) {
            depth++;
        } else if (is_one_of(*at, closing)) {
            if (!depth)
                return (ir_piece){from, (size_t)(at - from)};
            depth--;
        }
    }
    return (ir_piece){0};
}

const char *ir_find(ir_piece text, const char *word)
{
    return text.bytes ? memmem(text.text, text.bytes, word, strlen(word)) : NULL;
}

ir_piece ir_from(ir_piece text, const char *at)
{
    return (ir_piece){at, (size_t)(text.text + text.bytes - at)};
}

int ir_starts_with(ir_piece text, const char *word)
{
    const size_t length = strlen(word);
    return text.bytes >= length && !memcmp(text.text, word, length);
}

int ir_equals(ir_piece text, const char *word)
{
    return text.bytes == strlen(word) && ir_starts_with(text, word);
}

int ir_same(ir_piece one, ir_piece other)
{
    return one.bytes == other.bytes && !memcmp(one.text, other.text, one.bytes);
}

char *ir_copy(arena *memory, ir_piece text)
{
    return arena_copy(memory, text.bytes ? text.text : "", text.bytes);
}

int ir_is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || is_one_of(c, "._$-");
}

ir_piece ir_name_at(const char *at, const char *end)
{
    const char *to = at + 1;
    if (to < end && *to == '"')
        to = skip_quoted(to, end);
    else
        while (to < end && ir_is_of_name(*to))
            to++;
    return (ir_piece){at, (size_t)(to - at)};
}

int ir_next_line(ir_piece *text, ir_piece *line)
{
    if (!text->bytes)
        return 0;
    const char *end = memchr(text->text, '\n', text->bytes);
    const size_t length = end ? (size_t)(end - text->text) : text->bytes;
    *line = (ir_piece){text->text, length};
    text->text += end ? length + 1 : length;
    text->bytes -= end ? length + 1 : length;
    return 1;
}

/* The number of a line "!12 = ...", and where the rest begins; 0: it is none. */
static int is_node(ir_piece line, uint32_t *number, ir_piece *node)
{
    if (line.bytes < 2 || line.text[0] != '!' || line.text[1] < '0' || line.text[1] > '9')
        return 0;
    const char *equals = ir_find(line, " = ");
    if (!equals)
        return 0;
    *number = (uint32_t)strtoul(line.text + 1, NULL, 10);
    *node = ir_from(line, equals + 3);
    return 1;
}

ir_metadata ir_metadata_of(arena *memory, ir_piece text)
{
    ir_metadata found = {0};
    uint32_t number;
    ir_piece line, node;
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        if (is_node(line, &number, &node) && number >= found.count && number < IR_NODES_MAX)
            found.count = number + 1;
    found.nodes = arena_alloc(memory, (found.count + 1) * sizeof *found.nodes);
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        if (is_node(line, &number, &node) && number < found.count)
            found.nodes[number] = node;
    return found;
}

ir_piece ir_node(const ir_metadata *metadata, ir_piece reference)
{
    if (reference.bytes < 2 || *reference.text != '!')
        return (ir_piece){0};
    const unsigned long number = strtoul(reference.text + 1, NULL, 10);
    return number < metadata->count ? metadata->nodes[number] : (ir_piece){0};
}

ir_piece ir_node_after(const ir_metadata *metadata, ir_piece text, const char *word)
{
    const char *at = ir_find(text, word);
    return at ? ir_node(metadata, ir_from(text, at + strlen(word))) : (ir_piece){0};
}
