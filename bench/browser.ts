import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { findShell } from '../bin/system-tools.mjs'
import { startOwnServer } from '../e2e/kit/own-server.ts'
import { freePort } from './stack.ts'

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** The password of everybody in the demo world. */
const password = 'carga-en-casa'

/** A real browser. */
export function launch(): Promise<Browser> {
  const executablePath = findShell()
  return chromium.launch({ args, ...(executablePath && { executablePath }) })
}

/** The built application with its demo world, and a real browser: what programs that look at screens need. */
export async function openDemo(environment: Record<string, string> = {}) {
  const server = await startOwnServer(await freePort(), { DEMO: 'true', ...environment })
  const browser = await launch()
  return {
    browser,
    origin: server.origin,
    folder: server.folder,
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}

export type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** The cookies of somebody of the demo world who just signed in; of nobody for null. */
export async function signedIn(browser: Browser, origin: string, email: string | null): Promise<State> {
  const context = await browser.newContext({ baseURL: origin })
  if (email) {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const form = { email, password }
    const answer = await context.request.post('/signin', { form, headers, maxRedirects: 0 })
    if (answer.status() !== 303) throw new Error(`${email} could not sign in: ${answer.status()}`)
  }
  const state = await context.storageState()
  await context.close()
  return state
}
