/* SPDX-License-Identifier: MIT */
/* Address mappings: every bit exactly once, or a refusal that says which; places as an oracle has them bit by bit. */
#include "mapping.h"

#include <dirent.h>
#include <stdio.h>
#include <time.h>

#include "bench.h"
#include "timing_sets.h"

static const struct dram_geometry geometry = {.banks = 16, .bank_groups = 4, .row_bytes = 2048, .burst_bytes = 64};

static struct dram_mapping parse(const char *expression)
{
    char error[256] = "";
    struct dram_mapping mapping;
    cr_assert(dram_mapping_parse(&mapping, expression, &geometry, error, sizeof error), "%s: %s", expression, error);
    return mapping;
}

static void expect_refused(const char *expression, const char *text)
{
    char error[192] = "";
    struct dram_mapping mapping;
    cr_expect_not(dram_mapping_parse(&mapping, expression, &geometry, error, sizeof error), "%s", expression);
    cr_expect(strstr(error, text), "%s: %s", expression, error);
    cr_expect_eq(strncmp(error, "mapping", 7), 0);
}

Test(dram_mapping, takes_the_bits_in_their_order)
{
    const struct dram_mapping mapping = parse("row column[..8] bank bank_group column[7..0]");
    for (uint64_t offset = 0; offset < 1 << 20; offset += 64) {
        const struct dram_location at = dram_locate(&mapping, offset);
        const uint64_t chunk = offset / 256;
        cr_assert_eq(at.bank, chunk % 16);
        cr_assert_eq(at.row, chunk / 16 / 8);
    }
    cr_expect_eq(mapping.run_bytes, 256);
}

Test(dram_mapping, the_group_is_that_of_the_device)
{
    const struct dram_mapping mapping = parse("row bank column[..6] bank_group column[5..0]");
    cr_expect_eq(dram_locate(&mapping, 64).bank % 4, 1);
    cr_expect_eq(dram_locate(&mapping, 192).bank, 3);
    cr_expect_eq(dram_locate(&mapping, 2048 * 4).bank, 4);
    cr_expect_eq(mapping.run_bytes, 64);
}

Test(dram_mapping, an_exclusive_or_moves_rows_to_other_banks_and_keeps_all_apart)
{
    const struct dram_mapping plain = parse("row column[..8] bank bank_group column[7..0]");
    const struct dram_mapping hashed = parse("row column[..8] bank^row[3..2]^row[7..6] bank_group^row column[7..0]");
    for (uint64_t offset = 0; offset < UINT64_C(1) << 22; offset += 256) {
        const struct dram_location a = dram_locate(&plain, offset), b = dram_locate(&hashed, offset);
        const uint32_t bank = (a.bank >> 2 ^ a.row >> 2 ^ a.row >> 6) & 3, group = (a.bank ^ a.row) & 3;
        cr_assert_eq(b.row, a.row);
        cr_assert_eq(b.bank, bank << 2 | group);
    }
}

Test(dram_mapping, a_part_may_be_empty_and_a_field_may_have_no_bits)
{
    char error[192];
    struct dram_mapping mapping;
    const struct dram_geometry one = {.banks = 1, .bank_groups = 1, .row_bytes = 256, .burst_bytes = 64};
    cr_assert(dram_mapping_parse(&mapping, "row column[..8] bank bank_group column[7..0]", &one, error, sizeof error));
    cr_expect_eq(dram_locate(&mapping, 256).row, 1);
    cr_expect_eq(dram_locate(&mapping, 256).bank, 0);
    cr_assert(dram_mapping_parse(&mapping, "row column", &one, error, sizeof error));
    cr_expect_eq(dram_locate(&mapping, 511).row, 1);
}

Test(dram_mapping, refuses_bits_that_are_missing_twice_or_not_there)
{
    expect_refused("", "must begin with row");
    expect_refused("column row bank bank_group column[5..0]", "used twice");
    expect_refused("bank row bank_group column", "must begin with row");
    expect_refused("row[5..0] bank bank_group column", "must begin with row");
    expect_refused("row[..3] bank bank_group column", "bit 0 of row is not used");
    expect_refused("row bank column", "bit 0 of bank_group is not used");
    expect_refused("row bank bank_group column[8..0]", "bit 9 of column is not used");
    expect_refused("row bank bank_group column[10..6]", "must end with bits of column from bit 0");
    expect_refused("row column[..5] bank bank_group column[4..0]", "at least the 6 of a burst");
    expect_refused("row bank bank_group column[..5] column[6..0]", "bit 5 of column is used twice");
    expect_refused("row bank bank bank_group column", "bit 0 of bank is used twice");
    expect_refused("row bank[2] bank bank_group column", "no bit 2 of bank, which has 2");
    expect_refused("row bank bank_group column[12..0]", "no bit 12 of column, which has 11");
    expect_refused("row bank bank_group column[..12] column", "no bit 12 of column");
    expect_refused("row bank[0..1] bank_group column", "from a higher bit to a lower");
    expect_refused("row bank bank_group colum", "'colum' is none of row");
    expect_refused("row bank bank_group column[", "is not [HIGH..LOW]");
    expect_refused("row bank bank_group column[..]", "is not [HIGH..LOW]");
    expect_refused("row bank bank_group column[10..0", "is not [HIGH..LOW]");
    expect_refused("row bank bank_group column[100..0]", "is not [HIGH..LOW]");
    expect_refused("row bank bank_group column[]", "is not [HIGH..LOW]");
    expect_refused("row:bank:bank_group:column", "separated by blanks");
    expect_refused("row bank bank_group column^row", "only bank and bank_group");
    expect_refused("row bank^column bank_group column", "with bits of row, not of column");
    expect_refused("row bank^row[2..0] bank_group column", "2 bits of bank with 3 of row");
    expect_refused("row bank^row[..63] bank_group column", "2 bits of bank with 1 of row");
    expect_refused("row bank^ bank_group column", "is none of row");
    expect_refused("row[..40] bank bank_group row[39..0] column", "more than 48 bits");
    expect_refused("row[..64] row bank bank_group column", "more than 48 bits");
}

Test(dram_mapping, the_block_refuses_what_the_mapping_does)
{
    char error[256] = "";
    cr_expect(kit_refuses(&hd_dram_banked, (const char *[]){"mapping=row bank column", NULL}, error, sizeof error));
    cr_expect(strstr(error, "bit 0 of bank_group is not used"), "%s", error);
    cr_expect(kit_refuses(&hd_dram_banked, (const char *[]){"row_bytes=128 B", NULL}, error, sizeof error));
    cr_expect(strstr(error, "column"), "%s", error);
}

/* Fields in any order, cut into parts at random: no two addresses fall together, and none is left out. */
static void random_expression(uint64_t *seed, char *text)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } fields[] = {{"bank", 2}, {"bank_group", 2}, {"column", 5}, {"row", 3}};
    char *at = text + sprintf(text, "row[..3]");
    uint32_t left[] = {2, 2, 5, 3};
    while (left[0] + left[1] + left[2] + left[3]) {
        const uint32_t f = (uint32_t)(kit_random(seed) % 4);
        if (!left[f])
            continue;
        const uint32_t bits = 1 + (uint32_t)(kit_random(seed) % left[f]), base = f == 2 ? 6 : 0;
        at += sprintf(at, " %s[%u..%u]", fields[f].name, base + left[f] - 1, base + left[f] - bits);
        if (f < 2 && kit_random(seed) % 2)
            at += sprintf(at, "^row[%u..%u]", bits + 1, 2);
        left[f] -= bits;
    }
    strcpy(at, " column[5..0]");
}

Test(dram_mapping, random_expressions_put_every_burst_at_a_place_of_its_own)
{
    uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint32_t i = 0; i < 200; i++) {
        static uint8_t used[16][16]; /* bank, row */
        char text[256];
        random_expression(&seed, text);
        const struct dram_mapping mapping = parse(text);
        memset(used, 0, sizeof used);
        for (uint64_t burst = 0; burst < 16 * 16 * 32; burst++) {
            const struct dram_location at = dram_locate(&mapping, burst * 64);
            cr_assert(at.bank < 16 && at.row < 16, "%s", text);
            cr_assert_eq(dram_locate(&mapping, burst * 64 + 63).row, at.row, "%s", text);
            used[at.bank][at.row]++;
        }
        for (uint32_t bank = 0; bank < 16; bank++)
            for (uint32_t row = 0; row < 16; row++)
                cr_assert_eq(used[bank][row], 32, "%s: row %u of bank %u has %u bursts", text, row, bank,
                             used[bank][row]);
    }
}

/* ---- Of the machines --------------------------------------------------------------------------------------------------- */

/* Text behind a key of a file, without quotes; "" if it is not there. */
static void text_behind(const char *path, const char *key, char text[128])
{
    char line[512];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    *text = 0;
    while (fgets(line, sizeof line, file)) {
        const char *at = strstr(line, key);
        if (!at || line[0] == '#')
            continue;
        at += strlen(key) + strspn(at + strlen(key), " \"");
        snprintf(text, 128, "%.*s", (int)strcspn(at, "\"#}\n"), at);
    }
    fclose(file);
}

static struct dram_geometry geometry_of(const timing_set *devices)
{
    return (struct dram_geometry){
        .banks = (uint32_t)timing_set_value(devices, "banks"),
        .bank_groups = (uint32_t)timing_set_value(devices, "bank_groups"),
        .row_bytes = (uint32_t)timing_set_value(devices, "row_bytes"),
        .burst_bytes = (uint32_t)(timing_set_value(devices, "bus_bytes") * timing_set_value(devices, "burst")),
    };
}

/* Every burst of 16 rows of all banks has a place of its own. */
static void expect_bijection(const char *name, const char *expression, const struct dram_geometry *of)
{
    enum { ROWS = 16 };
    static uint32_t used[DRAM_BANKS][ROWS];
    char error[192];
    struct dram_mapping mapping;
    cr_assert(dram_mapping_parse(&mapping, expression, of, error, sizeof error), "%s: %s", name, error);
    memset(used, 0, sizeof used);
    for (uint64_t offset = 0; offset < (uint64_t)ROWS * of->banks * of->row_bytes; offset += of->burst_bytes) {
        const struct dram_location at = dram_locate(&mapping, offset);
        cr_assert(at.bank < of->banks && at.row < ROWS, "%s: %s", name, expression);
        used[at.bank][at.row]++;
    }
    for (uint32_t bank = 0; bank < of->banks; bank++)
        for (uint32_t row = 0; row < ROWS; row++)
            cr_assert_eq(used[bank][row], of->row_bytes / of->burst_bytes, "%s: %s", name, expression);
}

/* Returns how many have a mapping. */
static uint32_t expect_mappings(const char *folder, const timing_set *sets, uint32_t count)
{
    uint32_t found = 0;
    DIR *entries = opendir(folder);
    cr_assert_not_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[768], mapping[128], devices[128];
        if (!strstr(entry->d_name, ".yaml"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        text_behind(path, " mapping:", mapping);
        text_behind(path, "parameters_from: ../dram/", devices);
        for (uint32_t i = 0; i < count && *mapping; i++) {
            if (strcmp(sets[i].file, devices) != 0)
                continue;
            const struct dram_geometry of = geometry_of(&sets[i]);
            expect_bijection(entry->d_name, mapping, &of);
            found++;
            break;
        }
    }
    closedir(entries);
    return found;
}

Test(dram_mapping, those_of_the_machines_are_bijections)
{
    timing_set sets[TIMING_SETS];
    const uint32_t count = timing_sets_read(sets);
    cr_expect_eq(expect_mappings(CONFIGS "/machines", sets, count), 6, "gtx480 and five that do not extend it");
    cr_expect_eq(expect_mappings(CONFIGS "/variants", sets, count), 1);
}

/* Bits of a channel's address, as GPGPU-Sim's GTX480 has them: bank 15..13 and 8, row from 16 on. */
Test(dram_mapping, that_of_the_gtx480_is_the_published_one)
{
    char error[192];
    struct dram_mapping mapping;
    const struct dram_geometry of = {.banks = 16, .bank_groups = 4, .row_bytes = 4096, .burst_bytes = 64};
    cr_assert(dram_mapping_parse(&mapping, "row bank bank_group[..1] column[..8] bank_group[0] column[7..0]", &of,
                                 error, sizeof error));
    for (uint64_t offset = 0; offset < UINT64_C(1) << 20; offset += 64) {
        const struct dram_location at = dram_locate(&mapping, offset);
        cr_assert_eq(at.row, offset >> 16);
        cr_assert_eq(at.bank, (offset >> 13 & 7) << 1 | (offset >> 8 & 1));
    }
}
