// SPDX-License-Identifier: MIT
// node pictures.mjs DATA.json [--svg FOLDER] [--png FOLDER]: the figures of a report as files, without a browser. All are drawn
// before the first is written; what cannot be done is said in one line, exit code 2.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { parseHTML } from './node_modules/linkedom/worker.js';

const WIDTH = 720, PNG_ZOOM = 2;
const here = dirname(fileURLToPath(import.meta.url));

class Refusal extends Error {}

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
    const experiment = report.shape(raw);
    for (const figure of report.figures(experiment, data.stacks, report.plotted(experiment, data.stacks), report.settings()))
      for (let page = 0; page < figure.pages; page++) {
        const svg = figure.draw({ document, theme: report.PAPER_THEME, width: WIDTH, heading: figure.title }, page);
        drawn.push({ name: fileName(figure.id) + (page ? `-${page + 1}` : ''), text: svg.outerHTML + '\n' });
      }
  }
  return drawn;
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    if (!statSync(folder).isDirectory())
      throw Object.assign(new Error(), { code: 'ENOTDIR' });
  } catch (error) {
    throw new Refusal(`pictures cannot be written to ${folder}: ${reason(error)}`);
  }
}

const REASONS = { EACCES: 'Permission denied', ENOSPC: 'No space left on device', EROFS: 'Read-only file system',
  ENOTDIR: 'Not a directory', EEXIST: 'Not a directory', ENOENT: 'No such file or directory', EFBIG: 'File too large' };
const reason = error => REASONS[error.code] ?? error.message;

// Takes the place of what there is, or everything stays as it was.
function writeWhole(path, make) {
  const temporary = join(dirname(path), `.${process.pid}.tmp`);
  try {
    make(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error instanceof Refusal ? error : new Refusal(`pictures cannot be written to ${path}: ${reason(error)}`);
  }
}

function toPng(text, path) {
  const done = spawnSync('rsvg-convert', ['--zoom', PNG_ZOOM, '--background-color', 'white', '--output', path],
    { input: text, encoding: 'utf8' });
  if (done.error?.code === 'ENOENT')
    throw new Refusal('--png needs the program rsvg-convert (Debian package librsvg2-bin)');
  if (done.error || done.status)
    throw new Refusal(`pictures cannot be written to ${dirname(path)}: ${done.error?.message ?? done.stderr.trim()}`);
}

const WRITERS = { '--svg': (text, path) => writeFileSync(path, text), '--png': toPng };

function main([file, ...words]) {
  const drawn = draw(JSON.parse(readFileSync(file, 'utf8')));
  for (let i = 0; i + 1 < words.length; i += 2)
    makeFolder(words[i + 1]);
  for (let i = 0; i + 1 < words.length; i += 2) {
    const ending = words[i].slice(2);
    for (const { name, text } of drawn)
      writeWhole(join(words[i + 1], `${name}.${ending}`), path => WRITERS[words[i]](text, path));
    console.log(`pictures: ${drawn.length} in ${words[i + 1]}`);
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error(`error: ${error instanceof Refusal ? error.message : error.stack}`);
  process.exitCode = 2;
}
