/* SPDX-License-Identifier: MIT */
#include "program_registry.h"

#include <criterion/criterion.h>
#include <string.h>

Test(host, the_registry_refuses_what_is_no_kernel_program)
{
    hd_program_registry *registry = hd_program_registry_create();
    char error[200] = "";
    static const uint8_t nonsense[64] = {1, 2, 3};
    cr_expect_eq(hd_program_registry_load(registry, nonsense, sizeof nonsense, error, sizeof error), HD_NO_MODULE);
    cr_expect_gt(strlen(error), 0);
    const hd_programs *programs = hd_program_registry_extension(registry);
    cr_expect_null(programs->find(programs->context, 0));
    hd_program_registry_destroy(registry);
    hd_program_registry_destroy(NULL);
}
