/* SPDX-License-Identifier: MIT */
/* A profile read back: rows put together and sorted, and what the table says of them. */
#include "profile_view.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "no_memory.h"

typedef struct row {
    uint32_t pc;
    const char *function, *place; /* JSON */
    const char *counts;
} row;

typedef struct content {
    const char *columns[10], *elsewhere, *conflicts;
    row rows[6];
} content;

/* 1000 slots: line 7 has 400 in two places, line 9 has 300, code without a line 200, nobody 100. */
static const content timed = {
    .columns = {"warp_instructions", "thread_instructions", "lost_lanes", "wait_cycles", "aborts", "quiet",
                "slots_issued", "slots_memory_data", "slots_barrier"},
    .elsewhere = "'slots_issued': 100",
    .conflicts = "{'pc': 24, 'winner_pc': 16, 'lanes': 1}, {'pc': 20, 'winner_pc': 32, 'lanes': 4},"
                 "{'pc': 16, 'winner_pc': 24, 'lanes': 2}, {'pc': 20, 'winner_pc': 16, 'lanes': 3},"
                 "{'pc': 20, 'winner_pc': null, 'lanes': 3}, {'pc': 17, 'winner_pc': 20, 'lanes': 7}",
    .rows = {{16, "'f'", "'file': 'k.c', 'line': 7",
              "'slots_issued': 100, 'slots_memory_data': 200, 'warp_instructions': 100, 'wait_cycles': 450,"
              "'thread_instructions': 800, 'lost_lanes': 2400, 'aborts': 3"},
             {20, "'f'", "'file': 'k.c', 'line': 9",
              "'slots_issued': 300, 'warp_instructions': 300, 'thread_instructions': 9600"},
             {24, "'g'", "'file': 'k.c', 'line': 7", "'slots_barrier': 100"},
             {28, "'g'", "'file': null, 'line': null", "'slots_barrier': 150, 'slots_memory_data': 50"},
             {32, "'h'", "'file': 'z.c', 'line': 9", ""}}};

/* Of cores that have no issue slots. */
static const content functional = {
    .columns = {"warp_instructions", "thread_instructions", "lost_lanes", "tx_aborts"},
    .elsewhere = "",
    .conflicts = "",
    .rows = {{16, "'f'", "'file': 'k.c', 'line': 7",
              "'warp_instructions': 100, 'thread_instructions': 800, 'lost_lanes': 2400"},
             {20, "'f'", "'file': 'k.c', 'line': 9",
              "'warp_instructions': 300, 'thread_instructions': 9600, 'tx_aborts': 5"}}};

/* To be freed. */
static char *json_of(const content *of)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    fputs("{'schema': {'name': 'heddle.stats', 'version': 1}, 'status': 'pass', 'app': {'name': 'a'},"
          "'machine': {'name': 'm'}, 'profile': {'columns': [",
          out);
    for (uint32_t i = 0; of->columns[i]; i++)
        fprintf(out, "%s{'name': '%s', 'unit': 'x', 'doc': 'x'}", i ? "," : "", of->columns[i]);
    fputs("], 'rows': [", out);
    for (const row *at = of->rows; at->pc; at++)
        fprintf(out, "%s{'pc': %u, 'text': 'nop', 'function': %s, %s, 'counts': {%s}}", at == of->rows ? "" : ",",
                at->pc, at->function, at->place, at->counts);
    fprintf(out, "], 'elsewhere': {%s}, 'conflicts': [%s]}}", of->elsewhere, of->conflicts);
    fclose(out);
    for (char *at = text; (at = strchr(at, '\''));)
        *at = '"';
    return text;
}

static char *written(const char *text)
{
    static char path[] = "/tmp/heddle-profile.XXXXXX";
    strcpy(path + strlen(path) - 6, "XXXXXX");
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    return path;
}

static profile_view opened_of(const content *of, enum profile_grouping by)
{
    profile_view view;
    char *error = NULL, *text = json_of(of), *path = written(text);
    free(text);
    cr_assert(profile_view_open(&view, path, &error), "%s", error);
    unlink(path);
    profile_view_group(&view, by);
    profile_view_sort(&view, PROFILE_BY_SHARE);
    return view;
}

static profile_view opened(enum profile_grouping by)
{
    return opened_of(&timed, by);
}

static uint64_t slots_of(const profile_view *view, uint32_t row)
{
    return profile_view_part(view, view->rows[row].counts);
}

Test(profile_view, rows_of_a_line_or_function_are_put_together)
{
    profile_view view = opened(PROFILE_BY_LINE);
    cr_assert_eq(view.row_count, 4);
    cr_expect_eq(view.whole, 1000);
    cr_expect_eq(view.rows[0].line, 7, "of two functions, but one line");
    cr_expect_eq(view.rows[0].pc, 16);
    cr_expect_eq(slots_of(&view, 0), 400);
    cr_expect_eq(profile_view_count(&view, view.rows[0].counts, "slots_barrier"), 100);
    cr_expect_eq(view.rows[1].line, 9);
    cr_expect_null(view.rows[2].file);
    cr_expect_eq(slots_of(&view, 2), 200);
    cr_expect_str_eq(view.rows[3].file, "z.c", "not the same line");
    profile_view_close(&view);
    view = opened(PROFILE_BY_FUNCTION);
    cr_assert_eq(view.row_count, 3);
    cr_expect_str_eq(view.rows[0].function, "f");
    cr_expect_eq(slots_of(&view, 0), 600);
    cr_expect_eq(slots_of(&view, 1), 300);
    profile_view_close(&view);
    view = opened(PROFILE_BY_INSTRUCTION);
    cr_assert_eq(view.row_count, 5);
    cr_expect_eq(view.rows[0].pc, 16, "of equal ones the lowest");
    cr_expect_eq(view.rows[1].pc, 20);
    profile_view_sort(&view, profile_view_column(&view, "slots_barrier"));
    cr_expect_eq(view.rows[0].pc, 28);
    profile_view_close(&view);
}

static char *printed(const profile_view *view, const profile_layout *look)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (look)
        profile_view_print(view, look, out);
    else
        profile_view_print_csv(view, out);
    fclose(out);
    return text;
}

static void expect_part(const char *text, const char *part)
{
    cr_expect(strstr(text, part), "no '%s' in\n%s", part, text);
}

Test(profile_view, the_table_says_how_much_of_what)
{
    profile_view view = opened(PROFILE_BY_LINE);
    char *text = printed(&view, &(profile_layout){.by = PROFILE_BY_LINE, .top = 2, .sources = "/nowhere"});
    expect_part(text, "PROFILE  a on m (pass): 400 warp instructions, SIMD 81.2%, 1,000 issue slots\n");
    expect_part(text, "issued 50.0%  memory data 25.0%  barrier 25.0%\n");
    expect_part(
        text,
        " 40.0%          100  25.0%          2,400        4            3  memory data 50%, barrier 25%     k.c:7\n");
    expect_part(
        text,
        " 30.0%          300 100.0%              0        0            0                                   k.c:9\n");
    expect_part(text, " 20.0%  2 more; --top says how many are shown\n 10.0%  no path that could have issued\n");
    cr_expect_null(strstr(text, "quiet"), "a column without a count is not shown");
    cr_expect_null(strstr(text, "(no line)"));
    free(text);
    text = printed(&view, &(profile_layout){.by = PROFILE_BY_LINE, .top = 20, .sources = "/nowhere"});
    expect_part(text, " 20.0%            0      -              -        -            0  barrier 75%, memory data 25%   "
                      "  g (no line)\n");
    free(text);
    profile_view_close(&view);
}

Test(profile_view, the_table_of_cores_without_slots_has_shares_of_instructions)
{
    profile_view view = opened_of(&functional, PROFILE_BY_LINE);
    cr_expect_eq(view.whole, 400);
    char *text = printed(&view, &(profile_layout){.by = PROFILE_BY_LINE, .top = 1, .sources = "/nowhere"});
    cr_expect_str_eq(text, "PROFILE  a on m (pass): 400 warp instructions, SIMD 81.2%\n\n"
                           " share       issued   SIMD     lost lanes    tx_aborts  line\n"
                           " 75.0%          300 100.0%              0            5  k.c:9\n"
                           " 25.0%  1 more; --top says how many are shown\n");
    free(text);
    profile_view_close(&view);
}

Test(profile_view, comma_separated_rows_hold_everything)
{
    profile_view view = opened(PROFILE_BY_INSTRUCTION);
    char *text = printed(&view, NULL);
    cr_expect_str_eq(text, "file,line,function,pc,warp_instructions,thread_instructions,lost_lanes,wait_cycles,aborts,"
                           "quiet,slots_issued,slots_memory_data,slots_barrier\n"
                           "k.c,7,f,0x00000010,100,800,2400,450,3,0,100,200,0\n"
                           "k.c,9,f,0x00000014,300,9600,0,0,0,0,300,0,0\n"
                           ",,g,0x0000001c,0,0,0,0,0,0,0,50,150\n"
                           "k.c,7,g,0x00000018,0,0,0,0,0,0,0,0,100\n"
                           "z.c,9,h,0x00000020,0,0,0,0,0,0,0,0,0\n"
                           ",,,,0,0,0,0,0,0,100,0,0\n");
    free(text);
    profile_view_close(&view);
}

/* ---- Source ---------------------------------------------------------------------------------------------------------- */

static void write_lines(const char *folder, const char *name, uint32_t count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file);
    for (uint32_t i = 1; i <= count; i++)
        fprintf(file, "%s line %u%s", name, i, i < count ? "\n" : "");
    fclose(file);
}

static char *annotated(const profile_view *view, const char *folder)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    profile_view_annotate(view, &(profile_layout){.by = PROFILE_BY_LINE, .top = 20, .sources = folder}, out);
    fclose(out);
    return text;
}

#define HEAD " slots       issued   SIMD lost to                        line\n"
#define BLANK "                                                         "

/* Lines that are far from any with counts are left out, at either end and between; a file that is shorter than its rows say
 * is shown as far as it goes. */
Test(profile_view, each_file_has_the_counts_of_its_own_lines)
{
    char folder[] = "/tmp/heddle-sources.XXXXXX", path[256];
    cr_assert(mkdtemp(folder));
    write_lines(folder, "k.c", 13);
    write_lines(folder, "z.c", 8);
    profile_view view = opened(PROFILE_BY_LINE);
    char *text = annotated(&view, folder);
    cr_expect_str_eq(text,
                     "\nk.c\n" HEAD BLANK "  ...\n" BLANK "    5  k.c line 5\n" BLANK "    6  k.c line 6\n"
                     " 40.0%          100  25.0% memory data 50%, barrier 25%      7  k.c line 7\n" BLANK
                     "    8  k.c line 8\n"
                     " 30.0%          300 100.0%                                   9  k.c line 9\n" BLANK
                     "   10  k.c line 10\n" BLANK "   11  k.c line 11\n"
                     "\nz.c\n" HEAD,
                     "\n%s", text);
    free(text);
    write_lines(folder, "z.c", 9);
    text = annotated(&view, folder);
    cr_expect(strstr(text, "  0.0%            0      -                                   9  z.c line 9\n"), "\n%s",
              text);
    free(text);
    write_lines(folder, "z.c", 20);
    text = annotated(&view, folder);
    const char *z = strstr(text, "\nz.c\n");
    cr_assert(z);
    cr_expect_str_eq(z,
                     "\nz.c\n" HEAD BLANK "  ...\n" BLANK "    7  z.c line 7\n" BLANK "    8  z.c line 8\n"
                     "  0.0%            0      -                                   9  z.c line 9\n" BLANK
                     "   10  z.c line 10\n" BLANK "   11  z.c line 11\n",
                     "\n%s", z);
    free(text);
    snprintf(path, sizeof path, "%s/k.c", folder);
    unlink(path);
    text = annotated(&view, folder);
    const char *missing = "\nk.c\n  is not there; --sources DIR says from which folder its name goes\n\nz.c\n" HEAD;
    cr_expect_eq(strncmp(text, missing, strlen(missing)), 0, "\n%s", text);
    free(text);
    profile_view_close(&view);
    snprintf(path, sizeof path, "%s/z.c", folder);
    unlink(path);
    rmdir(folder);
}

/* ---- Conflicts ------------------------------------------------------------------------------------------------------- */

static char *conflicts_of(enum profile_grouping by, uint32_t top, uint32_t csv)
{
    char *text;
    size_t bytes;
    profile_view view = opened(by);
    FILE *out = open_memstream(&text, &bytes);
    profile_conflicts_print(&view, &(profile_layout){.by = by, .top = top, .sources = "/nowhere"}, csv, out);
    fclose(out);
    profile_view_close(&view);
    return text;
}

/* The most frequent first, equal ones by name; two places of one line are one. */
Test(profile_view, pairs_of_conflicting_places_are_put_together)
{
    char *text = conflicts_of(PROFILE_BY_LINE, 3, 0);
    cr_expect_str_eq(text,
                     "CONFLICTS  a on m (pass): 20 aborts because of another attempt's access\n\n"
                     " share       aborts  refused                          because of\n"
                     " 35.0%            7  (not known)                      k.c:9\n"
                     " 20.0%            4  k.c:9                            z.c:9\n"
                     " 15.0%            3  k.c:7                            k.c:7\n"
                     "2 more; --top says how many are shown\n",
                     "\n%s", text);
    free(text);
    text = conflicts_of(PROFILE_BY_LINE, 5, 0);
    expect_part(text, " 15.0%            3  k.c:9                            (not known)\n"
                      " 15.0%            3  k.c:9                            k.c:7\n");
    cr_expect_null(strstr(text, "--top"));
    free(text);
    text = conflicts_of(PROFILE_BY_FUNCTION, 9, 0);
    expect_part(text, " 15.0%            3  f                                f\n"
                      " 10.0%            2  f                                g\n"
                      "  5.0%            1  g                                f\n");
    free(text);
}

Test(profile_view, pairs_of_conflicting_places_as_comma_separated_rows)
{
    char *text = conflicts_of(PROFILE_BY_INSTRUCTION, 1, 1);
    cr_expect_str_eq(text,
                     "file,line,function,pc,winner_file,winner_line,winner_function,winner_pc,lanes\n"
                     ",,,,k.c,9,f,0x00000014,7\n"
                     "k.c,9,f,0x00000014,z.c,9,h,0x00000020,4\n"
                     "k.c,9,f,0x00000014,,,,,3\n"
                     "k.c,9,f,0x00000014,k.c,7,f,0x00000010,3\n"
                     "k.c,7,f,0x00000010,k.c,7,g,0x00000018,2\n"
                     "k.c,7,g,0x00000018,k.c,7,f,0x00000010,1\n",
                     "\n%s", text);
    free(text);
}

Test(profile_view, pairs_of_conflicting_places_without_memory_end_the_program, .signal = SIGABRT)
{
    profile_view view = opened(PROFILE_BY_LINE);
    no_memory_after(0);
    profile_conflicts_print(&view, &(profile_layout){.by = PROFILE_BY_LINE, .top = 3, .sources = "/nowhere"}, 0,
                            stdout);
}
