/* SPDX-License-Identifier: MIT */
/* A comparison for other programs. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "comparison.h"
#include "csv.h"
#include "json_text.h"

/* ---- CSV ------------------------------------------------------------------------------------------------------------ */

/* How sure it is, if there are several runs. NULL: not known. */
static void put_spread(FILE *out, const comparison *made, const row_spread *spread)
{
    if (made->repetitions > 1 && spread)
        fprintf(out, ",%.15g,%.15g,%.6g", spread->half_width[0], spread->half_width[1], spread->p);
    else if (made->repetitions > 1)
        fputs(",,,", out);
    fputc('\n', out);
}

static void put_row(FILE *out, const char *what, const char *name, const char *unit, const char *a, const char *b)
{
    csv_put_field(out, what);
    csv_put_next(out, name);
    csv_put_next(out, unit);
    csv_put_next(out, a ? a : "");
    csv_put_next(out, b ? b : "");
}

static void put_numbers(FILE *out, const comparison *made, const char *what, const char *name, const char *unit,
                        const double values[2], const row_spread *spread)
{
    char texts[2][32];
    for (int side = 0; side < 2; side++)
        snprintf(texts[side], sizeof texts[side], "%.15g", values[side]);
    put_row(out, what, name, unit, texts[0], texts[1]);
    fputc(',', out);
    put_spread(out, made, spread);
}

static void put_statistic(FILE *out, const comparison *made, const statistic_comparison *row)
{
    char texts[2][24] = {"", ""};
    for (int side = 0; side < 2; side++)
        if (row->is_there[side])
            snprintf(texts[side], sizeof texts[side], "%" PRIu64, row->values[side]);
    put_row(out, "statistic", row->name, row->unit, texts[0], texts[1]);
    const int both = row->is_there[0] && row->is_there[1];
    fputc(',', out);
    if (both)
        fprintf(out, "%.6f", row->effect);
    put_spread(out, made, both ? &row->spread : NULL);
}

void comparison_write_csv(const comparison *made, FILE *out)
{
    fprintf(out, "what,name,unit,a,b,effect%s\n", made->repetitions > 1 ? ",a_ci95,b_ci95,p" : "");
    for (uint32_t i = 0; i < made->difference_count; i++) {
        const machine_difference *row = &made->differences[i];
        put_row(out, row->is_consequence ? "consequence" : "difference", row->what, "", row->values[0], row->values[1]);
        fputc(',', out);
        put_spread(out, made, NULL);
    }
    for (uint32_t i = 0; i < made->kernel_count; i++) {
        const kernel_comparison *row = &made->kernels[i];
        const double cycles[] = {(double)row->cycles[0], (double)row->cycles[1]};
        put_numbers(out, made, "kernel", row->name, "cycles", cycles, &row->spread);
    }
    const double time[] = {(double)made->time_ps[0], (double)made->time_ps[1]};
    put_numbers(out, made, "time", made->is_of_kernels ? "busy" : "simulated", "ps", time, &made->time_spread);
    for (uint32_t i = 0; i < made->cycle_count; i++)
        put_numbers(out, made, "cycles", made->cycles[i].name, "cycles", made->cycles[i].cycles,
                    &made->cycles[i].spread);
    for (uint32_t i = 0; i < made->statistic_count; i++)
        put_statistic(out, made, &made->statistics[i]);
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

/* "ci95" and "p" of a row, if there are several runs. */
static void add_spread(json_t *object, const comparison *made, const row_spread *spread)
{
    if (made->repetitions == 1)
        return;
    json_object_set_new(object, "ci95", pair(json_real(spread->half_width[0]), json_real(spread->half_width[1])));
    json_object_set_new(object, "p", json_real(spread->p));
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
        add_spread(object, made, &row->spread);
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
        add_spread(object, made, &row->spread);
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
        if (row->is_there[0] && row->is_there[1])
            add_spread(object, made, &row->spread);
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
    if (made->repetitions > 1) {
        json_t *time = json_object();
        add_spread(time, made, &made->time_spread);
        json_object_set_new(object, "time", time);
        json_object_set_new(object, "repetitions", json_integer(made->repetitions));
    }
    json_object_set_new(object, "differences", differences_json(made));
    json_object_set_new(object, "kernels", kernels_json(made));
    json_object_set_new(object, "cycles", cycles_json(made));
    json_object_set_new(object, "statistics", statistics_json(made));
    json_dumpf(object, out, JSON_SORT_KEYS | JSON_INDENT(1));
    fputc('\n', out);
    json_decref(object);
}
