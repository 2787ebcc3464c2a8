/* SPDX-License-Identifier: MIT */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

#define SLOT "i64"                 /* of a pointer, in the type of what is in memory */
#define FILLED_SLOT "{ ptr, i32 }" /* in a variable that begins with an address: the linker knows none of 64 bits */

/* Behind these words stands the type of something in memory. */
static const char *const places[] = {"getelementptr inbounds (",
                                     "getelementptr (",
                                     "getelementptr inbounds ",
                                     "getelementptr ",
                                     "alloca ",
                                     "byval(",
                                     "sret("};

static const char *behind_place(ir_piece rest)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (ir_starts_with(rest, places[i]))
            return rest.text + strlen(places[i]);
    return NULL;
}

static int is_pointer(ir_piece rest)
{
    return ir_starts_with(rest, "ptr") && (rest.bytes == 3 || !ir_is_of_name(rest.text[3]));
}

static int has_pointer(ir_piece text)
{
    for (const char *at; (at = ir_find(text, "ptr")); text = ir_from(text, at + 3))
        if (is_pointer(ir_from(text, at)) && (at == text.text || !ir_is_of_name(at[-1])))
            return 1;
    return 0;
}

/* A type: to the end of its brackets, or of its word. */
static ir_piece type_at(ir_piece rest)
{
    static const char opening[] = "[{<", closing[] = "]}>";
    uint32_t depth = 0;
    size_t bytes = 0;
    for (; bytes < rest.bytes; bytes++) {
        const char c = rest.text[bytes];
        if (strchr(opening, c))
            depth++;
        else if (strchr(closing, c) && !--depth)
            return (ir_piece){rest.text, bytes + 1};
        else if (!depth && strchr(" ,)", c))
            break;
    }
    return (ir_piece){rest.text, bytes};
}

static void put_type(hd_text *out, ir_piece type, const char *instead)
{
    const char *end = type.text + type.bytes, *from = type.text;
    for (const char *at = type.text; at < end; at++)
        if (is_pointer(ir_from(type, at)) && (at == type.text || !ir_is_of_name(at[-1]))) {
            hd_text_add(out, "%.*s%s", (int)(at - from), from, instead);
            from = at + 3;
        }
    hd_text_add(out, "%.*s", (int)(end - from), from);
}

/* ---- Instructions ---------------------------------------------------------------------------------------------------- */

static void put_code(hd_text *out, ir_piece line)
{
    const char *end = line.text + line.bytes, *from = line.text, *at = line.text;
    while (at < end) {
        const ir_piece rest = ir_from(line, at);
        const char *behind = *at == 'g' || *at == 'a' || *at == 'b' || *at == 's' ? behind_place(rest) : NULL;
        if (*at == '"') {
            const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
            at = close ? close + 1 : end;
        } else if (behind && (at == line.text || !ir_is_of_name(at[-1]))) {
            const ir_piece type = type_at(ir_from(line, behind));
            hd_text_add(out, "%.*s", (int)(behind - from), from);
            put_type(out, type, SLOT);
            from = at = type.text + type.bytes;
        } else {
            at++;
        }
    }
    hd_text_add(out, "%.*s\n", (int)(end - from), from);
}

/* ---- Variables ------------------------------------------------------------------------------------------------------- */

/* Where the address at this place ends: at the comma or bracket that is not its own. */
static const char *end_of_address(const char *at, const char *end)
{
    uint32_t depth = 0;
    for (; at < end; at++) {
        if (strchr("([{<", *at))
            depth++;
        else if (strchr(")]}>", *at) ? !depth-- : *at == ',' && !depth)
            break;
    }
    return at;
}

/* "[2 x ptr] [ptr @a, ptr null]": each becomes a pair, of the address and of nothing. */
static void put_filled(hd_text *out, ir_piece value)
{
    const char *end = value.text + value.bytes, *at = value.text;
    while (at < end) {
        const int is_one = is_pointer(ir_from(value, at)) && (at == value.text || !ir_is_of_name(at[-1]));
        if (is_one && at + 4 < end && at[3] == ' ') {
            const char *behind = end_of_address(at + 4, end);
            hd_text_add(out, FILLED_SLOT " { %.*s, i32 0 }", (int)(behind - at), at);
            at = behind;
        } else if (is_one) {
            hd_text_add(out, FILLED_SLOT);
            at += 3;
        } else {
            hd_text_add(out, "%c", *at++);
        }
    }
}

/* Of a named struct the members are slots, and a slot can hold no address but none. */
static int put_struct_value(hd_text *out, ir_piece value)
{
    for (const char *at; (at = ir_find(value, "ptr null")); value = ir_from(value, at + strlen("ptr null"))) {
        if (has_pointer((ir_piece){value.text, (size_t)(at - value.text)}))
            return -1;
        hd_text_add(out, "%.*s" SLOT " 0", (int)(at - value.text), value.text);
    }
    hd_text_add(out, "%.*s", (int)value.bytes, value.text);
    return has_pointer(value) ? -1 : 0;
}

/* The value, up to ", section" or ", align" */
static ir_piece value_at(ir_piece rest)
{
    const char *end = end_of_address(rest.text, rest.text + rest.bytes);
    return (ir_piece){rest.text, (size_t)(end - rest.text)};
}

static int put_variable(hd_text *out, ir_piece line)
{
    const char *kind = ir_find(line, " global "), *constant = ir_find(line, " constant ");
    const char *at = kind ? kind + strlen(" global ") : constant ? constant + strlen(" constant ") : NULL;
    const ir_piece type = at ? type_at(ir_from(line, at)) : (ir_piece){0};
    const ir_piece value = at ? value_at(ir_from(line, type.text + type.bytes)) : (ir_piece){0};
    const int is_named = at && memchr(type.text, '%', type.bytes) != NULL;
    int failed = 0;
    if (!at || ir_starts_with(line, "@llvm.") || !(has_pointer(type) || (is_named && has_pointer(value)))) {
        hd_text_add(out, "%.*s\n", (int)line.bytes, line.text);
        return 0;
    }
    hd_text_add(out, "%.*s", (int)(at - line.text), line.text);
    if (ir_equals(type, "ptr") && value.bytes && *value.text == ' ' && !ir_equals(value, " null")) {
        hd_text_add(out, FILLED_SLOT " { ptr%.*s, i32 0 }", (int)value.bytes, value.text);
    } else if (ir_equals(value, " null")) {
        hd_text_add(out, SLOT " 0");
    } else if (is_named || !has_pointer(value)) {
        put_type(out, type, SLOT);
        failed = put_struct_value(out, value);
    } else {
        put_type(out, type, FILLED_SLOT);
        put_filled(out, value);
    }
    const ir_piece rest = ir_from(line, value.text + value.bytes);
    hd_text_add(out, "%.*s\n", (int)rest.bytes, rest.text);
    return failed;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static int put(hd_text *out, ir_piece line)
{
    if (ir_starts_with(line, "@"))
        return put_variable(out, line);
    if (ir_starts_with(line, "%") && ir_find(line, " = type ")) {
        put_type(out, line, SLOT);
        hd_text_add(out, "\n");
    } else {
        put_code(out, line);
    }
    return 0;
}

char *slots_text(ir_piece text, ir_piece *refused)
{
    hd_text out = {0};
    ir_piece line;
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        if (put(&out, line)) {
            const ir_piece name = ir_name_at(line.text, line.text + line.bytes);
            *refused = ir_from(name, name.text + 1);
            free(hd_text_take(&out));
            return NULL;
        }
    return hd_text_take(&out);
}
