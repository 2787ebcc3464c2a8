/* SPDX-License-Identifier: MIT */
/* How series are told apart: by colour, and without it by pattern, dash and marker. */
(function (report) {
  'use strict';

  const SVG = 'http://www.w3.org/2000/svg';

  report.svg = function (document, name, attributes = {}, children = []) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
      element.setAttribute(key, value);
    for (const child of children)
      element.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
    return element;
  };

  const LIGHT = ['#0072b2', '#d98e00', '#009e73', '#c0619a', '#4aa8dd', '#d55e00', '#6f4e9b', '#8a8a00', '#767676', '#9a6414'];

  /* In pages the style sheet decides, by what the reader's system asks for. */
  report.PAGE_THEME = { paper: 'var(--paper)', ink: 'var(--ink)', muted: 'var(--muted)', grid: 'var(--grid)',
    series: LIGHT.map((_, i) => `var(--series-${i + 1})`) };
  /* For papers. */
  report.PAPER_THEME = { paper: '#ffffff', ink: '#000000', muted: '#555555', grid: '#dddddd', series: LIGHT };

  report.colour = (theme, i) => theme.series[i % theme.series.length];

  const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '12 4', '4 2 1 2 1 2', '1 2', '14 3 3 3'];
  report.dash = i => DASHES[i % DASHES.length];

  const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star', 'wye', 'times'];
  report.symbol = i => SYMBOLS[i % SYMBOLS.length];

  const SHAPES = { circle: 'symbolCircle', square: 'symbolSquare', triangle: 'symbolTriangle', diamond: 'symbolDiamond',
    cross: 'symbolCross', star: 'symbolStar', wye: 'symbolWye', times: 'symbolTimes' };
  /* The marker of a legend, around 0,0. */
  report.symbolPath = i => d3.symbol(d3[SHAPES[report.symbol(i)]], 56)();

  /* A cap of a whisker, as a marker of a plot. */
  report.CAP = { draw(context, size) {
    const half = Math.sqrt(size);
    context.moveTo(-half, 0);
    context.lineTo(half, 0);
  } };

  const UP = 'M-2,2l4,-4M0,8l8,-8M6,10l4,-4', DOWN = 'M-2,6l4,4M0,0l8,8M6,-2l4,4', LEVEL = 'M0,4h8', UPRIGHT = 'M4,0v8';
  const DOTS = 'M2,0.6a1.4,1.4 0 1 0 0.01,0zM6,4.6a1.4,1.4 0 1 0 0.01,0z';
  /* Lines on the colour, and, inverse, coloured lines on the paper. More than there are colours, so that no two fills are alike. */
  const PATTERNS = [{}, { path: UP }, { path: DOTS, filled: true }, { path: DOWN }, { path: LEVEL }, { path: UP + DOWN },
    { path: UPRIGHT }, { path: UP, inverse: true }, { path: DOTS, filled: true, inverse: true }, { path: LEVEL + UPRIGHT },
    { path: LEVEL, inverse: true }, { path: UP + DOWN, inverse: true }, { path: UPRIGHT, inverse: true },
    { path: DOWN, inverse: true }, { path: LEVEL + UPRIGHT, inverse: true }, { path: UP + LEVEL }, { path: DOWN + UPRIGHT }];

  /* <defs> of `count` fills; report.fill(prefix, i) refers to them. */
  report.patterns = function (document, prefix, theme, count) {
    const definitions = [];
    for (let i = 0; i < count; i++) {
      const pattern = PATTERNS[i % PATTERNS.length], colour = report.colour(theme, i);
      const back = pattern.inverse ? theme.paper : colour, front = pattern.inverse ? colour : theme.paper;
      const children = [report.svg(document, 'rect', { width: 8, height: 8, fill: back })];
      if (pattern.path)
        children.push(report.svg(document, 'path', pattern.filled ? { d: pattern.path, fill: front } :
          { d: pattern.path, fill: 'none', stroke: front, 'stroke-width': pattern.inverse ? 2 : 1.3 }));
      definitions.push(report.svg(document, 'pattern',
        { id: `${prefix}-${i}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, children));
    }
    return report.svg(document, 'defs', {}, definitions);
  };

  report.fill = (prefix, i) => `url(#${prefix}-${i})`;

  /* Of a text at the plots' size, before there is anything to measure it with. */
  report.FONT = 12;
  report.textWidth = text => [...text].reduce((sum, character) =>
    sum + (/[ilj.,:;|'!]/.test(character) ? 0.32 : /[A-Zmw%]/.test(character) ? 0.74 : 0.56), 0) * report.FONT;

  report.shorten = function (text, width) {
    if (report.textWidth(text) <= width)
      return text;
    let short = text;
    while (short && report.textWidth(short + '…') > width)
      short = short.slice(0, -1);
    return short + '…';
  };
})(globalThis.report ??= {});
