/* SPDX-License-Identifier: MIT */
/* What a run that ended has left, and what that means. */
#ifndef EXPLORE_OUTCOME_H
#define EXPLORE_OUTCOME_H

#include "job.h"

struct json_t;

typedef struct outcome {
    struct json_t *results; /* as in stats.json; NULL: there are none, or what there is is none */
    char *log;              /* the end of what it printed, in UTF-8 */
    const char *status;     /* of the results; or "crash"; or "error": no results, or an exit code that does not fit */
    char *message;          /* why; "" if there is nothing to say */
    int is_pass;
} outcome;

/* To be given to outcome_free. */
outcome outcome_read(const spool *spool, const job *ended);
/* To be freed as well. */
outcome outcome_copy(const outcome *of);
void outcome_free(outcome *read);

#endif
