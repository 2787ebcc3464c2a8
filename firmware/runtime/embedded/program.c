/* SPDX-License-Identifier: MIT */
/* The program around hd_app_main: it opens the machine, and says how it went. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"

#define SETTINGS_MAX 64u

embedded the_host;

/* ---- The port of the runtime that is shared (runtime_text.c, runtime_host_memory.c) -------------------------------------- */

runtime *runtime_current(void)
{
    return &the_host.rt;
}

void *runtime_grow(runtime *rt, void *array, size_t count, size_t element_bytes)
{
    void *grown = realloc(array, count * element_bytes);
    if (!grown)
        runtime_error(rt, "the host has no memory left");
    return grown;
}

void port_print(runtime *rt, const char *line)
{
    (void)rt;
    puts(line);
}

void embedded_expect(heddle_error error)
{
    if (error)
        runtime_error(&the_host.rt, "%s", heddle_message());
}

/* ---- The end --------------------------------------------------------------------------------------------------------------- */

static int write_text(int file, const char *text)
{
    size_t left = strlen(text);
    while (file >= 0 && left) {
        const ssize_t bytes = write(file, text, left);
        if (bytes < 0)
            break;
        text += bytes;
        left -= (size_t)bytes;
    }
    return file >= 0 && !close(file) && !left;
}

/* Beside first, so that it is there whole or not at all. */
static int write_whole(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    char beside[4096];
    if (snprintf(beside, sizeof beside, "%.*s.heddle-XXXXXX", folder, path) >= (int)sizeof beside)
        return 0;
    const int file = mkstemp(beside);
    if (file < 0)
        return 0;
    const mode_t mask = umask(0);
    umask(mask);
    if (!fchmod(file, 0666 & ~mask) && write_text(file, text) && !rename(beside, path))
        return 1;
    const int why = errno;
    unlink(beside);
    errno = why;
    return 0;
}

static int write_file(const char *path, const char *text)
{
    struct stat there;
    if (!stat(path, &there) && !S_ISREG(there.st_mode))
        return write_text(open(path, O_WRONLY), text);
    return write_whole(path, text);
}

static int write_results(void)
{
    const char *text;
    for (uint32_t i = 0; i < the_host.rt.report_count; i++)
        heddle_report(the_host.machine, the_host.rt.reports[i].name, the_host.rt.reports[i].value);
    if (!the_host.stats || heddle_results(the_host.machine, &text) || write_file(the_host.stats, text))
        return 1;
    fprintf(stderr, "results cannot be written to %s: %s\n", the_host.stats, strerror(errno));
    return 0;
}

void runtime_end(runtime *rt, uint32_t status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rt->message, sizeof rt->message, format, arguments);
    va_end(arguments);
    const int is_written = write_results();
    printf("%s%s%s\n", status == HD_HOST_PASS ? "PASS" : "FAIL", rt->message[0] ? ": " : "", rt->message);
    heddle_close(the_host.machine);
    embedded_release();
    text_release(rt);
    memory_release(rt);
    free((void *)rt->program.options);
    const int is_said = !ferror(stdout) && !fflush(stdout);
    if (!is_said)
        fprintf(stderr, "standard output: %s\n", strerror(errno));
    exit(status == HD_HOST_PASS && is_written && is_said ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- The begin --------------------------------------------------------------------------------------------------------------- */

typedef struct words {
    const char *overrides[SETTINGS_MAX];
    size_t override_count;
    uint64_t seed;
    uint32_t checks;
} words;

static void usage(const char *why)
{
    fprintf(stderr,
            "%s\nusage: program MACHINE.yaml APP_FOLDER [--set NAME=VALUE]... [--seed N] [--stats FILE]\n"
            "       [--check memory|races]...\n",
            why);
    exit(2);
}

/* "app.NAME=VALUE" is an option of the program, everything else of the machine. */
static void add_setting(words *to, char *word)
{
    hd_host_program *program = &the_host.rt.program;
    char *value = strchr(word, '=');
    if (!value || to->override_count == SETTINGS_MAX)
        usage(word);
    if (strncmp(word, "app.", 4)) {
        to->overrides[to->override_count++] = word;
        return;
    }
    hd_host_option *options =
        runtime_grow(&the_host.rt, (void *)program->options, program->option_count + 1, sizeof *options);
    *value = '\0';
    options[program->option_count++] = (hd_host_option){.name = word + 4, .value = value + 1};
    program->options = options;
}

static void read_words(int count, char **from, words *to)
{
    for (int i = 3; i < count; i += 2) {
        if (i + 1 == count)
            usage(from[i]);
        if (!strcmp(from[i], "--set"))
            add_setting(to, from[i + 1]);
        else if (!strcmp(from[i], "--seed"))
            to->seed = strtoull(from[i + 1], NULL, 0);
        else if (!strcmp(from[i], "--stats"))
            the_host.stats = from[i + 1];
        else if (!strcmp(from[i], "--check") && !strcmp(from[i + 1], "memory"))
            to->checks |= HEDDLE_CHECK_MEMORY;
        else if (!strcmp(from[i], "--check") && !strcmp(from[i + 1], "races"))
            to->checks |= HEDDLE_CHECK_RACES;
        else
            usage(from[i]);
    }
}

static void print(void *context, const char *line)
{
    (void)context;
    puts(line);
}

static int is_one_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

static void open_machine(const char *netlist, const char *folder, const words *given)
{
    const char *slash = strrchr(folder, '/');
    char kernels[4096];
    const heddle_settings settings = {.struct_bytes = sizeof settings,
                                      .netlist = netlist,
                                      .overrides = given->overrides,
                                      .override_count = given->override_count,
                                      .name = slash ? slash + 1 : folder,
                                      .seed = given->seed,
                                      .checks = given->checks,
                                      .callbacks = {.print = print}};
    if (heddle_open(&settings, &the_host.machine)) {
        fprintf(stderr, "%s\n", heddle_message());
        exit(2);
    }
    snprintf(kernels, sizeof kernels, "%s/kernel.elf", folder);
    if (the_host.stats && (is_one_file(the_host.stats, netlist) || is_one_file(the_host.stats, kernels)))
        usage("--stats: it is one of the files that are read");
    embedded_expect(heddle_load(the_host.machine, kernels));
    embedded_expect(heddle_default_queue(the_host.machine, &the_host.device_queues[0]));
    the_host.queue_count = 1;
}

int main(int count, char **from)
{
    words given = {0};
    if (count < 3)
        usage("two words at least");
    the_host.rt.memory.next = the_host.rt.memory.previous = &the_host.rt.memory;
    read_words(count, from, &given);
    open_machine(from[1], from[2], &given);
    const int result = hd_app_main();
    if (result != HD_PASS)
        runtime_end(&the_host.rt, HD_HOST_FAIL, "the program returned %d", result);
    options_check_all_read(&the_host.rt);
    embedded_expect(heddle_wait(the_host.machine));
    runtime_end(&the_host.rt, HD_HOST_PASS, "%s", "");
}
