import { clock } from './clock.ts'
import { disk } from './disk.ts'
import { smtp } from './jobs.ts'
import { killPostgres, killWeb } from './kills.ts'
import { killed, slowMail } from './letters.ts'
import type { Fault, Outcome } from './outcome.ts'
import { restore } from './restore.ts'
import { sigterm } from './stop.ts'
import { streams } from './streams.ts'
import { gone, resets, slow } from './weather.ts'

const faults: Record<string, Fault> = {
  'kill-web': killWeb,
  'kill-postgres': killPostgres,
  gone,
  slow,
  resets,
  sigterm,
  disk,
  smtp,
  'emails-kills': killed,
  'emails-slow': slowMail,
  clock,
  restore,
  streams,
}

const named = process.argv.slice(2)
const wrong = named.filter((name) => !faults[name])
if (wrong.length > 0) {
  console.error(`Not there: ${wrong.join(', ')}. There are: ${Object.keys(faults).join(', ')}`)
  process.exit(2)
}
const outcomes: Outcome[] = []
for (const [name, provoke] of Object.entries(faults)) {
  if (named.length > 0 && !named.includes(name)) continue
  const from = performance.now()
  console.log(`\n── ${name}`)
  const outcome = await provoke().catch(
    (error: Error): Outcome => ({
      fault: name,
      done: '',
      expected: 'the fault is provoked',
      measured: error.stack ?? error.message,
      ok: false,
    }),
  )
  const { fault, done, expected, measured, ok } = outcome
  console.log(`${ok ? '✓' : '✗'} ${fault}: ${done}\n    expected: ${expected}\n    measured: ${measured}`)
  console.log(`    (${Math.round((performance.now() - from) / 1000)} s)`)
  outcomes.push(outcome)
}
console.log('')
console.table(outcomes.map(({ fault, measured, ok }) => ({ fault, measured: measured.slice(0, 120), ok })))
console.log(JSON.stringify({ faults: outcomes }))
process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1)
