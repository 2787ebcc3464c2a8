/* SPDX-License-Identifier: MIT */
/* From the data of an experiment to measurements: what has a mean, an interval, and a place in a plot. Touches no page. */
(function (report) {
  'use strict';

  const UNITS = {
    '': 1, k: 1e3, M: 1e6, G: 1e9, B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, '%': 1,
    ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12, Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9,
  };

  /* The number that a label of an axis stands for, as files of sweeps write it; NaN if it is a word. */
  report.numberOf = function (label) {
    const parts = /^([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?([A-Za-z%]*)$/.exec(label);
    return parts && parts[2] in UNITS ? Number(parts[1]) * UNITS[parts[2]] : NaN;
  };

  /* Student's t for a two-sided interval of 95 %, by degrees of freedom. */
  const T95 = [NaN, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
    2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042];

  function t95(freedom) {
    if (freedom < T95.length)
      return T95[freedom];
    return 1.96 + 2.46 / freedom; /* within 0.002 of the table */
  }

  /* {n, mean, low, high}: low = high = mean for one value; the interval is 'range' (least and greatest) or 't' (95 %). */
  report.summary = function (values, interval) {
    const n = values.length;
    if (!n)
      return { n: 0, mean: null, low: null, high: null };
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    if (n === 1)
      return { n, mean, low: mean, high: mean };
    if (interval !== 't')
      return { n, mean, low: Math.min(...values), high: Math.max(...values) };
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    const half = t95(n - 1) * Math.sqrt(variance / n);
    return { n, mean, low: mean - half, high: mean + half };
  };

  report.INTERVALS = {
    range: 'Error bars reach from the least to the greatest value',
    t: 'Error bars are the 95 % interval of the mean (Student’s t)',
  };

  /* Without the block or the app in front, where no other is called so too: "skew" of app.skew, "l1.bytes" of core.l1.bytes. */
  function shortName(name, names) {
    const without = one => one.slice(one.indexOf('.') + 1);
    return names.filter(one => without(one) === without(name)).length > 1 ? name : without(name);
  }

  const SAYS_NOTHING = /^(true|false|yes|no|on|off|none|all|auto)$/i;

  /* A number alone does not say what it is a number of: skew=1. A word does: gto. */
  const named = (short, label) =>
    SAYS_NOTHING.test(label) || !Number.isNaN(report.numberOf(label)) ? `${short}=${label}` : label;

  /* The unit that all labels have, and '' if they have several or none. */
  function unitOf(labels) {
    const units = new Set(labels.map(label => /[A-Za-z%]*$/.exec(label)[0]));
    return units.size === 1 ? [...units][0] : '';
  }

  /*
   * An axis with what can be said of its labels.
   *   isNumeric  a plot places its labels by their values
   *   named      labels that say by themselves what they are of
   *   title      of the axis of a plot: with the unit, if `ticks` are without theirs
   *   ticks      labels below a name of the axis
   */
  function axisOf(axis, index, axes) {
    const numbers = axis.labels.map(report.numberOf), short = shortName(axis.name, axes.map(one => one.name));
    const isNumeric = numbers.length > 1 && numbers.every(Number.isFinite) && new Set(numbers).size === numbers.length;
    const unit = isNumeric ? unitOf(axis.labels) : '';
    return { ...axis, index, numbers, isNumeric, short, named: axis.labels.map(label => named(short, label)),
      title: unit ? `${axis.name}, ${unit}` : axis.name,
      ticks: unit ? axis.labels.map(label => label.slice(0, -unit.length).trim()) : axis.labels };
  }

  /*
   * The experiment with:
   *   axes      also what axisOf adds
   *   varied    axes that distinguish measurements
   *   repeated  axes that only draw other random numbers
   *   over      what means are taken over: these, and repetitions that differ in chance
   *   cells     [{choices, points}]: the points that differ in repeated axes alone, one measurement; choices of the varied axes
   *   column    name -> list of values of each point (several where each repetition has its own)
   *   unit      name -> unit, '' if nobody declares one
   */
  report.shape = function (experiment) {
    const axes = experiment.axes.map(axisOf);
    const several = axes.filter(axis => axis.labels.length > 1);
    const varied = several.filter(axis => !axis.repeats), repeated = several.filter(axis => axis.repeats);
    const cells = new Map();
    experiment.points.forEach((point, index) => {
      const choices = varied.map(axis => point.choices[axis.index]), key = choices.join();
      if (!cells.has(key))
        cells.set(key, { choices, points: [], key });
      cells.get(key).points.push(index);
    });
    const column = new Map(experiment.columns.map(one =>
      [one.statistic, one.values.map(value => [value ?? []].flat())]));
    const seconds = experiment.points.map(point => point.status === 'pass' ?
      point.runs.map(run => run.seconds).filter(value => value !== null) : []);
    if (seconds.some(values => values.length))
      column.set('host_seconds', seconds);
    const unit = new Map([...experiment.columns.map(one => [one.statistic, one.unit]), ['host_seconds', 's']]);
    const over = [...repeated.map(axis => axis.name), ...experiment.perturbed ? ['repetitions'] : []];
    return { ...experiment, axes, varied, repeated, over, cells: [...cells.values()], column, unit };
  };

  report.values = (experiment, statistic, cell) => cell.points.flatMap(point => experiment.column.get(statistic)[point]);

  /* The cell with another choice of one varied axis. */
  function cellWith(byKey, cell, place, choice) {
    const choices = cell.choices.slice();
    choices[place] = choice;
    return byKey.get(choices.join());
  }

  /* Each value over that of the base's point with the same repeated choices; over the base's mean where they do not pair. */
  function ratios(experiment, statistic, cell, base) {
    if (!base)
      return [];
    const repeat = point => experiment.repeated.map(axis => experiment.points[point].choices[axis.index]).join();
    const column = experiment.column.get(statistic);
    const partners = new Map(base.points.map(point => [repeat(point), column[point]]));
    return cell.points.flatMap(point => {
      const below = report.summary(partners.get(repeat(point)) || []).mean;
      return below ? column[point].map(value => value / below) : [];
    });
  }

  /* A summary for each cell. relative: {place of a varied axis, choice} or null. */
  report.measure = function (experiment, statistic, interval, relative) {
    const byKey = new Map(experiment.cells.map(cell => [cell.key, cell]));
    return experiment.cells.map(cell => {
      const values = relative ?
        ratios(experiment, statistic, cell, cellWith(byKey, cell, relative.place, relative.choice)) :
        report.values(experiment, statistic, cell);
      return { cell, ...report.summary(values, interval) };
    });
  };

  report.label = (experiment, cell, place) => experiment.varied[place].labels[cell.choices[place]];
  const namedLabel = (experiment, cell, place) => experiment.varied[place].named[cell.choices[place]];

  /* "hashtable · l1.bytes=16 KiB · lrr" */
  report.cellLabel = function (experiment, cell) {
    const labels = cell.choices.map((_, place) => namedLabel(experiment, cell, place));
    return labels.length ? labels.join(' · ') : experiment.name;
  };

  const SERIES_MOST = 8;

  /* Which varied axis goes along, which one makes series; the others make panels. Machines are compared with each other: they
   * are series where there is something else to go along. Workloads stay apart where they can: their numbers are seldom of
   * one size. A place in `varied`, or -1. */
  report.roles = function (experiment, wish) {
    const places = experiment.varied.map((_, place) => place);
    const size = place => experiment.varied[place].labels.length;
    const isOneOf = words => place => words.includes(experiment.varied[place].name);
    const isWorkload = isOneOf(['app', 'workload']), isMachine = isOneOf(['machine']);
    const along = wish.along ?? places.slice().sort((a, b) => isMachine(a) - isMachine(b) ||
      isWorkload(a) - isWorkload(b) || experiment.varied[b].isNumeric - experiment.varied[a].isNumeric ||
      size(b) - size(a) || b - a)[0] ?? -1;
    const rest = places.filter(place => place !== along);
    const series = wish.series !== undefined && wish.series !== along ? wish.series :
      rest.filter(place => size(place) <= SERIES_MOST && !isWorkload(place))
        .sort((a, b) => isMachine(b) - isMachine(a) || size(a) - size(b))[0] ?? -1;
    const panels = rest.filter(place => place !== series);
    return { along, series, panels: panels.filter(isWorkload).concat(panels.filter(place => !isWorkload(place))) };
  };

  /*
   * {rows: [label], columns: [label], panels: [{row, column, measured}]}, labels in the order of the file: the last of the
   * panels' axes makes columns, the others rows. Without such axes one panel with empty labels.
   */
  report.panels = function (experiment, measured, roles) {
    const panels = new Map(), columnPlace = roles.panels.at(-1), rowPlaces = roles.panels.slice(0, -1);
    const label = (one, places) => places.map(place => namedLabel(experiment, one.cell, place)).join(' · ');
    const inOrder = places => (a, b) => places.map(place => a.cell.choices[place] - b.cell.choices[place]).find(Boolean) ?? 0;
    const heads = places => [...new Set(measured.slice().sort(inOrder(places)).map(one => label(one, places)))];
    const columnPlaces = columnPlace === undefined ? [] : [columnPlace];
    const rows = heads(rowPlaces), columns = heads(columnPlaces);
    for (const one of measured) {
      const row = rows.indexOf(label(one, rowPlaces)), column = columns.indexOf(label(one, columnPlaces));
      const key = `${row},${column}`;
      if (!panels.has(key))
        panels.set(key, { row, column, measured: [] });
      panels.get(key).measured.push(one);
    }
    return { rows, columns, panels: [...panels.values()].sort((a, b) => a.row - b.row || a.column - b.column) };
  };

  /* Of two statistics: "core.lock_failures_inter_warp / core.locks_taken". */
  const isQuotient = name => name.includes(' / ');

  /* The stacks that there is something of: {title, about, whole, block, parts: [{label, statistic}]}, a stack for each block. */
  report.stacksOf = function (experiment, stacks) {
    const found = [];
    for (const stack of stacks) {
      const blocks = new Set();
      for (const name of experiment.column.keys())
        if (!isQuotient(name) && stack.parts.some(part => name.endsWith('.' + part.statistic)))
          blocks.add(name.slice(0, name.lastIndexOf('.')));
      for (const block of blocks)
        found.push({ ...stack, block, parts: stack.parts.map(part =>
          ({ label: part.label, statistic: block + '.' + part.statistic })).filter(part =>
          experiment.column.has(part.statistic)) });
    }
    return found;
  };

  /* Names of kernels whose cycles are known, if some run has several. */
  report.kernelsOf = function (experiment) {
    const known = experiment.columns.filter(one => one.statistic.endsWith('/cycles') && !isQuotient(one.statistic));
    const isShared = experiment.points.some((_, point) => known.filter(one => one.values[point] !== null).length > 1);
    return isShared ? known.map(one => one.statistic.slice(0, -'/cycles'.length)) : [];
  };

  /* [{published, cell, statistic, measured, ratio}]: a row for each measurement that a published number is about. */
  report.published = function (experiment, interval) {
    const rows = [];
    for (const number of experiment.published) {
      const column = experiment.column.get(number.statistic) || [];
      const cells = new Map();
      for (const [point, base] of number.points) {
        const cell = experiment.cells.find(one => one.points.includes(point));
        const below = base === null ? 1 : report.summary(column[base] || []).mean;
        const values = below ? (column[point] || []).map(value => value / below) : [];
        cells.set(cell, (cells.get(cell) || []).concat(values));
      }
      for (const [cell, values] of cells) {
        const measured = report.summary(values, interval);
        rows.push({ number, cell, measured, ratio: measured.n && number.value ? measured.mean / number.value : null });
      }
    }
    return rows;
  };

  /* What was published of a cell, in the scale in which its measurement is drawn: {value, source} or nothing; the number that is of
   * fewest points. A ratio to another cell stands at that part of what is measured there; where ratios to `relative` are drawn, those
   * to it alone have a place. */
  report.publishedOf = function (experiment, statistic, cell, relative) {
    const cellOf = point => experiment.cells.find(one => one.points.includes(point));
    const isBase = other => other.choices.every((choice, i) =>
      choice === (i === relative.place ? relative.choice : cell.choices[i]));
    const placed = experiment.published.filter(number => number.statistic === statistic).flatMap(number => {
      const pair = number.points.find(([point]) => cell.points.includes(point));
      const base = pair && pair[1] !== null ? cellOf(pair[1]) : null;
      const { mean } = base ? report.summary(report.values(experiment, statistic, base)) : { mean: 1 };
      if (!pair || !mean || (relative && !(base && isBase(base))))
        return [];
      return [{ value: relative ? number.value : number.value * mean, source: number.source, points: number.points.length }];
    });
    return placed.sort((a, b) => a.points - b.points)[0] ?? null;
  };

  const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

  report.formatNumber = function (value) {
    if (value === null || value === undefined || Number.isNaN(value))
      return '';
    return Number.isInteger(value) || Math.abs(value) >= 1000 ? whole.format(value) :
      String(Number(value.toPrecision(4)));
  };

  report.formatSummary = function (summary) {
    const mean = report.formatNumber(summary.mean);
    return summary.n > 1 && summary.low !== summary.high ?
      `${mean} (${report.formatNumber(summary.low)} to ${report.formatNumber(summary.high)})` : mean;
  };
})(globalThis.report ??= {});
