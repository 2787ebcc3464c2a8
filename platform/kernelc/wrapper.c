/* SPDX-License-Identifier: MIT */
#include "wrapper.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of metadata that no program has. */
#define FIRST_NODE 100000000u
#define EMPTY_NODE (FIRST_NODE - 1)

/* ---- The function ---------------------------------------------------------------------------------------------------- */

static void add_argument(hd_text *program, const ir_parameter *parameter, uint32_t i)
{
    const kernelc_argument *a = &parameter->record;
    hd_text_add(program, "  %%p%u = getelementptr i8, ptr %%block, i32 %u\n", i, a->offset);
    if (!parameter->is_by_value)
        hd_text_add(program, "  %%a%u = load %s, ptr %%p%u, align %u, !invariant.load !%u\n", i, parameter->type, i,
                    a->alignment, EMPTY_NODE);
}

static void add_call(hd_text *program, const ir_kernel *kernel, uint32_t location)
{
    hd_text_add(program, "  call void @%s" KERNEL_BODY "(", kernel->name);
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const ir_parameter *parameter = &kernel->parameters[i];
        hd_text_add(program, "%s", i ? ", " : "");
        if (parameter->is_by_value)
            hd_text_add(program, "ptr byval(%s) align %u %%p%u", parameter->type, parameter->record.alignment, i);
        else
            hd_text_add(program, "%s %%a%u", parameter->type, i);
    }
    hd_text_add(program, ") convergent alwaysinline");
    if (kernel->subprogram)
        hd_text_add(program, ", !dbg !%u", location);
    hd_text_add(program, "\n  ret void\n}\n");
}

/* A function whose call is inlined needs a description of its own, or what is inlined has no lines. */
static void add_function(hd_text *program, const ir_kernel *kernel, uint32_t node)
{
    hd_text_add(program, "define dso_local void @\"%s\"(ptr noundef align 16 %%block) noinline nounwind convergent",
                kernel->entry);
    if (kernel->subprogram)
        hd_text_add(program, " !dbg !%u", node);
    hd_text_add(program, " {\n");
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        add_argument(program, &kernel->parameters[i], i);
    add_call(program, kernel, node + 1);
    if (kernel->subprogram)
        hd_text_add(program, "!%u = %s\n!%u = !DILocation(line: %u, scope: !%u)\n", node, kernel->subprogram, node + 1,
                    kernel->line, node);
}

/* ---- The record ------------------------------------------------------------------------------------------------------ */

/* Texts, which lie behind the numbers. */
typedef struct record_texts {
    hd_text lines; /* of the assembler */
    uint32_t end;  /* in the record */
} record_texts;

/* Where in the record it is. */
static uint32_t keep_text(record_texts *texts, const char *text)
{
    const uint32_t place = texts->end;
    texts->end += (uint32_t)strlen(text) + 1;
    hd_text_add(&texts->lines, "module asm \".asciz \\22");
    for (; *text; text++)
        hd_text_add(&texts->lines, "%c", *text);
    hd_text_add(&texts->lines, "\\22\"\n");
    return place;
}

static void add_argument_record(hd_text *program, record_texts *texts, const kernelc_argument *a)
{
    const uint32_t type = keep_text(texts, a->type), name = keep_text(texts, a->name);
    hd_text_add(program, "module asm \".word %u, %u, %u, %u, %u, %u, %u, %u\"\n", a->space, a->offset, a->bytes,
                a->alignment, a->access, a->qualifiers, type, name);
}

static void add_record(hd_text *program, const ir_kernel *kernel)
{
    record_texts texts = {
        .end = (uint32_t)(sizeof(kernelc_kernel_record) + kernel->parameter_count * sizeof(kernelc_argument_record))};
    const uint32_t name = keep_text(&texts, kernel->entry), attributes = keep_text(&texts, kernel->attributes);
    hd_text arguments = {0};
    for (uint32_t i = 0; i < kernel->parameter_count; i++)
        add_argument_record(&arguments, &texts, &kernel->parameters[i].record);
    hd_text_add(program,
                "module asm \".pushsection " KERNELC_SECTION ", \\22\\22, @progbits\"\n"
                "module asm \".word %u, %u, %u, %u, %u, " LOCAL_BYTES "%s, %u, %u, %u, %u\"\n",
                (texts.end + 3) / 4 * 4, KERNELC_FORMAT, name, attributes, kernel->block_bytes, kernel->name,
                kernel->group_size[0], kernel->group_size[1], kernel->group_size[2], kernel->parameter_count);
    char *lines = hd_text_take(&arguments), *strings = hd_text_take(&texts.lines);
    hd_text_add(program, "%s%smodule asm \".balign 4\"\nmodule asm \".popsection\"\n", lines, strings);
    free(lines);
    free(strings);
}

void wrapper_add(hd_text *program, const ir_kernels *kernels)
{
    for (uint32_t i = 0; i < kernels->count; i++) {
        add_function(program, &kernels->kernels[i], FIRST_NODE + 2 * i);
        add_record(program, &kernels->kernels[i]);
    }
    hd_text_add(program, "!%u = !{}\n", EMPTY_NODE);
}
