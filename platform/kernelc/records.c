/* SPDX-License-Identifier: MIT */
/* Reads section .heddle.kernels of a kernel file that is not trusted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"
#include "kernelc.h"

typedef struct reading {
    const uint8_t *bytes; /* of the section */
    size_t size;
    size_t kernels, arguments, texts; /* how much there is of each */
    uint8_t *memory;
    kernelc_kernel *next_kernel;
    kernelc_argument *next_argument;
    char *next_text;
} reading;

static kernelc_kernel_record record_at(const reading *r, size_t at)
{
    kernelc_kernel_record record = {0};
    if (r->size - at >= sizeof record)
        memcpy(&record, r->bytes + at, sizeof record);
    return record;
}

static kernelc_argument_record argument_at(const reading *r, size_t at, uint32_t i)
{
    kernelc_argument_record argument;
    memcpy(&argument, r->bytes + at + sizeof(kernelc_kernel_record) + i * sizeof argument, sizeof argument);
    return argument;
}

/* Does a text begin there that ends in the record? */
static int is_text(const reading *r, size_t at, uint32_t record_bytes, uint32_t place)
{
    return place < record_bytes && memchr(r->bytes + at + place, '\0', record_bytes - place);
}

static int is_argument(const reading *r, size_t at, const kernelc_kernel_record *record, uint32_t i)
{
    const kernelc_argument_record a = argument_at(r, at, i);
    return a.space <= KERNELC_LOCAL && a.offset >= sizeof(kernelc_launch_header) && a.bytes &&
           a.bytes <= record->block_bytes && a.offset <= record->block_bytes - a.bytes &&
           is_text(r, at, record->record_bytes, a.type) && is_text(r, at, record->record_bytes, a.name);
}

/* Counts what the record at this place has; 0: it is damaged. */
static int is_record(reading *r, size_t at)
{
    const kernelc_kernel_record record = record_at(r, at);
    const size_t fixed = sizeof record + (size_t)record.argument_count * sizeof(kernelc_argument_record);
    if (record.format != KERNELC_FORMAT || record.record_bytes % 4 || record.record_bytes > r->size - at ||
        fixed > record.record_bytes || !is_text(r, at, record.record_bytes, record.name) ||
        !is_text(r, at, record.record_bytes, record.attributes) || record.block_bytes < sizeof(kernelc_launch_header))
        return 0;
    for (uint32_t i = 0; i < record.argument_count; i++)
        if (!is_argument(r, at, &record, i))
            return 0;
    r->kernels++;
    r->arguments += record.argument_count;
    r->texts += record.record_bytes;
    return 1;
}

static int count(reading *r)
{
    for (size_t at = 0; at < r->size; at += record_at(r, at).record_bytes)
        if (!is_record(r, at))
            return 0;
    return 1;
}

/* The texts of a record lie where they did, one behind the other. */
static void read_record(reading *r, size_t at)
{
    const kernelc_kernel_record record = record_at(r, at);
    char *texts = r->next_text;
    kernelc_kernel *kernel = r->next_kernel++;
    memcpy(texts, r->bytes + at, record.record_bytes);
    *kernel = (kernelc_kernel){.name = texts + record.name,
                               .attributes = texts + record.attributes,
                               .block_bytes = record.block_bytes,
                               .local_bytes = record.local_bytes,
                               .argument_count = record.argument_count,
                               .arguments = r->next_argument};
    memcpy(kernel->group_size, record.group_size, sizeof record.group_size);
    for (uint32_t i = 0; i < record.argument_count; i++) {
        const kernelc_argument_record a = argument_at(r, at, i);
        *r->next_argument++ = (kernelc_argument){.space = a.space,
                                                 .offset = a.offset,
                                                 .bytes = a.bytes,
                                                 .alignment = a.alignment,
                                                 .access = a.access,
                                                 .qualifiers = a.qualifiers,
                                                 .type = texts + a.type,
                                                 .name = texts + a.name};
    }
    r->next_text += record.record_bytes;
}

static kernelc_outcome read_all(reading *r, kernelc_kernels *kernels)
{
    const size_t lists = r->kernels * sizeof(kernelc_kernel) + r->arguments * sizeof(kernelc_argument);
    r->memory = malloc(lists + r->texts + 1);
    if (!r->memory)
        return KERNELC_NO_MEMORY;
    r->next_kernel = (kernelc_kernel *)(void *)r->memory;
    r->next_argument = (kernelc_argument *)(void *)(r->next_kernel + r->kernels);
    r->next_text = (char *)(r->next_argument + r->arguments);
    *kernels = (kernelc_kernels){.count = (uint32_t)r->kernels, .kernels = r->next_kernel, .memory = r->memory};
    for (size_t at = 0; at < r->size; at += record_at(r, at).record_bytes)
        read_record(r, at);
    return KERNELC_DONE;
}

kernelc_outcome heddle_kernelc_kernels(const void *image, size_t bytes, kernelc_kernels *kernels, char *error,
                                       size_t error_bytes)
{
    elf_file file;
    reading r = {0};
    *kernels = (kernelc_kernels){0};
    if (elf_open(&file, image, bytes, error, error_bytes))
        return KERNELC_REFUSED;
    r.bytes = elf_section(&file, KERNELC_SECTION, &r.size);
    if (!r.bytes || !count(&r)) {
        snprintf(error, error_bytes, r.bytes ? "damaged: section %s" : "it has no kernels of OpenCL: no section %s",
                 KERNELC_SECTION);
        return KERNELC_REFUSED;
    }
    return read_all(&r, kernels);
}

void heddle_kernelc_kernels_free(kernelc_kernels *kernels)
{
    free(kernels->memory);
    *kernels = (kernelc_kernels){0};
}
