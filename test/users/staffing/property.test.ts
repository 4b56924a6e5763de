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
let crew: Person[]
beforeAll(async () => {
  manager = await world.person({ kind: 'manager' })
  crew = await Promise.all([0, 1, 2, 3].map(() => world.person({ kind: 'tecnician' })))
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
const idOf = (nth: number) => crew[nth]!.id
type Change = () => (tx: Tx) => Promise<unknown>

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(person, fc.boolean()).map(
    ([nth, active]): Change =>
      () =>
        run('update users set active = $2 where id = $1', idOf(nth), active),
  ),
  fc.tuple(person, fc.constantFrom('analyst', 'tecnician', 'gester')).map(
    ([nth, kind]): Change =>
      () =>
        run('update users set kind = $2 where id = $1', idOf(nth), kind),
  ),
  fc.tuple(person, fc.nat(6), half, half).map(
    ([nth, weekday, a, b]): Change =>
      () =>
      async (tx) => {
        const minutes = [a, b]
          .map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))
          .toSorted((x, y) => x - y)
        await run('delete from shifts where person_id = $1 and weekday = $2', idOf(nth), weekday)(tx)
        await run(
          'insert into shifts (person_id, weekday, starts, ends) values ($1, $2, $3, $4)',
          idOf(nth),
          weekday,
          minutes[0]!,
          minutes[1]! + 240,
        )(tx)
      },
  ),
  fc.tuple(person, fc.subarray(municipalities.slice(2, 5).map(({ slug }) => slug))).map(
    ([nth, zones]): Change =>
      () =>
      async (tx) => {
        await run('delete from person_zones where person_id = $1', idOf(nth))(tx)
        for (const zone of zones) await run('insert into person_zones values ($1, $2)', idOf(nth), zone)(tx)
      },
  ),
  fc.tuple(person, day, half).map(
    ([nth, date, time]): Change =>
      () =>
        changes.off(crew[nth]!, at(date, time), at(date, '23:00')),
  ),
  fc.subarray([...days]).map(
    (holidays): Change =>
      () =>
        changes.settings({ holidays }),
  ),
  fc.constantFrom(600, 720, 1080).map(
    (to): Change =>
      () =>
        changes.settings({ hours: Array(7).fill({ from: 540, to }) }),
  ),
)
/** How a manager decides: mostly one of the offered people, else as the list allows, now and then anything. */
const decisions = fc.array(fc.nat(9), { minLength: 30, maxLength: 30 })
const visits = fc.array(fc.record({ person, day, half, isProvisional: fc.boolean() }), {
  minLength: 4,
  maxLength: 14,
})
const story = fc.record({
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

/** By appointment, who holds it and everything that is against that person. */
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
async function attempt(change: (tx: Tx) => Promise<unknown>, rolls: number[]) {
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
        return [id, roll === 9 && round < 2 ? crew[n % 4]!.id : 'release']
      }),
    )
  }
  return null
}

test('after any accepted change nothing new stands against anybody with a future appointment', {
  timeout: 120_000,
}, async () => {
  let accepted = 0
  let moved = 0
  await fc.assert(
    fc.asyncProperty(story, async ({ visits, steps }) => {
      await startOver()
      // Two at once for one person is no world.
      for (const { person, day, half, isProvisional } of visits)
        await visitFor(world, crew[person]!, at(day, half), isProvisional ? provisional : {}).catch(
          () => undefined,
        )
      for (const [change, rolls] of steps) {
        const before = await standing()
        const choices = await attempt(change(), rolls)
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
