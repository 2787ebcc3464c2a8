/* SPDX-License-Identifier: MIT */
#include "lint_json.h"

#include <stdlib.h>

#include "json_text.h"

static json_t *place(const isa_program *program, uint32_t pc)
{
    uint32_t offset, line;
    json_t *object = json_object();
    hd_json_set(object, "pc", hd_json_number(pc));
    const char *function = isa_program_symbol_at(program, pc, &offset);
    if (function) {
        hd_json_set(object, "function", hd_json_text(function));
        hd_json_set(object, "offset", hd_json_number(offset));
    }
    const char *path = isa_program_line(program, pc, &line);
    if (path) {
        hd_json_set(object, "file", hd_json_text(path));
        hd_json_set(object, "line", hd_json_number(line));
    }
    return object;
}

static json_t *finding_object(const isa_program *program, const isa_finding *finding)
{
    json_t *object = json_object();
    hd_json_set(object, "kind", hd_json_text(isa_lint_name(finding->kind)));
    hd_json_set(object, "branch", place(program, finding->branch_pc));
    const int is_barrier = finding->kind == ISA_LINT_DIVERGENT_BARRIER;
    hd_json_set(object, is_barrier ? "barrier" : "read", place(program, finding->access_pc));
    if (finding->kind == ISA_LINT_STALE_SPIN)
        return object;
    hd_json_set(object, "meeting",
                finding->meeting_pc == ISA_RECONVERGE_AT_RETURN ? hd_json_text("return")
                                                                : place(program, finding->meeting_pc));
    if (is_barrier)
        return object;
    hd_json_set(object, "write", place(program, finding->other_pc));
    hd_json_set(object, "side", place(program, finding->side_pc));
    json_t *loop = json_object();
    hd_json_set(loop, "first", place(program, finding->loop_pc));
    hd_json_set(loop, "last", place(program, finding->loop_end_pc));
    hd_json_set(object, "loop", loop);
    hd_json_set(object, "branches", hd_json_number(finding->branches));
    return object;
}

static json_t *filter_object(const isa_program *program, const isa_deadlock_options *options)
{
    isa_deadlocks deadlocks;
    json_t *object = json_object();
    if (isa_deadlocks_find(program, options, &deadlocks))
        abort();
    hd_json_set(object, "all", hd_json_number(deadlocks.filter.loops));
    hd_json_set(object, "on_memory", hd_json_number(deadlocks.filter.on_memory));
    hd_json_set(object, "on_reads", hd_json_number(deadlocks.filter.on_reads));
    hd_json_set(object, "found", hd_json_number(deadlocks.filter.found));
    isa_deadlocks_free(&deadlocks);
    return object;
}

static void dump(json_t *root, FILE *out)
{
    if (json_dumpf(root, out, JSON_INDENT(2)))
        abort();
    fputc('\n', out);
    json_decref(root);
}

void lint_json_print(const kernel_file *file, const char *unit, const isa_deadlock_options *options,
                     const isa_finding *findings, uint32_t count, FILE *out)
{
    json_t *root = json_object(), *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, finding_object(file->program, &findings[i]));
    hd_json_set(root, "kernels", hd_json_text(file->path));
    hd_json_set(root, "unit", hd_json_text(unit));
    hd_json_set(root, "findings", list);
    hd_json_set(root, "loops", filter_object(file->program, options));
    dump(root, out);
}

static json_t *member(const char *name, json_t *value)
{
    json_t *object = json_object();
    hd_json_set(object, name, value);
    return object;
}

static json_t *list_of(json_t *value)
{
    json_t *list = json_array();
    json_array_append_new(list, value);
    return list;
}

/* Of a pc whose line is not known the kernel file. */
static json_t *sarif_location(const kernel_file *file, uint32_t pc)
{
    uint32_t line;
    const char *path = isa_program_line(file->program, pc, &line);
    json_t *physical = member("artifactLocation", member("uri", hd_json_text(path ? path : file->path)));
    if (path)
        hd_json_set(physical, "region", member("startLine", hd_json_number(line)));
    return member("physicalLocation", physical);
}

static json_t *sarif_result(const kernel_file *file, const isa_finding *finding)
{
    char text[1024];
    isa_finding_text(file->program, finding, text, sizeof text);
    json_t *result = member("ruleId", hd_json_text(isa_lint_name(finding->kind)));
    hd_json_set(result, "level", hd_json_text(finding->kind == ISA_LINT_POSSIBLE_DEADLOCK ? "note" : "warning"));
    hd_json_set(result, "message", member("text", hd_json_text(text)));
    hd_json_set(result, "locations", list_of(sarif_location(file, finding->branch_pc)));
    return result;
}

void lint_sarif_print(const kernel_file *file, const isa_finding *findings, uint32_t count, FILE *out)
{
    json_t *root = member("version", hd_json_text("2.1.0")), *results = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(results, sarif_result(file, &findings[i]));
    json_t *run = member("tool", member("driver", member("name", hd_json_text("heddle lint"))));
    hd_json_set(run, "results", results);
    hd_json_set(root, "runs", list_of(run));
    dump(root, out);
}
