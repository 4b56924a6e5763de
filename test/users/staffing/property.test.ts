import { inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { activeStates } from '../../../src/domain/appointments/appointment.ts'
import { whyNot } from '../../../src/domain/scheduling/eligibility.ts'
import { toMinutes } from '../../../src/domain/shared/calendar.ts'
import { municipalities } from '../../../src/domain/shared/places.ts'
import { placementOf } from '../../../src/server/appointments/assign.ts'
import type { Tx } from '../../../src/server/platform/database/client.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { questionFor } from '../../../src/server/scheduling/choose.ts'
import type { Visit } from '../../kit/appointments.ts'
import { openBare, sendJobsOnce, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { at, changes, provisional, tries, visitFor, workday } from '../../kit/users.ts'

openBare()
sendJobsOnce()
let manager: Person
let technicians: Person[]
beforeAll(async () => {
  manager = await world.person({ kind: 'manager' })
  technicians = await Promise.all([0, 1, 2, 3].map(() => world.person({ kind: 'tecnician' })))
})

const days = [0, 1, 2].map((nth) => workday(nth))
const person = fc.nat(3)
const day = fc.constantFrom(...days)
const half = fc
  .integer({ min: 18, max: 34 })
  .map((halves) => `${halves >> 1}:${halves % 2 ? '30' : '00'}`.padStart(5, '0'))

const run =
  (text: string, ...values: unknown[]) =>
  (tx: Tx) =>
    tx.$client.query(text, values)
const idOf = (nth: number) => technicians[nth]!.id
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** Made when it runs: the technicians do not exist before. */
type Change = (tx: Tx) => Promise<unknown>

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(person, fc.boolean()).map(
    ([nth, active]): Change =>
      (tx) =>
        run('update users set active = $2 where id = $1', idOf(nth), active)(tx),
  ),
  fc.tuple(person, fc.constantFrom('analyst', 'tecnician', 'gester')).map(
    ([nth, kind]): Change =>
      (tx) =>
        run('update users set kind = $2 where id = $1', idOf(nth), kind)(tx),
  ),
  fc.tuple(person, fc.nat(6), half, half).map(
    ([nth, weekday, a, b]): Change =>
      async (tx) => {
        const [from, to] = [a, b].map(minutesOf).toSorted((x, y) => x - y)
        const week = 'delete from shifts where person_id = $1 and weekday = $2'
        await run(week, idOf(nth), weekday)(tx)
        const shift = 'insert into shifts (person_id, weekday, starts, ends) values ($1, $2, $3, $4)'
        await run(shift, idOf(nth), weekday, from!, to! + 240)(tx)
      },
  ),
  fc.tuple(person, fc.subarray(municipalities.slice(2, 5).map(({ slug }) => slug))).map(
    ([nth, zones]): Change =>
      async (tx) => {
        await run('delete from person_zones where person_id = $1', idOf(nth))(tx)
        for (const zone of zones) await run('insert into person_zones values ($1, $2)', idOf(nth), zone)(tx)
      },
  ),
  fc.tuple(person, day, half).map(
    ([nth, date, time]): Change =>
      (tx) =>
        changes.off(technicians[nth]!, at(date, time), at(date, '23:00'))(tx),
  ),
  fc.subarray([...days]).map((holidays): Change => changes.settings({ holidays })),
  fc
    .constantFrom(600, 720, 1080)
    .map((to): Change => changes.settings({ hours: Array(7).fill({ from: 540, to }) })),
)
/** How a manager decides: mostly one of the offered people, else as the list allows, sometimes anything. */
const decisions = fc.array(fc.nat(9), { minLength: 30, maxLength: 30 })
const visits = fc.array(fc.record({ person, day, half, isProvisional: fc.boolean() }), {
  minLength: 4,
  maxLength: 14,
})
const input = fc.record({
  visits,
  steps: fc.array(fc.tuple(change, decisions), { minLength: 1, maxLength: 6 }),
})

async function startOver() {
  await world.db.$client.query(`delete from appointments; delete from time_off; delete from person_zones; delete from settings; delete from shifts;
    update users set active = true, kind = 'tecnician' where kind in ('tecnician', 'analyst', 'gester');
    insert into shifts (person_id, weekday, starts, ends) select id, weekday, 540, 1080 from users, generate_series(0, 5) weekday where kind = 'tecnician'`)
}

const holding = () =>
  world.db
    .select()
    .from(appointments)
    .where(inArray(appointments.state, [...activeStates]))

/** By appointment, its technician and every reason against that person. */
async function standing() {
  const found = new Map<string, { row: Visit; codes: string[] }>()
  for (const row of await holding()) {
    if (!row.assigneeId) continue
    const { staffing, busy, ask } = await questionFor(world.db, placementOf(row), new Date())
    const index = staffing.indexOf.get(row.assigneeId)
    const reasons =
      index === undefined
        ? [{ code: 'wrong_kind' }]
        : whyNot(staffing.roster, busy, index, toMinutes(row.startsAt), ask)
    found.set(row.id, { row, codes: reasons.map(({ code }) => code) })
  }
  return found
}

const snapshot = async () => JSON.stringify((await holding()).toSorted((a, b) => (a.id < b.id ? -1 : 1)))

/** Tries a change until it is accepted or the manager gives up. */
async function attempt(change: Change, rolls: number[]) {
  let choices: Record<string, string> = {}
  for (let round = 0; round < 4; round++) {
    const before = await snapshot()
    const { refused, affected } = await tries(world, manager.actor, change, {
      choices,
      keepReason: 'Acordado',
    })
    if (!refused) return choices
    expect(await snapshot()).toBe(before)
    choices = Object.fromEntries(
      affected.map(({ id, able, canKeep }, n) => {
        const roll = rolls[(n + round * 7) % rolls.length]!
        if (roll < 5 && able.length > 0) return [id, able[roll % able.length]!.id]
        if (roll < 7 && canKeep) return [id, 'keep']
        return [id, roll === 9 && round < 2 ? technicians[n % 4]!.id : 'release']
      }),
    )
  }
  return null
}

test('after any accepted change no appointment has a new reason against its technician', async () => {
  let accepted = 0
  let moved = 0
  await fc.assert(
    fc.asyncProperty(input, async ({ visits, steps }) => {
      await startOver()
      // A person has no two at once: the second is not stored.
      for (const { person, day, half, isProvisional } of visits)
        await visitFor(world, technicians[person]!, at(day, half), isProvisional ? provisional : {}).catch(
          () => undefined,
        )
      for (const [change, rolls] of steps) {
        const before = await standing()
        const choices = await attempt(change, rolls)
        if (!choices) continue
        accepted++
        for (const [id, { row, codes }] of await standing()) {
          const known = before.get(id)
          const hasMoved = known?.row.assigneeId !== row.assigneeId
          if (hasMoved) moved++
          if (choices[id] === 'keep') expect(row.overrideReason).toBe('Acordado')
          else expect(codes.filter((code) => hasMoved || !known?.codes.includes(code))).toEqual([])
        }
      }
    }),
    { numRuns: 25 },
  )
  expect(accepted).toBeGreaterThan(25)
  expect(moved).toBeGreaterThan(5)
})
