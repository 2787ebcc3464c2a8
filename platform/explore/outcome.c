/* SPDX-License-Identifier: MIT */
#include "outcome.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "utf8.h"

#define LOG_BYTES 65536u
#define SIGNALLED 128

/* NULL if there are none, or what there is is none. */
static json_t *read_results(const spool *spool, const job *ended)
{
    size_t bytes;
    char *text = spool_read(spool, ended->name, ".json", SIZE_MAX / 2, &bytes);
    json_t *results = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    free(text);
    if (results && json_is_object(json_object_get(results, "machine")))
        return results;
    json_decref(results);
    return NULL;
}

/* The first line that begins with "error: ", without that; or the last line. To be freed. */
static char *complaint_in(const char *log)
{
    const char *line = strncmp(log, "error: ", 7) ? strstr(log, "\nerror: ") : log;
    if (line) {
        line = strstr(line, "error: ") + 7;
        return hd_text_format("%.*s", (int)strcspn(line, "\n"), line);
    }
    size_t end = strlen(log);
    while (end && log[end - 1] == '\n')
        end--;
    size_t start = end;
    while (start && log[start - 1] != '\n')
        start--;
    return hd_text_format("%.*s", (int)(end - start), log + start);
}

static char *message_of(const job *ended, const json_t *results, const char *log)
{
    const char *said = json_string_value(json_object_get(results, "message"));
    if (said && *said)
        return hd_text_format("%s", said);
    if (ended->complaint)
        return hd_text_format("%s", ended->complaint);
    if (ended->exit_code > SIGNALLED && !results)
        return hd_text_format("ended by signal %d (%s)", ended->exit_code - SIGNALLED,
                              strsignal(ended->exit_code - SIGNALLED));
    return results ? hd_text_format("%s", "") : complaint_in(log);
}

static const char *status_of(const job *ended, const json_t *results)
{
    const char *status = json_string_value(json_object_get(results, "status"));
    if (ended->exit_code > SIGNALLED)
        return "crash";
    if (!status)
        return "error";
    /* Results that pass, and an exit code that does not: something went wrong after them. */
    return ended->exit_code > 0 && !strcmp(status, "pass") ? "error" : status;
}

/* JSON and SQLite want UTF-8; a log may hold anything. */
static void make_utf8(char *text)
{
    for (size_t length = strlen(text), at; (at = utf8_fault(text, length)) < length;)
        text[at] = '?';
}

outcome outcome_read(const spool *spool, const job *ended)
{
    outcome result = {.results = read_results(spool, ended),
                      .log = spool_read(spool, ended->name, ".log", LOG_BYTES, NULL)};
    if (!result.log)
        result.log = hd_text_format("%s", "");
    make_utf8(result.log);
    result.status = status_of(ended, result.results);
    result.message = message_of(ended, result.results, result.log);
    result.is_pass = !strcmp(result.status, "pass");
    return result;
}

outcome outcome_copy(const outcome *of)
{
    return (outcome){.results = json_incref(of->results),
                     .log = hd_text_format("%s", of->log),
                     .status = of->status,
                     .message = hd_text_format("%s", of->message),
                     .is_pass = of->is_pass};
}

void outcome_free(outcome *read)
{
    json_decref(read->results);
    free(read->log);
    free(read->message);
    *read = (outcome){0};
}
