/* SPDX-License-Identifier: MIT */
/* A unit in Heddle's own source folder: its skeleton, that of its test, and a line in the list of units of its kind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "new.h"
#include "text.h"
#include "whole_file.h"

#define LIST_END "    /* the end */"

typedef struct unit_kind {
    const char *name;
    const char *list;    /* of the units of the kind */
    const char *units;   /* folder */
    uint32_t own_folder; /* each unit has one there */
    const char *tests;   /* folder */
    const char *test;    /* file, before _NAME.c */
    const char *setting; /* that chooses it */
} unit_kind;

static const unit_kind kinds[] = {
    {"scheduler", "models/simt_core/scheduler/scheduler_units.h", "models/simt_core/scheduler", 0,
     "tests/unit/simt_core", "scheduler", "core.scheduler"},
    {"reconvergence", "models/simt_core/reconvergence/reconvergence_units.h", "models/simt_core/reconvergence", 0,
     "tests/unit/simt_core", "reconvergence", "core.reconvergence"},
    {"scoreboard", "models/simt_core/scoreboard/scoreboard_units.h", "models/simt_core/scoreboard", 0,
     "tests/unit/simt_core", "scoreboard", "core.scoreboard"},
    {"spin", "models/simt_core/spin/spin_units.h", "models/simt_core/spin", 0, "tests/unit/simt_core", "spin",
     "core.spin"},
    {"back_off", "models/simt_core/back_off/back_off_units.h", "models/simt_core/back_off", 0, "tests/unit/simt_core",
     "back_off", "core.back_off"},
    {"tx", "models/simt_core/tx/tx_units.h", "models/simt_core/tx", 1, "tests/unit/simt_core", "protocol", "core.tx"},
    {"replacement", "models/cache/replacement/replacement_units.h", "models/cache/replacement", 0, "tests/unit/cache",
     "replacement", "l2.replacement"},
    {"thread_block_policy", "models/tb_scheduler/policy/thread_block_policy_units.h", "models/tb_scheduler/policy", 0,
     "tests/unit/tb_scheduler", "policy", "tb_scheduler.policy"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Puts the unit in front of the end of the list. */
static int enlist(const char *list, const char *text, const char *entry)
{
    const char *end = strstr(text, LIST_END);
    char *longer = end ? hd_text_format("%.*s    %s \\\n%s", (int)(end - text), text, entry, end) : NULL;
    errno = EINVAL;
    const int good = longer && hd_whole_file_write(list, longer, strlen(longer));
    if (!good)
        hd_usage_error(NULL, NULL, 0, "%s: a line cannot be added: %s", list, strerror(errno));
    free(longer);
    return good;
}

/* The files of the unit and its test, and the row. */
static int make(const unit_kind *kind, const char *folder, const char *source, const char *text, const char *entry,
                const template_word *words, size_t count)
{
    const char *name = words[0].value;
    made_files made = {0};
    char *templates = hd_text_format("%s/%s", folder, kind->name), *list = hd_text_format("%s/%s", source, kind->list);
    char *units =
        hd_text_format("%s/%s%s%s", source, kind->units, kind->own_folder ? "/" : "", kind->own_folder ? name : "");
    char *tests = hd_text_format("%s/%s", source, kind->tests), *test = hd_text_format("%s_@name@.c", kind->test);
    const int good = made_files_end(&made, (!kind->own_folder || made_folder(&made, units)) &&
                                               template_copy_file(&made, templates, "@name@.c", units, words, count) &&
                                               template_copy_file(&made, templates, test, tests, words, count) &&
                                               enlist(list, text, entry));
    if (good)
        printf("unit: %s/%s.c and %s/%s_%s.c; build again, then --set %s=%s\n", units, name, tests, kind->test, name,
               kind->setting, name);
    free(test);
    free(tests);
    free(units);
    free(list);
    free(templates);
    return good;
}

int new_unit_kind(const char *word)
{
    const char *known[KINDS];
    for (size_t i = 0; i < KINDS; i++) {
        known[i] = kinds[i].name;
        if (strcmp(kinds[i].name, word) == 0)
            return 1;
    }
    hd_usage_error(word, known, KINDS, "there are no units of kind '%s'", word);
    return 0;
}

int new_unit(const char *kind_name, const char *folder, const char *source, const template_word *words, size_t count)
{
    const unit_kind *kind = kinds;
    while (strcmp(kind->name, kind_name))
        kind++;
    char *list = hd_text_format("%s/%s", source, kind->list),
         *entry = hd_text_format("UNIT(%s, %s)", kind->name, words[0].value);
    char *text = template_read(list);
    int good = 0;
    if (!text)
        hd_usage_error(NULL, NULL, 0, "%s is not Heddle's source folder: there is no %s", source, kind->list);
    else if (strstr(text, entry))
        hd_usage_error(NULL, NULL, 0, "there is a %s '%s' already", kind->name, words[0].value);
    else
        good = make(kind, folder, source, text, entry, words, count);
    free(text);
    free(entry);
    free(list);
    return good;
}
