/* SPDX-License-Identifier: MIT */
/*
 * The figures of an experiment. A figure is
 *   {id, title, about, pages, table(), draw(context, page)}
 * table() gives {columns: [{head, isNumeric}], rows: [[text or {text, value}]]}, draw one <svg>, for a page or for a file.
 * context: {document, theme, width, heading: text or nothing}.
 */
(function (report) {
  'use strict';

  const PANEL_WIDTH = 300, GRID_PANEL_WIDTH = 190, WIDEST_PANEL = 700, PANELS_PER_PAGE = 12, ROWS_PER_PAGE = 40,
    TITLE_HEIGHT = 22;
  let figures = 0;

  /* What series look like in bars, and as lines with their markers. */
  const swatch = (context, prefix, i, x, y) => [report.svg(context.document, 'rect', { x, y, width: 20, height: 13,
    fill: report.fill(prefix, i), stroke: report.colour(context.theme, i) })];
  const stroke = (context, _, i, x, y) => [report.svg(context.document, 'path', { d: `M${x},${y + 7}h20`,
    stroke: report.colour(context.theme, i), 'stroke-width': 2, 'stroke-dasharray': report.dash(i) }),
  report.svg(context.document, 'path', { d: report.symbolPath(i), transform: `translate(${x + 10},${y + 7})`,
    fill: report.colour(context.theme, i) })];

  const publishedLine = (context, _, i, x, y) => [report.svg(context.document, 'path', { d: `M${x},${y + 7}h20`,
    stroke: context.theme.ink, 'stroke-width': 2.4 })];

  /* Names with what they look like, in as many lines as they need: {element, below}. */
  function legend(context, key, prefix, top) {
    const items = [], names = key.names.length > 1 ? key.names : [];
    let x = 2, y = top + 4;
    [...names, ...key.isPublished ? ['published'] : []].forEach((name, i) => {
      const look = i < names.length ? key.look : publishedLine;
      const width = 34 + report.textWidth(name);
      if (x + width > context.width && x > 2)
        x = 2, y += 20;
      items.push(...look(context, prefix, i, x, y));
      items.push(report.svg(context.document, 'text', { x: x + 25, y: y + 11, fill: context.theme.ink }, [name]));
      x += width + 10;
    });
    return { element: report.svg(context.document, 'g', { 'font-size': report.FONT }, items), below: y + 24 };
  }

  function place(panel, x, y) {
    for (const style of [...panel.querySelectorAll('style')])
      style.remove();
    for (const name of ['class', 'font-family'])
      panel.removeAttribute(name);
    panel.setAttribute('x', x);
    panel.setAttribute('y', y);
    panel.setAttribute('overflow', 'visible');
    return panel;
  }

  const heightOf = panel => Number(panel.getAttribute('height'));

  const text = (context, x, y, words, attributes = {}) => report.svg(context.document, 'text', { x, y, 'font-weight': 600,
    'font-size': report.FONT, fill: context.theme.ink, ...attributes }, [words]);

  /*
   * rows: [{title, panels: [{title, draw(context, size)} or nothing]}], `columns` panels wide; a row's title stands above it.
   * key: {names, look, isPublished: are there marks of what was published} of the legend. isWide: as wide as there is room.
   */
  function compose(context, label, key, rows, columns, isWide) {
    const prefix = `pattern-${++figures}`, own = { ...context, prefix };
    const children = [report.patterns(context.document, prefix, context.theme, key.patterns)];
    const width = Math.min(context.width / columns, isWide ? Infinity : WIDEST_PANEL);
    let y = 0;
    if (context.heading) {
      children.push(text(context, 2, 15, context.heading, { 'font-size': report.FONT + 2 }));
      y = 22;
    }
    if (key.names.length > 1 || key.isPublished) {
      const drawn = legend(context, key, prefix, y);
      children.push(drawn.element);
      y = drawn.below;
    }
    for (const row of rows) {
      if (row.title) {
        children.push(text(context, 2, y + 15, report.shorten(row.title, context.width - 4), { 'font-size': report.FONT + 1 }));
        children.push(report.svg(context.document, 'path', { d: `M0,${y + 20.5}h${context.width}`, stroke: context.theme.grid }));
        y += 24;
      }
      let below = y;
      row.panels.forEach((panel, i) => {
        if (!panel)
          return;
        const title = panel.title ? TITLE_HEIGHT : 0;
        if (title)
          children.push(text(context, i * width + 6, y + 14, report.shorten(panel.title, width - 12)));
        const drawn = place(panel.draw(own, { width, height: 230 }), i * width, y + title);
        children.push(drawn);
        below = Math.max(below, y + title + heightOf(drawn));
      });
      y = below + 6;
    }
    return report.svg(context.document, 'svg', { xmlns: 'http://www.w3.org/2000/svg', width: context.width, height: y,
      viewBox: `0 0 ${context.width} ${y}`, role: 'img', 'aria-label': label, color: context.theme.ink,
      'font-family': 'system-ui, "Helvetica Neue", Helvetica, Arial, sans-serif' }, children);
  }

  const NO_KEY = { names: [], patterns: 1 };

  /* One after the other, as many side by side as there is room for. */
  function flow(panels, width) {
    const lines = Math.ceil(panels.length / Math.max(1, Math.floor(width / PANEL_WIDTH)));
    const columns = Math.ceil(panels.length / lines), rows = [];
    for (let first = 0; first < panels.length; first += columns)
      rows.push({ panels: panels.slice(first, first + columns) });
    return { rows, columns };
  }

  /* As {rows, columns} of a grid that fits, else in a flow where each panel says all. */
  function arrange(grid, panels, width) {
    const columns = grid.columns.length;
    const title = panel => [grid.rows[panel.row], grid.columns[panel.column]].filter(Boolean).join(' · ');
    if (grid.rows.length < 2 || width / columns < GRID_PANEL_WIDTH)
      return flow(panels.map(panel => ({ ...panel, title: title(panel) })), width);
    const rows = [...new Set(panels.map(panel => panel.row))].map(row => ({ title: grid.rows[row],
      panels: grid.columns.map((head, column) => {
        const panel = panels.find(one => one.row === row && one.column === column);
        return panel && { ...panel, title: head };
      }) }));
    return { rows, columns };
  }

  /* Whole rows of a grid together. */
  function pagesOf(grid, panels) {
    const rows = Math.max(1, Math.floor(PANELS_PER_PAGE / grid.columns.length)), pages = [];
    if (grid.rows.length < 2)
      for (let first = 0; first < panels.length; first += PANELS_PER_PAGE)
        pages.push(panels.slice(first, first + PANELS_PER_PAGE));
    else
      for (let first = 0; first < grid.rows.length; first += rows)
        pages.push(panels.filter(panel => panel.row >= first && panel.row < first + rows));
    return pages.filter(page => page.length);
  }

  const summaryText = row => report.formatSummary(row);

  function rowsOf(experiment, panel, roles, publishedOf) {
    return panel.measured.filter(one => one.n).map(one => ({ ...one, published: publishedOf(one.cell),
      x: roles.along < 0 ? 0 : one.cell.choices[roles.along], series: roles.series < 0 ? 0 : one.cell.choices[roles.series],
      title: `${report.cellLabel(experiment, one.cell)}\n${summaryText(one)}${one.n > 1 ? `, ${one.n} values` : ''}` }));
  }

  const numeric = value => ({ text: report.formatNumber(value), value });

  function resultTable(experiment, statistic, measured) {
    return { columns: [...experiment.varied.map(axis => ({ head: axis.name })), { head: 'values', isNumeric: true },
      ...['mean', 'low', 'high'].map(head => ({ head: `${statistic}, ${head}`, isNumeric: true }))],
    rows: measured.map(one => [...one.cell.choices.map((_, i) => report.label(experiment, one.cell, i)), numeric(one.n),
      numeric(one.mean), numeric(one.low), numeric(one.high)]) };
  }

  function intervalText(experiment, measured, settings) {
    const over = experiment.over.join(', ') || 'repetitions';
    return measured.some(one => one.n > 1) ? ` ${report.INTERVALS[settings.interval]} over ${over}.` : '';
  }

  /* settings: {along, series, interval, relative, fromZero, isShared}; see report.settings. */
  report.resultFigure = function (experiment, statistic, settings) {
    const roles = report.roles(experiment, settings);
    const relative = settings.relative && roles.series >= 0 ? { place: roles.series, choice: 0 } : null;
    const measured = report.measure(experiment, statistic, settings.interval, relative);
    const axis = roles.along < 0 ? { name: '', title: '', labels: [experiment.name], ticks: [experiment.name],
      numbers: [NaN], isNumeric: false } : experiment.varied[roles.along];
    const names = roles.series < 0 ? [''] : experiment.varied[roles.series].named;
    const isBars = report.isBars(axis, names), fromZero = settings.fromZero || isBars;
    const unit = relative ? 'ratio' : experiment.unit.get(statistic);
    const grid = report.panels(experiment, measured, roles), isGrid = grid.rows.length > 1;
    const publishedOf = cell => report.publishedOf(experiment, statistic, cell, relative);
    const all = grid.panels.map(panel => ({ ...panel, rows: rowsOf(experiment, panel, roles, publishedOf) }))
      .filter(panel => panel.rows.length);
    const isPublished = all.some(panel => panel.rows.some(row => row.published));
    /* Panels of one row are compared with each other. */
    const together = panel => all.filter(one => settings.isShared || one === panel || (isGrid && one.row === panel.row));
    const pages = pagesOf(grid, all.map(panel => {
      const domain = report.domainOf(together(panel).flatMap(one => one.rows), fromZero);
      return { row: panel.row, column: panel.column, draw: (context, size) =>
        (isBars ? report.bars : report.lines)(context, { axis, names, rows: panel.rows, unit, domain }, size) };
    }));
    const base = relative ? ` relative to ${names[0]}` : '';
    const title = statistic === 'host_seconds' ? 'host time of the simulation' : statistic;
    return { id: `${experiment.name}-${statistic}`, title: title + base, pages: pages.length,
      about: describe(experiment, roles, isBars, isGrid, all.length, settings) + intervalText(experiment, measured, settings),
      table: () => resultTable(experiment, statistic, measured),
      draw(context, page) {
        const { rows, columns } = arrange(grid, pages[page], context.width);
        const isNamed = isBars || !report.hasEndLabels(names, Math.min(context.width / columns, WIDEST_PANEL));
        return compose(context, `${title}${base}, by ${experiment.varied.map(one => one.name).join(', ')}`,
          { names: isNamed ? names : [], patterns: names.length, look: isBars ? swatch : stroke, isPublished }, rows, columns);
      } };
  };

  function describe(experiment, roles, isBars, isGrid, panels, settings) {
    const name = place => experiment.varied[place].name, parts = [], places = roles.panels;
    const scale = settings.isShared ? ', all at one scale' : isGrid ? ', each row at a scale of its own' : ', each at a scale of its own';
    if (roles.series >= 0)
      parts.push(`${isBars ? 'Bars' : 'Lines'}: ${name(roles.series)}.`);
    if (places.length)
      parts.push(`${isGrid ? `Rows: ${places.slice(0, -1).map(name).join(', ')}; columns: ${name(places.at(-1))}` :
        `Panels: ${places.map(name).join(', ')}`}${panels < 2 ? '' : scale}.`);
    return parts.join(' ');
  }

  report.stackFigure = function (experiment, stack, settings) {
    const names = stack.parts.map(part => part.label);
    const rows = experiment.cells.map(cell => ({ label: report.cellLabel(experiment, cell),
      values: stack.parts.map(part => report.summary(report.values(experiment, part.statistic, cell), 'range').mean ?? 0) }))
      .filter(row => row.values.some(value => value > 0));
    return { id: `${experiment.name}-${stack.name}${stack.block === stack.name ? '' : '-' + stack.block}`, title: stack.block === stack.name ? stack.title : `${stack.title}: ${stack.block}`,
      about: stack.about + (experiment.over.length ? ` Means over ${experiment.over.join(', ')}.` : ''),
      pages: Math.ceil(rows.length / ROWS_PER_PAGE),
      table: () => ({ columns: [{ head: experiment.varied.map(axis => axis.name).join(' · ') || 'point' },
        ...names.map(head => ({ head, isNumeric: true }))], rows: rows.map(row => [row.label, ...row.values.map(numeric)]) }),
      draw(context, page) {
        const shown = rows.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
        return compose(context, stack.title, { names, patterns: names.length, look: swatch }, [{ panels: [{ draw: (own, size) =>
          report.stack(own, { names, whole: stack.whole, unit: stack.unit, labels: shown.map(row => row.label),
            values: shown.map(row => row.values), isShare: settings.isShare }, size) }] }], 1, true);
      } };
  };

  report.publishedFigure = function (experiment, settings) {
    const rows = report.published(experiment, settings.interval);
    const known = rows.filter(row => row.ratio !== null);
    const label = row => `${row.number.statistic} · ${report.cellLabel(experiment, row.cell)}`;
    const ratio = row => ({ mean: row.ratio, low: row.measured.low / row.number.value,
      high: row.measured.high / row.number.value, title: `${label(row)}\n${row.number.source}` });
    return { id: `${experiment.name}-published`, title: 'Measured beside published',
      about: '1 is what was published; a number that is relative is compared as a ratio of the same two points.' +
        intervalText(experiment, known.map(row => row.measured), settings),
      pages: Math.ceil(known.length / ROWS_PER_PAGE),
      table: () => ({ columns: [{ head: 'statistic' }, { head: experiment.varied.map(axis => axis.name).join(' · ') || 'point' },
        { head: 'relative to' }, { head: 'published', isNumeric: true }, { head: 'measured', isNumeric: true },
        { head: 'measured, low', isNumeric: true }, { head: 'measured, high', isNumeric: true },
        { head: 'measured / published', isNumeric: true }, { head: 'source' }],
      rows: rows.map(row => [row.number.statistic, report.cellLabel(experiment, row.cell), relativeText(row.number),
        numeric(row.number.value), numeric(row.measured.mean), numeric(row.measured.low), numeric(row.measured.high),
        numeric(row.ratio), row.number.source]) }),
      draw(context, page) {
        const shown = known.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
        return compose(context, 'Measured beside published', NO_KEY, [{ panels: [{ draw: (own, size) => report.ratioPanel(own,
          { labels: shown.map(label), ratios: shown.map(ratio) }, size) }] }], 1, true);
      } };
  };

  /* Which kernel the cycles of a run with several belong to. */
  const KERNELS = { name: 'kernels', block: 'kernels', title: 'Where the cycles of kernels go', whole: 'cycles', unit: 'cycles',
    about: 'The cycles of all launches of each kernel.' };
  function kernelFigures(experiment, settings) {
    const parts = report.kernelsOf(experiment).map(label => ({ label, statistic: `${label}/cycles` }));
    return parts.length ? [report.stackFigure(experiment, { ...KERNELS, parts }, settings)] : [];
  }

  function relativeText(published) {
    if (!published.relative_to)
      return '';
    return Object.entries(JSON.parse(published.relative_to)).map(([axis, label]) => `${axis} = ${label}`).join(', ');
  }

  /* Repetitions are there for an interval of the mean. */
  report.settings = experiment => ({ along: undefined, series: undefined, interval: experiment.perturbed ? 't' : 'range',
    relative: false, fromZero: true, isShared: false, isShare: true });

  /* The statistics that are plotted unless others are asked for: those of the experiment that no stack shows, and that are not
   * 0 everywhere. */
  report.plotted = function (experiment, stacks) {
    const stacked = new Set(report.stacksOf(experiment, stacks).flatMap(stack => stack.parts.map(part => part.statistic)));
    const known = experiment.statistics.filter(name => (experiment.column.get(name) || []).some(values => values.some(Boolean)));
    const alone = known.filter(name => !stacked.has(name));
    return alone.length ? alone : known;
  };

  /* All figures of an experiment, with `statistics` for results. */
  report.figures = function (experiment, stacks, statistics, settings) {
    return [...statistics.map(name => report.resultFigure(experiment, name, settings)), ...kernelFigures(experiment, settings),
      ...report.stacksOf(experiment, stacks).map(stack => report.stackFigure(experiment, stack, settings)),
      ...experiment.published.length ? [report.publishedFigure(experiment, settings)] : []];
  };
})(globalThis.report ??= {});
