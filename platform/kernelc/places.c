/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <stdlib.h>
#include <string.h>

const char *file_of_node(arena *memory, const ir_metadata *metadata, ir_piece node, const char *fallback)
{
    static const char word[] = "filename: \"";
    const ir_piece file = ir_node_after(metadata, node, "file: ");
    const char *name = ir_find(file, word);
    if (!name)
        return fallback;
    const ir_piece rest = ir_from(file, name + strlen(word));
    const char *end = ir_find(rest, "\"");
    return end ? ir_copy(memory, (ir_piece){rest.text, (size_t)(end - rest.text)}) : fallback;
}

static const char *place(arena *memory, const ir_metadata *metadata, ir_piece numbered, ir_piece in,
                         const char *fallback)
{
    const char *number = ir_find(numbered, "line: ");
    if (!number)
        return fallback;
    return arena_format(memory, "%s:%d", file_of_node(memory, metadata, in, fallback), atoi(number + strlen("line: ")));
}

const char *place_of(arena *memory, const ir_metadata *metadata, ir_piece line, const char *fallback)
{
    const ir_piece location = ir_node_after(metadata, line, "!dbg ");
    return place(memory, metadata, location, ir_node_after(metadata, location, "scope: "), fallback);
}

const char *place_of_node(arena *memory, const ir_metadata *metadata, ir_piece node, const char *fallback)
{
    return place(memory, metadata, node, node, fallback);
}
