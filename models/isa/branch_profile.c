/* SPDX-License-Identifier: MIT */
#include "likely_points.h"

#include "loading.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_BYTES 256u
#define LANES_MAX UINT64_C(1000000000000000000) /* that come to a branch in a run */

typedef struct reader {
    const isa_program *program;
    const char *file;
    uint32_t line;
    char *error;
    size_t error_bytes;
} reader;

static int is_damaged(const reader *r)
{
    return isa_fail(r->error, r->error_bytes,
                    "%s:%" PRIu32 ": it is no branch profile: 'heddle profile RUN --branches FILE' writes one", r->file,
                    r->line);
}

static int is_branch(const isa_program *program, uint32_t pc, const char *text)
{
    char own[64];
    const isa_instruction *instruction = pc % 4 == 0 ? isa_program_at(program, pc) : NULL;
    if (!instruction || instruction->instruction_class != ISA_CLASS_BRANCH)
        return 0;
    isa_disassemble(instruction, pc, own, sizeof own);
    return !strcmp(own, text);
}

/* A number of that base and the space behind it. */
static int read_number(char **text, int base, uint64_t most, uint64_t *value)
{
    char *end;
    if (!isalnum((unsigned char)**text))
        return 0;
    errno = 0;
    *value = strtoull(*text, &end, base);
    if (errno || *end != ' ' || *value > most)
        return 0;
    *text = end + 1;
    return 1;
}

static int read_line(const reader *r, char *text, isa_branch_counts *counts)
{
    uint64_t pc;
    isa_branch_counts read;
    if (!read_number(&text, 16, UINT32_MAX, &pc) || !read_number(&text, 10, LANES_MAX, &read.lanes) ||
        !read_number(&text, 10, read.lanes, &read.taken) || !read.lanes)
        return is_damaged(r);
    if (!is_branch(r->program, (uint32_t)pc, text))
        return isa_fail(r->error, r->error_bytes,
                        "%s:%" PRIu32 ": it is the profile of another program: this one has no '%s' at 0x%" PRIx64,
                        r->file, r->line, text, pc);
    isa_branch_counts *own = &counts[(pc - r->program->text_address) / 4];
    if (own->lanes)
        return is_damaged(r);
    *own = read;
    return 0;
}

/* Lines up to the end, which has to come. */
static int read_lines(reader *r, FILE *in, isa_branch_counts *counts)
{
    char text[LINE_BYTES];
    for (; fgets(text, sizeof text, in); r->line++) {
        text[strcspn(text, "\n")] = '\0';
        if (!strcmp(text, ISA_BRANCH_PROFILE_END))
            return 0;
        if (read_line(r, text, counts) != 0)
            return -1;
    }
    return ferror(in) ? isa_fail(r->error, r->error_bytes, "%s: %s", r->file, strerror(errno)) : is_damaged(r);
}

int isa_branch_profile_read(const isa_program *program, const char *file, isa_branch_counts *counts, char *error,
                            size_t error_bytes)
{
    char text[LINE_BYTES];
    reader r = {.program = program, .file = file, .line = 1, .error = error, .error_bytes = error_bytes};
    struct stat status;
    if (!stat(file, &status) && !S_ISREG(status.st_mode))
        return isa_fail(error, error_bytes, "%s: it is no file", file);
    FILE *in = fopen(file, "r");
    if (!in)
        return *file ? isa_fail(error, error_bytes, "%s: %s", file, strerror(errno))
                     : isa_fail(error, error_bytes, "no branch profile is named");
    int failed = 0;
    if (!fgets(text, sizeof text, in) || strcmp(text, ISA_BRANCH_PROFILE_HEAD "\n") != 0)
        failed = is_damaged(&r);
    r.line++;
    failed = failed || read_lines(&r, in, counts);
    fclose(in);
    return failed ? -1 : 0;
}
