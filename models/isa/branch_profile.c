/* SPDX-License-Identifier: MIT */
#include "likely_points.h"

#include "loading.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 256u

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

static int read_line(const reader *r, char *text, isa_branch_counts *counts)
{
    uint32_t pc;
    isa_branch_counts read;
    int before = 0;
    text[strcspn(text, "\n")] = '\0';
    if (sscanf(text, "0x%" SCNx32 " %" SCNu64 " %" SCNu64 " %n", &pc, &read.lanes, &read.taken, &before) != 3 ||
        !before || read.taken > read.lanes)
        return is_damaged(r);
    if (!is_branch(r->program, pc, text + before))
        return isa_fail(r->error, r->error_bytes,
                        "%s:%" PRIu32 ": it is the profile of another program: this one has no '%s' at 0x%" PRIx32,
                        r->file, r->line, text + before, pc);
    counts[(pc - r->program->text_address) / 4] = read;
    return 0;
}

int isa_branch_profile_read(const isa_program *program, const char *file, isa_branch_counts *counts, char *error,
                            size_t error_bytes)
{
    char text[LINE_BYTES];
    reader r = {.program = program, .file = file, .line = 1, .error = error, .error_bytes = error_bytes};
    FILE *in = fopen(file, "r");
    if (!in)
        return *file ? isa_fail(error, error_bytes, "%s: %s", file, strerror(errno))
                     : isa_fail(error, error_bytes, "no branch profile is named");
    int failed = 0;
    if (!fgets(text, sizeof text, in) || strcmp(text, ISA_BRANCH_PROFILE_HEAD "\n") != 0)
        failed = is_damaged(&r);
    for (r.line++; !failed && fgets(text, sizeof text, in); r.line++)
        failed = read_line(&r, text, counts);
    if (!failed && ferror(in))
        failed = isa_fail(error, error_bytes, "%s: %s", file, strerror(errno));
    fclose(in);
    return failed;
}
