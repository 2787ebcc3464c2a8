/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "object_format.h"
#include "programs.h"
#include "work_folder.h"

#define DEFINITION "define dso_local "

/* ---- Functions that several objects may have ----------------------------------------------------------------------------- */

/* "attributes #3 = { convergent inlinehint ...": is it a group of functions that are `inline`? */
static int is_inline_group(ir_piece program, ir_piece group)
{
    ir_piece line;
    for (ir_piece rest = program; ir_next_line(&rest, &line);) {
        if (!ir_starts_with(line, "attributes "))
            continue;
        const ir_piece behind = ir_from(line, line.text + strlen("attributes "));
        if (behind.bytes > group.bytes && !memcmp(behind.text, group.text, group.bytes) &&
            behind.text[group.bytes] == ' ')
            return ir_find(line, " inlinehint ") != NULL;
    }
    return 0;
}

/* "#3" of the first line of a function. */
static ir_piece group_of(ir_piece line)
{
    const char *at = ir_find(line, " #");
    return at ? (ir_piece){at + 1, 1 + strspn(at + 2, "0123456789")} : (ir_piece){0};
}

static int is_inline(ir_piece program, ir_piece line)
{
    const ir_piece group = ir_starts_with(line, DEFINITION) ? group_of(line) : (ir_piece){0};
    return group.bytes && is_inline_group(program, group);
}

/* The standard of C leaves open which definition of an inline function is called: one of them is kept. */
static char *with_inline_functions(ir_piece program)
{
    hd_text out = {0};
    ir_piece line;
    hd_text_add(&out, OBJECT_LINE);
    for (ir_piece rest = program; ir_next_line(&rest, &line);)
        if (is_inline(program, line))
            hd_text_add(&out, "define linkonce_odr dso_local %.*s\n", (int)(line.bytes - strlen(DEFINITION)),
                        line.text + strlen(DEFINITION));
        else
            hd_text_add(&out, "%.*s\n", (int)line.bytes, line.text);
    return hd_text_take(&out);
}

/* ---- Files ------------------------------------------------------------------------------------------------------------- */

kernelc_outcome objects_make(compilation *c)
{
    size_t bytes;
    const char *text = file_read(c->memory, in_folder(c, FILE_PROGRAM), &bytes);
    if (!text)
        return step_fails(c, strerror(errno));
    char *object = with_inline_functions((ir_piece){text, bytes});
    const int is_written = file_write(in_folder(c, FILE_IMAGE), object, strlen(object));
    free(object);
    return is_written ? KERNELC_DONE : step_fails(c, strerror(errno));
}

kernelc_outcome objects_make_library(compilation *c)
{
    size_t bytes;
    const char *text = file_read(c->memory, in_folder(c, FILE_PROGRAM), &bytes);
    if (!text)
        return step_fails(c, strerror(errno));
    const char *library = arena_format(c->memory, LIBRARY_LINE "%s", text);
    return file_write(in_folder(c, FILE_IMAGE), library, strlen(library)) ? KERNELC_DONE
                                                                          : step_fails(c, strerror(errno));
}

/* ---- Linking ----------------------------------------------------------------------------------------------------------- */

/* "Linking globals named 'f': symbol multiply defined!" */
static kernelc_outcome explain(compilation *c, const char *said)
{
    static const char words[] = "globals named '";
    const char *name = strstr(said, words);
    if (name && strstr(name, "multiply defined")) {
        name += strlen(words);
        hd_text_add(&c->log, "error: '%.*s' is defined by several of the programs\n", (int)strcspn(name, "'"), name);
    } else {
        hd_text_add(&c->log, "error: the programs cannot be linked: %.*s\n", (int)strcspn(said, "\n"), said);
    }
    return KERNELC_REFUSED;
}

kernelc_outcome objects_join(compilation *c)
{
    const kernelc_input *input = c->input;
    const char **words = arena_alloc(c->memory, (input->object_count + 5) * sizeof *words);
    size_t count = 0;
    words[count++] = PROGRAM_LINK;
    words[count++] = "-S";
    for (size_t i = 0; i < input->object_count; i++) {
        const char *path = in_folder(c, arena_format(c->memory, "object-%zu.ll", i));
        if (!file_write(path, input->objects[i].data, input->objects[i].bytes))
            return step_fails(c, strerror(errno));
        words[count++] = path;
    }
    words[count++] = "-o";
    words[count++] = in_folder(c, FILE_PROGRAM);
    const char *said;
    const int code = run_words(c, words, &said);
    return code < 0 ? KERNELC_MISSING : code ? explain(c, said) : KERNELC_DONE;
}
