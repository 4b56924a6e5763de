import { addStaff, openSessions } from './crowd.ts'
import { addAppointments } from './lists-world.ts'
import { type Ask, connect, type Figures, figuresOf, press } from './load.ts'
import { type Line, report } from './report.ts'
import { openStack } from './stack.ts'

const sizes = [10_000, 1_000_000]
const rounds = 200
const goal = { p99: 50, ratio: 1.5 }

const pending = '/admin/appointments-pending.data'
const done = '/admin/appointments-done.data'
const june2024 = `${Date.UTC(2024, 5, 3)}_0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f`

/** Every way of reading a list that the goal names, and the hard ones beside it. */
const cases: Record<string, string> = {
  pending,
  done,
  'done, deep page': `${done}?after=${june2024}`,
  'pending, late': `${pending}?view=tarde`,
  'done, a month of any year': `${done}?month=2`,
  'done, rare: zone, no show, installation': `${done}?zone=milpa-alta&state=no_show&service=installation`,
  'text, a mailbox': `${done}?text=lista777@`,
  'text, a folio': `${done}?text=vt-2025-0000777`,
  'text, a phone': `${done}?text=5512345678`,
  'text, pending, a first name': `${pending}?text=maria`,
  'text, a first name': `${done}?text=maria`,
  'text, first and last name': `${done}?text=in%C3%A9s+nu%C3%B1ez`,
  'text, a first name in a zone': `${done}?text=maria&zone=milpa-alta`,
  'text, deep page': `${done}?text=maria&after=${june2024}`,
  'text, nobody': `${done}?text=zzzz`,
}

const measured = new Map<string, Figures[]>()
for (const size of sizes) {
  const stack = await openStack({ shared_buffers: '512MB' })
  const client = connect(stack, 1)
  try {
    await addAppointments(stack.pool, size)
    const [cookie] = await openSessions(stack.pool, [await addStaff(stack.pool, 'manager')])
    for (const [what, path] of Object.entries(cases)) {
      const some = await timed({ path, cookie: cookie! })
      measured.set(what, [...(measured.get(what) ?? []), some])
    }
  } finally {
    client.close()
    await stack.close()
  }

  /** One request at a time, after some that are not counted. */
  async function timed(ask: Ask): Promise<Figures> {
    const asked = (count: number) => {
      let left = count
      return () => (left-- > 0 ? ask : undefined)
    }
    await press(client, asked(20))
    const { all } = await press(client, asked(rounds))
    const figures = figuresOf(all, 1)
    if (Object.keys(figures.statuses).join() !== '200')
      throw new Error(`${ask.path} answered ${JSON.stringify(figures.statuses)}`)
    return figures
  }
}

const lines: Line[] = [...measured].map(([what, [small, big]]) => {
  const ratio = Math.round((big!.p50 / small!.p50) * 100) / 100
  return {
    what,
    ...{ 'p50 of 10,000': small!.p50, 'p99 of 10,000': small!.p99 },
    ...{ 'p50 of 1,000,000': big!.p50, 'p99 of 1,000,000': big!.p99, ratio },
    goal: `p99 <= ${goal.p99} ms, p50 within ${goal.ratio} times`,
    met: big!.p99 <= goal.p99 && ratio <= goal.ratio,
  }
})
report(
  'lists',
  `Lists over HTTP (data requests of a manager), one at a time, ${rounds} of each: 10,000 and 1,000,000 appointments`,
  lines,
)
