/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* nftw */
#include "fuzz.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

#define SECTION_END "%%%\n"

void fuzz_failed(const char *holds, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, holds);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* ---- Parts ----------------------------------------------------------------------------------------------------------- */

static void skip(fuzz_input *input, size_t count)
{
    input->bytes += count;
    input->left -= count;
}

uint32_t fuzz_number(fuzz_input *input, uint32_t bytes)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < bytes && input->left; i++, skip(input, 1))
        number |= (uint32_t)input->bytes[0] << 8 * i;
    return number;
}

fuzz_input fuzz_section(fuzz_input *input)
{
    size_t mark = strlen(SECTION_END);
    fuzz_input section = {.bytes = input->bytes};
    for (; input->left; section.left++, skip(input, 1)) {
        int starts_line = section.left == 0 || section.bytes[section.left - 1] == '\n';
        if (starts_line && input->left >= mark && !memcmp(input->bytes, SECTION_END, mark)) {
            skip(input, mark);
            break;
        }
    }
    return section;
}

char *fuzz_line(fuzz_input *input)
{
    if (!input->left)
        return NULL;
    const uint8_t *end = memchr(input->bytes, '\n', input->left);
    size_t length = end ? (size_t)(end - input->bytes) : input->left;
    char *line = strndup((const char *)input->bytes, length);
    if (!line)
        abort();
    skip(input, length + (end != NULL));
    return line;
}

/* ---- Files ----------------------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/heddle_fuzz_XXXXXX";

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static void leave_folder(void)
{
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void fuzz_enter_folder(void)
{
    static int is_there;
    if (is_there)
        return;
    is_there = 1;
    if (!mkdtemp(folder) || chdir(folder) || atexit(leave_folder))
        abort();
}

void fuzz_write(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file))
        abort();
}

/* ---- Errors ---------------------------------------------------------------------------------------------------------- */

void fuzz_require_lines(const char *text)
{
    size_t length = strlen(text);
    fuzz_require(length && text[length - 1] == '\n', "%s", text);
    fuzz_require(utf8_fault(text, length) == length, "%s", text);
    fuzz_require(text[0] != '\n' && !strstr(text, "\n\n"), "%s", text);
    for (const char *at = text; *at; at++)
        fuzz_require(*at == '\n' || ((unsigned char)*at >= 0x20 && *at != 0x7F), "%s", text);
}
