/* SPDX-License-Identifier: MIT */
/* Records of functions and of locks in files. */
#include "deadlock_words.h"
#include "synchronization.h"

#include <criterion/criterion.h>
#include <string.h>

/* A lock at word 0 (lw), a store at 2, no access at 1 and 3. */
static const char *error_of(const void *records, uint32_t bytes)
{
    static char error[512];
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    const test_section section = {".heddle.synchronization", records, bytes};
    isa_program_free(load_with(words, COUNT_OF(words), &section, 1, error));
    cr_expect_null(strchr(error, '\n'));
    return error;
}

#define NAME(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define ERROR_OF(...)                                                                                                  \
    ({                                                                                                                 \
        const uint32_t records[] = {__VA_ARGS__};                                                                      \
        error_of(records, sizeof records);                                                                             \
    })

static void expect_in(const char *error, const char *part)
{
    cr_expect(strstr(error, part), "not in it: %s\n%s", part, error);
}

Test(synchronization, records_of_functions_and_locks_are_read)
{
    cr_expect_str_eq(ERROR_OF(PC(0), 1, PC(0), 2, PC(0), 4, NAME('a', 'b', 'c', 0), PC(2), 4, NAME('a', 0, 0, 0)), "");
}

Test(synchronization, damaged_records_are_refused_and_named)
{
    static const struct {
        uint32_t records[6], bytes;
        const char *error;
    } cases[] = {
        {{PC(0), 3}, 8, "no record that makes sense at byte 0 of 8"},
        {{PC(0), 1, PC(0)}, 12, "no record that makes sense at byte 8 of 12"},
        {{PC(0), 1, PC(0), 2}, 14, "no record that makes sense at byte 8 of 14"},
        {{PC(0), 4}, 8, "no record that makes sense at byte 0 of 8"},
        {{PC(0), 4, NAME('a', 'b', 'c', 'd')}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, 0}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, NAME('a', '\n', 0, 0)}, 12, "no record that makes sense at byte 0"},
        {{PC(0), 4, NAME('a', 'b', 'c', 'd'), NAME('e', 0, 0, 0)}, 14, "no record that makes sense at byte 0"},
        {{PC(1), 1}, 8, "names a function at 0x10000004, where none begins"},
        {{0, 2}, 8, "names a function at 0x00000000, where none begins"},
        {{PC(1), 4, NAME('a', 0, 0, 0)}, 12, "an access to lock 'a' at 0x10000004, where there is no load"},
        {{PC(4), 4, NAME('a', 0, 0, 0)}, 12, "an access to lock 'a' at 0x10000010, where there is no load"},
        {{PC(0), 4, NAME('a', 0, 0, 0), PC(0), 4, NAME('b', 0, 0, 0)}, 24, "is to lock 'a' and to lock 'b'"},
    };
    for (uint32_t i = 0; i < COUNT_OF(cases); i++)
        expect_in(error_of(cases[i].records, cases[i].bytes), cases[i].error);
}

Test(synchronization, a_name_is_as_long_as_it_may_be)
{
    struct {
        uint32_t head[2];
        char name[72];
    } record = {{PC(0), 4}, ""};
    memset(record.name, 'n', ISA_LOCK_NAME_MAX);
    cr_expect_str_eq(error_of(&record, 8 + ISA_LOCK_NAME_MAX + 1), "");
    record.name[ISA_LOCK_NAME_MAX] = 'n';
    expect_in(error_of(&record, 8 + ISA_LOCK_NAME_MAX + 5), "no record that makes sense at byte 0");
}

static uint32_t found_with_locks(uint32_t read_name, uint32_t write_name)
{
    const uint32_t words[] = {LOAD(6, 10, 0), BACK_IF_ZERO(6, 1), STORE(10, 0), RETURN_WORD};
    const uint32_t records[] = {PC(0), 4, read_name, PC(2), 4, write_name};
    const test_section section = {".heddle.synchronization", records, write_name ? 24 : 12};
    return found_in(words, COUNT_OF(words), &section, 1, &of_stack, NULL);
}

Test(synchronization, only_accesses_with_the_same_name_go_to_a_lock)
{
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), NAME('a', 0, 0, 0)), 1);
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), NAME('b', 0, 0, 0)), 0);
    cr_expect_eq(found_with_locks(NAME('a', 0, 0, 0), 0), 0);
}
