/* SPDX-License-Identifier: MIT */
#include "policy_programs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hd_block_levels.h"
#include "hd_extension.h"
#include "program.h"

char programs_fault[256];

static isa_symbol symbols[] = {{.name = "kernel", .is_function = 1}, {.name = "table", .address = 0x100}};
static const isa_program program = {.symbol_count = 2, .symbols = symbols, .fingerprint = PROGRAMS_FINGERPRINT};

static const struct isa_program *find(void *context, uint32_t module)
{
    (void)context;
    return module ? NULL : &program;
}

static const void *extension(void *context, const char *id)
{
    static const hd_programs programs = {.find = find};
    (void)context;
    return strcmp(id, HD_EXTENSION_PROGRAMS) ? NULL : &programs;
}

static void fault(void *context, hd_time t, const char *format, ...)
{
    va_list arguments;
    (void)context, (void)t;
    va_start(arguments, format);
    vsnprintf(programs_fault, sizeof programs_fault, format, arguments);
    va_end(arguments);
}

const hd_services programs_services = {.clock = {1000000000}, .extension = extension, .fault = fault};

static char path[64];

void programs_forget(void)
{
    unlink(path);
}

const char *programs_file(const char *text)
{
    snprintf(path, sizeof path, "/tmp/heddle_levels_%d", (int)getpid());
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
    return path;
}

const char *programs_profile(const char *rows)
{
    char text[2048];
    snprintf(text, sizeof text, BLOCK_LEVELS_HEAD "\n%s" BLOCK_LEVELS_END "\n", rows);
    return programs_file(text);
}
