/* SPDX-License-Identifier: MIT */
#include "sweep_world.h"

#include "app_build.h"
#include "app_folder.h"
#include "registry.h"

static char *app_folder(const char *app)
{
    char *folder = hd_app_folder(app);
    return folder ? hd_app_ready(folder) : NULL;
}

sweep_world sweep_world_here(const machine_file *machines)
{
    return (sweep_world){.built_in = hd_builtin_classes(),
                         .plugins = machines->requests,
                         .plugin_count = machines->request_count,
                         .app_folder = app_folder,
                         .version = HEDDLE_VERSION,
                         .errors = stderr};
}
