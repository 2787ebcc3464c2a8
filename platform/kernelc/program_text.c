/* SPDX-License-Identifier: MIT */
#include "program_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text.h"
#include "places.h"
#include "prints.h"
#include "retarget.h"
#include "sites.h"
#include "slots.h"
#include "wrapper.h"

#define KERNEL_MARK "spir_kernel "
#define NEEDED_DECLARATION "@_Z9mem_fencej("

typedef struct preparation {
    arena *memory;
    const ir_kernels *kernels;
    ir_list shared; /* functions that must not be inlined */
    ir_sites sites;
    ir_prints prints;
    uint32_t assemblies;
    const char *locals; /* as in program_content */
    hd_text out;
    ir_metadata metadata;
    char *error;
    size_t error_bytes;
} preparation;

static int is_in(const ir_list *list, ir_piece name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (ir_same(list->items[i], name))
            return 1;
    return 0;
}

static const ir_kernel *kernel_of(const ir_kernels *kernels, const char *name, size_t bytes)
{
    for (uint32_t i = 0; i < kernels->count; i++)
        if (strlen(kernels->kernels[i].name) == bytes && !memcmp(kernels->kernels[i].name, name, bytes))
            return &kernels->kernels[i];
    return NULL;
}

/* ---- Names ----------------------------------------------------------------------------------------------------------- */

static const char *put_name(preparation *p, const char *at, const char *end, int is_call)
{
    const ir_piece name = ir_name_at(at, end);
    char site[SITE_NAME_BYTES];
    if (is_call && sites_has(name)) {
        sites_add(&p->sites, name, site);
        hd_text_add(&p->out, "@%s", site);
    } else {
        const int is_kernel = kernel_of(p->kernels, name.text + 1, name.bytes - 1) != NULL;
        hd_text_add(&p->out, "%.*s%s", (int)name.bytes, name.text, is_kernel ? KERNEL_BODY : "");
    }
    return at + name.bytes;
}

/* A line with the names in it changed. What has no name in it is added at once. */
static void put_line(preparation *p, ir_piece line)
{
    const char *end = line.text + line.bytes, *from = line.text, *at = line.text;
    const int is_call = ir_starts_with(line, "  ") && ir_find(line, "call ");
    while (at < end) {
        if (*at == '"') {
            const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
            at = close ? close + 1 : end;
        } else if (*at == '@' || (*at == 's' && ir_starts_with(ir_from(line, at), KERNEL_MARK))) {
            hd_text_add(&p->out, "%.*s", (int)(at - from), from);
            at = *at == '@' ? put_name(p, at, end, is_call) : at + strlen(KERNEL_MARK);
            from = at;
        } else {
            at++;
        }
    }
    hd_text_add(&p->out, "%.*s\n", (int)(end - from), from);
}

/* ---- Kinds of lines -------------------------------------------------------------------------------------------------- */

/* "@kernel.name = internal global [16 x float] undef, align 4": the kernel's name; NULL: the line is no variable in local memory. */
static const char *local_of(const ir_kernels *kernels, ir_piece line)
{
    if (!ir_starts_with(line, "@") || !ir_find(line, " = internal global ") || !ir_find(line, " undef, "))
        return NULL;
    if (ir_starts_with(line, "@" CUDA_COMMON_KERNEL "."))
        return CUDA_COMMON_KERNEL;
    const char *dot = ir_find(line, ".");
    const ir_kernel *kernel = dot ? kernel_of(kernels, line.text + 1, (size_t)(dot - line.text - 1)) : NULL;
    return kernel ? kernel->name : NULL;
}

/* Other work-items change it too, which LLVM rules out for a variable that is internal: it would keep a copy across barriers. */
static void put_local(preparation *p, ir_piece line, const char *kernel)
{
    const char *internal = ir_find(line, " = internal "), *rest = internal + strlen(" = internal ");
    const char *behind = ir_find(line, " undef, ") + strlen(" undef, ");
    const ir_piece name = ir_name_at(line.text, line.text + line.bytes);
    hd_text_add(&p->out, "%.*s = %.*ssection \"" LOCAL_SECTION "%s\", %.*s\n", (int)(internal - line.text), line.text,
                (int)(behind - rest), rest, kernel, (int)ir_from(line, behind).bytes, behind);
    p->locals = arena_format(p->memory, "%s,%.*s", p->locals, (int)name.bytes - 1, name.text + 1); /* without @ */
}

/* Behind the group of attributes "#3" that begins there. */
static const char *behind_group(const char *group)
{
    return group + strlen(" #") + strspn(group + strlen(" #"), "0123456789");
}

/* A call of a function that keeps its own code, in a line: it may say that it is always to be inlined. */
static int calls_shared(const preparation *p, ir_piece line)
{
    const char *name = ir_starts_with(line, "  ") && ir_find(line, "call ") ? ir_find(line, "@") : NULL;
    return name && is_in(&p->shared, ir_name_at(name, line.text + line.bytes));
}

static void put_shared_call(preparation *p, ir_piece line)
{
    const char *group = ir_find(line, " #");
    if (!group) {
        put_line(p, line);
        return;
    }
    const ir_piece rest = ir_from(line, behind_group(group));
    const char *text =
        arena_format(p->memory, "%.*s convergent%.*s", (int)(group - line.text), line.text, (int)rest.bytes, rest.text);
    put_line(p, (ir_piece){text, strlen(text)});
}

/* The first line of a function. Whatever compiler the text is from, lanes may have to meet in it. One that must keep its own code is not
 * inlined, whatever its attributes "#3" say of that. They stand in front of metadata and of the bracket. */
static void put_definition(preparation *p, ir_piece line)
{
    const int is_shared = is_in(&p->shared, ir_name_at(ir_find(line, "@"), line.text + line.bytes));
    const char *group = ir_find(line, " #"), *at = group;
    if (!at)
        at = ir_find(line, " !");
    if (!at)
        at = ir_find(line, " {");
    const char *rest = at;
    if (is_shared && group)
        rest = behind_group(group);
    const char *text =
        arena_format(p->memory, "%.*s%s%.*s", (int)(at - line.text), line.text,
                     is_shared ? " convergent noinline nounwind" : " convergent", (int)ir_from(line, rest).bytes, rest);
    put_line(p, (ir_piece){text, strlen(text)});
}

static int put_print(preparation *p, ir_piece line)
{
    char why[192];
    if (!prints_add(&p->prints, &p->out, line, why, sizeof why))
        return 0;
    const char *file = p->kernels->count ? p->kernels->kernels[0].file : "program.cl";
    snprintf(p->error, p->error_bytes, "%s: error: %s", place_of(p->memory, &p->metadata, line, file), why);
    return -1;
}

/* The node that says where clang's source has it: "!srcloc !12". NULL: the line is no assembly of the user. */
static const char *assembly_node(ir_piece line)
{
    static const char word[] = ", !srcloc !";
    const char *at = ir_starts_with(line, "  ") && ir_find(line, " asm ") ? ir_find(line, word) : NULL;
    return at ? at + strlen(word) : NULL;
}

static void put_assembly(preparation *p, ir_piece line, const char *node)
{
    const ir_piece rest = ir_from(line, node + strspn(node, "0123456789"));
    const char *text = arena_format(p->memory, "%.*s%u%.*s", (int)(node - line.text), line.text,
                                    ASSEMBLY_NODE + ++p->assemblies, (int)rest.bytes, rest.text);
    put_line(p, (ir_piece){text, strlen(text)});
}

static int put(preparation *p, ir_piece line)
{
    const char *kernel = local_of(p->kernels, line);
    if (prints_is_call(line))
        return put_print(p, line);
    const char *assembly = assembly_node(line);
    if (assembly)
        put_assembly(p, line, assembly);
    else if (kernel)
        put_local(p, line, kernel);
    else if (ir_starts_with(line, "define ") && ir_find(line, "@") && ir_find(line, " {"))
        put_definition(p, line);
    else if (calls_shared(p, line))
        put_shared_call(p, line);
    else
        put_line(p, line);
    return 0;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static int prepare(preparation *p, ir_piece program)
{
    ir_piece line;
    for (ir_piece rest = program; ir_next_line(&rest, &line);)
        if (put(p, line))
            return -1;
    if (p->sites.count && !ir_find(program, NEEDED_DECLARATION))
        hd_text_add(&p->out, "declare void " NEEDED_DECLARATION "i32)\n");
    char *sites = hd_text_take(&p->sites.defined), *texts = hd_text_take(&p->prints.constants);
    hd_text_add(&p->out, "%s%s", sites, texts);
    free(sites);
    free(texts);
    for (uint32_t i = 1; i <= p->assemblies; i++)
        hd_text_add(&p->out, "!%u = !{i64 %u}\n", ASSEMBLY_NODE + i, i);
    wrapper_add(&p->out, p->kernels);
    return 0;
}

/* To the arena; the text is freed. */
static ir_piece keep(arena *memory, char *text)
{
    if (!text)
        abort();
    const size_t bytes = strlen(text);
    const ir_piece kept = {arena_copy(memory, text, bytes), bytes};
    free(text);
    return kept;
}

/* CUDA's, by way of what OpenCL C would be. */
static int retarget_cuda(arena *memory, ir_piece text, program_content *content, ir_piece *program)
{
    const cuda_program in = cuda_program_of(memory, text);
    content->variables = in.variables;
    content->dynamic_kernels = in.dynamic_kernels;
    const ir_piece plain = keep(memory, cuda_text(&in, text));
    const ir_piece retargeted = keep(memory, ir_retarget(plain.text, plain.bytes));
    char *made = slots_text(retargeted, &content->refused);
    if (made)
        *program = keep(memory, made);
    return made ? 0 : -1;
}

int program_text(arena *memory, ir_piece text, int is_cuda, program_content *content, char **made, char *error,
                 size_t error_bytes)
{
    ir_piece program;
    if (!is_cuda)
        program = keep(memory, ir_retarget(text.text, text.bytes));
    else if (retarget_cuda(memory, text, content, &program))
        return -1;
    if (ir_kernels_of(memory, program, is_cuda, &content->kernels, error, error_bytes))
        return -1;
    preparation p = {.memory = memory,
                     .kernels = &content->kernels,
                     .locals = "",
                     .prints = {.memory = memory, .program = program},
                     .shared = sites_shared_functions(memory, program),
                     .metadata = ir_metadata_of(memory, program),
                     .error = error,
                     .error_bytes = error_bytes};
    const int failed = prepare(&p, program);
    *made = hd_text_take(&p.out);
    content->locals = p.locals;
    if (failed) {
        free(hd_text_take(&p.sites.defined));
        free(hd_text_take(&p.prints.constants));
        free(*made);
        *made = NULL;
    }
    return failed;
}
