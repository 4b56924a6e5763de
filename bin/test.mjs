import { command, ready } from './bootstrap.mjs'
import { ensureChromium, findChromium, findShell } from './chromium.mjs'
import { ensureTurnserver } from './coturn.mjs'
import { ensurePrometheus } from './prometheus.mjs'
import { runSteps } from './steps.mjs'

// npm test -- test/booking.test.ts e2e/customer.spec.ts: each file goes to its runner, and a runner without files rests.
const named = process.argv.slice(2)
const stories = named.filter((name) => name.startsWith('e2e'))
const rules = named.filter((name) => !name.startsWith('e2e'))
const steps = []

ready()
if (rules.length > 0 || named.length === 0) {
  const asksPrometheus = named.length === 0 || rules.some((name) => name.includes('telemetry'))
  const prometheus = asksPrometheus && ensurePrometheus()
  const env = prometheus ? { PROMETHEUS_BIN: prometheus } : {}
  steps.push({ name: 'vitest', command: [...command('vitest'), 'run', ...rules], env })
}
if (stories.length > 0 || named.length === 0) {
  ensureChromium()
  if (named.length === 0 || stories.some((name) => name.includes('calls'))) ensureTurnserver()
  // Found once: each worker reads the configuration.
  const [chromium, shell] = [findChromium(), findShell()]
  const env = chromium && shell ? { CHROMIUM: chromium, CHROMIUM_SHELL: shell } : {}
  steps.push({
    name: 'playwright',
    command: [...command('@playwright/test', 'playwright'), 'test', ...stories],
    env,
  })
}
await runSteps(steps)
