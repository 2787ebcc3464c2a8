/* SPDX-License-Identifier: MIT */
#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle_args.h"
#include "layout.h"
#include "places.h"
#include "slots.h"
#include "text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct reader {
    arena *memory;
    ir_metadata metadata;
    ir_types types;
    int is_cuda;
    char *error;
    size_t error_bytes;
} reader;

/* What metadata say of the arguments, by argument. */
typedef struct descriptions {
    ir_list spaces, types, qualifiers, names;
} descriptions;

/* ---- Errors ---------------------------------------------------------------------------------------------------------- */

static int refuse(const reader *r, const ir_kernel *kernel, uint32_t argument, const char *why)
{
    char place[64] = "";
    if (kernel->line)
        snprintf(place, sizeof place, ":%u", kernel->line);
    snprintf(r->error, r->error_bytes, "%s%s: error: kernel '%s': argument %u, '%s', %s", kernel->file, place,
             kernel->name, argument, kernel->parameters[argument].record.name, why);
    return -1;
}

/* ---- Lists of metadata ----------------------------------------------------------------------------------------------- */

static ir_list members(const reader *r, ir_piece line, const char *word)
{
    return ir_split(r->memory, ir_bracketed(ir_node_after(&r->metadata, line, word), '{'));
}

/* !"float*" -> float* */
static const char *text_of(const reader *r, const ir_list *list, uint32_t i)
{
    const ir_piece item = i < list->count ? list->items[i] : (ir_piece){0};
    if (!ir_starts_with(item, "!\""))
        return "";
    return ir_copy(r->memory, (ir_piece){item.text + 2, item.bytes - 3});
}

/* i32 16 -> 16 */
static uint32_t number_of(const ir_list *list, uint32_t i)
{
    if (i >= list->count || !ir_starts_with(list->items[i], "i32 "))
        return 0;
    return (uint32_t)strtoul(list->items[i].text + 4, NULL, 10);
}

static descriptions describe(const reader *r, ir_piece line)
{
    return (descriptions){.spaces = members(r, line, "!kernel_arg_addr_space "),
                          .types = members(r, line, "!kernel_arg_type "),
                          .qualifiers = members(r, line, "!kernel_arg_type_qual "),
                          .names = members(r, line, "!kernel_arg_name ")};
}

static uint32_t qualifiers_of(const char *text)
{
    return (strstr(text, "const") ? KERNELC_CONST : 0) | (strstr(text, "restrict") ? KERNELC_RESTRICT : 0) |
           (strstr(text, "volatile") ? KERNELC_VOLATILE : 0);
}

/* ---- Arguments ------------------------------------------------------------------------------------------------------- */

/* "ptr noundef byval(%struct.pair) align 4 %0" */
static ir_parameter read_parameter(const reader *r, ir_piece text, uint32_t *alignment)
{
    ir_parameter parameter = {0};
    const char *by_value = ir_find(text, "byval("), *align = ir_find(text, " align ");
    *alignment = align ? (uint32_t)strtoul(align + strlen(" align "), NULL, 10) : 0;
    if (by_value) {
        parameter.type = ir_copy(r->memory, ir_bracketed(ir_from(text, by_value), '('));
        parameter.is_by_value = 1;
        return parameter;
    }
    uint32_t depth = 0;
    size_t bytes = 0;
    for (; bytes < text.bytes && (depth || text.text[bytes] != ' '); bytes++)
        depth += strchr("<[{", text.text[bytes]) ? 1 : strchr(">]}", text.text[bytes]) ? -1 : 0;
    parameter.type = ir_copy(r->memory, (ir_piece){text.text, bytes});
    *alignment = 0;
    return parameter;
}

/* Types that are pointers to something that only hardware for it has. */
static const struct {
    const char *type, *what;
} unsupported[] = {{"image", "is an image: images are not supported"},
                   {"sampler_t", "is a sampler: images are not supported"},
                   {"event_t", "is an event, which the standard forbids"}};

static int place(const reader *r, ir_kernel *kernel, uint32_t i, uint32_t alignment)
{
    ir_parameter *parameter = &kernel->parameters[i];
    const char *type = parameter->type;
    ir_layout layout = ir_layout_of(&r->types, (ir_piece){type, strlen(type)});
    for (size_t k = 0; k < COUNT_OF(unsupported); k++)
        if (!strncmp(parameter->record.type, unsupported[k].type, strlen(unsupported[k].type)) &&
            (!strcmp(type, "ptr") || strncmp(type, "target", 6) == 0))
            return refuse(r, kernel, i, unsupported[k].what);
    if (!layout.alignment)
        return refuse(r, kernel, i, "is of a type that cannot be passed");
    if (alignment > layout.alignment)
        layout.alignment = alignment;
    const uint64_t offset = ir_aligned(kernel->block_bytes, layout.alignment);
    if (offset + layout.bytes > HD_ARGUMENT_BYTES_MAX)
        return refuse(r, kernel, i, "has no place: all arguments have 4096 bytes together");
    parameter->record.offset = (uint32_t)offset;
    parameter->record.bytes = (uint32_t)layout.bytes;
    parameter->record.alignment = layout.alignment;
    kernel->block_bytes = (uint32_t)(offset + layout.bytes);
    return 0;
}

static int read_parameters(const reader *r, ir_piece line, ir_kernel *kernel)
{
    const ir_list list = ir_split(r->memory, ir_bracketed(ir_from(line, ir_find(line, "@")), '('));
    const descriptions said = describe(r, line);
    kernel->parameter_count = list.count;
    kernel->parameters = arena_alloc(r->memory, (list.count + 1) * sizeof *kernel->parameters);
    kernel->block_bytes = sizeof(kernelc_launch_header);
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t alignment;
        ir_parameter *parameter = &kernel->parameters[i];
        *parameter = read_parameter(r, list.items[i], &alignment);
        parameter->record.space = number_of(&said.spaces, i);
        parameter->record.type = text_of(r, &said.types, i);
        parameter->record.name = text_of(r, &said.names, i);
        parameter->record.qualifiers = qualifiers_of(text_of(r, &said.qualifiers, i));
        if (r->is_cuda && !strcmp(parameter->type, "ptr"))
            parameter->record.space = KERNELC_GLOBAL;
        if (place(r, kernel, i, alignment))
            return -1;
    }
    kernel->block_bytes = (uint32_t)ir_aligned(kernel->block_bytes, 4);
    return 0;
}

/* ---- What else is said ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *llvm, *is_signed, *is_unsigned;
} element_names[] = {{"i8", "char", "uchar"},       {"i16", "short", "ushort"}, {"i32", "int", "uint"},
                     {"i64", "long", "ulong"},      {"half", "half", "half"},   {"float", "float", "float"},
                     {"double", "double", "double"}};

/* "<4 x float> undef" -> "float4"; "" if it has no name. */
static const char *vector_name(const reader *r, ir_piece type, int is_signed)
{
    const ir_piece vector = ir_bracketed(type, '<');
    const char *times = ir_find(vector, " x ");
    const ir_piece element = times ? ir_from(vector, times + 3) : type;
    for (size_t i = 0; i < COUNT_OF(element_names); i++)
        if (ir_starts_with(element, element_names[i].llvm)) {
            const char *name = is_signed ? element_names[i].is_signed : element_names[i].is_unsigned;
            return times ? arena_format(r->memory, "%s%d", name, atoi(vector.text)) : name;
        }
    return "";
}

static void read_attributes(const reader *r, ir_piece line, ir_kernel *kernel)
{
    static const char *const sizes[] = {"reqd_work_group_size", "work_group_size_hint"};
    const char *attributes = "", *space = "";
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const ir_list size = members(r, line, arena_format(r->memory, "!%s ", sizes[i]));
        if (size.count != 3)
            continue;
        attributes = arena_format(r->memory, "%s%s%s(%u,%u,%u)", attributes, space, sizes[i], number_of(&size, 0),
                                  number_of(&size, 1), number_of(&size, 2));
        space = " ";
        for (uint32_t d = 0; d < 3 && i == 0; d++)
            kernel->group_size[d] = number_of(&size, d);
    }
    const ir_list hint = members(r, line, "!vec_type_hint ");
    if (hint.count == 2)
        attributes = arena_format(r->memory, "%s%svec_type_hint(%s)", attributes, space,
                                  vector_name(r, hint.items[0], number_of(&hint, 1) != 0));
    kernel->attributes = attributes;
}

/* file: !3 of "distinct !DISubprogram(name: ..., file: !3, line: 12, ...)" */
static void read_place(const reader *r, ir_piece line, ir_kernel *kernel)
{
    const ir_piece program = ir_node_after(&r->metadata, line, "!dbg ");
    const char *at = ir_find(program, "line: ");
    kernel->file = file_of_node(r->memory, &r->metadata, program, "program.cl");
    if (!program.bytes)
        return;
    kernel->subprogram = ir_copy(r->memory, program);
    kernel->line = at ? (uint32_t)strtoul(at + strlen("line: "), NULL, 10) : 0;
}

static int read_kernel(const reader *r, ir_piece line, ir_kernel *kernel)
{
    const char *at = ir_find(line, "@");
    const ir_piece name = ir_name_at(at, line.text + line.bytes);
    *kernel = (ir_kernel){.name = ir_copy(r->memory, (ir_piece){name.text + 1, name.bytes - 1})};
    read_place(r, line, kernel);
    read_attributes(r, line, kernel);
    return read_parameters(r, line, kernel);
}

/* ---- Names ----------------------------------------------------------------------------------------------------------- */

/* "add<float, 4>" -> "add<float;4>": what ends a name in lists of linkers and compilers becomes something else. */
static char *entry_of(const reader *r, ir_piece name)
{
    char *made = arena_alloc(r->memory, name.bytes + 1), *to = made;
    for (size_t i = 0; i < name.bytes; i++)
        if (name.text[i] == ',')
            *to++ = ';';
        else if (name.text[i] != ' ')
            *to++ = ir_is_of_name(name.text[i]) || strchr("<>:*&()", name.text[i]) ? name.text[i] : '_';
    return made;
}

/* As the source says it, if no kernel before it is of that name. The name that the host's compiler gives it is told as its attributes. */
static void name_entry(const reader *r, ir_kernels *kernels)
{
    ir_kernel *kernel = &kernels->kernels[kernels->count - 1];
    kernel->entry = kernel->name;
    if (!r->is_cuda)
        return;
    kernel->attributes = kernel->name;
    const char *said = kernel->subprogram ? strstr(kernel->subprogram, "name: \"") : NULL;
    if (!said)
        return;
    said += strlen("name: \"");
    char *entry = entry_of(r, (ir_piece){said, strcspn(said, "\"")});
    for (uint32_t i = 0; i + 1 < kernels->count; i++)
        if (!strcmp(kernels->kernels[i].entry, entry))
            return;
    kernel->entry = entry;
}

int ir_kernels_of(arena *memory, ir_piece program, int is_cuda, ir_kernels *kernels, char *error, size_t error_bytes)
{
    const reader r = {.memory = memory,
                      .metadata = ir_metadata_of(memory, program),
                      .types = {memory, program, is_cuda ? SLOT_BYTES : 4},
                      .is_cuda = is_cuda,
                      .error = error,
                      .error_bytes = error_bytes};
    uint32_t capacity = 0;
    ir_piece line;
    *kernels = (ir_kernels){0};
    for (ir_piece rest = program; ir_next_line(&rest, &line);) {
        if (!ir_starts_with(line, "define ") || !ir_find(line, "spir_kernel ") || !ir_find(line, "@"))
            continue;
        kernels->kernels = arena_grow(memory, kernels->kernels, kernels->count, &capacity, sizeof *kernels->kernels);
        if (read_kernel(&r, line, &kernels->kernels[kernels->count++]))
            return -1;
        name_entry(&r, kernels);
    }
    return 0;
}
