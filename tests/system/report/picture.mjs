// SPDX-License-Identifier: MIT
// node picture.mjs PAGE.html FILE.png [light|dark]: how a page looks. docs/images/report.png is one of that of docs/reports.md.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Chromium } from './chromium.mjs';

const [from, to, scheme = 'light'] = process.argv.slice(2);
const browser = await Chromium.open();
try {
  const page = await browser.page(`file://${resolve(from)}`, { width: 1100, height: 900, scheme });
  writeFileSync(to, await page.screenshot());
} finally {
  await browser.close();
}
