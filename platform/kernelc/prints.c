/* SPDX-License-Identifier: MIT */
#include "prints.h"

#include <stdio.h>
#include <string.h>

#define FUNCTION "@printf("
#define ARGUMENTS_MAX 7u

int prints_is_call(ir_piece line)
{
    return ir_starts_with(line, "  ") && ir_find(line, "call ") && ir_find(line, FUNCTION);
}

/* "double noundef %3" -> %3 */
static ir_piece value_of(ir_piece argument)
{
    size_t from = argument.bytes;
    while (from && argument.text[from - 1] != ' ')
        from--;
    return (ir_piece){argument.text + from, argument.bytes - from};
}

/* Brings an argument to 32 bits, as a value of the name %print.NUMBER.i. */
static int add_word(hd_text *program, ir_piece argument, uint32_t number, uint32_t i)
{
    const ir_piece value = value_of(argument);
    const int bytes = (int)value.bytes;
    if (ir_starts_with(argument, "double "))
        hd_text_add(program,
                    "  %%print.%u.%u.float = fptrunc double %.*s to float\n"
                    "  %%print.%u.%u = bitcast float %%print.%u.%u.float to i32\n",
                    number, i, bytes, value.text, number, i, number, i);
    else if (ir_starts_with(argument, "float "))
        hd_text_add(program, "  %%print.%u.%u = bitcast float %.*s to i32\n", number, i, bytes, value.text);
    else if (ir_starts_with(argument, "ptr "))
        hd_text_add(program, "  %%print.%u.%u = ptrtoint ptr %.*s to i32\n", number, i, bytes, value.text);
    else if (ir_starts_with(argument, "i32 "))
        hd_text_add(program, "  %%print.%u.%u = add i32 %.*s, 0\n", number, i, bytes, value.text);
    else
        return -1;
    return 0;
}

static void add_instruction(hd_text *program, ir_piece line, const ir_list *arguments, uint32_t number)
{
    const ir_piece format = value_of(arguments->items[0]);
    const char *place = ir_find(line, ", !dbg ");
    hd_text_add(program, "  call void asm sideeffect \".insn i 0x0B, 7, x0, a0, %d\\09# %u\", \"{x10}",
                -2048 + (int)(arguments->count - 1), number);
    for (uint32_t i = 1; i < arguments->count; i++)
        hd_text_add(program, ",{x%u}", 10 + i);
    hd_text_add(program, "\"(ptr %.*s", (int)format.bytes, format.text);
    for (uint32_t i = 1; i < arguments->count; i++)
        hd_text_add(program, ", i32 %%print.%u.%u", number, i);
    hd_text_add(program, ") nounwind%.*s\n", place ? (int)ir_from(line, place).bytes : 0, place ? place : "");
    const char *result = ir_find(line, " = ");
    if (result && result < ir_find(line, "call "))
        hd_text_add(program, "%.*s = add i32 0, 0\n", (int)(result - line.text), line.text);
}

int prints_add(arena *memory, hd_text *program, ir_piece line, uint32_t number, char *error, size_t error_bytes)
{
    const ir_list arguments = ir_split(memory, ir_bracketed(ir_from(line, ir_find(line, FUNCTION)), '('));
    if (!arguments.count || arguments.count > ARGUMENTS_MAX + 1) {
        snprintf(error, error_bytes, "printf has at most %u values", ARGUMENTS_MAX);
        return -1;
    }
    for (uint32_t i = 1; i < arguments.count; i++)
        if (add_word(program, arguments.items[i], number, i)) {
            snprintf(error, error_bytes, "value %u of a printf is none of 32 bits, and no double", i);
            return -1;
        }
    add_instruction(program, line, &arguments, number);
    return 0;
}
