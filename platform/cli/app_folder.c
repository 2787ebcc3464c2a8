/* SPDX-License-Identifier: MIT */
#include "app_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "text.h"

#define APPS_MAX 256u

static int is_folder(const char *path)
{
    struct stat found;
    return !stat(path, &found) && S_ISDIR(found.st_mode);
}

char *hd_beside_executable(const char *relative)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    char *folder = hd_text_format("%s/%s", path, relative);
    if (is_folder(folder))
        return folder;
    free(folder);
    return NULL;
}

char *hd_data_folder(const char *relative)
{
    char *here = hd_text_format("share/heddle/%s", relative);
    char *installed = hd_text_format("../share/heddle/%s", relative);
    char *found = hd_beside_executable(here);
    if (!found)
        found = hd_beside_executable(installed);
    free(here);
    free(installed);
    return found;
}

char *hd_apps_folder(void)
{
    const char *chosen = getenv("HEDDLE_APPS");
    if (chosen && *chosen)
        return hd_text_format("%s", chosen);
    char *folder = hd_beside_executable("apps");
    return folder ? folder : hd_beside_executable("../libexec/heddle/apps");
}

static void unknown_app(const char *app, const char *apps)
{
    char *names[APPS_MAX];
    size_t count = 0;
    DIR *folder = opendir(apps);
    for (struct dirent *entry; folder && count < APPS_MAX && (entry = readdir(folder));)
        if (entry->d_name[0] != '.')
            names[count++] = strdup(entry->d_name);
    if (folder)
        closedir(folder);
    hd_usage_error(app, (const char *const *)names, count, "there is no app '%s' in %s", app, apps);
    while (count)
        free(names[--count]);
}

/* Named by its full path where the one given has no name in it. */
static char *folder_at(const char *path)
{
    if (is_folder(path))
        return strchr(path, '/') ? hd_text_format("%s", path) : realpath(path, NULL);
    hd_usage_error(NULL, NULL, 0, access(path, F_OK) ? "app %s: no such folder" : "app %s: it is no folder", path);
    return NULL;
}

char *hd_app_folder(const char *app)
{
    if (strchr(app, '/') || !strcmp(app, ".") || !strcmp(app, ".."))
        return folder_at(app);
    char *apps = hd_apps_folder();
    if (!apps) {
        hd_usage_error(NULL, NULL, 0, "no apps folder found; HEDDLE_APPS names one");
        return NULL;
    }
    char *folder = hd_text_format("%s/%s", apps, app);
    if (!*app || !is_folder(folder)) {
        unknown_app(app, apps);
        free(folder);
        folder = NULL;
    }
    free(apps);
    return folder;
}
