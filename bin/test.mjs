import { command, ready } from './bootstrap.mjs'
import { ensureChromium, findChromium } from './chromium.mjs'
import { ensureTurnserver } from './coturn.mjs'
import { runSteps } from './steps.mjs'

// npm test -- test/booking.test.ts e2e/customer.spec.ts: each file goes to its runner, and a runner without files rests.
const named = process.argv.slice(2)
const stories = named.filter((name) => name.startsWith('e2e'))
const rules = named.filter((name) => !name.startsWith('e2e'))
const steps = []

ready()
if (rules.length > 0 || named.length === 0)
  steps.push({ name: 'vitest', command: [...command('vitest'), 'run', ...rules] })
if (stories.length > 0 || named.length === 0) {
  ensureChromium()
  if (named.length === 0 || stories.some((name) => name.includes('calls'))) ensureTurnserver()
  const chromium = findChromium()
  const env = chromium ? { CHROMIUM: chromium } : {}
  steps.push({
    name: 'playwright',
    command: [...command('@playwright/test', 'playwright'), 'test', ...stories],
    env,
  })
}
await runSteps(steps)
