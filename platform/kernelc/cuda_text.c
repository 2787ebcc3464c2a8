/* SPDX-License-Identifier: MIT */
#include "cuda_text.h"

#include <string.h>

#include "text.h"

/* What stands in lines and is not to: linkage of templates, which are in one module only. */
static const char *const dropped[] = {"weak_odr ", "linkonce_odr ", "weak ", "linkonce "};

static const char *dropped_at(ir_piece rest)
{
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (ir_starts_with(rest, dropped[i]))
            return rest.text + strlen(dropped[i]);
    return NULL;
}

/* Behind " comdat", ", comdat" or " comdat($name)"; NULL: there is none. */
static const char *behind_comdat(ir_piece rest)
{
    const char *word = ir_starts_with(rest, ", comdat")  ? ", comdat"
                       : ir_starts_with(rest, " comdat") ? " comdat"
                                                         : NULL;
    if (!word)
        return NULL;
    const ir_piece behind = ir_from(rest, rest.text + strlen(word));
    const char *close = ir_starts_with(behind, "(") ? ir_find(behind, ")") : NULL;
    return close ? close + 1 : behind.text;
}

static void put_name(hd_text *out, const cuda_program *program, ir_piece name)
{
    static const char theirs[] = "@llvm.nvvm.";
    const cuda_shared *shared = cuda_shared_named(program, name);
    const int bytes = (int)name.bytes - 1;
    if (shared && shared->is_dynamic)
        hd_text_add(out, "@" CUDA_DYNAMIC);
    else if (shared && shared->users == 1)
        hd_text_add(out, "%.*s.%.*s", (int)shared->user.bytes, shared->user.text, bytes, name.text + 1);
    else if (shared)
        hd_text_add(out, "@" CUDA_COMMON_KERNEL ".%.*s", bytes, name.text + 1);
    else if (ir_starts_with(name, theirs)) /* which only their code generator knows */
        hd_text_add(out, "@heddle.nvvm.%.*s", (int)(name.bytes - strlen(theirs)), name.text + strlen(theirs));
    else
        hd_text_add(out, "%.*s", (int)name.bytes, name.text);
}

/* Names of shared variables and intrinsics changed, comdats dropped. Quoted text stays. */
static void put_line(hd_text *out, const cuda_program *program, ir_piece line)
{
    const char *end = line.text + line.bytes, *from = line.text, *at = line.text;
    while (at < end) {
        const ir_piece rest = ir_from(line, at);
        const char *behind = *at == ' ' || *at == ',' ? behind_comdat(rest) : NULL;
        if (*at == '"') {
            const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
            at = close ? close + 1 : end;
        } else if (*at == '@' || behind) {
            hd_text_add(out, "%.*s", (int)(at - from), from);
            const ir_piece name = ir_name_at(at, end);
            if (!behind)
                put_name(out, program, name);
            from = at = behind ? behind : at + name.bytes;
        } else {
            at++;
        }
    }
    hd_text_add(out, "%.*s\n", (int)(end - from), from);
}

/* ---- Kinds of lines -------------------------------------------------------------------------------------------------- */

/* "define weak_odr dso_local void @f(": linkage goes, and kernels are marked. */
static void put_definition(hd_text *out, const cuda_program *program, ir_piece line)
{
    const char *at = ir_find(line, "@");
    const int is_kernel = cuda_is_kernel(program, ir_name_at(at, line.text + line.bytes));
    ir_piece rest = ir_from(line, line.text + strlen("define "));
    const char *behind = dropped_at(rest);
    if (behind)
        rest = ir_from(rest, behind);
    hd_text_add(out, "define %s", is_kernel ? "spir_kernel " : "");
    put_line(out, program, rest);
}

/* As a variable of OpenCL's local memory; those of dynamic size are one, which the linker script places. */
static void put_shared(hd_text *out, const cuda_program *program, ir_piece line, const cuda_shared *variable)
{
    const char *global = ir_find(line, " global ");
    if (variable->is_dynamic || !global || !variable->users)
        return;
    put_name(out, program, variable->name);
    hd_text_add(out, " = internal addrspace(3)");
    put_line(out, program, ir_from(line, global));
}

static void put(hd_text *out, const cuda_program *program, ir_piece line)
{
    const cuda_shared *shared =
        ir_starts_with(line, "@") ? cuda_shared_named(program, ir_name_at(line.text, line.text + line.bytes)) : NULL;
    if (ir_starts_with(line, "$") || ir_starts_with(line, "!nvvm.annotations"))
        return;
    if (shared)
        put_shared(out, program, line, shared);
    else if (ir_starts_with(line, "define "))
        put_definition(out, program, line);
    else
        put_line(out, program, line);
}

char *cuda_text(const cuda_program *program, ir_piece text)
{
    hd_text out = {0};
    ir_piece line;
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        put(&out, program, line);
    if (program->dynamic_kernels.count)
        hd_text_add(&out, "@" CUDA_DYNAMIC " = external dso_local addrspace(3) global i8, align 16\n");
    return hd_text_take(&out);
}
