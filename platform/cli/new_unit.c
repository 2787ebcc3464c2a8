/* SPDX-License-Identifier: MIT */
/* A unit of the core is no plug-in: its skeleton goes into Heddle's own source folder, and into the list of units. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "new.h"
#include "text.h"
#include "whole_file.h"

#define LIST "models/simt_core/scheduler/scheduler_units.h"
#define LIST_END "    /* the end */"

/* Puts the unit in front of the end of the list. */
static int enlist(const char *list, const char *text, const char *name)
{
    const char *end = strstr(text, LIST_END);
    char *longer =
        end ? hd_text_format("%.*s    UNIT(scheduler, %s) \\\n%s", (int)(end - text), text, name, end) : NULL;
    errno = EINVAL;
    const int good = longer && hd_whole_file_write(list, longer, strlen(longer));
    if (!good)
        hd_usage_error(NULL, NULL, 0, "%s: a line cannot be added: %s", list, strerror(errno));
    free(longer);
    return good;
}

static int is_listed(const char *text, const char *name)
{
    char *entry = hd_text_format("(scheduler, %s)", name);
    int found = strstr(text, entry) != NULL;
    free(entry);
    return found;
}

int new_unit(const char *folder, const char *source, const template_word *words, size_t count)
{
    const char *name = words[0].value;
    char *list = hd_text_format("%s/" LIST, source);
    char *unit = hd_text_format("%s/models/simt_core/scheduler", source);
    char *test = hd_text_format("%s/tests/unit/simt_core", source);
    char *text = template_read(list);
    made_files made = {0};
    int good = 0;
    if (!text)
        hd_usage_error(NULL, NULL, 0, "%s is not Heddle's source folder: there is no " LIST, source);
    else if (is_listed(text, name))
        hd_usage_error(NULL, NULL, 0, "there is a scheduler '%s' already", name);
    else
        good = made_files_end(&made, template_copy_file(&made, folder, "@name@.c", unit, words, count) &&
                                         template_copy_file(&made, folder, "scheduler_@name@.c", test, words, count) &&
                                         enlist(list, text, name));
    if (good)
        printf("unit: %s/%s.c and %s/scheduler_%s.c; build again, then --set core.scheduler=%s\n", unit, name, test,
               name, name);
    free(text);
    free(test);
    free(unit);
    free(list);
    return good;
}
