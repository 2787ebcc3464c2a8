/* SPDX-License-Identifier: MIT */
/*
 * One panel of a plot: lines over an axis of numbers, bars over one of words, a stack for each measurement.
 *
 * context: {document, theme, prefix}; prefix is that of the figure's patterns. A panel is drawn from
 * rows: [{x, series, mean, low, high, title}]; x: index of a label of the axis, series: index.
 */
(function (report) {
  'use strict';

  const BARS_MOST = 48, WIDEST_BAR = 72, BAND_FROM = 60, LABEL_HEIGHT = 13, END_LABELS_FROM = 400, MARGIN_TOP = 30,
    MARGIN_LEFT = 52;

  report.tickFormat = value => Math.abs(value) >= 1000 ? d3.format('~s')(value) : String(Number(value.toPrecision(4)));
  /* A time in picoseconds in the unit that fits: 5µs. */
  const timeFormat = value => value ? d3.format('~s')(Number((value * 1e-12).toPrecision(4))) + 's' : '0';
  const formatOf = unit => unit === 'ps' ? timeFormat : report.tickFormat;
  /* The same for a number that is no tick: 44.9k. */
  const roundFormat = (value, unit) => formatOf(unit)(Number(value.toPrecision(3)));

  const isSpread = row => row.low < row.high;

  /* Every k-th label, so that the longest fits beside the next; [step, rotated]. */
  function thin(labels, room) {
    const longest = Math.max(...labels.map(report.textWidth)) + 8, each = room / labels.length;
    if (longest <= each)
      return [1, false];
    if (each >= LABEL_HEIGHT * 1.4 && labels.length <= 40)
      return [1, true];
    return [Math.ceil(longest / each), false];
  }

  /* Options of the horizontal scale, and the margin below. place: row -> value of the scale. */
  function along(axis, width) {
    const { ticks: labels, numbers } = axis;
    const [step, rotated] = axis.isNumeric ? [Math.max(1, thin(labels, width)[1] ? 2 : thin(labels, width)[0]), false] :
      thin(labels, width);
    const most = Math.min(150, Math.max(...labels.map(report.textWidth)));
    const common = { label: axis.title, labelAnchor: 'center', labelArrow: 'none', tickRotate: rotated ? -40 : 0 };
    const marginBottom = 38 + (rotated ? most * 0.66 : 0);
    const kept = labels.map((_, i) => i).filter(i => i % step === 0);
    const shown = label => report.shorten(label, 150);
    if (!axis.isNumeric)
      return { marginBottom, place: row => row.x, options: { ...common, type: 'point', domain: labels.map((_, i) => i),
        ticks: kept, tickFormat: i => shown(labels[i]), padding: 0.5 } };
    const least = Math.min(...numbers), greatest = Math.max(...numbers);
    const scaled = least > 0 && greatest / least >= 16 ? numbers.map(Math.log2) : numbers; /* logarithmic over a wide range */
    return { marginBottom, place: row => scaled[row.x], options: { ...common, type: 'linear', inset: 12,
      domain: [d3.min(scaled), d3.max(scaled)], ticks: kept.map(i => scaled[i]), tickFormat: (_, i) => shown(labels[kept[i]]) } };
  }

  report.domainOf = function (rows, fromZero) {
    const ends = rows.flatMap(row => [row.low, row.high, row.published?.value]); /* d3 passes over what is not there */
    let least = d3.min(ends) ?? 0, greatest = d3.max(ends) ?? 1;
    if (fromZero || least === greatest)
      least = Math.min(0, least), greatest = Math.max(0, greatest);
    const margin = (greatest - least || 1) * 0.06;
    return [fromZero && least === 0 ? 0 : least - margin, greatest + margin];
  };

  function frame(context, size, options) {
    return Plot.plot({ document: context.document, width: size.width, height: size.height, marginTop: 10, marginLeft: MARGIN_LEFT,
      style: { background: 'transparent', fontSize: report.FONT + 'px', color: context.theme.ink }, ...options });
  }

  /* unit: stands above the scale; a time has its own at each number. */
  function vertical(domain, theme, unit) {
    return { options: { domain, label: null, nice: domain[0] === 0 },
      marks: [Plot.gridY({ stroke: theme.grid, strokeOpacity: 1, ticks: 5 }),
        Plot.axisY({ tickFormat: formatOf(unit), ticks: 5, tickSize: 0, label: null }),
        Plot.text([unit === 'ps' ? 'time' : unit], { text: one => one, frameAnchor: 'top-left', textAnchor: 'start',
          lineAnchor: 'bottom', dx: 6 - MARGIN_LEFT, dy: -14, fill: theme.muted }),
        ...domain[0] <= 0 ? [Plot.ruleY([0], { stroke: theme.muted })] : []] };
  }

  function whiskers(rows, options) {
    const spread = rows.filter(isSpread), line = { strokeWidth: 1.4, ...options }, cap = { ...line, symbol: report.CAP, r: 3.5 };
    return [Plot.ruleX(spread, { ...line, y1: 'low', y2: 'high' }), Plot.dot(spread, { ...cap, y: 'low' }),
      Plot.dot(spread, { ...cap, y: 'high' })];
  }

  /* What was published of rows: a line across each bar, of the width of its bar, or a short one at each point, where it has the colour of its
   * line: marks of several lines stand at one place. */
  function publishedMarks(rows, theme, stroke, mark, place) {
    const known = rows.filter(row => row.published).map(row => ({ ...row, at: row.published.value,
      about: `published: ${report.formatNumber(row.published.value)}\n${row.published.source}` }));
    return [{ stroke: theme.paper, strokeWidth: 5 },
      { stroke, strokeWidth: 2.4, ariaDescription: 'published', title: 'about' }].map(look => mark(known, { ...place, y: 'at', ...look }));
  }

  /* Names at the ends of lines, pushed apart. */
  function endLabels(groups, names, domain, height, theme) {
    const pixels = value => (1 - (value - domain[0]) / (domain[1] - domain[0])) * height;
    const labels = groups.map(([series, rows]) => ({ text: names[series], at: pixels(rows[rows.length - 1].mean) }))
      .sort((a, b) => a.at - b.at);
    for (let i = 1; i < labels.length; i++)
      labels[i].at = Math.max(labels[i].at, labels[i - 1].at + LABEL_HEIGHT);
    for (let i = labels.length - 1, below = height; i >= 0; i--, below -= LABEL_HEIGHT)
      labels[i].at = Math.min(labels[i].at, below);
    return Plot.text(labels, { y: label => domain[0] + (1 - label.at / height) * (domain[1] - domain[0]), text: 'text',
      frameAnchor: 'right', textAnchor: 'start', dx: 9, fill: theme.ink });
  }

  /* Names of lines stand at their ends where that leaves room for the lines, otherwise in a legend. */
  report.hasEndLabels = (names, width) => names.length > 1 && width >= END_LABELS_FROM &&
    Math.max(...names.map(report.textWidth)) < width * 0.3;

  report.lines = function (context, panel, size) {
    const { theme } = context, { axis, names, domain, unit } = panel, isNamed = report.hasEndLabels(names, size.width);
    const marginRight = isNamed ? 16 + Math.max(...names.map(report.textWidth)) : 16;
    const horizontal = along(axis, size.width - MARGIN_LEFT - marginRight), x = horizontal.place;
    const upright = vertical(domain, theme, unit);
    const groups = d3.groups(panel.rows, row => row.series).map(([series, rows]) => [series, d3.sort(rows, x)]);
    const marks = groups.flatMap(([series, rows]) => {
      const colour = report.colour(theme, series), isDense = rows.length > BAND_FROM;
      const dx = isDense ? 0 : (series - (names.length - 1) / 2) * 4; /* so that none hides another */
      return [
        ...isDense ? [Plot.areaY(rows.filter(isSpread), { x, y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.2 })] :
          whiskers(rows, { x, dx, stroke: colour }),
        Plot.line(rows, { x, dx, y: 'mean', stroke: colour, strokeWidth: 2, strokeDasharray: report.dash(series) }),
        ...isDense ? [] : [Plot.dot(rows, { x, dx, y: 'mean', fill: colour, stroke: theme.paper, strokeWidth: 0.8, r: 4.5,
          symbol: report.symbol(series), title: 'title' })],
        ...publishedMarks(rows, theme, colour, Plot.dot, { x, dx, symbol: report.CAP, r: 7 }),
      ];
    });
    const height = size.height + horizontal.marginBottom - 38;
    return frame(context, { ...size, height }, { marginRight, marginTop: MARGIN_TOP, marginBottom: horizontal.marginBottom,
      x: horizontal.options, y: { ...upright.options, nice: false },
      marks: [...upright.marks, ...marks,
        ...isNamed ? [endLabels(groups, names, domain, height - MARGIN_TOP - horizontal.marginBottom, theme)] : []] });
  };

  report.bars = function (context, panel, size) {
    const { theme, prefix } = context, { axis, names, unit } = panel, inner = size.width - MARGIN_LEFT - 16;
    const group = inner / axis.labels.length, each = Math.min(0.82 / names.length, WIDEST_BAR / group);
    const room = group * each, left = row => row.x + (row.series - names.length / 2) * each;
    const middle = row => left(row) + each / 2, value = row => roundFormat(row.mean, unit);
    const widest = Math.max(...panel.rows.map(row => report.textWidth(value(row))));
    const isRoomy = widest * 1.15 + 4 < room, isUpright = !isRoomy && room >= LABEL_HEIGHT; /* numbers that are too wide stand on end */
    const horizontal = along({ ...axis, isNumeric: false }, inner), height = size.height + horizontal.marginBottom - 38;
    const drawn = height - MARGIN_TOP - horizontal.marginBottom, above = isUpright ? widest + 8 : 0;
    const domain = [panel.domain[0], panel.domain[1] * drawn / (drawn - above)];
    const upright = vertical(domain, theme, unit);
    const marks = names.map((_, series) => Plot.rectY(panel.rows.filter(row => row.series === series), { x1: left,
      x2: row => left(row) + each, y1: 0, y2: 'mean', insetLeft: 1, insetRight: 1, fill: report.fill(prefix, series),
      stroke: report.colour(theme, series), title: 'title' }));
    const labels = { x: middle, y: row => Math.max(row.high, row.published?.value ?? row.high), text: value, fill: theme.ink };
    return frame(context, { ...size, height }, { marginRight: 16, marginTop: MARGIN_TOP,
      marginBottom: horizontal.marginBottom,
      x: { ...horizontal.options, type: 'linear', domain: [-0.5, axis.labels.length - 0.5] },
      y: { ...upright.options, nice: upright.options.nice && !isUpright },
      marks: [...upright.marks, ...marks, ...whiskers(panel.rows, { x: middle, stroke: theme.ink }),
        ...publishedMarks(panel.rows, theme, theme.ink, Plot.ruleY, { x1: left, x2: row => left(row) + each }),
        Plot.axisX({ ...horizontal.options, tickSize: 0 }),
        ...isRoomy ? [Plot.text(panel.rows, { ...labels, dy: -8 })] : [],
        ...isUpright ? [Plot.text(panel.rows, { ...labels, rotate: -90, textAnchor: 'start', dy: -5 })] : []] });
  };

  /* Words that are few enough stand under bars; everything else is a line. */
  report.isBars = (axis, names) => !axis.isNumeric && axis.labels.length * names.length <= BARS_MOST;

  /* panel: {labels of rows, names of parts, values [row][part], whole, unit, isShare}; a bar for each row. */
  report.ROW_HEIGHT = 27;
  const TALL_ROW = 44;

  /*
   * How rows are called: to the left of them, or, where that would take the room of what is drawn, each above its own.
   * {marginLeft, rowHeight, inset: of what is drawn within a row, mark}
   */
  function rowLabels(labels, width, theme) {
    const wanted = Math.max(...labels.map(report.textWidth)) + 14;
    if (wanted <= width * 0.42)
      return { marginLeft: wanted, rowHeight: report.ROW_HEIGHT, inset: { insetTop: 2, insetBottom: 2 }, shift: 0,
        mark: Plot.axisY({ tickSize: 0, tickFormat: i => labels[i], label: null }) };
    return { marginLeft: 8, rowHeight: TALL_ROW, inset: { insetTop: 20, insetBottom: 2 }, shift: 9,
      mark: Plot.text(labels, { y: (_, i) => i, text: label => report.shorten(label, width - 24), frameAnchor: 'left',
        textAnchor: 'start', dy: 12 - TALL_ROW / 2, fill: theme.ink }) };
  }

  report.stack = function (context, panel, size) {
    const { theme, prefix } = context, { marginLeft, rowHeight, inset, shift, mark } = rowLabels(panel.labels, size.width, theme);
    const room = size.width - marginLeft - 24;
    const totals = panel.values.map(parts => d3.sum(parts)), most = panel.isShare ? 1 : d3.max(totals) || 1;
    const pieces = panel.values.flatMap((parts, y) => {
      let at = 0;
      const whole = panel.isShare ? totals[y] || 1 : 1;
      return parts.map((value, part) => ({ y, part, value, x1: at, x2: at += value / whole, share: value / (totals[y] || 1) }));
    }).filter(piece => piece.value > 0);
    const percent = share => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
    const text = piece => {
      const width = (piece.x2 - piece.x1) / most * room - 8, number = percent(piece.share);
      return [`${panel.names[piece.part]} ${number}`, number].find(words => report.textWidth(words) <= width) ?? '';
    };
    const words = pieces.filter(text), middle = piece => (piece.x1 + piece.x2) / 2;
    const half = piece => (report.textWidth(text(piece)) + 6) / 2 / room * most; /* a plate that the pattern does not cross */
    return frame(context, { width: size.width, height: 12 + 40 + panel.labels.length * rowHeight }, {
      marginLeft, marginRight: 24, marginBottom: 40, y: { axis: null, domain: panel.labels.map((_, i) => i), padding: 0 },
      x: { domain: [0, most], label: null },
      marks: [
        Plot.gridX({ stroke: theme.grid, strokeOpacity: 1 }),
        Plot.axisX({ tickFormat: panel.isShare ? d3.format('.0%') : formatOf(panel.unit), ticks: Math.min(5, room / 60),
          tickSize: 0, label: panel.isShare ? `share of ${panel.whole}` : panel.whole, labelAnchor: 'center',
          labelArrow: 'none' }),
        mark,
        ...panel.names.map((name, part) => Plot.barX(pieces.filter(piece => piece.part === part), { y: 'y', x1: 'x1',
          x2: 'x2', ...inset, fill: report.fill(prefix, part), stroke: theme.paper, strokeWidth: 0.7,
          title: piece => `${panel.labels[piece.y]}\n${name}: ${report.formatNumber(piece.value)} (${percent(piece.share)})` })),
        Plot.barX(words, { y: 'y', x1: piece => middle(piece) - half(piece), x2: piece => middle(piece) + half(piece),
          insetTop: inset.insetTop + 3, insetBottom: inset.insetBottom + 3, rx: 3, fill: theme.paper, fillOpacity: 0.88 }),
        Plot.text(words, { y: 'y', x: middle, text, dy: shift, fill: theme.ink }),
      ] });
  };

  /* panel: {labels, ratios}; 1 is what was published. */
  report.ratioPanel = function (context, panel, size) {
    const { theme } = context, rows = panel.ratios.map((ratio, y) => ({ ...ratio, y }));
    const { marginLeft, rowHeight, shift, mark } = rowLabels(panel.labels, size.width, theme);
    return frame(context, { width: size.width, height: 12 + 40 + rows.length * rowHeight }, {
      marginLeft, marginRight: 60, marginBottom: 40, y: { axis: null, domain: rows.map(row => row.y), type: 'point', padding: 0.5 },
      x: { domain: [0, Math.max(1.1, d3.max(rows, row => row.high) * 1.05)] },
      marks: [
        Plot.gridX({ stroke: theme.grid, strokeOpacity: 1, ticks: 5 }),
        Plot.axisX({ ticks: 5, tickSize: 0, label: 'measured / published', labelAnchor: 'center', labelArrow: 'none',
          tickFormat: report.tickFormat }),
        mark,
        Plot.ruleX([1], { stroke: theme.ink, strokeDasharray: '5 3' }),
        Plot.ruleY(rows, { y: 'y', dy: shift, x1: 1, x2: 'mean', stroke: theme.muted, strokeWidth: 1.5 }),
        Plot.ruleY(rows.filter(isSpread), { y: 'y', dy: shift, x1: 'low', x2: 'high', stroke: theme.ink, strokeWidth: 3 }),
        Plot.dot(rows, { y: 'y', dy: shift, x: 'mean', fill: report.colour(theme, 0), stroke: theme.paper, r: 5,
          symbol: 'circle', title: 'title' }),
        Plot.text(rows, { y: 'y', x: row => Math.max(row.high, 1), text: row => report.formatNumber(row.mean), dx: 12, dy: shift, textAnchor: 'start',
          fill: theme.ink, stroke: theme.paper, strokeWidth: 4 }),
      ] });
  };
})(globalThis.report ??= {});
