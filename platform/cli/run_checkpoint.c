/* SPDX-License-Identifier: MIT */
#include "run_checkpoint.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_names.h"
#include "registry.h"
#include "results.h"
#include "text.h"
#include "text_value.h"

static int say(char *error)
{
    fputs(error, stderr);
    free(error);
    return HD_EXIT_USAGE;
}

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

static int read_time(run_checkpoint *self, const char *text)
{
    if (text_to_unsigned(text, HD_UNIT_SECONDS, &self->machine.at) == TEXT_OK && self->machine.at)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--checkpoint-at %s: it must be a time longer than 0, such as '20 us'", text);
}

static int read_kernels(run_checkpoint *self, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long kernels = strtoul(text, &end, 10);
    self->machine.kernels = (uint32_t)kernels;
    if (*text >= '0' && *text <= '9' && !*end && !errno && kernels >= 1 && kernels <= UINT32_MAX)
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--checkpoint-after %s: it must be a number of kernels, 1 at least", text);
}

static int read_point(run_checkpoint *self, const run_checkpoint_words *words)
{
    const char *point = words->at ? "--checkpoint-at" : words->after ? "--checkpoint-after" : NULL;
    if (point && !words->file)
        return hd_usage_error(NULL, NULL, 0, "%s needs --checkpoint FILE: it says when that is written", point);
    if (!words->file)
        return HD_EXIT_PASS;
    if (!words->at == !words->after)
        return hd_usage_error(NULL, NULL, 0,
                              "--checkpoint %s needs one of --checkpoint-at TIME and --checkpoint-after KERNELS",
                              words->file);
    return words->at ? read_time(self, words->at) : read_kernels(self, words->after);
}

int run_checkpoint_read(run_checkpoint *self, const run_checkpoint_words *words)
{
    char *error;
    self->path = words->file;
    if (read_point(self, words))
        return HD_EXIT_USAGE;
    if (self->path && !hd_results_file_check(self->path, &error))
        return say(error);
    if (!words->resume)
        return HD_EXIT_PASS;
    if (!state_file_read(words->resume, HEDDLE_VERSION, &self->from, &error))
        return say(error);
    self->resume = words->resume;
    if (self->machine.at && self->machine.at <= self->from.run.at)
        return hd_usage_error(NULL, NULL, 0, "--checkpoint-at %s: the run goes on from %llu ps", words->at,
                              (unsigned long long)self->from.run.at);
    return HD_EXIT_PASS;
}

/* ---- The run -------------------------------------------------------------------------------------------------------- */

/* Of this command: the program has read its options long ago. */
static int check_set(const char *set)
{
    if (strncmp(set, "app", 3) != 0 || (set[3] != '.' && (set[3] < '0' || set[3] > '9')))
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "--set %s: the app of a checkpoint has begun, and keeps its options", set);
}

static void join_sets(run_checkpoint *self, const char *const *sets, size_t set_count)
{
    const state_file_run *before = &self->from.run;
    self->new_sets = set_count;
    self->set_count = before->set_count + set_count;
    self->sets = calloc(self->set_count + 1, sizeof *self->sets);
    if (!self->sets)
        abort();
    for (size_t i = 0; i < self->set_count; i++)
        self->sets[i] = i < before->set_count ? before->sets[i] : sets[i - before->set_count];
    self->run.sets = self->sets;
    self->run.set_count = self->set_count;
    self->run.own_sets = self->resume ? before->own_sets : set_count;
    self->run.changed_at = before->own_sets < before->set_count ? before->changed_at : before->at;
}

int run_checkpoint_take_run(run_checkpoint *self, const char *words[2], const char *const *sets, size_t set_count)
{
    join_sets(self, sets, set_count);
    if (!self->resume)
        return HD_EXIT_PASS;
    if (words[0])
        return hd_usage_error(NULL, NULL, 0, "--resume %s and %s: the checkpoint says which machine and app run",
                              self->resume, words[0]);
    for (size_t i = 0; i < set_count; i++)
        if (check_set(sets[i]))
            return HD_EXIT_USAGE;
    words[0] = self->from.run.machine;
    words[1] = *self->from.run.app ? self->from.run.app : NULL;
    return HD_EXIT_PASS;
}

static const char *whole_path(const char *path, char **text)
{
    char *whole = path ? realpath(path, NULL) : NULL;
    *text = whole ? whole : hd_text_format("%s", path ? path : "");
    return *text;
}

/* Of the machine with the first so many of the values that are set. */
static int find_digests(run_checkpoint *self, const hd_machine_setup *setup, const machine_file *file,
                        size_t override_count)
{
    char *errors;
    hd_plugins *plugins = hd_plugins_create(hd_builtin_classes(), file->requests, file->request_count);
    netlist *machine =
        netlist_load(setup->netlist, hd_plugins_registry(plugins), setup->overrides, override_count, &errors);
    const int good = machine && state_file_digests(&self->run, machine, &errors);
    netlist_free(machine);
    hd_plugins_destroy(plugins);
    return good ? HD_EXIT_PASS : say(errors);
}

static void save(void *context, hd_time now, const state_bytes *bytes)
{
    run_checkpoint *self = context;
    self->run.at = now;
    self->is_written = state_file_write(self->path, &self->run, HEDDLE_VERSION, bytes, &self->error) != 0;
}

int run_checkpoint_prepare(run_checkpoint *self, hd_machine_setup *setup, const machine_file *file)
{
    char *error;
    if (!self->path && !self->resume)
        return HD_EXIT_PASS;
    const char *machine = setup->netlist;
    self->run.machine = netlist_is_machine_name(machine) ? machine : whole_path(machine, &self->texts[0]);
    self->run.app = whole_path(setup->app, &self->texts[1]);
    self->run.firmware = whole_path(setup->firmware, &self->texts[2]);
    self->run.seed = setup->seed;
    if (self->resume && find_digests(self, setup, file, setup->override_count - self->new_sets))
        return HD_EXIT_USAGE;
    if (self->resume && !state_file_is_of(self->resume, &self->from.run, &self->run, &error))
        return say(error);
    if (self->path && find_digests(self, setup, file, setup->override_count))
        return HD_EXIT_USAGE;
    self->machine.context = self;
    self->machine.save = self->path ? save : NULL;
    self->machine.from = self->resume ? &self->from.bytes : NULL;
    setup->checkpoint = &self->machine;
    return HD_EXIT_PASS;
}

void run_checkpoint_results(const run_checkpoint *self, hd_results *results)
{
    results->changed_count = (uint32_t)(self->run.set_count - self->run.own_sets);
    results->changed = self->sets + self->run.own_sets;
    results->changed_at = self->run.changed_at;
}

int run_checkpoint_conclude(const run_checkpoint *self, const hd_machine *machine)
{
    char time[HD_TEXT_TIME_BYTES];
    if (!self->path || self->is_written)
        return HD_EXIT_PASS;
    if (self->error)
        fputs(self->error, stderr);
    else
        fprintf(stderr, "error: checkpoint %s is not written: the run ended before, at %s\n", self->path,
                hd_text_time(time, hd_machine_time(machine)));
    return HD_EXIT_USAGE;
}

void run_checkpoint_free(run_checkpoint *self)
{
    for (size_t i = 0; i < sizeof self->texts / sizeof *self->texts; i++)
        free(self->texts[i]);
    state_file_close(&self->from);
    free(self->sets);
    free(self->error);
    *self = (run_checkpoint){0};
}
