/* SPDX-License-Identifier: MIT */
/* retarget_library IN.ll OUT.ll: when Heddle is built, the text of the built-in library for RISC-V. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "retarget.h"

/* NULL: it cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t capacity = 0;
    const int is_read = file && getdelim(&text, &capacity, '\0', file) > 0;
    if (file)
        fclose(file);
    if (is_read)
        return text;
    free(text);
    return NULL;
}

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    const int is_written = file && fputs(text, file) >= 0;
    return file && !fclose(file) && is_written;
}

int main(int count, char **words)
{
    char *text = count == 3 ? read_text(words[1]) : NULL;
    char *made = text ? ir_retarget(text, strlen(text)) : NULL;
    const int is_done = made && write_text(words[2], made);
    if (!is_done)
        fprintf(stderr, "retarget_library: %s\n", count == 3 ? words[text != NULL ? 2 : 1] : "IN.ll OUT.ll");
    free(made);
    free(text);
    return !is_done;
}
