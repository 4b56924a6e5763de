import type { Line } from '../bench/report.ts'
import { lineOf } from './climb.ts'
import { sumsOf } from './drive.ts'
import type { Site } from './site.ts'

/** More sign-ins than two processors could work out, and a few who look at slots. */
const rates = { slots: 10, signIns: 40 }
const most = 5

/** Slots read alone, then beside a crowd that signs in: passwords are slow on purpose, and only who signs in waits for them. */
export async function signInsBeside(site: Site, seconds: number, tell: (line: Line) => void) {
  await site.run('slots', rates.slots, 3)
  const alone = await site.run('slots', rates.slots, seconds)
  tell(lineOf('slots alone', alone))
  const [beside, entering] = await Promise.all([
    site.run('slots', rates.slots, seconds),
    site.run('signIns', rates.signIns, seconds),
  ])
  tell(lineOf(`${rates.signIns} sign-ins a second`, entering))
  const { away, failed, p99 } = sumsOf(beside.marks)
  tell({
    ...lineOf('slots beside them', beside),
    goal: `p99 <= ${most} times as long as alone, nothing fails`,
    met: p99 <= sumsOf(alone.marks).p99 * most && away + failed + sumsOf(entering.marks).failed === 0,
  })
}
