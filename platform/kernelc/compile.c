/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "folders.h"
#include "programs.h"
#include "stages.h"
#include "work_folder.h"

/* A header lies in the folder, so its name may not lead out of it. */
static int is_safe(const char *name)
{
    if (!*name || *name == '/')
        return 0;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (!strncmp(at, "..", 2) && (!at[2] || at[2] == '/'))
            return 0;
    }
    return 1;
}

static kernelc_outcome write_header(compilation *c, const kernelc_header *header)
{
    char *path = arena_format(c->memory, "%s/%s", c->folder, header->name), *slash = strrchr(path, '/');
    if (!is_safe(header->name)) {
        hd_text_add(&c->log, "header '%s': its name leads to no place beside the program\n", header->name);
        return KERNELC_OPTIONS;
    }
    *slash = '\0';
    const int has_folder = folder_make(path);
    *slash = '/';
    if (has_folder && file_write(path, header->text, strlen(header->text)))
        return KERNELC_DONE;
    hd_text_add(&c->log, "%s: %s\n", path, strerror(errno));
    return KERNELC_FAILED;
}

/* "program.cl", as a string of C */
static char *quoted(arena *memory, const char *name)
{
    char *made = arena_alloc(memory, 2 * strlen(name) + 1), *to = made;
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            *to++ = '\\';
        *to++ = *name;
    }
    return made;
}

/* The compiler is to speak of the user's file. SPIR-V is what it is. */
static kernelc_outcome write_source(compilation *c)
{
    const kernelc_input *input = c->input;
    hd_text text = {0};
    if (!input->is_spirv)
        hd_text_add(&text, "#line 1 \"%s\"\n", quoted(c->memory, input->name ? input->name : FILE_SOURCE));
    const size_t head = text.bytes;
    char *whole = realloc(hd_text_take(&text), head + input->bytes + 1);
    if (!whole)
        abort();
    memcpy(whole + head, input->data, input->bytes);
    const int is_written =
        file_write(arena_format(c->memory, "%s/" FILE_SOURCE, c->folder), whole, head + input->bytes);
    free(whole);
    if (is_written)
        return KERNELC_DONE;
    hd_text_add(&c->log, "%s: %s\n", c->folder, strerror(errno));
    return KERNELC_FAILED;
}

static kernelc_outcome run_in_folder(compilation *c)
{
    kernelc_outcome outcome = c->input->object_count ? KERNELC_DONE : write_source(c);
    for (size_t i = 0; i < c->input->header_count && outcome == KERNELC_DONE; i++)
        outcome = write_header(c, &c->input->headers[i]);
    return outcome == KERNELC_DONE ? stages_run(c) : outcome;
}

static void take_image(compilation *c, kernelc_output *output)
{
    const char *image = file_read(c->memory, arena_format(c->memory, "%s/" FILE_IMAGE, c->folder), &output->bytes);
    output->image = image ? malloc(output->bytes) : NULL;
    if (output->image)
        memcpy(output->image, image, output->bytes);
}

static kernelc_outcome compile(compilation *c, digest key, kernelc_output *output)
{
    c->folder = work_folder_make();
    if (!c->folder) {
        hd_text_add(&c->log, "there is no folder for temporary files: %s\n", strerror(errno));
        return KERNELC_FAILED;
    }
    kernelc_outcome outcome = run_in_folder(c);
    if (outcome == KERNELC_DONE) {
        take_image(c, output);
        cache_keep(c, key, c->log.text ? c->log.text : "");
        outcome = output->image ? KERNELC_DONE : KERNELC_NO_MEMORY;
    }
    work_folder_remove(c->folder);
    return outcome;
}

static void take_words(compilation *c)
{
    c->options = (build_options){.words = (const char **)c->input->words, .is_fast = 1};
    while (c->options.words && c->options.words[c->options.count])
        c->options.count++;
}

static kernelc_outcome find_or_compile(compilation *c, kernelc_output *output)
{
    char error[256];
    const int is_link = c->input->object_count > 0;
    if (c->input->is_cuda)
        take_words(c);
    else if ((is_link ? link_options_read : build_options_read)(c->memory, c->input->options, &c->options, error,
                                                                sizeof error)) {
        hd_text_add(&c->log, "%s\n", error);
        return KERNELC_OPTIONS;
    }
    c->files = opencl_files(c->memory);
    if (!c->files) {
        hd_text_add(&c->log, "the files for OpenCL, share/heddle/opencl, are not installed\n");
        return KERNELC_MISSING;
    }
    c->cuda_files = cuda_files(c->memory, c->files);
    const digest key = cache_key(c);
    return cache_find(c, key, output) ? KERNELC_DONE : compile(c, key, output);
}

kernelc_outcome heddle_kernelc_compile(const kernelc_input *input, kernelc_output *output)
{
    arena memory = {0};
    compilation c = {.memory = &memory, .input = input};
    *output = (kernelc_output){0};
    const kernelc_outcome outcome = find_or_compile(&c, output);
    char *log = hd_text_take(&c.log);
    if (*log && !output->log)
        output->log = log;
    else
        free(log);
    arena_free(&memory);
    return outcome;
}

char *heddle_kernelc_cuda_files(void)
{
    arena memory = {0};
    const char *files = opencl_files(&memory);
    char *found = files ? hd_text_format("%s", cuda_files(&memory, files)) : NULL;
    arena_free(&memory);
    return found;
}

const char *heddle_kernelc_clang(void)
{
    return PROGRAM_CLANG;
}

const char *heddle_kernelc_version(void)
{
    return PROGRAM_VERSION;
}
