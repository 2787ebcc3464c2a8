// SPDX-License-Identifier: MIT
// node pictures.mjs DATA.json STORE PAGE [--svg FOLDER] [--png FOLDER]: the figures of a report as files, without a browser. All are drawn
// before the first is written; what cannot be done is said in one line, exit code 2.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { parseHTML } from './node_modules/linkedom/worker.js';

const WIDTH = 720, PNG_ZOOM = 2;
const here = dirname(fileURLToPath(import.meta.url));

// Of platform/explore/store_errors.def.
const OUTPUT = 'R12', PROGRAM = 'R13';
class Refusal extends Error {
  constructor(number, text) {
    super(`error[${number}]: ${text}`);
  }
}

// The scripts of the page, up to those that need one.
function load() {
  for (const file of ['node_modules/d3/dist/d3.min.js', 'node_modules/@observablehq/plot/dist/plot.umd.min.js', 'shape.js',
    'style.js', 'panels.js', 'figures.js'])
    vm.runInThisContext(readFileSync(join(here, file), 'utf8'), { filename: file });
  return globalThis.report;
}

const fileName = text => text.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^\.+/, '');

// [{name, text}]
function draw(data) {
  const report = load(), { document } = parseHTML('<html><body></body></html>'), drawn = [];
  for (const raw of data.experiments) {
    const experiment = report.shape(raw), plotted = report.plotted(experiment, data.stacks);
    for (const figure of report.figures(experiment, data.stacks, plotted, report.settings(experiment)))
      for (let page = 0; page < figure.pages; page++) {
        const svg = figure.draw({ document, theme: report.PAPER_THEME, width: WIDTH, heading: figure.title }, page);
        drawn.push({ name: fileName(figure.id) + (page ? `-${page + 1}` : ''), text: svg.outerHTML + '\n' });
      }
  }
  return drawn;
}

// With its parents. mkdirSync's own way of that never ends in /proc.
function makePath(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST')
      return;
    if (error.code !== 'ENOENT' || dirname(folder) === folder)
      throw error;
    makePath(dirname(folder));
    mkdirSync(folder);
  }
}

function makeFolder(folder) {
  try {
    makePath(folder);
    if (!statSync(folder).isDirectory())
      throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new Refusal(OUTPUT, `pictures cannot be written to ${folder}: ${reason(error)}`);
  }
}

const REASONS = { EACCES: 'Permission denied', ENOSPC: 'No space left on device', EROFS: 'Read-only file system',
  ENOTDIR: 'Not a directory', EEXIST: 'Not a directory', ENOENT: 'No such file or directory', EFBIG: 'File too large' };
const reason = error => REASONS[error.code] ?? error.message;

function isOneFile(a, b) {
  const [first, second] = [a, b].map(path => statSync(path, { throwIfNoEntry: false }));
  if (first && second)
    return first.dev === second.dev && first.ino === second.ino;
  return resolve(a) === resolve(b);
}

// Files that take the place of what there is, all of them, or none.
class Files {
  pairs = [];

  // kept: files that none of them may be; the second one need not be there yet.
  constructor(kept) {
    this.kept = kept;
  }

  add(path, make) {
    if (this.kept.some(file => isOneFile(file, path)))
      this.doing(path, () => { throw new Error('it is the store or the page'); });
    const temporary = join(dirname(path), `.heddle-${randomBytes(8).toString('hex')}`);
    this.pairs.push([temporary, path]);
    this.doing(path, () => writeFileSync(temporary, make(path), { flag: 'wx' }));
  }

  end() {
    for (const [temporary, path] of this.pairs)
      this.doing(path, () => renameSync(temporary, path));
  }

  doing(path, action) {
    try {
      action();
    } catch (error) {
      this.pairs.forEach(([temporary]) => rmSync(temporary, { force: true }));
      throw error instanceof Refusal ? error : new Refusal(OUTPUT, `pictures cannot be written to ${path}: ${reason(error)}`);
    }
  }
}

function toPng(text, path) {
  const done = spawnSync('rsvg-convert', ['--zoom', PNG_ZOOM, '--background-color', 'white'],
    { input: text, maxBuffer: 1 << 28 });
  if (done.error?.code === 'ENOENT')
    throw new Refusal(PROGRAM, '--png needs the program rsvg-convert (Debian package librsvg2-bin)');
  if (done.error || done.status !== 0)
    throw new Refusal(OUTPUT, `pictures cannot be written to ${dirname(path)}: rsvg-convert: ${done.error?.message ??
      (done.stderr.toString().trim() || done.signal)}`);
  return done.stdout;
}

const FORMS = { '--svg': text => text, '--png': toPng };

function main([file, store, page, ...words]) {
  const drawn = draw(JSON.parse(readFileSync(file, 'utf8')));
  for (let i = 0; i + 1 < words.length; i += 2)
    makeFolder(words[i + 1]);
  const files = new Files([store, page]);
  for (let i = 0; i + 1 < words.length; i += 2)
    for (const { name, text } of drawn)
      files.add(join(words[i + 1], name + words[i].replace('--', '.')), path => FORMS[words[i]](text, path));
  files.end();
  for (let i = 0; i + 1 < words.length; i += 2)
    console.log(`pictures: ${drawn.length} in ${words[i + 1]}`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : `error: ${error.stack}`);
  process.exitCode = 2;
}
