/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr */
#include "crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_ending.h"
#include "plugin.h"
#include "temporary_file.h"

#define FRAMES 64
#define STACK_BYTES 65536u

static const struct {
    int number;
    const char *text;
} crashes[] = {{SIGSEGV, "segmentation fault"},
               {SIGBUS, "bus error"},
               {SIGFPE, "arithmetic error"},
               {SIGILL, "illegal instruction"},
               {SIGABRT, "abort"}};
#define CRASHES (sizeof crashes / sizeof *crashes)

static struct sigaction before[CRASHES];

/* Of the frames, the innermost that is in one of the plug-ins, or in `file`. */
static const char *find_frame(const char *file, Dl_info *found)
{
    void *frames[FRAMES];
    const int count = backtrace(frames, FRAMES);
    for (int i = 0; i < count; i++) {
        if (!dladdr(frames[i], found) || !found->dli_fname)
            continue;
        const size_t length = strlen(found->dli_fname), end = file ? strlen(file) : 0;
        if (file && length >= end && !strcmp(found->dli_fname + length - end, file))
            return found->dli_fname;
        if (!file && hd_plugin_was_loaded(found->dli_fname))
            return found->dli_fname;
    }
    return NULL;
}

static void print_crash(const char *who, const char *path, const char *text, const Dl_info *frame)
{
    char line[1024], function[256] = "";
    if (frame && frame->dli_sname)
        snprintf(function, sizeof function, " in %s", frame->dli_sname);
    snprintf(line, sizeof line, "%s%s%s crashed%s: %s", who, *path ? " " : "", path, function, text);
    host_ending_fail(line);
}

static void on_crash(int number)
{
    size_t which = 0;
    Dl_info frame;
    while (which + 1 < CRASHES && crashes[which].number != number)
        which++;
    sigaction(number, &before[which], NULL); /* of a crash in here, too */
    const char *text = crashes[which].text, *plugin;
    if (host_ending_is_of_program())
        print_crash("the host program", "", text, find_frame("/host.so", &frame) ? &frame : NULL);
    if ((plugin = find_frame(NULL, &frame)))
        print_crash("the plug-in", plugin, text, &frame);
    temporary_files_remove();
    raise(number);
}

const char *plug_in_among_callers(void)
{
    Dl_info frame;
    return find_frame(NULL, &frame);
}

void crash_catch(void)
{
    static uint8_t stack[STACK_BYTES];
    void *frames[1];
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)(SA_ONSTACK | SA_NODEFER)};
    backtrace(frames, 1); /* loads what it needs, which a handler must not */
    host_ending_clean_up(temporary_files_remove);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++)
        sigaction(crashes[i].number, &action, &before[i]);
}
