import { rmSync } from 'node:fs'
import type { PlaywrightTestConfig } from '@playwright/test'
import { findChromium, findShell } from './bin/system-tools.mjs'
import { phone } from './e2e/kit/sizes.ts'
import { newPlace } from './test/platform/backup/place.ts'

const port = Number(process.env.E2E_PORT ?? 3210)
const desk = { viewport: { width: 1440, height: 900 } }

const args = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** Two cameras and microphones that need no permission, and sound that plays without a click. Few pictures: they cost time. */
const media = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream=device-count=2,fps=5',
  '--autoplay-policy=no-user-gesture-required',
]
const browser = (executablePath: string | undefined, more: string[] = []) => ({
  ...(executablePath && { executablePath }),
  // Under test:clocks the browser's threads would wait for a time that never comes: its pages are moved instead (e2e/kit/test.ts).
  ...(process.env.FAKETIME && { env: { ...process.env, LD_PRELOAD: '' } as Record<string, string> }),
  args: [...args, ...more],
})

/** What the quick and the slow browser tests have in common; `phones`: the files whose people hold a phone. */
export const browserTests = (testDir: string, phones: RegExp): PlaywrightTestConfig => ({
  testDir,
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: './e2e/kit/progress.ts',
  use: {
    baseURL: `http://localhost:${port}`,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    actionTimeout: 10_000,
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: browser(findShell()),
  },
  projects: [
    // One call at a time: pictures keep a small machine busy.
    {
      name: 'calls',
      testMatch: /\/calls?[\w-]*\.spec\.ts$/,
      workers: 1,
      use: { ...desk, permissions: ['camera', 'microphone'], launchOptions: browser(findChromium(), media) },
    },
    { name: 'phone', testMatch: phones, use: phone },
    { name: 'desk', testIgnore: [phones, /\/calls?[\w-]*\.spec\.ts$/], use: desk },
    { name: 'phone without JavaScript', grep: /@plain/, use: { ...phone, javaScriptEnabled: false } },
  ],
  webServer: {
    command: 'node_modules/.bin/node src/app/main.ts',
    url: `http://localhost:${port}/readyz`,
    timeout: 180_000,
    reuseExistingServer: false,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PORT: String(port),
      DATA_DIR: dataDir(),
      DEMO: 'true',
      MODULES: 'clients,payments,gesties',
      LOG_LEVEL: 'warn',
      // Each person comes from an address of their own: limits of tries by address do not meet.
      TRUST_PROXY: 'true',
    },
  },
})

/** A fresh folder for this run, known to its workers, removed once the server has ended. */
function dataDir(): string {
  const known = process.env.E2E_DATA_DIR
  if (known) return known
  const folder = newPlace('carga-e2e-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.env.E2E_DATA_DIR = folder
  return folder
}
