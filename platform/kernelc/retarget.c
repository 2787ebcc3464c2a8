/* SPDX-License-Identifier: MIT */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct rewriting {
    const char *in, *end;
    char *out;
    char **declared; /* names; declarations that differed in address spaces alone are one */
    size_t declared_count, declared_capacity;
    int is_full; /* no memory */
} rewriting;

static const struct {
    const char *line, *instead;
} targets[] = {
    {"target datalayout", "target datalayout = \"e-m:e-p:32:32-i64:64-n32-S128\""},
    {"target triple", "target triple = \"riscv32-unknown-unknown-elf\""},
};

/* Attributes of functions that say for which processor they are, and how stacks are to be laid out there. */
static const char *const foreign[] = {"\"frame-pointer\"=",
                                      "\"target-cpu\"=",
                                      "\"target-features\"=",
                                      "\"tune-cpu\"=",
                                      "\"stack-protector-buffer-size\"=",
                                      "\"uniform-work-group-size\"="};

static const struct {
    const char *word, *instead;
} words[] = {
    {" addrspace(", NULL}, /* to the bracket */
    {"addrspacecast", "bitcast"},
    {"spir_func ", ""},
    /* Events of LLVM from 17 on; before, they are pointers. */
    {"target(\"spirv.Event\") zeroinitializer", "ptr null"},
    {"target(\"spirv.Event\")", "ptr"},
    /* How debuggers are told of an address space. */
    {"DW_OP_constu, 0, DW_OP_swap, DW_OP_xderef", ""},
    {"DW_OP_constu, 1, DW_OP_swap, DW_OP_xderef", ""},
    {"DW_OP_constu, 2, DW_OP_swap, DW_OP_xderef", ""},
    {"DW_OP_constu, 3, DW_OP_swap, DW_OP_xderef", ""},
};

static int starts_with(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && !memcmp(at, word, length);
}

static void put(rewriting *r, const char *text, size_t bytes)
{
    memcpy(r->out, text, bytes);
    r->out += bytes;
}

static const char *end_of_line(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

/* Behind the closing quote. Quotes in names and strings are written as \22. */
static const char *end_of_quoted(const char *at, const char *end)
{
    const char *found = memchr(at + 1, '"', (size_t)(end - at - 1));
    return found ? found + 1 : end;
}

static int is_of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("._$-", c);
}

/* Intrinsics have the address spaces of their arguments in their names: @llvm.memcpy.p0.p1.i32. */
static const char *put_intrinsic(rewriting *r, const char *at, const char *end)
{
    while (at < end && (*at == '@' || (*at && is_of_name(*at)))) {
        if (end - at > 2 && at[0] == '.' && at[1] == 'p' && at[2] >= '1' && at[2] <= '9') {
            put(r, ".p0", 3);
            at += 3;
        } else {
            *r->out++ = *at++;
        }
    }
    return at;
}

/* Behind the word at this place, or NULL: there is none of those that become another. */
static const char *put_word(rewriting *r, const char *at, const char *end)
{
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (!starts_with(at, end, words[i].word))
            continue;
        if (words[i].instead) {
            put(r, words[i].instead, strlen(words[i].instead));
            return at + strlen(words[i].word);
        }
        const char *close = memchr(at, ')', (size_t)(end - at));
        return close ? close + 1 : end;
    }
    return NULL;
}

static void put_code(rewriting *r, const char *at, const char *end)
{
    while (at < end) {
        const char *next = NULL;
        if (*at == '"') {
            next = end_of_quoted(at, end);
            put(r, at, (size_t)(next - at));
        } else if (starts_with(at, end, "@llvm.")) {
            next = put_intrinsic(r, at, end);
        } else if (*at == ' ' || *at == 'a' || *at == 's' || *at == 't' || *at == 'D') { /* how those words begin */
            next = put_word(r, at, end);
        }
        if (!next) {
            *r->out++ = *at;
            next = at + 1;
        }
        at = next;
    }
}

static void put_attributes(rewriting *r, const char *at, const char *end)
{
    while (at < end) {
        size_t i = 0;
        while (i < COUNT_OF(foreign) && !starts_with(at, end, foreign[i]))
            i++;
        if (i < COUNT_OF(foreign))
            at = end_of_quoted(at + strlen(foreign[i]), end);
        else
            *r->out++ = *at++;
    }
}

/* Was a function of that name declared before? Now it is. */
static int is_declared(rewriting *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->declared_count; i++)
        if (!strncmp(r->declared[i], name, length) && !r->declared[i][length])
            return 1;
    if (r->declared_count == r->declared_capacity) {
        r->declared_capacity = 2 * r->declared_capacity + 64;
        char **more = realloc(r->declared, r->declared_capacity * sizeof *more);
        if (!more) {
            r->is_full = 1;
            return 0;
        }
        r->declared = more;
    }
    r->declared[r->declared_count] = strndup(name, length);
    if (r->declared[r->declared_count])
        r->declared_count++;
    else
        r->is_full = 1;
    return 0;
}

/* The line is out already; it is taken back if it declares what is declared. */
static int is_second_declaration(rewriting *r, const char *line)
{
    const char *name = memchr(line, '@', (size_t)(r->out - line));
    const char *bracket = name ? memchr(name, '(', (size_t)(r->out - name)) : NULL;
    return bracket && is_declared(r, name, (size_t)(bracket - name));
}

static void put_line(rewriting *r, const char *at, const char *end)
{
    char *line = r->out;
    for (size_t i = 0; i < COUNT_OF(targets); i++)
        if (starts_with(at, end, targets[i].line)) {
            put(r, targets[i].instead, strlen(targets[i].instead));
            *r->out++ = '\n';
            return;
        }
    if (starts_with(at, end, "attributes #"))
        put_attributes(r, at, end);
    else
        put_code(r, at, end);
    if (starts_with(at, end, "declare ") && is_second_declaration(r, line))
        r->out = line;
    else
        *r->out++ = '\n';
}

char *ir_retarget(const char *text, size_t bytes)
{
    /* Lines become shorter, but for those of the target. */
    char *result = malloc(bytes + 256);
    rewriting r = {.in = text, .end = text + bytes, .out = result};
    while (result && r.in < r.end && !r.is_full) {
        const char *end = end_of_line(r.in, r.end);
        put_line(&r, r.in, end);
        r.in = end < r.end ? end + 1 : end;
    }
    for (size_t i = 0; i < r.declared_count; i++)
        free(r.declared[i]);
    free(r.declared);
    if (r.is_full || !result) {
        free(result);
        return NULL;
    }
    *r.out = '\0';
    return result;
}
