import { outages } from './outages.ts'
import type { Fault } from './server.ts'
import { smtp } from './smtp.ts'

const faults: Record<string, Fault> = { ...outages, smtp }
const given = process.argv.slice(2)
const wrong = given.filter((name) => !faults[name])
if (wrong.length > 0) {
  console.error(`Not there: ${wrong.join(', ')}. There are: ${Object.keys(faults).join(', ')}`)
  process.exit(2)
}
for (const [name, provoke] of Object.entries(faults)) {
  if (given.length > 0 && !given.includes(name)) continue
  const outcome = await provoke().catch((error: Error) => ({ goal: error.stack, met: false }))
  console.log(outcome.met ? '✓' : '✗', name, outcome)
  if (!outcome.met) process.exitCode = 1
}
