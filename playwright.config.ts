import { rmSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { findChromium, findShell } from './bin/system-tools.mjs'
import { newPlace } from './test/platform/backup/place.ts'

const port = Number(process.env.E2E_PORT ?? 3210)
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
/** Phones tell their stories with every movement: here it would only cost the machine its time. */
const desk = { viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: 'reduce' as const } }
const bare = { javaScriptEnabled: false }
/** Stories with this tag are told without JavaScript too. */
const plain = /@plain/
/** Those to which the size of a window is nothing: of the phones the one without JavaScript tells them, where it tells them at all. */
const once = /@once/
/** Those of customers and technicians, who have them in their hand: told on a phone, with JavaScript or without. */
const inHand = /@inHand/
const calls = /\/calls[^/]*\.spec\.ts$/

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Two cameras and microphones that nobody has to allow, and sound that nobody has to touch the page for. Pictures are dear to make. */
const media = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream=device-count=2,fps=5',
  '--autoplay-policy=no-user-gesture-required',
]
const browser = (executablePath: string | undefined, more: string[] = []) => ({
  ...(executablePath && { executablePath }),
  // Under test:clocks the browser's threads would wait for a time that never comes: its pages are moved instead (e2e/kit/world.ts).
  ...(process.env.FAKETIME && { env: { ...process.env, LD_PRELOAD: '' } as Record<string, string> }),
  args: [...args, ...more],
})

export default defineConfig({
  testDir: 'e2e',
  // A story is told by one worker from its beginning to its end; people and days of different stories never meet.
  fullyParallel: true,
  workers: 2,
  // A machine of two cores is full at times: a story that fails is told once more, alone, and named as flaky if it passes then.
  retries: 1,
  retryStrategy: 'isolated',
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 5_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    actionTimeout: 10_000,
    screenshot: 'only-on-failure',
    launchOptions: browser(findShell()),
  },
  projects: [
    // Pictures are what keeps a small machine busy: one call at a time. First, as they wait for seconds to pass: others are
    // told meanwhile.
    {
      name: 'calls',
      testMatch: calls,
      workers: 1,
      use: { ...desk, permissions: ['camera', 'microphone'], launchOptions: browser(findChromium(), media) },
    },
    {
      name: 'phone',
      use: phone,
      grepInvert: once,
      testIgnore: [
        // Guards stand on the server, times are the same words everywhere: the size of a window is nothing to these.
        /(guards|zone|injected|provider|tabs|friday-night|slow|sign-in-errors)\.spec\.ts/,
        // The manager's work at a desk: on a phone it is told without JavaScript.
        /(people|settings|agencies|staffing|plan|office)\.spec\.ts/,
        calls,
      ],
    },
    // Without a network, or with a camera, people are on their phones.
    {
      name: 'desk',
      use: desk,
      grepInvert: inHand,
      testIgnore: [calls, /(offline|photos|report|warranty)\.spec\.ts/],
    },
    { name: 'phone without JavaScript', use: { ...phone, ...bare }, grep: plain },
    { name: 'desk without JavaScript', use: { ...desk, ...bare }, testMatch: /\/visit\.spec\.ts$/ },
  ],
  webServer: {
    command: 'node_modules/.bin/node src/server/app/main.ts',
    url: `http://localhost:${port}/readyz`,
    timeout: 60_000,
    reuseExistingServer: false,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: String(port),
      DATA_DIR: dataDir(),
      DEMO: 'true',
      LOG_LEVEL: 'warn',
      // Each person comes from an address of their own, so that they don't use up one another's tries to sign in.
      TRUST_PROXY: 'true',
    },
  },
})

/** A fresh folder for this run, told to the workers, and removed once the server has ended. */
function dataDir(): string {
  const known = process.env.E2E_DATA_DIR
  if (known) return known
  const folder = newPlace('carga-e2e-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env.E2E_DATA_DIR = folder
  return folder
}
