/* SPDX-License-Identifier: MIT */
/* What apps with published inputs read from files and options: the published formats, and one clear error for what makes no sense. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "process.h"

#define SETS_MAX 6

/* On the machine with functional cores. */
static finished run_told(const char *app, const char *const *sets)
{
    const char *words[4 + 2 * SETS_MAX] = {"run", SYSTEM_MACHINES "/functional.yaml", app};
    size_t count = 3;
    for (size_t i = 0; i < SETS_MAX && sets[i]; i++) {
        words[count++] = "--set";
        words[count++] = sets[i];
    }
    return heddle_run(words);
}

#define INTEGERS(...)                                                                                                  \
    (const char *)(const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[])                                                  \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* ---- Files in the published formats ----------------------------------------------------------------------------------- */

typedef struct good_input {
    const char *app;
    const char *data;
    size_t bytes; /* 0: a text */
    const char *option;
    const char *reports;
} good_input;

static void expect_read(const good_input *g)
{
    char *folder = folder_new(), *path = path_in(folder, "input"), *set = text_of("app.input=%s", path);
    file_write(path, g->data, g->bytes ? g->bytes : strlen(g->data));
    finished run = run_told(g->app, (const char *const[]){set, g->option, NULL});
    expect_code(&run, 0);
    cr_expect(strstr(run.out, g->reports), "%s: not '%s':\n%s", g->app, g->reports, run.out);
    finished_free(&run);
    free(set);
    free(path);
    folder_remove(folder);
}

/* A matrix of Matrix Market files: comments, small and large letters, empty lines and ends of lines of any kind are as the format has them. */
#define MARKET(kind, rest) "%%MatrixMarket matrix coordinate " kind "\n" rest

/* Two by two pixels: the first gives 10, the last takes 20; 3 and 5 fit through the one between them, 4 and 7 through the other. And
 * three records, of which the head says that they may be four: three pairs of items are in two of them, and one set of three. */
Test(inputs_of_apps, are_read_as_published)
{
    const good_input inputs[] = {
        {"cuda_cuts", "2 2 2\n1 1\n0 0\n10 6 0 1\n0 6\t0 21\n3\n7\n4 5\n", 0, NULL, "-> flow 7, pixels_of_sink 3,"},
        {"apriori", INTEGERS(4, 5, 3, 1, 3, 0, 1, 2, 2, 4, 0, 1, 2, 3, 3, 3, 1, 2, 4), "app.support=6600",
         "-> frequent_pairs 3, candidates 1, counted 2, frequent 1, longest 3"},
        {"spgemm_outer", "%%MatrixMarket MATRIX Coordinate Integer General\n% a comment\n\n2 2 2\r\n1 2 3\n 2 1 -4 \n",
         0, NULL, "-> products 2, elements 2"},
        {"spgemm_row", MARKET("pattern symmetric", "3 3 3\n2 1\n3 1\n3 3"), 0, NULL, "-> products 9, elements 7"},
        {"spgemm_inner", MARKET("real skew-symmetric", "2 2 1\n2 1 0.1\n"), 0, NULL, "-> products 2, elements 2"},
        {"spgemm_row", MARKET("real general", "1 1 0\n"), 0, NULL, "-> products 0, elements 0"},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        expect_read(&inputs[i]);
}

/* ---- What makes no sense ---------------------------------------------------------------------------------------------- */

typedef struct bad_input {
    const char *app;
    const char *data;
    size_t bytes; /* 0: a text */
    const char *error;
} bad_input;

static void expect_refusal(const bad_input *b)
{
    char *folder = folder_new(), *path = path_in(folder, "input"), *set = text_of("app.input=%s", path);
    if (b->data)
        file_write(path, b->data, b->bytes ? b->bytes : strlen(b->data));
    finished run = run_told(b->app, (const char *const[]){set, NULL});
    expect_code(&run, 1);
    expect_error(&run, b->error);
    const char *error = strstr(run.err, "error: ");
    cr_expect(error && !strstr(error + 1, "error: "), "%s: not one error:\n%s", b->error, run.err);
    finished_free(&run);
    free(set);
    free(path);
    folder_remove(folder);
}

Test(inputs_of_apps, refuse_files_that_make_no_sense)
{
    const bad_input inputs[] = {
        {"cuda_cuts", NULL, 0, "input cannot be read"},
        {"cuda_cuts", "", 0, "input ends after 0 numbers, where the width should be"},
        {"cuda_cuts", "2 1 3\n", 0, "number 3, the number of labels, is '3'; it must be 2 to 2"},
        {"cuda_cuts", "5000 1 2\n", 0, "number 1, the width, is '5000'; it must be 1 to 4096"},
        {"cuda_cuts", "2 x 2\n", 0, "number 2, the height, is 'x'; it must be 1 to 4096"},
        {"cuda_cuts", "2 1 2\n1 1\n5 6\n7 8\n", 0, "input ends after 9 numbers, where a link to the right should be"},
        {"cuda_cuts", "2 1 2\n1 1\n5 6\n7 -8\n", 0,
         "number 9, a cost of the second label, is '-8'; it must be 0 to 1048575"},
        {"cuda_cuts", "2 1 2\n1 1\n5 6\n7 8\n9 9\n", 0,
         "input goes on after 10 numbers, which are all of its image of 2 x 1 pixels"},
        {"apriori", NULL, 0, "input cannot be read"},
        {"apriori", INTEGERS(1, 5), "input ends after 2 numbers, where the mean length should be"},
        {"apriori", INTEGERS(1, 5000, 2), "number 2, the number of items, is '5000'; it must be 1 to 4096"},
        {"apriori", INTEGERS(1, 5, 2), "input has no records"},
        {"apriori", INTEGERS(2, 5, 2, 1, 2, 0, 3, 3), "number 8, the number of a record, is '3'; it must be 2 to 2"},
        {"apriori", INTEGERS(1, 5, 2, 1, 6), "number 5, the length of a record, is '6'; it must be 0 to 5"},
        {"apriori", INTEGERS(1, 5, 2, 1, 2, 3),
         "input ends after 6 numbers, where an item, above the one before should be"},
        {"apriori", INTEGERS(1, 5, 2, 1, 2, 3, 3),
         "number 7, an item, above the one before, is '3'; it must be 4 to 4"},
        {"apriori", INTEGERS(1, 5, 2, 1, 1, 3, 2, 0), "there is a record 2, the file says that there are 1"},
        {"apriori", "\1\0\0\0\5\0", 6, "input ends within an integer, after 1 of them"},
        {"spgemm_outer", NULL, 0, "input cannot be read"},
        {"spgemm_outer", "", 0, "input: line 1 does not begin with '%%MatrixMarket '"},
        {"spgemm_row", "1 1 1\n1 1 1\n", 0, "input: line 1 does not begin with '%%MatrixMarket '"},
        {"spgemm_inner", "%%MatrixMarket vector coordinate real general\n", 0,
         "input: line 1: the object is 'vector'; it must be matrix"},
        {"spgemm_outer", "%%MatrixMarket matrix array real general\n", 0,
         "input: line 1: the form is 'array'; it must be coordinate"},
        {"spgemm_outer", MARKET("complex general", ""), 0,
         "input: line 1: the field is 'complex'; it must be one of real, integer, pattern"},
        {"spgemm_outer", MARKET("real hermitian", ""), 0,
         "input: line 1: the symmetry is 'hermitian'; it must be one of general, symmetric, skew-symmetric"},
        {"spgemm_outer", MARKET("real general", "% nothing\n"), 0,
         "input ends after line 2, where rows, columns and elements should be"},
        {"spgemm_outer", MARKET("real general", "0 2 2\n"), 0,
         "input: line 2: the number of rows is '0'; it must be 1 to 16777216"},
        {"spgemm_outer", MARKET("real general", "2 2\n"), 0,
         "input: line 2: the number of elements is ''; it must be 0 to 67108864"},
        {"spgemm_outer", MARKET("real general", "2 2 2\n1 1 1\n"), 0,
         "input ends after 1 elements; it says that there are 2"},
        {"spgemm_outer", MARKET("real general", "2 2 2\n1 1 1\n2 "), 0,
         "input: line 4: the column is ''; it must be 1 to 2"},
        {"spgemm_outer", MARKET("real general", "2 2 1\n1 3 1\n"), 0,
         "input: line 3: the column is '3'; it must be 1 to 2"},
        {"spgemm_outer", MARKET("real general", "2 2 1\n-1 2 1\n"), 0,
         "input: line 3: the row is '-1'; it must be 1 to 2"},
        {"spgemm_outer", MARKET("real general", "2 2 1\n1 2 one\n"), 0,
         "input: line 3: the value is 'one'; it must be a number that a float holds"},
        {"spgemm_outer", MARKET("real general", "2 2 1\n1 2 1e99\n"), 0,
         "input: line 3: the value is '1e99'; it must be a number that a float holds"},
        {"spgemm_outer", MARKET("integer general", "2 2 1\n1 2 1.5\n"), 0,
         "input: line 3: the value is '1.5'; it must be an integer that a float holds"},
        {"spgemm_outer", MARKET("integer general", "2 2 1\n1 2 1e1\n"), 0,
         "input: line 3: the value is '1e1'; it must be an integer that a float holds"},
        {"spgemm_outer", MARKET("integer general", "2 2 1\n1 2 0x1\n"), 0,
         "input: line 3: the value is '0x1'; it must be an integer that a float holds"},
        {"spgemm_outer", MARKET("pattern general", "2 2 1\n1 2 1\n"), 0, "input: line 3 goes on with '1'"},
        {"spgemm_outer", MARKET("real general", "2 2 1\n1 2 1\n2 2 1\n"), 0,
         "input: line 4 is behind all of the 1 elements"},
        {"spgemm_outer", MARKET("real general", "2 2 2\n1 2 1\n1 2 1\n"), 0,
         "input: the element at row 1, column 2 is there twice"},
        {"spgemm_outer", MARKET("real symmetric", "2 2 1\n1 2 1\n"), 0,
         "input: line 3: row 1, column 2 is above the diagonal of a symmetric matrix"},
        {"spgemm_outer", MARKET("real symmetric", "2 3 1\n"), 0,
         "input: line 2: a symmetric matrix has 2 rows and 3 columns"},
        {"spgemm_outer", MARKET("real skew-symmetric", "2 2 1\n1 1 1\n"), 0,
         "input: line 3: row 1 is on the diagonal of a skew-symmetric matrix"},
        {"spgemm_outer", MARKET("real general", "2 3 1\n1 1 1\n"), 0, "input has 3 columns, and "},
        {"spgemm_row", MARKET("real general", "2 3 1\n1 1 1\n"), 0, "input has 2 rows: they cannot be multiplied"},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        expect_refusal(&inputs[i]);
}

/* ---- Two files: the example of Beaumont 2019, section 4.3 --------------------------------------------------------------- */

#define EXAMPLE_A MARKET("real general", "3 3 4\n1 1 1\n1 3 2\n2 2 3\n3 1 4\n")
#define EXAMPLE_B MARKET("real general", "3 3 4\n1 2 5\n2 1 6\n3 2 7\n3 3 8\n")

static void expect_product(const char *app, const char *second, int code, const char *says)
{
    char *folder = folder_new(), *a = path_in(folder, "a.mtx"), *b = path_in(folder, "b.mtx");
    char *first_set = text_of("app.input=%s", a), *second_set = text_of("app.second=%s", b);
    file_write(a, EXAMPLE_A, strlen(EXAMPLE_A));
    file_write(b, second, strlen(second));
    finished run = run_told(app, (const char *const[]){first_set, second_set, NULL});
    expect_code(&run, code);
    cr_expect(strstr(code ? run.err : run.out, says), "%s: not '%s':\n%s%s", app, says, run.out, run.err);
    finished_free(&run);
    free(second_set);
    free(first_set);
    free(b);
    free(a);
    folder_remove(folder);
}

/* C = [0 19 16; 18 0 0; 0 20 0], of five products. */
Test(inputs_of_apps, are_multiplied)
{
    static const char *const apps[] = {"spgemm_outer", "spgemm_row", "spgemm_inner"};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        expect_product(apps[i], EXAMPLE_B, 0, "-> products 5, elements 4");
        expect_product(apps[i], MARKET("real general", "2 3 1\n1 1 1\n"), 1,
                       "b.mtx has 2 rows: they cannot be multiplied");
    }
}

/* Sums that floats round: what they may be off by depends on how many products they have. */
Test(inputs_of_apps, with_values_that_are_rounded)
{
    static const char *const apps[] = {"spgemm_outer", "spgemm_row", "spgemm_inner"};
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++)
        expect_product(apps[i], MARKET("real general", "3 2 5\n1 1 0.1\n1 2 1e-3\n2 1 3.3e7\n3 1 -0.7\n3 2 0.333333\n"),
                       0, "-> products 7, elements 5");
}

static void expect_option_refused(const char *app, const char *set, int code, const char *error)
{
    finished run = run_told(app, (const char *const[]){set, NULL});
    expect_code(&run, code);
    expect_error(&run, error);
    finished_free(&run);
}

Test(inputs_of_apps, refuse_options_that_make_no_sense)
{
    expect_option_refused("cuda_cuts", "app.sync=lock", 1,
                          "option sync is 'lock'; it must be one of tm, locks, coarse, serial, atomics");
    expect_option_refused("apriori", "app.sync=atomics", 1,
                          "option sync is 'atomics'; it must be one of tm, locks, coarse, serial");
    expect_option_refused("apriori", "app.layout=wide", 1, "option layout is 'wide'; it must be one of packed, padded");
    expect_option_refused("cuda_cuts", "app.width=4097", 1, "option width is 4097; it must be 1 to 4096");
    expect_option_refused("apriori", "app.variant=papers", 2, "app 'apriori' has no variant 'papers'");
    expect_option_refused("cuda_cuts", "app.variant=huge", 2, "app 'cuda_cuts' has no variant 'huge'");
    expect_option_refused(
        "spgemm_outer", "app.matrix=random", 1,
        "option matrix is 'random'; it must be one of uniform, rmat, banded, power_law, diagonal, example");
    expect_option_refused("spgemm_row", "app.slots=500", 1, "option slots is 500; it must be a power of two");
    expect_option_refused("spgemm_inner", "app.second=b.mtx", 1, "option second is 'b.mtx', and there is no input");
    expect_option_refused("spgemm_outer", "app.elements=262145", 1,
                          "262145 elements of this kind are too many for a matrix of size 512: after ");
}

static void expect_refused(const char *app, const char *const *sets, const char *error)
{
    finished run = run_told(app, sets);
    expect_code(&run, 1);
    expect_error(&run, error);
    finished_free(&run);
}

/* By the app before anything runs, or by the device's memory. */
Test(inputs_of_apps, refuse_what_is_too_large_for_the_machine)
{
    char *folder = folder_new(), *path = path_in(folder, "input"), *set = text_of("app.input=%s", path);
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fprintf(file, "100 30 2\n");
    for (uint32_t i = 0; i < 3000; i++)
        fprintf(file, "0 ");
    for (uint32_t i = 0; i < 3000; i++)
        fprintf(file, "1000000 ");
    for (uint32_t i = 0; i < 3000 + 99 * 30 + 100 * 29; i++)
        fprintf(file, "0 ");
    fclose(file);
    expect_option_refused("cuda_cuts", set, 1, "the source gives 3000000000; a word of the machine holds 2147483647");
    expect_refused("apriori",
                   (const char *const[]){"app.records=1000", "app.items=500", "app.mean=20", "app.support=1", NULL},
                   "candidates of 3 items; it must be at most 1048576: the support is too low");
    free(set);
    free(path);
    folder_remove(folder);
}
