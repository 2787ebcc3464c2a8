/* SPDX-License-Identifier: MIT */
/* Tables that can be sorted, searched and saved; text goes in as text, never as HTML. */
(function (report) {
  'use strict';

  /* element('p', {class: 'x', onclick: f}, child, 'text'...) */
  report.element = function (name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith('on'))
        element.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== false)
        element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
    return element;
  };
  const element = report.element;

  const textOf = cell => typeof cell === 'string' ? cell : cell.text;
  const valueOf = cell => typeof cell === 'string' ? cell : cell.value;

  /* RFC 4180. */
  report.csv = function (table) {
    const field = value => value === null || value === undefined ? '' :
      /[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
    const line = cells => cells.map(field).join(',');
    return [line(table.columns.map(column => column.head)), ...table.rows.map(row => line(row.map(valueOf)))].join('\r\n') + '\r\n';
  };

  report.save = function (name, text) {
    const link = element('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' })),
      download: name.replace(/[^A-Za-z0-9_.-]+/g, '-') });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  };

  function compare(a, b) {
    const isLeft = a === null || a === undefined || a === '', isRight = b === null || b === undefined || b === '';
    if (isLeft || isRight)
      return isLeft - isRight;
    return typeof a === 'number' && typeof b === 'number' ? a - b :
      String(a).localeCompare(String(b), 'en', { numeric: true });
  }

  function sorted(rows, order) {
    if (order.column === null)
      return rows;
    return rows.slice().sort((a, b) => {
      const left = valueOf(a[order.column]), right = valueOf(b[order.column]);
      const isMissing = value => value === null || value === undefined || value === '';
      return isMissing(left) || isMissing(right) ? compare(left, right) : order.sign * compare(left, right);
    });
  }

  function headRow(table, order, redraw) {
    return element('tr', {}, table.columns.map((column, i) => {
      const isSorted = order.column === i;
      const button = element('button', { type: 'button', title: `Sort by ${column.head}`, onclick() {
        order.sign = isSorted ? -order.sign : 1;
        order.column = i;
        redraw(i);
      } }, column.head, element('span', { class: 'order', 'aria-hidden': 'true' },
        isSorted ? order.sign > 0 ? '▲' : '▼' : '↕'));
      return element('th', { scope: 'col', class: column.isNumeric ? 'number' : undefined,
        'aria-sort': isSorted ? order.sign > 0 ? 'ascending' : 'descending' : 'none' }, button);
    }));
  }

  const bodyRow = (table, row) => element('tr', {}, row.map((cell, i) =>
    element('td', { class: table.columns[i].isNumeric ? 'number' : undefined }, textOf(cell))));

  const PRINTED_COLUMNS = 6, PRINTED_ROWS = 500;

  /* For paper, where nothing scrolls: all rows, in several tables if there are many columns; the leading words stand in each. */
  function printed(table, caption, rows) {
    const names = table.columns.findIndex(column => column.isNumeric), first = names < 0 ? table.columns.length : names;
    const leading = table.columns.slice(0, first).map((_, i) => i), tables = [];
    for (let at = first; at === first || at < table.columns.length; at += PRINTED_COLUMNS) {
      const kept = leading.concat(table.columns.map((_, i) => i).slice(at, at + PRINTED_COLUMNS));
      const part = { columns: kept.map(i => table.columns[i]) };
      tables.push(element('table', {}, element('caption', {}, caption, rows.length > PRINTED_ROWS ?
        ` (the first ${PRINTED_ROWS} of ${rows.length} rows)` : ''), element('thead', {}, element('tr', {}, part.columns.map(column =>
        element('th', { class: column.isNumeric ? 'number' : undefined }, column.head.replace(/[._]/g, '$&\u200b'))))),
      element('tbody', {}, rows.slice(0, PRINTED_ROWS).map(row => bodyRow(part, kept.map(i => row[i]))))));
    }
    return tables;
  }

  /* Makes what tables look like on paper, for those that are shown; and forgets it. */
  const papers = new Set();
  report.printTables = isPrinting => papers.forEach(paper => paper(isPrinting));

  /* table: {columns: [{head, isNumeric}], rows}. Shows `most` rows at a time. */
  report.table = function (table, caption, file, most = 50) {
    const order = { column: null, sign: 1 };
    let words = '', first = 0;
    const head = element('thead'), body = element('tbody'), pages = element('div', { class: 'pages' });
    const matches = row => row.some(cell => textOf(cell).toLowerCase().includes(words));

    function drawPages(count) {
      const turn = (step, text) => element('button', { type: 'button', disabled: first + step < 0 || first + step >= count,
        onclick() { first += step; draw(); } }, text);
      pages.replaceChildren(...count > most ? [turn(-most, 'Previous'),
        element('span', { role: 'status' }, `${first + 1} to ${Math.min(count, first + most)} of ${count}`),
        turn(most, 'Next')] : words ? [element('span', { role: 'status' }, `${count} of ${table.rows.length}`)] : []);
    }

    function draw(focus) {
      const rows = sorted(words ? table.rows.filter(matches) : table.rows, order);
      head.replaceChildren(headRow(table, order, column => { first = 0; draw(column); }));
      body.replaceChildren(...rows.slice(first, first + most).map(row => bodyRow(table, row)));
      drawPages(rows.length);
      if (focus !== undefined)
        head.querySelectorAll('button')[focus].focus();
    }

    const search = table.rows.length > 10 ? element('input', { type: 'search', placeholder: 'Filter rows',
      'aria-label': `Filter rows of ${caption}`, oninput(event) { words = event.target.value.toLowerCase(); first = 0; draw(); } }) : null;
    const paper = element('div', { class: 'paper' });
    papers.add(isPrinting => paper.replaceChildren(...isPrinting && paper.offsetParent !== null ?
      printed(table, caption, sorted(words ? table.rows.filter(matches) : table.rows, order)) : []));
    draw();
    return element('div', { class: 'table' }, paper,
      element('div', { class: 'tools' }, search, pages, element('button', { type: 'button', class: 'save',
        onclick: () => report.save(file + '.csv', report.csv(table)) }, 'Save as CSV')),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
        element('table', {}, element('caption', {}, caption), head, body)));
  };

  /* <details> whose content is made when it is first opened. */
  report.later = function (summary, make, attributes = {}) {
    const details = element('details', { ...attributes, ontoggle() {
      if (details.open && details.children.length === 1)
        details.append(make());
    } }, element('summary', {}, summary));
    return details;
  };
})(globalThis.report ??= {});
