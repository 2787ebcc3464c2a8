/* SPDX-License-Identifier: MIT */
#include "traced.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"

traced traced_new(void)
{
    traced made = {.folder = folder_new()};
    made.perfetto = path_in(made.folder, "run.perfetto-trace");
    made.vcd = path_in(made.folder, "run.vcd");
    return made;
}

void traced_free(traced *of)
{
    free(of->perfetto);
    free(of->vcd);
    folder_remove(of->folder);
}

void expect_pass(finished run)
{
    expect_code(&run, 0);
    cr_expect_str_empty(run.err);
    finished_free(&run);
}
