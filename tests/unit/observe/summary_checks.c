/* SPDX-License-Identifier: MIT */
/* What the checks of a run have found, in a line each. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "results.h"

static void expect_lines(const hd_results *results, const char *expected)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    hd_results_checks(results, out);
    fclose(out);
    cr_expect_str_eq(text, expected, "\n%s", text);
    free(text);
}

Test(summary_checks, says_of_transactions_what_was_compared)
{
    hd_transaction_checks checks = {.transactions = 1234, .replayed = 1200, .edges = 56};
    const hd_results results = {.checks = &checks};
    expect_lines(&results, "check       1,234 transactions are serialisable: 1,200 replayed, 56 edges\n");
    checks.placed = 34;
    checks.mixed = 7;
    expect_lines(&results,
                 "check       1,234 transactions are serialisable: 1,200 replayed, 34 without an order, 56 edges; 7 "
                 "words also written plainly, not compared\n");
    checks.violations = 1;
    checks.placed = checks.mixed = 0;
    expect_lines(&results, "check       1,234 transactions are not serialisable: 1,200 replayed, 56 edges\n");
    expect_lines(&(hd_results){.checks = NULL}, "");
}
