import type { Fault, Outcome } from './outcome.ts'

/** Each fault by its name; its program is read when it is its turn. */
const faults: Record<string, () => Promise<Fault>> = {
  'kill-web': async () => (await import('./kills.ts')).killWeb,
  'kill-postgres': async () => (await import('./kills.ts')).killPostgres,
  gone: async () => (await import('./weather.ts')).gone,
  'gone-words': async () => (await import('./weather.ts')).goneWords,
  slow: async () => (await import('./weather.ts')).slow,
  resets: async () => (await import('./weather.ts')).resets,
  sigterm: async () => (await import('./stop.ts')).sigterm,
  disk: async () => (await import('./disk.ts')).disk,
  smtp: async () => (await import('./jobs.ts')).smtp,
  'letters-mailbox': async () => (await import('./letters.ts')).badMailbox,
  'letters-restarts': async () => (await import('./letters.ts')).restarts,
  'letters-kills': async () => (await import('./letters.ts')).killed,
  'letters-slow': async () => (await import('./letters.ts')).slowMail,
  clock: async () => (await import('./clock.ts')).clock,
  poison: async () => (await import('./jobs.ts')).poison,
  'slow-clients': async () => (await import('./slow-clients.ts')).slowClients,
  restore: async () => (await import('./restore.ts')).restore,
  streams: async () => (await import('./streams.ts')).streams,
}

const named = process.argv.slice(2)
const wrong = named.filter((name) => !faults[name])
if (wrong.length > 0) {
  console.error(`No existe: ${wrong.join(', ')}. Hay: ${Object.keys(faults).join(', ')}`)
  process.exit(2)
}
const outcomes: Outcome[] = []
for (const [name, open] of Object.entries(faults)) {
  if (named.length > 0 && !named.includes(name)) continue
  const from = performance.now()
  console.log(`\n── ${name}`)
  const found = await (await open())().catch((error: Error) => [
    {
      fault: name,
      done: '',
      expected: 'the fault is provoked',
      measured: error.stack ?? error.message,
      ok: false,
    },
  ])
  for (const { fault, done, expected, measured, ok } of found)
    console.log(`${ok ? '✓' : '✗'} ${fault}: ${done}\n    expected: ${expected}\n    measured: ${measured}`)
  console.log(`    (${Math.round((performance.now() - from) / 1000)} s)`)
  outcomes.push(...found)
}
console.log('')
console.table(outcomes.map(({ fault, measured, ok }) => ({ fault, measured: measured.slice(0, 120), ok })))
console.log(JSON.stringify({ faults: outcomes }))
process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1)
