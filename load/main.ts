import { parseArgs } from 'node:util'
import { type Line, report } from '../bench/report.ts'
import { climb } from './climb.ts'
import { writeInto } from './page.ts'
import { signInsBeside } from './sign-ins.ts'
import { openSite } from './site.ts'
import { soak } from './soak.ts'
import { bookingsIn, house } from './world.ts'

const { values } = parseArgs({
  options: {
    /** A small house and short runs: shows that everything works, and measures little. */
    short: { type: 'boolean', default: false },
    appointments: { type: 'string' },
    processes: { type: 'string', default: '1' },
    replica: { type: 'boolean', default: false },
    /** Looks for the peak, and for nothing else. */
    'peak-only': { type: 'boolean', default: false },
    /** Seconds at 30 % of the peak; by default ten minutes. */
    soak: { type: 'string' },
    /** Requests a second to take for the peak, without looking for it; 0 measures the sign-ins alone. */
    peak: { type: 'string' },
    /** A page of the documentation that the table is written into. */
    write: { type: 'string' },
  },
})
const lengths = values.short
  ? { signIns: 5, step: 3, soak: 20, settle: 5, overload: 8, after: 12 }
  : { signIns: 30, step: 20, soak: 600, settle: 60, overload: 60, after: 30 }
if (values.soak) lengths.soak = Number(values.soak)
const size = { ...house, ...(values.short && { appointments: 10_000, bookers: 4_000 }) }
if (values.appointments) size.appointments = Number(values.appointments)

const lines: Line[] = []
const tell = (line: Line) => {
  lines.push(line)
  const { goal, ...shown } = line
  console.log(
    Object.entries(shown)
      .map(([name, value]) => (name === 'what' ? value : `${name} ${value}`))
      .join(' · '),
  )
}

console.log(`Making a house of ${size.appointments} appointments…`)
const site = await openSite(size, { processes: Number(values.processes), replica: values.replica })
try {
  if (!values['peak-only']) await signInsBeside(site, lengths.signIns, tell)
  // What was never asked before is slow once: the climb begins high.
  else await site.run('usual', 49, lengths.step)
  if (values.peak !== '0') {
    const given = Number(values.peak ?? 0)
    const peak =
      given ||
      (await climb(
        site,
        { from: values['peak-only'] ? 97 : 25, factor: 1.4, seconds: lengths.step, finer: 2 },
        tell,
      ))
    tell({ what: 'peak', due: peak, goal: 'a rate that is borne', met: peak > 0 })
    if (peak > 0 && !values['peak-only']) await soak(site, peak, lengths, tell)
  }
  tell(await afterwards())
} finally {
  await site.close()
}
const processes = values.processes === '1' ? 'One web process' : `${values.processes} web processes`
const about = `${processes}${values.replica ? ', a replica' : ''}, jobs and database on one machine, ${size.appointments} appointments`
report('load', `${about}; processors used by each part`, lines)
if (values.write) writeInto(values.write, lines, about)
if (lines.some(({ met }) => met === false)) process.exitCode = 1

/** What was answered with yes has to stand in the database, once. */
async function afterwards(): Promise<Line> {
  const { booked, doubled } = await bookingsIn(site.pool)
  const { accepted, unknown } = site.booked()
  return {
    what: 'bookings',
    answers: `${accepted} accepted, ${unknown} without an answer; ${booked} in the database, ${doubled} doubled`,
    goal: 'each that was accepted is there, once',
    met: booked >= accepted && booked <= accepted + unknown && doubled === 0,
  }
}
