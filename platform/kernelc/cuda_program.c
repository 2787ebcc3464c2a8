/* SPDX-License-Identifier: MIT */
#include "cuda_program.h"

#include <string.h>

#define SHARED " addrspace(3) "
#define FROM_OUTSIDE "externally_initialized "

typedef struct reading {
    arena *memory;
    cuda_program *made;
    uint32_t function_capacity, shared_capacity, variable_capacity, dynamic_capacity;
} reading;

static cuda_function *function_named(const cuda_program *program, ir_piece name)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (ir_same(program->functions[i].name, name))
            return &program->functions[i];
    return NULL;
}

const cuda_shared *cuda_shared_named(const cuda_program *program, ir_piece name)
{
    for (uint32_t i = 0; i < program->shared_count; i++)
        if (ir_same(program->shared[i].name, name))
            return &program->shared[i];
    return NULL;
}

int cuda_is_kernel(const cuda_program *program, ir_piece name)
{
    const cuda_function *function = function_named(program, name);
    return function && function->is_kernel;
}

static ir_piece first_name(ir_piece line)
{
    const char *at = ir_find(line, "@");
    return at ? ir_name_at(at, line.text + line.bytes) : (ir_piece){0};
}

static void append(arena *memory, ir_list *list, uint32_t *capacity, ir_piece item)
{
    list->items = arena_grow(memory, list->items, list->count, capacity, sizeof *list->items);
    list->items[list->count++] = item;
}

/* ---- Lines ----------------------------------------------------------------------------------------------------------- */

static void read_variable(reading *r, ir_piece line)
{
    cuda_program *made = r->made;
    const ir_piece name = first_name(line);
    if (ir_find(line, SHARED)) {
        made->shared =
            arena_grow(r->memory, made->shared, made->shared_count, &r->shared_capacity, sizeof *made->shared);
        made->shared[made->shared_count++] =
            (cuda_shared){.name = name, .is_dynamic = ir_find(line, " external ") != NULL};
    } else if (ir_find(line, FROM_OUTSIDE) && !ir_find(line, " internal ")) {
        append(r->memory, &made->variables, &r->variable_capacity, (ir_piece){name.text + 1, name.bytes - 1});
    }
}

static cuda_function *read_definition(reading *r, ir_piece line)
{
    cuda_program *made = r->made;
    made->functions =
        arena_grow(r->memory, made->functions, made->function_count, &r->function_capacity, sizeof *made->functions);
    made->functions[made->function_count] = (cuda_function){.name = first_name(line)};
    return &made->functions[made->function_count++];
}

static void read_references(reading *r, ir_piece line, cuda_function *in, uint32_t *capacity)
{
    const char *end = line.text + line.bytes;
    for (const char *at; (at = ir_find(line, "@")); line = ir_from(line, at + 1))
        append(r->memory, &in->references, capacity, ir_name_at(at, end));
}

static void read_lines(reading *r, ir_piece text)
{
    cuda_function *in = NULL;
    uint32_t capacity = 0;
    ir_piece line;
    for (ir_piece rest = text; ir_next_line(&rest, &line);) {
        if (ir_starts_with(line, "@"))
            read_variable(r, line);
        else if (ir_starts_with(line, "define ")) {
            in = read_definition(r, line);
            capacity = 0;
        } else if (ir_starts_with(line, "}"))
            in = NULL;
        else if (in)
            read_references(r, line, in, &capacity);
    }
}

/* "!2 = !{ptr @name, !"kernel", i32 1}" */
static void mark_kernels(const cuda_program *program, ir_piece text)
{
    ir_piece line;
    for (ir_piece rest = text; ir_next_line(&rest, &line);)
        if (ir_starts_with(line, "!") && ir_find(line, "!\"kernel\", i32 1")) {
            cuda_function *kernel = function_named(program, first_name(line));
            if (kernel)
                kernel->is_kernel = 1;
        }
}

/* ---- Who reaches what ------------------------------------------------------------------------------------------------ */

static void reach_variable(cuda_shared *variable, const cuda_function *kernel)
{
    if (variable->users && ir_same(variable->user, kernel->name))
        return;
    variable->users++;
    variable->user = kernel->name;
}

static void reach(const cuda_program *program, cuda_function *from, const cuda_function *kernel, uint32_t number)
{
    if (from->seen_by == number)
        return;
    from->seen_by = number;
    for (uint32_t i = 0; i < from->references.count; i++) {
        const ir_piece name = from->references.items[i];
        cuda_shared *variable = (cuda_shared *)cuda_shared_named(program, name);
        cuda_function *called = variable ? NULL : function_named(program, name);
        if (variable)
            reach_variable(variable, kernel);
        else if (called)
            reach(program, called, kernel, number);
    }
}

static int reaches_dynamic(const cuda_program *program, uint32_t number)
{
    for (uint32_t f = 0; f < program->function_count; f++)
        for (uint32_t i = 0; i < program->functions[f].references.count && program->functions[f].seen_by == number;
             i++) {
            const cuda_shared *variable = cuda_shared_named(program, program->functions[f].references.items[i]);
            if (variable && variable->is_dynamic)
                return 1;
        }
    return 0;
}

static void follow_kernels(reading *r)
{
    cuda_program *made = r->made;
    for (uint32_t i = 0; i < made->function_count; i++) {
        cuda_function *kernel = &made->functions[i];
        if (!kernel->is_kernel)
            continue;
        reach(made, kernel, kernel, i + 1);
        if (reaches_dynamic(made, i + 1))
            append(r->memory, &made->dynamic_kernels, &r->dynamic_capacity,
                   (ir_piece){kernel->name.text + 1, kernel->name.bytes - 1});
    }
}

cuda_program cuda_program_of(arena *memory, ir_piece text)
{
    cuda_program made = {0};
    reading r = {.memory = memory, .made = &made};
    read_lines(&r, text);
    mark_kernels(&made, text);
    follow_kernels(&r);
    return made;
}
