/* SPDX-License-Identifier: MIT */
/*
 * Files of sweeps. What is read has points, and each of them a value of each axis; what is not gives errors in their form.
 */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void require_choice(const sweep_axis *axis, uint32_t choice)
{
    fuzz_require(choice < axis->count, "axis %s: %u of %u", axis->name, choice, axis->count);
    const sweep_choice *picked = &axis->choices[choice];
    fuzz_require(sweep_choice_index(axis, picked->label) == choice, "axis %s: label %s", axis->name, picked->label);
    for (uint32_t s = 0; s < picked->count; s++)
        fuzz_require(picked->settings[s].path->kind == NODE_SCALAR && picked->settings[s].value->kind == NODE_SCALAR,
                     "axis %s: setting %u", axis->name, s);
}

static void require_good(const sweep *read)
{
    fuzz_require(read->point_count >= 1 && read->point_count <= SWEEP_POINTS_MAX, "%u points", read->point_count);
    fuzz_require(read->repeat >= 1 && *read->name, "repeat %u", read->repeat);
    for (uint32_t a = 0; a < read->axis_count; a++)
        fuzz_require(sweep_axis_index(read, read->axes[a].name) == a, "axis %s", read->axes[a].name);
    /* All of them take long where there are many. */
    uint32_t step = read->point_count / 64 + 1;
    for (uint32_t p = 0; p < read->point_count; p += step) {
        for (uint32_t a = 0; a < read->axis_count; a++)
            require_choice(&read->axes[a], read->picks[(size_t)p * read->axis_count + a]);
        free(sweep_point_text(read, p));
    }
    for (uint32_t i = 0; i < read->published_count; i++)
        fuzz_require(read->published[i].at && read->published[i].statistic, "published number %u", i);
}

void fuzz_one(fuzz_input input)
{
    sweep read = {0};
    char *errors, *text = malloc(input.left + 1);
    if (!text)
        abort();
    memcpy(text, input.bytes, input.left);
    text[input.left] = '\0';
    if (sweep_parse(&read, "sweep.yaml", text, input.left, &errors)) {
        require_good(&read);
    } else {
        fuzz_require_lines(errors);
        fuzz_require(strstr(errors, ": error["), "%s", errors);
        free(errors);
    }
    sweep_free(&read);
    free(text);
}
