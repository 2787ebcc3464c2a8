/* SPDX-License-Identifier: MIT */
/* The argument blocks of kernels, from the records that HD_ARGUMENT_BLOCK and SIMT_KERNEL leave in the kernel file. */
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "runtime_internal.h"

typedef struct record {
    uint32_t bytes; /* of the argument block, or HD_ARGUMENT_KERNEL */
    const char *name;
    const char *parameters; /* of a kernel */
} record;

/* The record at this offset, and the next one's; 0: there is none, or it is damaged. */
static uint32_t read_record(const isa_program *kernels, size_t *offset, record *at)
{
    uint32_t head[2];
    const size_t left = kernels->argument_record_bytes - *offset;
    const uint8_t *bytes = kernels->argument_records + *offset;
    if (left <= sizeof head)
        return 0;
    memcpy(head, bytes, sizeof head);
    if (head[0] <= sizeof head || head[0] > left)
        return 0;
    const size_t text_bytes = head[0] - sizeof head;
    *at = (record){.bytes = head[1], .name = (const char *)bytes + sizeof head};
    const size_t name_bytes = strnlen(at->name, text_bytes);
    at->parameters = at->name + (name_bytes + 1 < text_bytes ? name_bytes + 1 : name_bytes);
    *offset += head[0];
    return name_bytes < text_bytes &&
           memchr(at->parameters, 0, text_bytes - (size_t)(at->parameters - at->name)) != NULL;
}

static uint32_t is_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Where the word stands in the text; NULL: it does not. */
static const char *find_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    const char *at = length ? strstr(text, word) : NULL;
    while (at != NULL && ((at > text && is_of_word(at[-1])) || is_of_word(at[length])))
        at = strstr(at + 1, word);
    return at;
}

/* As they are declared, or NULL. */
static const char *parameters_of(const isa_program *kernels, const char *kernel)
{
    size_t offset = 0;
    record at;
    while (read_record(kernels, &offset, &at)) {
        if (at.bytes == HD_ARGUMENT_KERNEL && strcmp(at.name, kernel) == 0)
            return at.parameters;
    }
    return NULL;
}

uint32_t arguments_of(const isa_program *kernels, const char *kernel, char *type, size_t type_bytes, uint32_t *bytes)
{
    const char *parameters = kernels->argument_records != NULL ? parameters_of(kernels, kernel) : NULL;
    const char *first = NULL;
    size_t offset = 0;
    record at;
    while (parameters != NULL && read_record(kernels, &offset, &at)) {
        const char *found = at.bytes == HD_ARGUMENT_KERNEL ? NULL : find_word(parameters, at.name);
        if (found == NULL || (first != NULL && found >= first))
            continue;
        first = found;
        *bytes = at.bytes;
        snprintf(type, type_bytes, "%.*s", (int)strlen(at.name), found);
    }
    return first != NULL;
}
