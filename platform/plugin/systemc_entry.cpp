// SPDX-License-Identifier: MIT
#include "heddle_systemc.h"

#include "diagnostics.h"
#include "netlist_errors.h"
#include "plugin_internal.h"

static_assert(sizeof(HEDDLE_SYSTEMC_SYMBOL) > 1, "named here and in shared_object.c");

static const heddle_systemc_plugin *entry_of(const void *models)
{
    return static_cast<const heddle_systemc_plugin *>(models);
}

static uint32_t check_systemc(const heddle_systemc_plugin *entry, const char *path, refusal *why)
{
    if (entry->systemc != SYSTEMC_VERSION)
        return refuse(why, ERROR_PLUGIN_VERSION, "plug-in '%s' is built for SystemC of %u; this program has %u", path,
                      entry->systemc, static_cast<uint32_t>(SYSTEMC_VERSION));
    if (entry->cplusplus != __cplusplus)
        return refuse(why, ERROR_PLUGIN_VERSION, "plug-in '%s' is built for C++ of %u; SystemC is here for %u", path,
                      entry->cplusplus, static_cast<uint32_t>(__cplusplus));
    return 1;
}

static uint32_t check_model(const heddle_systemc_model *model, uint32_t index, const char *path, refusal *why)
{
    if (!model)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': model %u is missing", path, index);
    if (!entry_check_class(path, index, model->block_class, 1, why))
        return 0;
    if (!model->make || !model->socket || !model->destroy)
        return refuse(why, ERROR_PLUGIN_DECLARATION, "plug-in '%s': make, socket or destroy of model %s/%s is missing",
                      path, model->block_class->kind, model->block_class->type);
    return 1;
}

uint32_t systemc_entry_prepare(const char *, refusal *)
{
    return 1; // this is linked with SystemC
}

uint32_t systemc_entry_check(const void *models, const char *path, refusal *why)
{
    const heddle_systemc_plugin *entry = entry_of(models);
    if (!entry_check_version(path, entry->abi_version, entry->struct_bytes, sizeof *entry, why) ||
        !check_systemc(entry, path, why) || !entry_check_texts(path, entry->name, entry->version, entry->licence, why))
        return 0;
    if (!entry->model_count || !entry->models)
        return refuse(why, ERROR_PLUGIN_ENTRY, "plug-in '%s' has no models", path);
    for (uint32_t i = 0; i < entry->model_count; i++)
        if (!check_model(entry->models[i], i, path, why))
            return 0;
    return 1;
}

uint32_t systemc_entry_count(const void *models)
{
    return entry_of(models)->model_count;
}

const hd_block_class *systemc_entry_class(const void *models, uint32_t index)
{
    return entry_of(models)->models[index]->block_class;
}
