/* SPDX-License-Identifier: MIT */
#include "command.h"
#include "crash.h"
#include "host_ending.h"
#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input_file.h"
#include "standard_streams.h"

static int version(const hd_command *command, int count, char **words);
static int help(const hd_command *command, int count, char **words);

static const hd_command command_version = {
    .name = "version", .usage = "", .doc = "print the version", .help = "", .run = version};
static const hd_command command_help = {.name = "help",
                                        .usage = "[COMMAND] [--markdown]",
                                        .doc = "explain a command",
                                        .help = "  --markdown        every command, as Markdown\n",
                                        .run = help};

static const hd_command *const commands[] = {
    &hd_command_run,     &hd_command_opencl, &hd_command_cuda,    &hd_command_compare, &hd_command_sweep,
    &hd_command_results, &hd_command_report, &hd_command_profile, &hd_command_check,   &hd_command_list,
    &hd_command_graph,   &hd_command_new,    &hd_command_disasm,  &hd_command_lint,    &hd_command_kernelc,
    &hd_command_cudac,   &command_help,      &command_version,
};
#define COMMANDS (sizeof commands / sizeof *commands)

static const hd_command *find(const char *name)
{
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version"))
        name = "version";
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    return hd_usage_error(name, names, COMMANDS, "there is no command '%s'", name);
}

static int version(const hd_command *command, int count, char **words)
{
    if (hd_arguments(command, count, words, NULL, 0, NULL, 0, 0) < 0)
        return HD_EXIT_USAGE;
    printf("heddle %s\n", HEDDLE_VERSION);
    return HD_EXIT_PASS;
}

static void print_overview(FILE *out)
{
    fputs("usage: heddle COMMAND ...\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->doc);
    fputs("\n'heddle help COMMAND' says more.\n", out);
}

static void explain(const hd_command *about)
{
    printf("usage: heddle %s%s%s\n\n%s.\n%s%s", about->name, *about->usage ? " " : "", about->usage, about->doc,
           *about->help ? "\n" : "", about->help);
}

static int explain_all(void)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("## heddle %s\n\n```text\n", commands[i]->name);
        explain(commands[i]);
        puts("```\n");
    }
    return HD_EXIT_PASS;
}

static int help(const hd_command *command, int count, char **words)
{
    const char *name, *markdown = NULL;
    const hd_option_use options[] = {{.name = "--markdown", .value = &markdown}};
    int found = hd_arguments(command, count, words, options, 1, &name, 0, 1);
    if (found < 0)
        return HD_EXIT_USAGE;
    if (markdown)
        return explain_all();
    if (!found) {
        print_overview(stdout);
        return HD_EXIT_PASS;
    }
    const hd_command *about = find(name);
    if (!about)
        return unknown(name);
    explain(about);
    return HD_EXIT_PASS;
}

/* Of the process whose command is not over; 0: none. */
static volatile pid_t commanded;

/* What is loaded would end the command with a code of its own, 0 included, and nothing done. */
static void refuse_exit(const char *function)
{
    char text[1024];
    const char *plug_in = plug_in_among_callers();
    fflush(stdout);
    if (host_ending_is_of_program())
        snprintf(text, sizeof text, "the host program called %s; a program ends where hd_app_main returns", function);
    else
        snprintf(text, sizeof text, "%s%s called %s, which would have ended the command",
                 plug_in ? "the plug-in " : "a plug-in", plug_in ? plug_in : "", function);
    host_ending_fail(text);
}

void hd_command_exit(const char *function, int code)
{
    if (host_ending_is_of_program() || commanded == getpid())
        refuse_exit(function);
    host_ending_now(code);
}

static void on_exit_of_process(void)
{
    if (commanded == getpid())
        refuse_exit("exit");
}

static int run(int count, char **words)
{
    if (count < 2) {
        print_overview(stderr);
        return HD_EXIT_USAGE;
    }
    const hd_command *command = find(words[1]);
    if (!command)
        return unknown(words[1]);
    for (int i = 2; i < count && strcmp(words[i], "--"); i++)
        if (!strcmp(words[i], "--help") || !strcmp(words[i], "-h"))
            return help(&command_help, 1, (char *[]){(char *)command->name});
    return command->run(command, count - 2, words + 2);
}

int hd_command_line(int count, char **words)
{
    crash_catch();
    interrupt_end_process();
    standard_streams_open();
    input_file_note("/proc/self/exe");
    atexit(on_exit_of_process);
    at_quick_exit(on_exit_of_process);
    commanded = getpid();
    int code = run(count, words);
    commanded = 0;
    return standard_streams_close(code);
}
