import { type Browser, chromium } from '@playwright/test'
import { findShell } from '../bin/system-tools.mjs'
import { startOwnServer } from '../e2e/kit/own-server.ts'

/** The built application with its demo fixture, and a real browser. */
export async function openDemo(environment: Record<string, string>) {
  const server = await startOwnServer(3217, { DEMO: 'true', ...environment })
  const executablePath = findShell()
  const browser = await chromium.launch({
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    ...(executablePath && { executablePath }),
  })
  return {
    browser,
    origin: server.origin,
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}

/** The cookies of somebody of the demo fixture who just signed in; of nobody for null. */
export async function signedIn(browser: Browser, origin: string, email: string | null) {
  const context = await browser.newContext({ baseURL: origin })
  if (email) {
    const headers = { 'sec-fetch-site': 'same-origin' }
    const form = { email, password: 'carga-en-casa' }
    const answer = await context.request.post('/signin', { form, headers, maxRedirects: 0 })
    if (answer.status() !== 303) throw new Error(`${email} could not sign in: ${answer.status()}`)
  }
  const state = await context.storageState()
  await context.close()
  return state
}
