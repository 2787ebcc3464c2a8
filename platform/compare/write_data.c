/* SPDX-License-Identifier: MIT */
/* A comparison for other programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "comparison.h"
#include "csv.h"
#include "json_text.h"

/* ---- CSV ------------------------------------------------------------------------------------------------------------ */

static void put_row(FILE *out, const char *what, const char *name, const char *unit, const char *a, const char *b)
{
    csv_put_field(out, what);
    csv_put_next(out, name);
    csv_put_next(out, unit);
    csv_put_next(out, a ? a : "");
    csv_put_next(out, b ? b : "");
}

static void put_numbers(FILE *out, const char *what, const char *name, const char *unit, double a, double b)
{
    char texts[2][32];
    snprintf(texts[0], sizeof texts[0], "%.15g", a);
    snprintf(texts[1], sizeof texts[1], "%.15g", b);
    put_row(out, what, name, unit, texts[0], texts[1]);
    fputs(",\n", out);
}

static void put_statistic(FILE *out, const statistic_comparison *row)
{
    char texts[2][24] = {"", ""};
    for (int side = 0; side < 2; side++)
        if (row->is_there[side])
            snprintf(texts[side], sizeof texts[side], "%" PRIu64, row->values[side]);
    put_row(out, "statistic", row->name, row->unit, texts[0], texts[1]);
    if (row->is_there[0] && row->is_there[1])
        fprintf(out, ",%.6f\n", row->effect);
    else
        fputs(",\n", out);
}

void comparison_write_csv(const comparison *made, FILE *out)
{
    fputs("what,name,unit,a,b,effect\n", out);
    for (uint32_t i = 0; i < made->difference_count; i++) {
        const machine_difference *row = &made->differences[i];
        put_row(out, row->is_consequence ? "consequence" : "difference", row->what, "", row->values[0], row->values[1]);
        fputs(",\n", out);
    }
    for (uint32_t i = 0; i < made->kernel_count; i++)
        put_numbers(out, "kernel", made->kernels[i].name, "cycles", (double)made->kernels[i].cycles[0],
                    (double)made->kernels[i].cycles[1]);
    put_numbers(out, "time", made->is_of_kernels ? "busy" : "simulated", "ps", (double)made->time_ps[0],
                (double)made->time_ps[1]);
    for (uint32_t i = 0; i < made->cycle_count; i++)
        put_numbers(out, "cycles", made->cycles[i].name, "cycles", made->cycles[i].cycles[0],
                    made->cycles[i].cycles[1]);
    for (uint32_t i = 0; i < made->statistic_count; i++)
        put_statistic(out, &made->statistics[i]);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------------- */

static json_t *text_json(const char *text)
{
    return text ? hd_json_text(text) : json_null();
}

static json_t *pair(json_t *a, json_t *b)
{
    json_t *list = json_array();
    json_array_append_new(list, a);
    json_array_append_new(list, b);
    return list;
}

static json_t *differences_json(const comparison *made)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < made->difference_count; i++) {
        const machine_difference *row = &made->differences[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", text_json(row->what));
        json_object_set_new(object, "values", pair(text_json(row->values[0]), text_json(row->values[1])));
        json_object_set_new(object, "is_consequence", json_boolean(row->is_consequence));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *kernels_json(const comparison *made)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < made->kernel_count; i++) {
        const kernel_comparison *row = &made->kernels[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", text_json(row->name));
        json_object_set_new(object, "launches", pair(json_integer(row->launches[0]), json_integer(row->launches[1])));
        json_object_set_new(object, "cycles",
                            pair(json_integer((json_int_t)row->cycles[0]), json_integer((json_int_t)row->cycles[1])));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *cycles_json(const comparison *made)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < made->cycle_count; i++) {
        const cycle_comparison *row = &made->cycles[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", text_json(row->name));
        json_object_set_new(object, "cycles", pair(json_real(row->cycles[0]), json_real(row->cycles[1])));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *value_json(const statistic_comparison *row, int side)
{
    return row->is_there[side] ? json_integer((json_int_t)row->values[side]) : json_null();
}

static json_t *statistics_json(const comparison *made)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < made->statistic_count; i++) {
        const statistic_comparison *row = &made->statistics[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", text_json(row->name));
        json_object_set_new(object, "unit", text_json(row->unit));
        json_object_set_new(object, "doc", text_json(row->doc));
        json_object_set_new(object, "values", pair(value_json(row, 0), value_json(row, 1)));
        json_object_set_new(object, "effect",
                            row->is_there[0] && row->is_there[1] ? json_real(row->effect) : json_null());
        json_array_append_new(list, object);
    }
    return list;
}

void comparison_write_json(const comparison *made, FILE *out)
{
    json_t *object = json_object();
    json_object_set_new(object, "app", text_json(made->app));
    json_object_set_new(object, "names", pair(text_json(made->names[0]), text_json(made->names[1])));
    json_object_set_new(object, "machines", pair(text_json(made->machines[0]), text_json(made->machines[1])));
    json_object_set_new(object, "interval", json_string(made->is_of_kernels ? "kernels" : "run"));
    json_object_set_new(object, "time_ps",
                        pair(json_integer((json_int_t)made->time_ps[0]), json_integer((json_int_t)made->time_ps[1])));
    json_object_set_new(object, "differences", differences_json(made));
    json_object_set_new(object, "kernels", kernels_json(made));
    json_object_set_new(object, "cycles", cycles_json(made));
    json_object_set_new(object, "statistics", statistics_json(made));
    json_dumpf(object, out, JSON_SORT_KEYS | JSON_INDENT(1));
    fputc('\n', out);
    json_decref(object);
}
