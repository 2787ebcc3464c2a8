/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include <stdlib.h>

static const struct {
    const char *name;
    uint32_t bytes;
} scalars[] = {{"i1", 1}, {"i8", 1}, {"i16", 2}, {"i32", 4}, {"i64", 8}, {"half", 2}, {"float", 4}, {"double", 8}};

static ir_layout struct_of(const ir_types *types, ir_piece members, int is_packed)
{
    const ir_list list = ir_split(types->memory, members);
    ir_layout whole = {0, 1};
    for (uint32_t i = 0; i < list.count; i++) {
        ir_layout member = ir_layout_of(types, list.items[i]);
        if (!member.alignment)
            return member;
        if (is_packed)
            member.alignment = 1;
        if (member.alignment > whole.alignment)
            whole.alignment = member.alignment;
        whole.bytes = ir_aligned(whole.bytes, member.alignment) + member.bytes;
    }
    whole.bytes = ir_aligned(whole.bytes, whole.alignment);
    return whole;
}

/* "4 x float" */
static ir_layout several_of(const ir_types *types, ir_piece text, int is_vector)
{
    char *end;
    const uint64_t count = strtoull(text.text, &end, 10);
    const char *times = ir_find(text, " x ");
    if (!times || end != times || count > UINT32_MAX)
        return (ir_layout){0};
    const ir_layout one = ir_layout_of(types, ir_from(text, times + 3));
    if (!is_vector || !one.alignment)
        return (ir_layout){count * one.bytes, one.alignment};
    uint64_t bytes = one.bytes;
    while (bytes < count * one.bytes)
        bytes *= 2;
    return (ir_layout){bytes, (uint32_t)bytes};
}

/* "%struct.pair = type { i32, float }" */
static ir_layout named(const ir_types *types, ir_piece name)
{
    ir_piece line;
    for (ir_piece rest = types->program; ir_next_line(&rest, &line);)
        if (line.bytes > name.bytes && *line.text == '%' && !__builtin_memcmp(line.text, name.text, name.bytes)) {
            const ir_piece behind = ir_from(line, line.text + name.bytes);
            if (ir_starts_with(behind, " = type "))
                return ir_layout_of(types, ir_from(behind, behind.text + 8));
        }
    return (ir_layout){0};
}

ir_layout ir_layout_of(const ir_types *types, ir_piece type)
{
    if (!type.bytes)
        return (ir_layout){0};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (ir_equals(type, scalars[i].name))
            return (ir_layout){scalars[i].bytes, scalars[i].bytes};
    if (ir_starts_with(type, "<{"))
        return struct_of(types, ir_bracketed(type, '{'), 1);
    if (ir_equals(type, "ptr"))
        return (ir_layout){types->pointer_bytes, types->pointer_bytes};
    switch (*type.text) {
    case '{': return struct_of(types, ir_bracketed(type, '{'), 0);
    case '[': return several_of(types, ir_bracketed(type, '['), 0);
    case '<': return several_of(types, ir_bracketed(type, '<'), 1);
    case '%': return named(types, type);
    default: return (ir_layout){0};
    }
}
