/* SPDX-License-Identifier: MIT */
/* The page: what was run, plots, tables, failures, for each experiment. */
(function (report) {
  'use strict';

  const element = report.element, PLOTS_AT_FIRST = 4, PAPER_WIDTH = 690; /* pixels between the margins of A4 and Letter */

  function plural(count, word) {
    return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
  }

  function terms(rows) {
    return element('dl', {}, rows.filter(([, value]) => value !== null && value !== '').flatMap(([term, value]) =>
      [element('dt', {}, term), element('dd', {}, value)]));
  }

  const code = text => element('code', {}, text);
  const lines = items => items.flatMap((item, i) => i ? [element('br'), item] : [item]);

  /* By name and file; what axes set makes variants of one. */
  function machineLines(experiment) {
    const variants = new Map();
    for (const { name, file } of experiment.machines) {
      const key = `${name} ${file}`;
      variants.set(key, { name, file, count: (variants.get(key)?.count ?? 0) + 1 });
    }
    return lines([...variants.values()].map(one => element('span', {}, one.name, ' ', element('small', {}, one.file,
      one.count > 1 ? `, ${one.count} variants` : ''))));
  }

  function whatWasRun(experiment) {
    const apps = [...new Set(experiment.points.map(point => point.app))];
    const axis = one => [one.name, ': ', one.labels.length > 12 ?
      `${one.labels.slice(0, 6).join(', ')} … ${one.labels.at(-1)} (${one.labels.length})` : one.labels.join(', ')].join('');
    return element('section', { class: 'about' }, element('h3', {}, 'What was run'), terms([
      ['Machine', machineLines(experiment)],
      ['App', apps.join(', ')],
      ['Axes', lines(experiment.axes.map(axis))],
      ['Points', `${plural(experiment.points.length, 'point')}, ${plural(experiment.repeat, 'run')} each`],
      ['Inputs', code(experiment.inputs)],
      ['Heddle', [experiment.heddle, ' ', element('small', {}, 'build ', code(experiment.build.slice(0, 16)))]],
      ['Host', experiment.hosts.join(', ')],
      ['Asked', [experiment.updated, ' ', element('small', {}, experiment.file)]],
    ]), report.later('The experiment’s file', () => element('pre', {}, experiment.text)));
  }

  function state(experiment) {
    const count = word => experiment.points.filter(point => point.status === word).length;
    const passed = count('pass'), missing = count('missing'), failed = experiment.points.length - passed - missing;
    const words = [`${plural(passed, 'point')} of ${experiment.points.length.toLocaleString('en-US')} passed`];
    if (failed)
      words.push(`${failed.toLocaleString('en-US')} failed`);
    if (missing)
      words.push(`${missing.toLocaleString('en-US')} not run yet`);
    return element('p', { class: failed || missing ? 'state attention' : 'state' }, `${words.join(', ')}. `, failed ?
      element('a', { href: `#${experiment.name}-failures` }, 'What failed') : '');
  }

  /* ---- Plots ------------------------------------------------------------------------------------------------------ */

  /* A figure with its pages and its numbers; redrawn when the width changes. */
  function figureElement(figure) {
    const canvas = element('div', { class: 'canvas' }), pages = element('div', { class: 'pages' });
    let page = 0;
    const draw = width => {
      canvas.replaceChildren(figure.draw({ document, theme: report.PAGE_THEME, width }, page));
      const turn = (step, text) => element('button', { type: 'button', disabled: page + step < 0 || page + step >= figure.pages,
        onclick() { page += step; draw(width); } }, text);
      pages.replaceChildren(...figure.pages > 1 ? [turn(-1, 'Previous'), element('span', { role: 'status' },
        `part ${page + 1} of ${figure.pages}`), turn(1, 'Next')] : []);
    };
    const body = figure.pages ? [canvas, pages] : [element('p', { class: 'empty' }, 'No point with this number has passed yet.')];
    const outer = element('figure', { id: figure.id }, element('figcaption', {}, element('strong', {}, figure.title),
      figure.about ? element('span', { class: 'note' }, figure.about) : ''), body,
    report.later('Numbers of this plot', () => report.table(figure.table(), figure.title, figure.id, 20)));
    return { element: outer, draw: figure.pages ? draw : () => {} };
  }

  function select(label, options, chosen, onChange) {
    return element('label', {}, label, element('select', { onchange: event => onChange(event.target.value) },
      options.map(([value, text]) => element('option', { value, selected: value === chosen }, text))));
  }

  function check(label, chosen, onChange) {
    return element('label', { class: 'check' }, element('input', { type: 'checkbox', checked: chosen,
      onchange: event => onChange(event.target.checked) }), label);
  }

  function controls(experiment, settings, stacks, redraw) {
    const roles = report.roles(experiment, settings), set = (name, value) => { settings[name] = value; redraw(); };
    const places = experiment.varied.map((axis, place) => [String(place), axis.name]);
    const hasIntervals = experiment.repeated.length || experiment.repeat > 1;
    return element('fieldset', { class: 'controls' }, element('legend', {}, 'How plots are drawn'),
      places.length > 1 ? select('Along', places, String(roles.along), value => set('along', Number(value))) : '',
      places.length > 1 ? select('Told apart', [['-1', 'nothing'], ...places.filter(([place]) => Number(place) !== roles.along)],
        String(roles.series), value => set('series', Number(value))) : '',
      hasIntervals ? select('Error bars', [['range', 'least to greatest'], ['t', '95 % interval of the mean']],
        settings.interval, value => set('interval', value)) : '',
      roles.series >= 0 ? check(`relative to ${experiment.varied[roles.series].named[0]}`,
        settings.relative, value => set('relative', value)) : '',
      check('lines from zero', settings.fromZero, value => set('fromZero', value)),
      roles.panels.length ? check('one scale for all panels', settings.isShared, value => set('isShared', value)) : '',
      stacks.length ? check('stacks as shares', settings.isShare, value => set('isShare', value)) : '');
  }

  function choice(experiment, chosen, redraw) {
    const names = [...experiment.column.keys()].filter(name => experiment.column.get(name).some(values => values.length));
    return report.later(`Statistics that are plotted: ${chosen.size} of ${names.length}`, () =>
      element('div', { class: 'choice' }, names.map(name => check(name, chosen.has(name), isChosen => {
        if (isChosen)
          chosen.add(name);
        else
          chosen.delete(name);
        redraw();
      }))), { class: 'controls' });
  }

  function plots(experiment, stacks) {
    const section = element('section', { class: 'plots' }, element('h3', {}, 'Plots')), settings = report.settings(experiment);
    const chosen = new Set(report.plotted(experiment, stacks).slice(0, PLOTS_AT_FIRST));
    const own = report.stacksOf(experiment, stacks), tools = element('div'), canvas = element('div');
    let figures = [], width = 0;
    const resize = () => {
      width = Math.max(300, Math.floor(canvas.clientWidth));
      for (const figure of figures)
        figure.draw(width);
    };
    const redraw = () => {
      tools.replaceChildren(controls(experiment, settings, own, redraw));
      const names = [...experiment.column.keys()].filter(name => chosen.has(name));
      figures = report.figures(experiment, stacks, names, settings).map(figureElement);
      canvas.replaceChildren(...figures.map(figure => figure.element));
      resize();
    };
    section.append(tools, choice(experiment, chosen, redraw), canvas);
    return { element: section, redraw, resize: () => {
      if (Math.abs(canvas.clientWidth - width) > 8)
        resize();
    }, print: () => figures.forEach(figure => figure.draw(PAPER_WIDTH)), resume: resize };
  }

  /* ---- Tables ----------------------------------------------------------------------------------------------------- */

  function resultsTable(experiment) {
    const names = experiment.statistics.concat(experiment.column.has('host_seconds') ? ['host_seconds'] : [])
      .filter(name => experiment.column.has(name));
    const { interval } = report.settings(experiment);
    const ends = interval === 't' ? ['95 % from', 'to'] : ['least', 'greatest'];
    const measures = names.map(name => report.measure(experiment, name, interval, null));
    const isMany = measures.some(measured => measured.some(one => one.n > 1));
    const number = value => ({ text: report.formatNumber(value), value });
    return { columns: [...experiment.varied.map(axis => ({ head: axis.name })),
      ...names.flatMap(name => isMany ? [name, ...ends.map(end => `${name}, ${end}`)] : [name])
        .map(head => ({ head, isNumeric: true }))],
    rows: experiment.cells.map((cell, row) => [...cell.choices.map((_, place) => report.label(experiment, cell, place)),
      ...measures.flatMap(measured => isMany ? [number(measured[row].mean), number(measured[row].low), number(measured[row].high)] :
        [number(measured[row].mean)])]) };
  }

  function pointsTable(experiment) {
    const number = value => ({ text: report.formatNumber(value), value });
    const seconds = experiment.column.get('host_seconds');
    return { columns: [{ head: 'point', isNumeric: true }, ...experiment.axes.map(axis => ({ head: axis.name })), { head: 'machine' },
      { head: 'app' }, { head: 'seed' }, { head: 'status' }, { head: 'runs', isNumeric: true },
      ...experiment.statistics.map(head => ({ head, isNumeric: true })), { head: 'host_seconds', isNumeric: true }, { head: 'inputs' }],
    rows: experiment.points.map((point, i) => [number(i + 1), ...point.choices.map((one, axis) => experiment.axes[axis].labels[one]),
      experiment.machines[point.machine].name, point.app, point.seed, point.status, number(point.runs.length),
      ...experiment.statistics.map(name => number(report.summary((experiment.column.get(name) || [])[i] ?? []).mean)),
      number(seconds ? report.summary(seconds[i]).mean : null), { text: point.key.slice(0, 12), value: point.key }]) };
  }

  function tables(experiment) {
    return element('section', {}, element('h3', {}, 'Results'),
      report.table(resultsTable(experiment), `Results of ${experiment.name}${experiment.over.length ?
        `: means over ${experiment.over.join(', ')}` : ''}`, `${experiment.name}-results`),
      report.later('Every point, with the digest of its inputs', () =>
        report.table(pointsTable(experiment), `Points of ${experiment.name}`, `${experiment.name}-points`)));
  }

  const FAILURES_SHOWN = 100;

  function failures(experiment) {
    if (!experiment.failures.length)
      return '';
    const name = one => experiment.axes.map((axis, i) => `${axis.name}=${axis.labels[experiment.points[one.point].choices[i]]}`).join(' ');
    const entry = one => element('details', { class: 'failure' },
      element('summary', {}, `Point ${one.point + 1}`, ' ', element('span', { class: 'status' }, one.status), ' ', name(one),
        experiment.repeat > 1 ? `, repetition ${one.repetition + 1}` : '', `, exit code ${one.exit_code}`),
      one.message && !one.log.includes(one.message) ? element('p', {}, one.message) : '', element('pre', {}, one.log || '(no log)'));
    const left = experiment.failures.length - FAILURES_SHOWN;
    return element('section', { id: `${experiment.name}-failures` }, element('h3', {}, 'Failed runs'),
      element('p', {}, `${plural(experiment.failures.length, 'run')} failed. Each with the end of its log.`),
      experiment.failures.slice(0, FAILURES_SHOWN).map(entry),
      left > 0 ? element('p', {}, `And ${left} more: heddle results STORE --experiment ${experiment.name} --failed`) : '');
  }

  /* ---- All of it -------------------------------------------------------------------------------------------------- */

  function experimentElement(raw, stacks) {
    const experiment = report.shape(raw), drawn = plots(experiment, stacks);
    return { plots: drawn, element: element('article', { id: experiment.name }, element('h2', {}, experiment.name),
      experiment.description ? element('p', { class: 'description' }, experiment.description) : '', state(experiment),
      whatWasRun(experiment), drawn.element, tables(experiment), failures(experiment)) };
  }

  function show(data) {
    const names = data.experiments.map(one => one.name), title = names.length === 1 ? names[0] : data.store;
    const experiments = data.experiments.map(one => experimentElement(one, data.stacks));
    document.title = `${title} – Heddle report`;
    document.getElementById('report').replaceChildren(element('header', {}, element('h1', {}, 'Heddle report'),
      element('p', {}, `Store ${data.store}, read ${data.written} by Heddle ${data.heddle}.`),
    names.length > 1 ? element('nav', { 'aria-label': 'Experiments' }, element('ul', {}, names.map(name =>
      element('li', {}, element('a', { href: `#${name}` }, name))))) : ''), ...experiments.map(one => one.element));
    for (const one of experiments)
      one.plots.redraw();
    let pending;
    addEventListener('resize', () => {
      clearTimeout(pending);
      pending = setTimeout(() => experiments.forEach(one => one.plots.resize()), 100);
    });
    addEventListener('beforeprint', () => {
      experiments.forEach(one => one.plots.print());
      report.printTables(true);
      document.querySelectorAll('.failure').forEach(one => { one.open = true; });
    });
    addEventListener('afterprint', () => {
      experiments.forEach(one => one.plots.resume());
      report.printTables(false);
    });
  }

  show(JSON.parse(document.getElementById('data').textContent));
})(globalThis.report ??= {});
