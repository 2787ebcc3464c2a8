/* SPDX-License-Identifier: MIT */
/*
 * Every errors/NAME.yaml must give exactly the text of errors/NAME.txt. HEDDLE_UPDATE_GOLDEN=1 writes the texts anew, to be
 * reviewed.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "registry.h"
#include "world.h"

static char *app_folder(const char *app)
{
    char *folder = malloc(strlen(app) + 8);
    sprintf(folder, "apps/%s", app);
    return folder;
}

char *world_resolve(const char *path, sweep *read, resolution *points)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    static sweep_world world;
    world = (sweep_world){.built_in = hd_builtin_classes(), .app_folder = app_folder, .version = "test", .errors = out};
    char *errors = NULL;
    *points = (resolution){0};
    if (!sweep_read(read, path, &errors))
        fputs(errors, out);
    else
        resolution_make(points, read, &world);
    free(errors);
    fclose(out);
    return text;
}

void world_open(const char *path, sweep *read, resolution *points)
{
    char *said = world_resolve(path, read, points);
    cr_assert_str_empty(said);
    free(said);
}

void world_close(sweep *read, resolution *points)
{
    resolution_free(points);
    sweep_free(read);
}

void world_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file && fputs(text, file) >= 0 && !fclose(file));
}

static char folder[64];

void world_enter(void)
{
    strcpy(folder, "/tmp/heddle-explore.XXXXXX");
    cr_assert(mkdtemp(folder) && !chdir(folder) && !mkdir("apps", 0777) && !mkdir("apps/good", 0777));
    world_write("apps/good/app.yaml", "options: {n: {default: 64}, m: {default: 8 KiB}, text: {default: plain}}\n"
                                      "variants: {small: {n: 8}, large: {n: 1 K, m: 1 MiB}}\n");
    world_write("apps/good/host.so", "host");
    world_write("apps/good/kernel.elf", "kernel");
}

void world_leave(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert(!chdir("/") && !system(command));
}

store *world_enter_store(const char *sweep_text, sweep *read, resolution *points)
{
    char *error;
    world_enter();
    world_write("sweep.yaml", sweep_text);
    world_open("sweep.yaml", read, points);
    store *opened = store_open("s.db", STORE_WRITE, &error);
    cr_assert(opened && store_put_experiment(opened, points, &error), "%s", error);
    return opened;
}

void world_leave_store(store *opened, sweep *read, resolution *points)
{
    store_close(opened);
    world_close(read, points);
    world_leave();
}

/* ---- Errors --------------------------------------------------------------------------------------------------------- */

static char *read_text(const char *path)
{
    char *text = calloc(1, 65536);
    FILE *file = fopen(path, "rb");
    if (!file || !fread(text, 1, 65535, file))
        strcpy(text, "(nothing)");
    if (file)
        fclose(file);
    return text;
}

static void check_case(const char *path)
{
    sweep read;
    resolution points;
    char golden[256], *actual = world_resolve(path, &read, &points);
    snprintf(golden, sizeof golden, "%.*s.txt", (int)(strlen(path) - 5), path);
    if (getenv("HEDDLE_UPDATE_GOLDEN"))
        world_write(golden, actual);
    char *expected = read_text(golden), number[16];
    cr_expect_str_eq(actual, expected, "%s", path);
    snprintf(number, sizeof number, "error[%.3s]", path);
    cr_expect(strstr(actual, number), "%s gives no %s:\n%s", path, number, actual);
    free(expected);
    free(actual);
    world_close(&read, &points);
}

static void enter(void)
{
    cr_assert_eq(chdir(EXPLORE_ERRORS), 0);
}

Test(sweep_errors, each_file_gives_exactly_its_text, .init = enter)
{
    glob_t cases;
    cr_assert_eq(glob("*.yaml", 0, NULL, &cases), 0);
    for (size_t i = 0; i < cases.gl_pathc; i++)
        check_case(cases.gl_pathv[i]);
    globfree(&cases);
}

Test(sweep_errors, no_number_lacks_a_file, .init = enter)
{
    for (uint32_t number = 1; sweep_error_meaning(number); number++) {
        char pattern[32];
        glob_t cases;
        snprintf(pattern, sizeof pattern, "S%02u_*.yaml", number);
        cr_expect_eq(glob(pattern, 0, NULL, &cases), 0, "no errors/%s: %s", pattern, sweep_error_meaning(number));
        globfree(&cases);
    }
    cr_expect_not_null(sweep_error_meaning(14));
    cr_expect_null(sweep_error_meaning(0));
}
