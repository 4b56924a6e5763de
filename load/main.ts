import { parseArgs } from 'node:util'
import { type Line, report, sized } from '../bench/report.ts'
import { climb } from './climb.ts'
import { bookingsIn } from './fixture.ts'
import { signInsBeside } from './sign-ins.ts'
import { openSite } from './site.ts'
import { soak } from './soak.ts'

const { values: wanted } = parseArgs({
  options: {
    appointments: { type: 'string', default: sized('1000000', '10000') },
    processes: { type: 'string', default: '1' },
    replica: { type: 'boolean', default: false },
    /** Looks for the peak, and for nothing else. */
    'peak-only': { type: 'boolean', default: false },
  },
})
/** Seconds. */
const lengths = sized(
  { signIns: 30, step: 20, soak: 600, settle: 60, overload: 60, after: 30 },
  { signIns: 5, step: 3, soak: 20, settle: 5, overload: 8, after: 12 },
)
const size = { appointments: Number(wanted.appointments), bookers: sized(20_000, 4_000) }
const lines: Line[] = []
const tell = (line: Line) => {
  lines.push(line)
  console.log(JSON.stringify(line))
}

console.log(`Making a world of ${size.appointments} appointments…`)
const site = await openSite(size, { processes: Number(wanted.processes), replica: wanted.replica })
try {
  if (!wanted['peak-only']) await signInsBeside(site, lengths.signIns, tell)
  // What was never asked before is slow once: the climb begins high.
  else await site.run('usual', 49, lengths.step)
  const peak = await climb(site, wanted['peak-only'] ? 97 : 25, lengths.step, tell)
  tell({ what: 'peak', due: peak, goal: 'a rate that is borne', met: peak > 0 })
  if (peak > 0 && !wanted['peak-only']) await soak(site, peak, lengths, tell)
  // What was answered with yes has to stand in the database, once.
  const { booked, doubled } = await bookingsIn(site.pool)
  const { accepted, unknown } = site.books
  tell({
    what: 'bookings',
    answers: `${accepted} accepted, ${unknown} without an answer; ${booked} in the database, ${doubled} doubled`,
    goal: 'each that was accepted is there, once',
    met: booked >= accepted && booked <= accepted + unknown && doubled === 0,
  })
} finally {
  await site.close()
}
report('load', `${JSON.stringify({ ...wanted })}: a second, ms from when each was due, processors`, lines)
process.exit()
