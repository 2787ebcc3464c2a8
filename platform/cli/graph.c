/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_file.h"
#include "other_program.h"
#include "output_file.h"

/* Runs dot on the text; returns its exit code, or -1 and errno if it could not be started. */
static int run_dot(FILE *text, FILE *picture)
{
    const char *const words[] = {"dot", "-Tsvg", NULL};
    pid_t child;
    rewind(text);
    if (!program_start(words, (const int[3]){fileno(text), fileno(picture), STDERR_FILENO}, &child))
        return -1;
    const int code = program_wait(child);
    rewind(picture);
    return code;
}

static int no_dot(void)
{
    if (errno == ENOENT)
        return hd_usage_error(NULL, NULL, 0, "--svg needs the program dot (Debian package graphviz)");
    return hd_usage_error(NULL, NULL, 0, "dot, which --svg needs, cannot be started: %s", strerror(errno));
}

static int write_picture(FILE *picture, const char *path)
{
    char part[4096];
    output_file *file = output_file_open(path);
    for (size_t bytes; (bytes = fread(part, 1, sizeof part, picture));)
        output_file_put(file, part, bytes);
    if (output_file_finish(file))
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--svg %s: %s", path, output_file_reason(errno));
}

typedef void writer(const netlist *machine, FILE *out);

static int draw(const netlist *machine, writer *write, const char *path, FILE *text, FILE *picture)
{
    write(machine, text);
    if (fflush(text))
        return hd_usage_error(NULL, NULL, 0, "no temporary file: %s", strerror(errno));
    const int code = run_dot(text, picture);
    if (code < 0)
        return no_dot();
    return code ? hd_usage_error(NULL, NULL, 0, "--svg %s: dot ended with %d", path, code)
                : write_picture(picture, path);
}

/* dot writes beside, so that a picture is there whole or not at all. */
static int write_svg(const netlist *machine, writer *write, const char *path)
{
    if (!output_file_check(path))
        return hd_usage_error(NULL, NULL, 0, "--svg %s: %s", path, output_file_reason(errno));
    FILE *text = tmpfile(), *picture = tmpfile();
    const int result = text && picture ? draw(machine, write, path, text, picture)
                                       : hd_usage_error(NULL, NULL, 0, "no temporary file: %s", strerror(errno));
    if (text)
        fclose(text);
    if (picture)
        fclose(picture);
    return result;
}

static int print_graph(const netlist *machine, writer *write, const char *svg)
{
    if (svg)
        return write_svg(machine, write, svg);
    write(machine, stdout);
    return HD_EXIT_PASS;
}

static int graph(const hd_command *command, int count, char **words)
{
    const char *path, *svg = NULL, *brief = NULL;
    machine_file file = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {
        MACHINE_FILE_OPTIONS(&file),
        {.name = "--svg", .takes_value = 1, .value = &svg},
        {.name = "--brief", .value = &brief},
    };
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &path, 1, 1) >= 0 &&
        machine_file_open(&file, path))
        result = print_graph(file.netlist, brief ? netlist_graph_brief : netlist_graph, svg);
    machine_file_close(&file);
    return result;
}

const hd_command hd_command_graph = {
    .name = "graph",
    .usage = "NETLIST " MACHINE_FILE_USAGE " [--brief] [--svg FILE]",
    .doc = "draw a machine: Graphviz text, or a picture",
    .help = MACHINE_FILE_HELP "  --brief           only blocks and which of them are linked, for a small picture\n"
                              "  --svg FILE        write a picture instead (needs Graphviz)\n",
    .run = graph,
};
