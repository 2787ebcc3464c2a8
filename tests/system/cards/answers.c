/* SPDX-License-Identifier: MIT */
#include "answers.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

#define ANSWERS HEDDLE_DOCUMENTS "/cards.csv"

static void cut(answer *row)
{
    const char **fields[ANSWER_FIELDS] = {&row->card,      &row->row,    &row->value,
                                          &row->tolerance, &row->source, &row->cause};
    char *at = row->text;
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++) {
        cr_assert_not_null(at, "%s: '%s' and so on has fewer than %d fields", ANSWERS, row->text, ANSWER_FIELDS);
        *fields[i] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    cr_assert_null(at, "%s: %s, %s has more than %d fields", ANSWERS, row->card, row->row, ANSWER_FIELDS);
}

answer *answers_read(uint32_t *count)
{
    char *text = file_read(ANSWERS, NULL), *rest = NULL;
    answer *answers = NULL;
    cr_assert(text, ANSWERS);
    *count = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#')
            continue;
        answers = realloc(answers, (*count + 1) * sizeof *answers);
        cr_assert(answers);
        cr_assert_lt(strlen(line), sizeof answers->text, "%s", line);
        strcpy(answers[(*count)++].text, line);
    }
    free(text);
    for (uint32_t i = 0; i < *count; i++)
        cut(&answers[i]);
    return answers;
}

int answer_holds(const answer *of, double measured)
{
    char *end;
    const double low = strtod(of->value, &end), high = strncmp(end, " .. ", 4) ? low : strtod(end + 4, NULL);
    if (!strcmp(of->tolerance, "least"))
        return measured >= low;
    if (!strcmp(of->tolerance, "most"))
        return measured <= high;
    const double number = strtod(of->tolerance, &end);
    const double share = strcmp(end, " %") ? 0 : number / 100, more = share > 0 ? 0 : number;
    return measured >= low * (1 - share) - more - 1e-9 && measured <= high * (1 + share) + more + 1e-9;
}
