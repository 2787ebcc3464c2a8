/* SPDX-License-Identifier: MIT */
/*
 * Every errors/NAME.yaml must give exactly the text of errors/NAME.txt. Comment lines at the top of the YAML file that
 * begin with "# --set" are overrides, "# refuse BLOCK: TEXT" is what a block says in create.
 * HEDDLE_UPDATE_GOLDEN=1 writes the texts anew, to be reviewed.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define OVERRIDES_MAX 8

static void enter(void)
{
    cr_assert_eq(chdir(NETLIST_ERRORS), 0);
}

static char *read_text(const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    FILE *out = open_memstream(&text, &bytes);
    for (int character; (character = fgetc(file)) != EOF;)
        fputc(character, out);
    fclose(file);
    fclose(out);
    return text;
}

/* Splits "# --set a=b --set c=d" in place. */
static size_t read_overrides(char *text, const char **overrides)
{
    size_t count = 0;
    if (strncmp(text, "# --set ", 8) != 0)
        return 0;
    text[strcspn(text, "\n")] = 0;
    for (char *at = strstr(text, "--set "); at && count < OVERRIDES_MAX;) {
        char *next = strstr(at + 1, " --set ");
        overrides[count++] = at + strlen("--set ");
        if (next)
            *next++ = 0;
        at = next;
    }
    return count;
}

static char *refused(const netlist *machine, char *comment)
{
    cr_assert_eq(strncmp(comment, "# refuse ", 9), 0, "no error and nothing refused");
    char *colon = strstr(comment, ": ");
    comment[strcspn(comment, "\n")] = 0;
    *colon = 0;
    return netlist_refusal(machine, bench_block(machine, comment + 9), colon + 2);
}

/* What loading the file says, and what the machine then refuses. Caller frees. */
static void load_errors(const char *path, char **errors)
{
    const char *overrides[OVERRIDES_MAX];
    char *source = read_text(path);
    size_t count = read_overrides(source, overrides);
    netlist *machine = netlist_load(path, fake_registry(), overrides, count, errors);
    if (machine) {
        *errors = refused(machine, source);
        netlist_free(machine);
    }
    free(source);
}

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : "";
}

/* "FILE:LINE:COLUMN: error[N33]: ...", below it the line of the file, and a caret. An empty file has no line to show. */
static int has_form(const char *text, const char *number)
{
    char wanted[16];
    unsigned line, column;
    snprintf(wanted, sizeof wanted, ": error[%.3s]: ", number);
    const char *at = strstr(text, wanted);
    while (at && at > text && at[-1] != '\n')
        at--;
    if (!at || sscanf(at, "%*[^:\n]:%u:%u: error", &line, &column) != 2 || !line || !column)
        return 0;
    if (!strncmp(number, "N04", 3))
        return 1;
    const char *shown = next_line(at), *caret = next_line(shown);
    return !strncmp(shown, "    ", 4) && caret[strspn(caret, " ")] == '^';
}

static void check_case(const char *path)
{
    char golden[256];
    snprintf(golden, sizeof golden, "%.*s.txt", (int)(strlen(path) - 5), path);
    char *actual = NULL;
    load_errors(path, &actual);
    if (getenv("HEDDLE_UPDATE_GOLDEN")) {
        FILE *file = fopen(golden, "wb");
        fputs(actual, file);
        fclose(file);
    }
    char *expected = read_text(golden);
    cr_expect(expected && strcmp(actual, expected) == 0, "%s\n--- expected\n%s--- got\n%s", path,
              expected ? expected : "", actual);
    if (path[0] == 'N')
        cr_expect(has_form(actual, path), "%s does not begin with an error %.3s of the usual form:\n%s", path, path,
                  actual);
    free(expected);
    free(actual);
}

Test(netlist_errors, each_file_gives_exactly_its_text, .init = enter)
{
    glob_t cases;
    cr_assert_eq(glob("*.yaml", 0, NULL, &cases), 0);
    for (size_t i = 0; i < cases.gl_pathc; i++)
        check_case(cases.gl_pathv[i]);
    globfree(&cases);
}

Test(netlist_errors, no_number_lacks_a_file, .init = enter)
{
    uint32_t last = 0;
    for (uint32_t number = 1; number < 100; number++) {
        char pattern[32];
        glob_t cases;
        if (!netlist_error_meaning(number))
            continue;
        last = number;
        snprintf(pattern, sizeof pattern, "N%02u_*.yaml", number);
        cr_expect_eq(glob(pattern, 0, NULL, &cases), 0, "no errors/%s: %s", pattern, netlist_error_meaning(number));
        globfree(&cases);
    }
    for (uint32_t number = 1; number <= last; number++)
        cr_expect_not_null(netlist_error_meaning(number), "N%02u has no meaning", number);
    cr_expect_null(netlist_error_meaning(0));
    cr_expect_null(netlist_error_meaning(last + 1));
}

static char *load_error(const char *path)
{
    char *errors;
    cr_assert_null(netlist_load(path, fake_registry(), NULL, 0, &errors));
    return errors;
}

Test(netlist_errors, a_missing_file_is_an_error_of_the_same_form, .init = bench_enter, .fini = bench_leave)
{
    char *errors = load_error("nowhere.yaml");
    cr_expect_str_eq(errors, "nowhere.yaml:1:1: error[N01]: cannot read 'nowhere.yaml': No such file or directory\n");
    free(errors);
}

Test(netlist_errors, a_directory_is_an_error_of_the_same_form, .init = bench_enter, .fini = bench_leave)
{
    char *errors = load_error(".");
    cr_expect_str_eq(errors, ".:1:1: error[N01]: cannot read '.': Is a directory\n");
    free(errors);
}

Test(netlist_errors, a_file_past_four_mebibytes_is_refused, .init = bench_enter, .fini = bench_leave)
{
    size_t bytes = 4 * 1024 * 1024 + 1;
    char *text = malloc(bytes);
    memset(text, '#', bytes);
    bench_write("large.yaml", text, bytes);
    char *errors = load_error("large.yaml");
    cr_expect_str_eq(errors, "large.yaml:1:1: error[N02]: the file is larger than 4 MiB\n");
    free(errors);
    bench_write("large.yaml", text, bytes - 1);
    errors = load_error("large.yaml");
    cr_expect_str_eq(errors, "large.yaml:1:1: error[N04]: there is no YAML document\n");
    free(errors);
    free(text);
}

Test(netlist_errors, a_chain_of_extends_is_bounded, .init = bench_enter, .fini = bench_leave)
{
    for (int i = 0; i < 17; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "f%d.yaml", i);
        snprintf(text, sizeof text, "heddle: 1\nextends: f%d.yaml\n", i + 1);
        bench_text(name, text);
    }
    char *errors = load_error("f0.yaml");
    cr_expect(strstr(errors, "f15.yaml:2:10: error[N12]: the chain of extends is longer than 16\n"), "%s", errors);
    cr_expect(strstr(errors, "note: extended from f0.yaml:2:10\n"), "%s", errors);
    free(errors);
}

Test(netlist_errors, text_is_utf8_as_the_standard_has_it, .init = bench_enter, .fini = bench_leave)
{
    static const char *const bad[] = {
        "\x80",
        "\xC1\xBF",
        "\xC3",
        "\xC3(",
        "\xE0\x9F\xBF",
        "\xED\xA0\x80",
        "\xEF\xBF",
        "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80",
        "\xFF",
    };
    static const char *const good[] = {"\xC2\x85", "\xC3\xBC", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80"};
    char text[64];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "\xC3\xBC %s", bad[i]);
        bench_text("file.yaml", text);
        char *errors = load_error("file.yaml");
        cr_expect(strstr(errors, "file.yaml:1:3: error[N03]: byte 0x"), "%zu: %s", i, errors);
        free(errors);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, "# %s", good[i]);
        bench_text("file.yaml", text);
        char *errors = load_error("file.yaml");
        cr_expect(strstr(errors, "error[N04]"), "%zu: %s", i, errors);
        free(errors);
    }
}
