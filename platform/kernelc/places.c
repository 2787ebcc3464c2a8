/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <stdlib.h>
#include <string.h>

/* filename: "program.cl" of the file of a scope. */
static const char *file_of(arena *memory, const ir_metadata *metadata, ir_piece location, const char *fallback)
{
    static const char word[] = "filename: \"";
    const ir_piece scope = ir_node_after(metadata, location, "scope: ");
    const ir_piece file = ir_node_after(metadata, scope, "file: ");
    const char *name = ir_find(file, word);
    if (!name)
        return fallback;
    const ir_piece rest = ir_from(file, name + strlen(word));
    const char *end = ir_find(rest, "\"");
    return end ? ir_copy(memory, (ir_piece){rest.text, (size_t)(end - rest.text)}) : fallback;
}

const char *place_of(arena *memory, const ir_metadata *metadata, ir_piece line, const char *fallback)
{
    const ir_piece location = ir_node_after(metadata, line, "!dbg ");
    const char *number = ir_find(location, "line: ");
    if (!number)
        return fallback;
    return arena_format(memory, "%s:%d", file_of(memory, metadata, location, fallback),
                        atoi(number + strlen("line: ")));
}
