/* SPDX-License-Identifier: MIT */
#include "vcd_reader.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

typedef struct reading {
    vcd_dump *dump;
    char scope[256];
    int in_changes, in_first_values;
    size_t first_values;
    int has_time;
} reading;

const vcd_signal *vcd_find(const vcd_dump *dump, const char *path)
{
    for (size_t i = 0; i < dump->signal_count; i++)
        if (!strcmp(dump->signals[i].path, path))
            return &dump->signals[i];
    return NULL;
}

static vcd_signal *of_code(const vcd_dump *dump, const char *code)
{
    for (size_t i = 0; i < dump->signal_count; i++)
        if (!strcmp(dump->signals[i].code, code))
            return &dump->signals[i];
    return NULL;
}

static void declare(reading *self, const char *line)
{
    char type[16], code[16], name[128];
    unsigned width;
    cr_assert_eq(sscanf(line, "$var %15s %u %15s %127s $end", type, &width, code, name), 4, "%s", line);
    vcd_dump *dump = self->dump;
    cr_assert_null(of_code(dump, code), "identifier %s is declared twice", code);
    dump->signals = realloc(dump->signals, (dump->signal_count + 1) * sizeof *dump->signals);
    vcd_signal *added = &dump->signals[dump->signal_count++];
    *added = (vcd_signal){.path = text_of("%s/%s", self->scope, name), .is_event = !strcmp(type, "event")};
    strcpy(added->code, code);
    cr_assert(added->is_event ? width == 1 : !strcmp(type, "wire") && width == 64, "%s", line);
}

static void enter(reading *self, const char *line)
{
    char name[128];
    cr_assert_eq(sscanf(line, "$scope module %127s $end", name), 1, "%s", line);
    cr_assert_lt(strlen(self->scope) + strlen(name) + 2, sizeof self->scope);
    if (*self->scope)
        strcat(self->scope, "/");
    strcat(self->scope, name);
}

static void leave(reading *self)
{
    char *slash = strrchr(self->scope, '/');
    cr_assert(*self->scope, "a scope is closed that is not open");
    *(slash ? slash : self->scope) = '\0';
}

static void change(reading *self, const char *line)
{
    char bits[80], code[16];
    vcd_signal *signal;
    if (*line == '1') {
        signal = of_code(self->dump, line + 1);
        cr_assert(signal && signal->is_event, "%s", line);
    } else {
        cr_assert_eq(sscanf(line, "b%79s %15s", bits, code), 2, "%s", line);
        signal = of_code(self->dump, code);
        cr_assert(signal && !signal->is_event, "%s", line);
        cr_assert(!strcmp(bits, "z") || strspn(bits, "01") == strlen(bits), "%s", line);
        cr_assert_leq(strlen(bits), 64);
        signal->is_floating = *bits == 'z';
        signal->last = strtoull(bits, NULL, 2);
    }
    if (self->in_first_values)
        self->first_values++;
    else
        signal->changes++;
    cr_assert(self->in_first_values || self->has_time, "a change before the first time");
}

static void read_time(reading *self, const char *line)
{
    const uint64_t t = strtoull(line + 1, NULL, 10);
    cr_assert(!self->has_time || t > self->dump->end, "times do not increase: %s", line);
    self->has_time = 1;
    self->dump->end = t;
}

static void end_declarations(reading *self)
{
    cr_assert_str_empty(self->scope, "scope %s is not closed", self->scope);
    self->in_changes = 1;
}

static void read_line(reading *self, const char *line)
{
    static const char var[] = "$var ", scope[] = "$scope ", upscope[] = "$upscope", dump[] = "$dumpvars";
    if (!strncmp(line, "$comment ", 9) || !strcmp(line, "$timescale 1 ps $end"))
        return;
    if (!strncmp(line, var, strlen(var)))
        declare(self, line);
    else if (!strncmp(line, scope, strlen(scope)))
        enter(self, line);
    else if (!strncmp(line, upscope, strlen(upscope)))
        leave(self);
    else if (!strcmp(line, "$enddefinitions $end"))
        end_declarations(self);
    else if (!strcmp(line, dump) || !strcmp(line, "$end"))
        self->in_first_values = *line && line[1] == 'd';
    else if (*line == '#')
        read_time(self, line);
    else
        change(self, line);
}

vcd_dump vcd_read(const char *path)
{
    char *whole = file_read(path, NULL);
    vcd_dump dump = {0};
    reading self = {.dump = &dump};
    size_t numbers = 0;
    cr_assert(whole, "there is no %s", path);
    for (char *line = strtok(whole, "\n"); line; line = strtok(NULL, "\n"))
        read_line(&self, line);
    for (size_t i = 0; i < dump.signal_count; i++)
        numbers += !dump.signals[i].is_event;
    cr_expect(self.in_changes && self.has_time);
    cr_expect_eq(self.first_values, numbers, "%zu first values of %zu signals", self.first_values, numbers);
    free(whole);
    return dump;
}

void vcd_free(vcd_dump *dump)
{
    for (size_t i = 0; i < dump->signal_count; i++)
        free(dump->signals[i].path);
    free(dump->signals);
}
