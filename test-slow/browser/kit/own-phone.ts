import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../../bin/system-tools.mjs'

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--headless',
  '--remote-debugging-port=0',
  '--disable-quic',
  '--no-first-run',
  '--lang=es-MX',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  'about:blank',
]

/** A phone of a test's own: its browser can be killed, and finds again what it wrote to its disk. */
export async function buyPhone() {
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-phone-'))
  let browser: ChildProcess | undefined
  const ended = async (end: () => unknown) => {
    if (!browser) return
    const exit = once(browser, 'exit')
    browser = undefined
    await end()
    await exit
  }
  const close = (page: Page) =>
    ended(async () => {
      const session = await page.context().browser()!.newBrowserCDPSession()
      await session.send('Browser.close').catch(() => undefined)
    })
  const kill = () => {
    const pid = browser?.pid
    // With its children: what is started may be a script that starts the browser.
    return ended(() => pid && process.kill(-pid, 'SIGKILL'))
  }
  return {
    /** Opens the browser, as it was left; `isLost`: where there is no network. */
    async open(isLost: boolean): Promise<Page> {
      const started = startBrowser(folder)
      browser = started
      const context = (await chromium.connectOverCDP(await addressOf(started))).contexts()[0]!
      await context.setOffline(isLost)
      const page = context.pages()[0] ?? (await context.newPage())
      await page.setViewportSize({ width: 360, height: 740 })
      return page
    },
    /** Closes the browser as a person does. */
    close,
    /** Ends the browser without a word, as a system that runs out of memory does. */
    kill,
    async sell() {
      await kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const startBrowser = (folder: string) =>
  spawn(findChromium() ?? chromium.executablePath(), [...args, `--user-data-dir=${folder}`], {
    env: { ...process.env, TZ: 'America/Mexico_City' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })

async function addressOf(browser: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: browser.stderr! })) {
    const address = /DevTools listening on (\S+)/.exec(line)?.[1]
    if (address) return address
  }
  throw new Error('the phone’s browser did not start')
}
