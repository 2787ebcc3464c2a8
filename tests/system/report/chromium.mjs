// SPDX-License-Identifier: MIT
// A headless Chromium, driven through its DevTools protocol: JSON texts ended by a zero byte, on file descriptors 3 and 4.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SECONDS = 60; // for one answer

export class Chromium {
  static async open() {
    const browser = new Chromium();
    await browser.call('Browser.getVersion');
    return browser;
  }

  constructor() {
    this.profile = mkdtempSync(join(tmpdir(), 'heddle-chromium-'));
    this.child = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
      '--hide-scrollbars', '--force-color-profile=srgb', '--remote-debugging-pipe', `--user-data-dir=${this.profile}`,
      'about:blank'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    this.errors = '';
    this.child.stderr.on('data', text => { this.errors += text; });
    this.child.on('error', error => this.fail(error));
    this.child.on('exit', code => this.fail(new Error(`chromium ended with ${code}: ${this.errors}`)));
    this.child.stdio[3].on('error', () => {});
    let text = '';
    this.child.stdio[4].setEncoding('utf8').on('data', more => {
      const parts = (text + more).split('\0');
      text = parts.pop();
      parts.forEach(part => this.take(JSON.parse(part)));
    });
  }

  fail(error) {
    this.failure = error;
    for (const { reject } of this.waiting.values())
      reject(error);
    this.waiting.clear();
  }

  take(message) {
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (asked && message.error)
      asked.reject(new Error(`${asked.method}: ${message.error.message}`));
    else if (asked)
      asked.resolve(message.result);
    else
      this.listeners.forEach(listener => listener(message));
  }

  call(method, params = {}, sessionId = undefined) {
    if (this.failure)
      return Promise.reject(this.failure);
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer in ${SECONDS} s`)), SECONDS * 1000);
      const end = then => value => { clearTimeout(timer); then(value); };
      this.waiting.set(id, { method, resolve: end(resolve), reject: end(reject) });
      this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    });
  }

  // A page, once it has loaded. options: {width, height, scheme: 'light' or 'dark'}.
  async page(address, options = {}) {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    await page.load(address, { width: 1280, height: 900, scheme: 'light', ...options });
    return page;
  }

  async close() {
    this.child.removeAllListeners('exit');
    const ended = new Promise(resolve => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
    for (let tries = 0; tries < 50; tries++) { // its other processes write until they have noticed
      try {
        rmSync(this.profile, { recursive: true, force: true });
        return;
      } catch {
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
  }
}

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, complaints: [], requests: [] });
    browser.listeners.push(message => message.sessionId === sessionId && this.take(message));
  }

  call(method, params) {
    return this.browser.call(method, params, this.sessionId);
  }

  // What a reader would find in the console, and what the page asked of the network.
  take({ method, params }) {
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.complaints.push(params.args.map(arg => arg.value ?? arg.description).join(' '));
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Log.entryAdded' && params.entry.level !== 'verbose' && params.entry.level !== 'info')
      this.complaints.push(params.entry.text);
    if (method === 'Network.requestWillBeSent' && !params.request.url.startsWith('data:') && !params.request.url.startsWith('blob:'))
      this.requests.push(params.request.url);
    if (method === 'Page.loadEventFired')
      this.loaded?.();
  }

  async load(address, { width, height, scheme }) {
    for (const domain of ['Runtime', 'Log', 'Network', 'Page'])
      await this.call(`${domain}.enable`);
    await this.call('Performance.enable', { timeDomain: 'threadTicks' });
    await this.look({ width, height, scheme });
    const loaded = new Promise(resolve => { this.loaded = resolve; });
    await this.call('Page.navigate', { url: address });
    await loaded;
  }

  async look({ width, height, scheme, media = '' }) {
    await this.call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await this.call('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  // The value of an expression in the page; promises are waited for.
  async value(expression) {
    const answer = await this.call('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails)
      throw new Error(answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text);
    return answer.result.value;
  }

  // Seconds of a processor that the page has taken.
  async seconds() {
    const { metrics } = await this.call('Performance.getMetrics');
    return metrics.find(metric => metric.name === 'TaskDuration').value;
  }

  async key(key, code = key, text = undefined) {
    for (const type of [text ? 'keyDown' : 'rawKeyDown', 'keyUp'])
      await this.call('Input.dispatchKeyEvent', { type, key, code, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[key] });
  }

  // The whole page as PNG, or as PDF.
  async screenshot() {
    const { cssContentSize: size } = await this.call('Page.getLayoutMetrics');
    const { data } = await this.call('Page.captureScreenshot', { captureBeyondViewport: true,
      clip: { x: 0, y: 0, width: size.width, height: Math.min(size.height, 8000), scale: 1 } });
    return Buffer.from(data, 'base64');
  }

  async pdf() {
    const { data } = await this.call('Page.printToPDF', { printBackground: false, preferCSSPageSize: true });
    return Buffer.from(data, 'base64');
  }

  close() {
    return this.browser.call('Target.closeTarget', { targetId: this.targetId });
  }
}
