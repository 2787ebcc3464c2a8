/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine_file.h"
#include "text.h"

extern char **environ;

/* Runs dot on the text; returns its exit code, or 127 if there is no dot. */
static int run_dot(FILE *text, const char *svg)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    char *const words[] = {"dot", "-Tsvg", "-o", (char *)svg, NULL};
    fflush(text);
    rewind(text);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(text), STDIN_FILENO);
    int failed = posix_spawnp(&child, "dot", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return 127;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int write_svg(const netlist *machine, const char *path)
{
    char *temporary = hd_text_format("%s.%ld.tmp", path, (long)getpid());
    FILE *text = tmpfile();
    int result = HD_EXIT_USAGE;
    if (!text) {
        fprintf(stderr, "error: no temporary file: %s\n", strerror(errno));
        goto done;
    }
    netlist_graph(machine, text);
    int code = run_dot(text, temporary);
    if (code == 127)
        fputs("error: --svg needs the program dot (Debian package graphviz)\n", stderr);
    else if (code)
        fprintf(stderr, "error: %s cannot be written\n", path);
    else if (rename(temporary, path))
        fprintf(stderr, "error: %s: %s\n", path, strerror(errno));
    else
        result = HD_EXIT_PASS;
    if (result)
        unlink(temporary);
    fclose(text);
done:
    free(temporary);
    return result;
}

static int show(const netlist *machine, const char *svg)
{
    if (svg)
        return write_svg(machine, svg);
    netlist_graph(machine, stdout);
    return HD_EXIT_PASS;
}

static int graph(const hd_command *command, int count, char **words)
{
    const char *path, *svg = NULL;
    machine_file file = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {
        MACHINE_FILE_OPTIONS(&file),
        {.name = "--svg", .takes_value = 1, .value = &svg},
    };
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &path, 1, 1) >= 0 &&
        machine_file_open(&file, path))
        result = show(file.netlist, svg);
    machine_file_close(&file);
    return result;
}

const hd_command hd_command_graph = {
    .name = "graph",
    .usage = "NETLIST " MACHINE_FILE_USAGE " [--svg FILE]",
    .doc = "draw a machine: Graphviz text, or a picture",
    .help = MACHINE_FILE_HELP "  --svg FILE        write a picture instead (needs Graphviz)\n",
    .run = graph,
};
