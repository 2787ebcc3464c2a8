/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "kernel_file.h"
#include "kernel_warnings.h"
#include "lint_json.h"
#include "ssde.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* How lanes that part go on, by the unit of a core that lets them. */
static const struct {
    const char *name;
    enum isa_divergence divergence;
} units[] = {
    {"stack", ISA_DIVERGENCE_STACK},
    {"aware", ISA_DIVERGENCE_SPLITS},
    {"mp", ISA_DIVERGENCE_SPLITS},
};

static const char *const formats[] = {"text", "json", "sarif"};

typedef struct lint_request {
    const char *unit, *format, *certain, *transform; /* NULL: not said */
    isa_deadlock_options options;
} lint_request;

static int is_format(const lint_request *r, const char *name)
{
    return !strcmp(r->format ? r->format : formats[0], name);
}

/* 0 after an error. */
static int find_unit(lint_request *r)
{
    const char *names[COUNT_OF(units)];
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        names[i] = units[i].name;
        if (!r->unit || !strcmp(r->unit, units[i].name)) {
            r->unit = units[i].name;
            r->options.divergence = units[i].divergence;
            return 1;
        }
    }
    hd_usage_error(r->unit, names, COUNT_OF(names),
                   "there is no unit '%s': kernels are looked at for stack, aware or mp", r->unit);
    return 0;
}

static int format_exists(const lint_request *r)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (is_format(r, formats[i]))
            return 1;
    hd_usage_error(r->format, formats, COUNT_OF(formats), "there is no format '%s': text, json or sarif", r->format);
    return 0;
}

static uint32_t drop_doubts(isa_finding *findings, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (findings[i].kind != ISA_LINT_POSSIBLE_DEADLOCK)
            findings[kept++] = findings[i];
    return kept;
}

/* 0 after an error. */
static int transform_exists(const lint_request *r)
{
    static const char *const transforms[] = {"ssde"};
    if (!r->transform)
        return 1;
    if (strcmp(r->transform, transforms[0]))
        hd_usage_error(r->transform, transforms, COUNT_OF(transforms), "there is no transform '%s': ssde",
                       r->transform);
    else if (strcmp(r->unit, "stack") || r->certain || !is_format(r, formats[0]))
        hd_usage_error(NULL, NULL, 0,
                       "--transform is for stacks, and prints text: without --unit, --certain and --format");
    else
        return 1;
    return 0;
}

static void print_loop(const isa_program *program, const isa_ssde_loop *loop)
{
    char latch[128], head[128], safe[128];
    isa_program_place(program, loop->latch, latch, sizeof latch);
    isa_program_place(program, loop->head, head, sizeof head);
    isa_program_place(program, loop->safe, safe, sizeof safe);
    printf("ssde: lanes that go back from pc %s to pc %s first wait at pc %s for all others of the warp\n", latch, head,
           safe);
}

/* What the transform makes of it. */
static int print_transform(const kernel_file *file)
{
    char error[512];
    isa_ssde_loop *loops;
    uint32_t count;
    if (isa_ssde_loops(file->program, &loops, &count, error, sizeof error)) {
        printf("refused: %s\n", error);
        return HD_EXIT_FAIL;
    }
    for (uint32_t i = 0; i < count; i++)
        print_loop(file->program, &loops[i]);
    free(loops);
    printf("%s: %u loops changed, nothing is found in the result\n", file->path, count);
    return HD_EXIT_PASS;
}

static int print(const lint_request *r, const kernel_file *file)
{
    isa_finding *findings;
    uint32_t count;
    if (isa_lint(file->program, &r->options, &findings, &count))
        abort();
    if (r->certain)
        count = drop_doubts(findings, count);
    if (is_format(r, "json"))
        lint_json_print(file, r->unit, &r->options, findings, count, stdout);
    else if (is_format(r, "sarif"))
        lint_sarif_print(file, findings, count, stdout);
    else if (count)
        kernel_warnings_print(file->program, findings, count, stdout);
    else
        printf("%s: nothing to say\n", file->path);
    free(findings);
    return count ? HD_EXIT_FAIL : HD_EXIT_PASS;
}

static int lint(const hd_command *command, int count, char **words)
{
    const char *what;
    lint_request request = {0};
    const hd_option_use options[] = {{.name = "--unit", .takes_value = 1, .value = &request.unit},
                                     {.name = "--format", .takes_value = 1, .value = &request.format},
                                     {.name = "--certain", .value = &request.certain},
                                     {.name = "--transform", .takes_value = 1, .value = &request.transform}};
    kernel_file file = {0};
    int result = HD_EXIT_USAGE;
    if (hd_arguments(command, count, words, options, COUNT_OF(options), &what, 1, 1) >= 0 && find_unit(&request) &&
        format_exists(&request) && transform_exists(&request) && kernel_file_open(&file, what))
        result = request.transform ? print_transform(&file) : print(&request, &file);
    kernel_file_close(&file);
    return result;
}

const hd_command hd_command_lint = {
    .name = "lint",
    .usage = KERNEL_FILE_USAGE " [--unit stack|aware|mp] [--format text|json|sarif] [--certain] [--transform ssde]",
    .doc = "find loops and barriers in kernels that may wait forever on a SIMT machine",
    .help =
        "If something is found, it is printed, and the exit code is 1.\n\n"
        "  simt_deadlock      a lock is released behind the loop that takes it: its holder waits there for those "
        "that want it\n"
        "  possible_deadlock  lanes may wait in a loop for a write that they keep other lanes of their warp from\n"
        "  stale_spin         a loop waits for the value of a plain load: with l1.global: cache the L1 may keep "
        "the old value\n"
        "  divergent_barrier  only some threads of a block come to a barrier, by their index\n\n"
        "  --unit stack   one side of a branch runs until it meets the other (as without --unit)\n"
        "  --unit aware   both sides get on until they meet; so with mp\n"
        "  --format json  findings with pc, function, file and line, and how many loops there are; sarif for viewers "
        "of code\n"
        "  --certain      without possible_deadlock\n"
        "  --transform ssde  which loops core.ssde changes so that nothing is found, or why it refuses the kernels; "
        "the "
        "exit code is 1 if it does\n",
    .run = lint,
};
