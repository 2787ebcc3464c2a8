// SPDX-License-Identifier: MIT
// check.mjs FOLDER OUTPUT: the pages that run.sh has made. Exit code 77: this machine starts no Chromium.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chromium } from './chromium.mjs';

const [folder, output] = process.argv.slice(2);
const address = name => `file://${join(folder, name)}.html`;

const settled = page => page.value('new Promise(then => requestAnimationFrame(() => requestAnimationFrame(() => then())))');

// Nothing in the console, nothing asked of anybody, no text outside its picture, nothing wider than the window.
async function expectSound(page, name) {
  await settled(page);
  assert.deepEqual(page.complaints, [], name);
  assert.equal(page.requests.length, 1, `${name} asks for ${page.requests}`);
  assert.equal(await page.value('document.documentElement.scrollWidth <= innerWidth'), true, `${name}: wider than the window`);
  assert.deepEqual(await page.value(`[...document.querySelectorAll('.canvas > svg')].flatMap(svg => {
    const all = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => {
      const box = text.getBoundingClientRect();
      return box.width && (box.left < all.left - 2 || box.right > all.right + 2 || box.top < all.top - 2 || box.bottom > all.bottom + 2);
    }).map(text => text.textContent);
  })`), [], `${name}: texts outside of their pictures`);
}

const texts = (page, place) => page.value(`[...document.querySelector('${place}').closest('figure')
  .querySelectorAll('${place} text')].map(text => text.textContent)`);

// No label is cut off, and none lies on another.
async function expectLegible(page, name) {
  assert.deepEqual(await page.value(`[...document.querySelectorAll('.canvas > svg')].flatMap(svg => {
    const all = [...svg.querySelectorAll('text')].map(text => ({ text: text.textContent, box: text.getBoundingClientRect() }))
      .filter(one => one.box.width);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    return [...all.filter(one => one.text.includes('…')).map(one => one.text), ...all.flatMap((one, i) =>
      all.slice(i + 1).filter(other => meet(one.box, other.box)).map(other => one.text + ' | ' + other.text))];
  })`), [], `${name}: texts that cannot be read`);
}

// {id: marks}: what was drawn of numbers.
const marks = page => page.value(`Object.fromEntries([...document.querySelectorAll('figure')].map(figure => [figure.id,
  ['dot', 'bar', 'rect', 'line', 'area'].reduce((sum, kind) =>
    sum + figure.querySelectorAll('g[aria-label=' + kind + '] > *').length, 0)]))`);

const contrast = `(() => {
  const light = colour => { const [r, g, b] = colour.match(/[\\d.]+/g).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = light(getComputedStyle(document.documentElement).backgroundColor);
  return { paper, least: Math.min(...[...document.querySelectorAll('h1, p, dt, dd, td, th button, .note, svg text, summary, a')]
    .map(e => light(e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color))
    .map(ink => (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05))) };
})()`;

// "app.buckets,core.scheduler,...": mean of cycles, from the rows that heddle results prints.
function means() {
  const [head, ...rows] = readFileSync(join(folder, 'sixty.csv'), 'utf8').trim().split('\n').map(line => line.split(','));
  const sums = new Map();
  for (const row of rows) {
    const key = ['app.buckets', 'core.scheduler', 'core.l1.bytes'].map(name => row[head.indexOf(name)]).join();
    sums.set(key, (sums.get(key) ?? []).concat(Number(row[head.indexOf('cycles')])));
  }
  return new Map([...sums].map(([key, values]) => [key, values.reduce((a, b) => a + b) / values.length]));
}

const tests = {
  async 'one point'(browser) {
    const page = await browser.page(address('one'));
    await expectSound(page, 'one');
    const drawn = await marks(page);
    assert.equal(drawn['one-cycles'], 1);
    assert.ok(drawn['one-slots-core'] >= 3 && drawn['one-time'] >= 3, JSON.stringify(drawn));
    assert.equal(await page.value('document.title'), 'one – Heddle report');
    await page.close();
  },

  async 'sixty points: every number is drawn, and is what heddle results says'(browser) {
    const page = await browser.page(address('sixty'));
    await expectSound(page, 'sixty');
    const drawn = await marks(page);
    // 20 measurements: markers, their lines, and two caps for each that differs from seed to seed
    assert.ok(drawn['sixty-cycles'] >= 20 + 4 + 2 * 15, JSON.stringify(drawn));
    assert.ok(drawn['sixty-slots-core'] >= 20 * 5, JSON.stringify(drawn));
    assert.equal(drawn['sixty-published'], 6);
    const titles = await page.value(`[...document.querySelectorAll('#sixty-cycles g[aria-label=dot] title')].map(e => e.textContent)`);
    const expected = means();
    assert.equal(expected.size, 20);
    for (const [key, mean] of expected) {
      const [buckets, scheduler, bytes] = key.split(',');
      const title = titles.find(text => text.startsWith(`buckets=${buckets} · ${scheduler} · l1.bytes=${bytes}\n`));
      assert.ok(title?.split('\n')[1].startsWith(Math.round(mean).toLocaleString('en-US')), `${key}: ${mean}: ${title}`);
    }
    assert.match(await page.value(`document.querySelector('#sixty-cycles .note').textContent`), /Error bars reach from the least to the greatest value over app.seed/);
    assert.match(await page.value(`document.querySelector('.about').textContent`), /60 points, 1 run each/);
    writeFileSync(join(output, 'light.png'), await page.screenshot());
    await page.close();
  },

  async 'published numbers are marks where measurements are'(browser) {
    const page = await browser.page(address('sixty'));
    await settled(page);
    const marked = figure => page.value(`[...document.querySelectorAll('#${figure} g[aria-description=published] title')].map(e => e.textContent)`);
    const all = means(), least = [...all].filter(([key]) => key.endsWith(',lrr,9 KiB')).map(([, mean]) => 0.9 * mean);
    const told = await marked('sixty-cycles'), of = told.filter(text => text.endsWith('\nAuthor 2012, Figure 9'));
    const values = of.map(text => Number(text.match(/^published: ([\d,.]+)\n/)[1].replaceAll(',', '')));
    assert.equal(values.length, 5);
    assert.deepEqual(told.filter(text => !of.includes(text)), ['published: 20,000\nAuthor 2012, Table 4']);
    least.forEach(value => assert.ok(values.some(drawn => Math.abs(drawn - value) <= Math.max(1, value * 1e-3)), `${value}: ${values}`));
    assert.ok((await texts(page, '#sixty-cycles .canvas')).includes('published'));
    await page.value(`(() => { const e = [...document.querySelectorAll('label')].find(one => one.textContent.startsWith('relative to gto'));
      e.querySelector('input').click(); })()`);
    await settled(page);
    assert.equal((await marked('sixty-cycles')).length, 0, 'it is relative to lrr');
    await page.close();
    const bars = await browser.page(address('bars'));
    await settled(bars);
    const titles = await bars.value(`[...document.querySelectorAll('#bars-cycles g[aria-description=published] title')].map(e => e.textContent)`);
    assert.equal(titles.length, 8, titles);
    assert.equal(titles.filter(text => text === 'published: 1,000\nAuthor 2012, Table 3').length, 1, 'that of fewest points');
    await expectSound(bars, 'bars, published');
    await bars.close();
  },

  async 'quotients: in plots, beside what was published, and in no stack'(browser) {
    const page = await browser.page(address('quotients'));
    await expectSound(page, 'quotients');
    const [head, ...rows] = readFileSync(join(folder, 'quotients.csv'), 'utf8').trim().split('\n').map(line => line.split(','));
    const of = (row, name) => Number(row[head.indexOf(name)]);
    const lanes = rows.map(row => of(row, 'core.thread_instructions') / of(row, 'core.warp_instructions'));
    assert.equal(lanes.length, 4);
    const figure = title => `[...document.querySelectorAll('figure')].find(one => one.querySelector('strong').textContent === '${title}')`;
    const titles = (title, place) => page.value(`[...${figure(title)}.querySelectorAll('${place} title')].map(e => e.textContent)`);
    const number = text => Number(text.match(/[\d.]+$/)[0]);
    const plot = 'core.thread_instructions / core.warp_instructions', marked = await titles(plot, 'g[aria-description=published]');
    const places = marked.map(text => number(text.split('\n')[0])).sort((a, b) => a - b);
    const expected = [lanes[2] / 2, lanes[3] / 2, 24, 24].sort((a, b) => a - b);
    assert.equal(places.length, 4, marked.join('; '));
    expected.forEach((value, i) => assert.ok(Math.abs(places[i] - value) < 1e-3 * value, `${places}: ${expected}`));
    const drawn = (await titles(plot, 'g[aria-label]:not([aria-description])')).map(text => number(text.split('\n')[1]));
    lanes.forEach(value => assert.ok(drawn.some(one => Math.abs(one - value) < 1e-3 * value), `${value}: ${drawn}`));
    await page.value(`document.querySelector('#quotients-published details summary').click()`);
    await settled(page);
    const table = await page.value(`[...document.querySelectorAll('#quotients-published tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))`);
    const ipc = table.find(cells => cells[0] === 'core.warp_instructions / cycles');
    assert.ok(Math.abs(Number(ipc[4]) - of(rows[0], 'core.warp_instructions') / of(rows[0], 'cycles')) < 1e-3, ipc.join('; '));
    assert.equal(await page.value(`document.querySelectorAll('figure[id^="quotients-slots"]').length`), 1, 'the stack of core alone');
    await page.close();
  },

  async 'published marks of several lines have the colour of their line'(browser) {
    const page = await browser.page(address('sixty'));
    await settled(page);
    const strokes = place => page.value(`[...new Set([...document.querySelectorAll('#sixty-cycles ${place}')]
      .filter(g => g.childElementCount).map(g => g.getAttribute('stroke')))]`);
    const ofSource = source => page.value(`[...new Set([...document.querySelectorAll('#sixty-cycles g[aria-description=published]')]
      .filter(g => g.textContent.includes('${source}')).map(g => g.getAttribute('stroke')))]`);
    const lines = await strokes('g[aria-label=line]');
    assert.equal(lines.length, 2, lines);
    assert.deepEqual(await ofSource('Figure 9'), [lines[0]], 'that of gto');
    assert.deepEqual(await ofSource('Table 4'), [lines[1]], 'that of lrr');
    await page.close();
  },

  async 'other plots'(browser) {
    const page = await browser.page(address('sixty'));
    const choose = (label, value) => page.value(`(() => { const e = [...document.querySelectorAll('label')]
      .find(one => one.textContent.startsWith('${label}')).querySelector('select, input');
      if (e.type === 'checkbox') e.click(); else { e.value = '${value}'; e.dispatchEvent(new Event('change')); } })()`);
    await choose('Error bars', 't');
    assert.match(await page.value(`document.querySelector('#sixty-cycles .note').textContent`), /95 % interval of the mean/);
    await choose('relative to gto');
    assert.match(await page.value(`document.querySelector('#sixty-cycles strong').textContent`), /relative to gto/);
    await choose('one scale for all panels');
    assert.ok((await texts(page, '#sixty-time .canvas')).includes('100%'));
    await choose('stacks as shares');
    const scale = (await texts(page, '#sixty-time .canvas')).filter(text => /^\d/.test(text));
    assert.ok(scale.some(text => /^[\d.]+µs$/.test(text)) && !scale.some(text => /(k|\d%)$/.test(text)), scale.join('; '));
    await choose('Along', '1');
    await choose('Told apart', '2');
    await expectSound(page, 'sixty, otherwise');
    const drawn = await marks(page);
    assert.ok(drawn['sixty-cycles'] >= 20, JSON.stringify(drawn));
    assert.equal(await page.value(`document.querySelectorAll('#sixty-cycles pattern').length`), 2);
    await page.close();
  },

  async 'tables: sorted by key, searched, saved'(browser) {
    const page = await browser.page(address('sixty'));
    const table = `[...document.querySelectorAll('.table')].at(-1)`;
    const column = `[...${table}.querySelectorAll('tbody tr')].map(row => Number(row.cells[3].textContent.replaceAll(',', '')))`;
    await page.value(`${table}.querySelectorAll('th button')[3].focus()`);
    await page.key('Enter', 'Enter', '\r');
    const up = await page.value(column);
    assert.deepEqual(up, up.slice().sort((a, b) => a - b));
    assert.equal(await page.value(`${table}.querySelectorAll('th')[3].getAttribute('aria-sort')`), 'ascending');
    await page.key('Enter', 'Enter', '\r');
    assert.deepEqual(await page.value(column), up.slice().reverse());
    await page.value(`(() => { const e = ${table}.querySelector('input'); e.value = 'lrr'; e.dispatchEvent(new Event('input')); })()`);
    assert.equal((await page.value(column)).length, 10);
    const saved = await page.value(`new Promise(then => { const make = URL.createObjectURL;
      URL.createObjectURL = blob => { blob.text().then(then); return make.call(URL, blob); };
      ${table}.querySelector('.save').click(); })`);
    const lines = saved.trim().split('\r\n');
    assert.equal(lines.length, 21);
    assert.match(lines[0], /^app\.buckets,core\.scheduler,core\.l1\.bytes,cycles,"cycles, least","cycles, greatest"/);
    const [key, mean] = [...means()][0];
    assert.ok(lines.some(line => line.startsWith(`${key},${mean}`)), `${key},${mean}`);
    await page.value(`document.querySelector('#sixty-cycles details summary').click()`);
    await settled(page);
    assert.equal(await page.value(`document.querySelectorAll('#sixty-cycles tbody tr').length`), 20);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'repetitions: means and intervals are those of heddle results'(browser) {
    const page = await browser.page(address('chance'));
    await expectSound(page, 'chance');
    assert.match(await page.value(`document.querySelector('#chance-cycles .note').textContent`), /95 % interval of the mean .* over repetitions/);
    assert.match(await page.value(`document.querySelector('.about').textContent`), /4 points, 3 runs each/);
    // Each of the 4 has a marker, and two caps.
    assert.ok((await marks(page))['chance-cycles'] >= 4 + 2 * 4);
    await page.value(`document.querySelector('#chance-cycles details summary').click()`);
    await settled(page);
    const shown = await page.value(`[...document.querySelectorAll('#chance-cycles tbody tr')].map(row => [...row.cells].map(cell => cell.textContent))`);
    const [head, ...rows] = readFileSync(join(folder, 'chance.csv'), 'utf8').trim().split('\n').map(line => line.split(','));
    assert.deepEqual(head.slice(-4), ['runs', 'status', 'cycles', 'cycles.ci95']);
    assert.equal(shown.length, 4);
    const number = text => Number(text.replaceAll(',', ''));
    for (const row of rows) {
      const [mean, half] = row.slice(-2).map(Number);
      const [, , runs, ...values] = shown.find(cells => cells[0] === row[1] && cells[1] === row[2]);
      assert.equal(runs, '3');
      [mean, mean - half, mean + half].forEach((value, i) =>
        assert.ok(Math.abs(number(values[i]) - value) <= Math.max(1, 2e-3 * half), `${row}: ${values}`));
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async 'a grid of machines by name, with units'(browser) {
    const page = await browser.page(address('grid'));
    await expectSound(page, 'grid');
    await expectLegible(page, 'grid');
    const words = await texts(page, '#grid-cycles .canvas');
    for (const [text, times] of [['l1.bytes=4608 B', 1], ['l1.bytes=9 KiB', 1], ['inserts=1', 2], ['inserts=2', 2], ['cycles', 4],
      ['app.buckets', 4], ['small', 4], ['other', 4]])
      assert.equal(words.filter(one => one === text).length, times, `${text}: ${words.join('; ')}`);
    assert.match(await page.value(`document.querySelector('#grid-cycles .note').textContent`),
      /Lines: machine\. Rows: core\.l1\.bytes; columns: app\.inserts, each row at a scale of its own\./);
    assert.ok(!(await page.value(`document.querySelector('.plots').textContent`)).includes('.yaml'));
    assert.ok((await texts(page, '#grid-simulated_ps .canvas')).some(text => /^[\d.]+µs$/.test(text)));
    assert.ok(words.some(text => /^\d+k$/.test(text)), words.join('; '));
    // Panels of a row have one scale: the same number is at the same height.
    const heights = await page.value(`[...document.querySelectorAll('#grid-cycles .canvas > svg > svg')].map(panel =>
      [...panel.querySelectorAll('g[aria-label="y-axis tick label"] text')].map(tick => tick.textContent).join())`);
    assert.equal(heights.length, 4);
    assert.equal(heights[0], heights[1]);
    assert.equal(heights[2], heights[3]);
    writeFileSync(join(output, 'grid.png'), await page.screenshot());
    await page.look({ width: 480, height: 900, scheme: 'light' });
    await page.value('new Promise(then => setTimeout(then, 250))');
    await expectSound(page, 'grid, narrow');
    await expectLegible(page, 'grid, narrow');
    const rows = await texts(page, '#grid-slots-core .canvas');
    for (const row of ['buckets=16 · l1.bytes=4608 B · inserts=1 · small', 'buckets=64 · l1.bytes=9 KiB · inserts=2 · other'])
      assert.ok(rows.includes(row), `${row}: ${rows.join('; ')}`);
    writeFileSync(join(output, 'grid-narrow.png'), await page.screenshot());
    await page.close();
  },

  async 'roles of axes'(browser) {
    const page = await browser.page(address('one'));
    const roles = (...axes) => page.value(`report.roles({ varied: ${JSON.stringify(axes.map(([name, count, isNumeric]) =>
      ({ name, isNumeric, labels: Array.from({ length: count }, (_, i) => String(i)) })))} }, {})`);
    // Machines are lines, however many there are and of however many words the other axis is.
    assert.deepEqual(await roles(['machine', 5, false], ['core.scheduler', 2, false]), { along: 1, series: 0, panels: [] });
    assert.deepEqual(await roles(['core.scheduler', 2, false], ['machine', 5, false]), { along: 0, series: 1, panels: [] });
    assert.deepEqual(await roles(['machine', 5, false], ['app.n', 3, true], ['core.scheduler', 2, false]),
      { along: 1, series: 0, panels: [2] });
    assert.deepEqual(await roles(['machine', 3, false], ['app', 2, false]), { along: 1, series: 0, panels: [] });
    assert.deepEqual(await roles(['machine', 3, false]), { along: 0, series: -1, panels: [] });
    await page.close();
  },

  async 'numbers on bars'(browser) {
    const page = await browser.page(address('bars'));
    for (const width of [1100, 480]) {
      await page.look({ width, height: 900, scheme: 'light' });
      await page.value('new Promise(then => setTimeout(then, 250))');
      await expectSound(page, `bars, ${width}`);
      await expectLegible(page, `bars, ${width}`);
      const bars = await page.value(`document.querySelectorAll('#bars-cycles g[aria-label=rect] > *').length`);
      assert.equal(bars, 16);
      const numbers = (await texts(page, '#bars-cycles g[aria-label=text]')).filter(text => /^[\d.]+k?$/.test(text));
      assert.equal(numbers.length, bars, `${width}: ${numbers.join('; ')}`);
      const isUpright = await page.value(`[...document.querySelectorAll('#bars-cycles g[aria-label=text] text')]
        .some(text => /rotate\\(-90\\)/.test(text.getAttribute('transform')))`);
      assert.equal(isUpright, width === 480, `${width}: numbers on end`);
    }
    await page.close();
  },

  async 'the kernels of a run'(browser) {
    const page = await browser.page(address('one'));
    assert.equal(await page.value(`document.querySelector('#one-kernels')`), null);
    await page.close();
    const [, before, json, after] = /^(.*id="data">)(.*?)(<\/script>.*)$/s.exec(readFileSync(join(folder, 'one.html'), 'utf8'));
    const data = JSON.parse(json), [experiment] = data.experiments;
    experiment.columns.push({ statistic: 'other/cycles', unit: 'cycles', values: [1] });
    writeFileSync(join(folder, 'kernels.html'), before + JSON.stringify(data).replaceAll('<', '\\u003c') + after);
    const two = await browser.page(address('kernels'));
    await expectSound(two, 'kernels');
    assert.deepEqual((await texts(two, '#one-kernels .canvas')).slice(0, 2), ['vecadd', 'other']);
    assert.equal((await marks(two))['one-kernels'], 2 + 1);
    await two.close();
  },

  async 'dark, narrow, and on paper'(browser) {
    const light = await (await browser.page(address('sixty'))).value(contrast);
    const page = await browser.page(address('sixty'), { scheme: 'dark' });
    await expectSound(page, 'dark');
    const dark = await page.value(contrast);
    assert.ok(light.paper > 0.9 && light.least > 4.5, JSON.stringify(light));
    assert.ok(dark.paper < 0.05 && dark.least > 4.5, JSON.stringify(dark));
    writeFileSync(join(output, 'dark.png'), await page.screenshot());
    await page.look({ width: 380, height: 800, scheme: 'light' });
    await page.value('new Promise(then => setTimeout(then, 250))');
    await expectSound(page, 'narrow');
    writeFileSync(join(output, 'narrow.png'), await page.screenshot());
    await page.look({ width: 1000, height: 900, scheme: 'dark', media: 'print' });
    assert.ok((await page.value(contrast)).paper > 0.9, 'dark paper');
    assert.equal(await page.value(`[...document.querySelectorAll('.controls, .tools, button.save')].some(e => e.offsetParent)`), false);
    await page.look({ width: 1000, height: 900, scheme: 'dark' });
    await page.value(`addEventListener('beforeprint', () => { window.printed = document.querySelector('.canvas svg').getAttribute('width') + ' ' +
      [...document.querySelectorAll('.paper table')].map(table => table.rows.length - 1); })`);
    const pdf = await page.pdf();
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.match(await page.value('window.printed'), /^690 20(,20)+$/);
    assert.ok(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length >= 2);
    writeFileSync(join(output, 'print.pdf'), pdf);
    await page.close();
  },

  async 'told apart without colour'(browser) {
    const page = await browser.page(address('sixty'));
    const distinct = list => assert.equal(new Set(list).size, list.length, list.join('; '));
    const lines = await page.value(`[...document.querySelector('#sixty-cycles .canvas > svg > svg')
      .querySelectorAll('g[aria-label=line]')].map(g => g.getAttribute('stroke-dasharray'))`);
    assert.equal(lines.length, 2);
    distinct(lines);
    const markers = await page.value(`[...document.querySelector('#sixty-cycles .canvas > svg > svg')
      .querySelectorAll('g[aria-label=dot]')].filter(g => g.querySelector('title') && !g.hasAttribute('aria-description')).map(g => (g.firstChild.getAttribute('d') ?? 'circle'))`);
    assert.equal(markers.length, 2);
    distinct(markers);
    const fills = await page.value(`[...document.querySelectorAll('#sixty-slots-core pattern')].map(pattern =>
      [...pattern.querySelectorAll('path')].map(path => path.getAttribute('d')).join() + (pattern.firstChild.getAttribute('fill') === 'var(--paper)'))`);
    assert.ok(fills.length >= 10);
    distinct(fills);
    await page.close();
  },

  async 'text is text'(browser) {
    const page = await browser.page(address('hostile'));
    await expectSound(page, 'hostile');
    await page.value(`document.querySelectorAll('details').forEach(one => { one.open = true; })`);
    await settled(page);
    assert.equal(await page.value('window.attacked'), undefined);
    assert.equal(await page.value(`document.querySelectorAll('img, b').length`), 0);
    const text = await page.value('document.body.textContent');
    for (const part of ['</script><img src=x onerror="window.attacked=1"> & <b>bold</b>', ']]><!-- \' " & \\u003c ${1} ü', 'simt_deadlock'])
      assert.ok(text.includes(part), part);
    assert.equal(await page.value(`document.querySelectorAll('.failure pre').length`), 1);
    assert.match(await page.value(`document.querySelector('.attention').textContent`), /1 point of 2 passed, 1 failed/);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async '5,000 points'(browser) {
    const many = manyPoints(readFileSync(join(folder, 'sixty.html'), 'utf8'));
    writeFileSync(join(folder, 'many.html'), many);
    const page = await browser.page(address('many'));
    await expectSound(page, 'many');
    const shown = await page.seconds();
    const drawn = await marks(page);
    assert.ok(drawn['sixty-cycles'] >= 4, JSON.stringify(drawn));
    assert.ok(await page.value(`document.querySelector('#sixty-cycles .canvas').textContent.length`) > 20);
    const before = await page.seconds();
    await page.value(`[...document.querySelectorAll('.table')].at(-1).querySelectorAll('th button')[3].click()`);
    await settled(page);
    const sorted = await page.seconds() - before;
    console.log(`        seconds of a processor: ${shown.toFixed(2)} to show, ${sorted.toFixed(2)} to sort`);
    assert.ok(shown < 3 && sorted < 1);
    await page.close();
  },
};

// The page of sixty points with 1,250 buckets instead of five, and one seed.
function manyPoints(page) {
  const [, before, json, after] = /^(.*id="data">)(.*?)(<\/script>.*)$/s.exec(page);
  const data = JSON.parse(json), [experiment] = data.experiments, count = 1250;
  const model = experiment.points[0], columns = experiment.columns;
  experiment.axes[0].labels = Array.from({ length: count }, (_, i) => String(i + 1));
  experiment.axes[3].labels = ['1'];
  experiment.published = [];
  experiment.points = [];
  for (const column of columns)
    column.values = [];
  for (let a = 0; a < count; a++)
    for (let b = 0; b < 2; b++)
      for (let c = 0; c < 2; c++) {
        experiment.points.push({ ...model, choices: [a, b, c, 0] });
        columns.forEach((column, i) => column.values.push(1000 + i + 200 * b + 50 * c + Math.round(300 * Math.sin(a / 90))));
      }
  return before + JSON.stringify(data).replaceAll('<', '\\u003c') + after;
}

let browser;
try {
  browser = await Chromium.open();
} catch (error) {
  console.log(`skipped: no Chromium can be started here: ${error.message.split('\n')[0]}`);
  process.exit(77);
}
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test(browser);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
