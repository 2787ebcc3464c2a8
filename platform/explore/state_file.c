/* SPDX-License-Identifier: MIT */
#include "state_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hd_fnv.h"
#include "input_file.h"
#include "output_file.h"
#include "resolve.h"
#include "text.h"
#include "whole_file.h"

#define FORMAT HD_EXTENSION_STATE "\n"
#define FORMAT_NAME "heddle.state/" /* before the number of the version */

static int fail(char **error, char *line)
{
    *error = line;
    return 0;
}

/* ---- Digests -------------------------------------------------------------------------------------------------------- */

static digest digest_of_program(void)
{
    arena memory = {0};
    program_file program;
    const digest none = {""};
    const digest found = program_file_find(&program, &memory) ? program.digest : none;
    arena_free(&memory);
    return found;
}

static digest digest_of_values(const netlist *machine)
{
    json_t *json = netlist_json(machine);
    char *text = resolve_machine_text(json, 0);
    const digest result = digest_of_text(text);
    json_decref(json);
    free(text);
    return result;
}

static int cannot_read(const char *path, char **error)
{
    return fail(error, hd_text_format("error: %s cannot be read: %s\n", path, strerror(errno)));
}

/* An app may have firmware of its own. */
static digest digest_of_firmware(const char *folder)
{
    char *path = hd_text_format("%s/firmware.elf", folder);
    digest read = {""};
    if (!digest_of_file(path, &read))
        read = (digest){""};
    free(path);
    return read;
}

int state_file_digests(state_file_run *run, const netlist *machine, char **error)
{
    const resolved_app app = {.folder = run->app};
    digest parts[3] = {{""}, {""}, {""}};
    char *file = NULL;
    run->values = digest_of_values(machine);
    run->files = digest_of_machine_files(machine);
    if (*run->app && !digest_of_app(&app, &parts[0], &file)) {
        cannot_read(file, error);
        free(file);
        return 0;
    }
    if (*run->app)
        parts[1] = digest_of_firmware(run->app);
    if (*run->firmware && !digest_of_file(run->firmware, &parts[2]))
        return cannot_read(run->firmware, error);
    run->app_files = digest_of(parts, sizeof parts);
    return 1;
}

static int is_same(const digest *a, const digest *b)
{
    return strcmp(a->text, b->text) == 0;
}

int state_file_is_of(const char *path, const state_file_run *then, const state_file_run *now, char **error)
{
    const char *changed = !is_same(&then->values, &now->values)         ? "its machine is another one now:"
                          : !is_same(&then->files, &now->files)         ? "files that its machine reads are others now:"
                          : !is_same(&then->app_files, &now->app_files) ? "the files of its app are others now:"
                                                                        : NULL;
    if (!changed)
        return 1;
    return fail(error, hd_text_format("error: checkpoint %s: %s %s\n", path, changed,
                                      is_same(&then->app_files, &now->app_files) ? then->machine : then->app));
}

/* ---- Writing -------------------------------------------------------------------------------------------------------- */

static void add_run(state_bytes *bytes, const state_file_run *run)
{
    state_bytes_add_text(bytes, run->machine);
    state_bytes_add_text(bytes, run->app);
    state_bytes_add_text(bytes, run->firmware);
    state_bytes_add_number(bytes, run->set_count);
    for (uint64_t i = 0; i < run->set_count; i++)
        state_bytes_add_text(bytes, run->sets[i]);
    state_bytes_add_number(bytes, run->own_sets);
    state_bytes_add_number(bytes, run->changed_at);
    state_bytes_add_number(bytes, run->seed);
    state_bytes_add_number(bytes, run->at);
    state_bytes_add_text(bytes, run->values.text);
    state_bytes_add_text(bytes, run->files.text);
    state_bytes_add_text(bytes, run->app_files.text);
}

int state_file_write(const char *path, const state_file_run *run, const char *version, const state_bytes *state,
                     char **error)
{
    state_bytes bytes = {0};
    const digest program = digest_of_program();
    state_bytes_add(&bytes, FORMAT, strlen(FORMAT));
    state_bytes_add_text(&bytes, program.text);
    state_bytes_add_text(&bytes, version);
    add_run(&bytes, run);
    state_bytes_add(&bytes, state->data, state->count);
    state_bytes_add_number(&bytes, hd_fnv_add(HD_FNV_START, bytes.data, bytes.count));
    const int good = hd_whole_file_write(path, (const char *)bytes.data, bytes.count);
    const int why = errno;
    state_bytes_release(&bytes);
    if (good)
        return 1;
    return fail(error,
                hd_text_format("error: the checkpoint cannot be written to %s: %s\n", path, output_file_reason(why)));
}

/* ---- Reading -------------------------------------------------------------------------------------------------------- */

/* Checks the first line, and what depends on nothing else. */
static int check_format(const char *path, state_bytes *bytes, char **error)
{
    const char *text = (const char *)bytes->data;
    const size_t length = strlen(FORMAT), named = strlen(FORMAT_NAME);
    if (bytes->count < length || memcmp(text, FORMAT_NAME, named) != 0)
        return fail(error, hd_text_format("error: %s is no checkpoint: it does not begin with " FORMAT, path));
    char form[32] = "";
    memcpy(form, text, length < sizeof form ? length : sizeof form - 1);
    if (memcmp(text, FORMAT, length) != 0)
        return fail(error, hd_text_format("error: checkpoint %s has the form %.*s; this heddle reads " FORMAT, path,
                                          (int)strcspn(form, "\n"), form));
    bytes->at = length;
    return 1;
}

static int check_whole(const char *path, state_bytes *bytes, char **error)
{
    uint64_t sum = 0;
    const uint64_t whole = bytes->count - bytes->at < sizeof sum ? 0 : bytes->count - sizeof sum;
    if (whole)
        memcpy(&sum, bytes->data + whole, sizeof sum);
    if (!whole || hd_fnv_add(HD_FNV_START, bytes->data, whole) != sum)
        return fail(error, hd_text_format("error: checkpoint %s is damaged, or not all of it is there\n", path));
    bytes->count = whole;
    return 1;
}

static int check_program(const char *path, const char *version, state_bytes *bytes, char **error)
{
    const digest program = digest_of_program();
    const char *then = state_bytes_take_text(bytes), *its_version = state_bytes_take_text(bytes);
    if (strcmp(then, program.text) == 0)
        return 1;
    return fail(error,
                hd_text_format("error: checkpoint %s was made by another build of Heddle, %s (%.12s): this is %s "
                               "(%.12s), and states of blocks are those of one build\n",
                               path, its_version, then, version, program.text));
}

static digest take_digest(state_bytes *bytes)
{
    digest taken = {""};
    snprintf(taken.text, sizeof taken.text, "%s", state_bytes_take_text(bytes));
    return taken;
}

static void take_run(state_bytes *bytes, state_file_run *run)
{
    run->machine = state_bytes_take_text(bytes);
    run->app = state_bytes_take_text(bytes);
    run->firmware = state_bytes_take_text(bytes);
    run->set_count = state_bytes_take_number(bytes);
    if (run->set_count > bytes->count - bytes->at) { /* each has a byte at least */
        bytes->is_short = 1;
        run->set_count = 0;
    }
    const char **sets = calloc(run->set_count + 1, sizeof *sets);
    if (!sets)
        abort();
    for (uint64_t i = 0; i < run->set_count; i++)
        sets[i] = state_bytes_take_text(bytes);
    run->sets = sets;
    run->own_sets = state_bytes_take_number(bytes);
    run->changed_at = state_bytes_take_number(bytes);
    bytes->is_short |= run->own_sets > run->set_count;
    run->seed = state_bytes_take_number(bytes);
    run->at = state_bytes_take_number(bytes);
    run->values = take_digest(bytes);
    run->files = take_digest(bytes);
    run->app_files = take_digest(bytes);
}

int state_file_parse(const char *path, const char *version, state_file *file, char **error)
{
    state_bytes *bytes = &file->bytes;
    if (!check_format(path, bytes, error) || !check_whole(path, bytes, error) ||
        !check_program(path, version, bytes, error))
        return 0;
    take_run(bytes, &file->run);
    if (bytes->is_short)
        return fail(error, hd_text_format("error: checkpoint %s does not say how it was made\n", path));
    file->digest = digest_of(bytes->data, bytes->count);
    return 1;
}

static int read_all(const char *path, state_bytes *bytes)
{
    char buffer[1 << 16];
    size_t count;
    FILE *in = fopen(path, "rb");
    if (!in)
        return 0;
    input_file_note(path);
    while ((count = fread(buffer, 1, sizeof buffer, in)))
        state_bytes_add(bytes, buffer, count);
    const int failed = ferror(in), why = errno;
    fclose(in);
    errno = why;
    return !failed;
}

int state_file_read(const char *path, const char *version, state_file *file, char **error)
{
    *file = (state_file){0};
    if (!read_all(path, &file->bytes)) {
        state_file_close(file);
        return fail(error, hd_text_format("error: checkpoint %s cannot be read: %s\n", path, strerror(errno)));
    }
    if (state_file_parse(path, version, file, error))
        return 1;
    state_file_close(file);
    return 0;
}

void state_file_close(state_file *file)
{
    state_bytes_release(&file->bytes);
    free((char **)(uintptr_t)file->run.sets);
    *file = (state_file){0};
}
