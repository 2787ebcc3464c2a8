// SPDX-License-Identifier: MIT
#include <map>
#include <string>

#include "heddle_systemc.h"
#include "plugin_internal.h"

// A module that a plug-in made.
struct foreign_module {
    const heddle_systemc_model *model;
    sc_core::sc_module *module;
};

struct hd_foreign_modules {
    const hd_plugins *plugins;
    const netlist *machine;
    const hd_tlm_options others;
    std::map<std::string, foreign_module> made; // by name of the instance
    std::string failure;
};

hd_foreign_modules *hd_foreign_modules_create(const hd_plugins *plugins, const netlist *machine,
                                              const hd_tlm_options *others)
{
    return new hd_foreign_modules{plugins, machine, *others, {}, {}};
}

void hd_foreign_modules_destroy(hd_foreign_modules *modules)
{
    delete modules;
}

static const netlist_block *find_block(const netlist &machine, const char *instance)
{
    std::string name = instance;
    name = name.substr(0, name.find('['));
    for (uint32_t i = 0; i < machine.block_count; i++)
        if (name == machine.blocks[i].name)
            return &machine.blocks[i];
    return nullptr;
}

static const heddle_systemc_model *find_model(const hd_foreign_modules &modules, const netlist_block *block)
{
    uint32_t index;
    const void *entry = block ? plugins_find_model(modules.plugins, block->block_class, &index) : nullptr;
    return entry ? static_cast<const heddle_systemc_plugin *>(entry)->models[index] : nullptr;
}

static sc_core::sc_object *socket_of(hd_foreign_modules &modules, const heddle_systemc_model *model,
                                     const netlist_block *block, const char *instance, const char *port,
                                     uint32_t element)
{
    auto found = modules.made.find(instance);
    if (found == modules.made.end()) {
        sc_core::sc_module *module = model->make(instance, block->values);
        if (!module)
            return nullptr;
        found = modules.made.insert({instance, {model, module}}).first;
    }
    return model->socket(found->second.module, port, element);
}

static void *socket_or_other(void *context, const char *instance, const char *port, uint32_t element)
{
    auto *modules = static_cast<hd_foreign_modules *>(context);
    const netlist_block *block = find_block(*modules->machine, instance);
    const heddle_systemc_model *model = find_model(*modules, block);
    if (!model)
        return modules->others.foreign ? modules->others.foreign(modules->others.context, instance, port, element)
                                       : nullptr;
    try {
        return socket_of(*modules, model, block, instance, port, element);
    } catch (const std::exception &thrown) {
        modules->failure = std::string(instance) + ": " + thrown.what();
    } catch (...) {
        modules->failure = std::string(instance) + ": the plug-in threw something that is no std::exception";
    }
    return nullptr;
}

static void release(void *context)
{
    auto *modules = static_cast<hd_foreign_modules *>(context);
    for (auto &[name, made] : modules->made)
        made.model->destroy(made.module);
    modules->made.clear();
    if (modules->others.release)
        modules->others.release(modules->others.context);
}

static uint32_t monitor_of_others(void *context, uint32_t link)
{
    auto *modules = static_cast<hd_foreign_modules *>(context);
    return modules->others.monitor(modules->others.context, link);
}

hd_tlm_options hd_foreign_modules_options(hd_foreign_modules *modules)
{
    hd_tlm_options options = modules->others;
    options.context = modules;
    options.foreign = socket_or_other;
    options.release = release;
    options.monitor = modules->others.monitor ? monitor_of_others : nullptr;
    return options;
}

const char *hd_foreign_modules_failure(const hd_foreign_modules *modules)
{
    return modules->failure.empty() ? nullptr : modules->failure.c_str();
}
