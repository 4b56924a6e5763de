import { eq } from 'drizzle-orm'
import type { Actor } from '../../../src/domain/access/actor.ts'
import {
  addDays,
  dayOf,
  daysFrom,
  minuteAt,
  statutoryHolidays,
  toDate,
  toMinutes,
} from '../../../src/domain/shared/calendar.ts'
import { Refusal } from '../../../src/domain/shared/refusal.ts'
import type { Decisions } from '../../../src/domain/users/staffing-change.ts'
import type { Tx } from '../../../src/server/platform/database/client.ts'
import { timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { settings } from '../../../src/server/platform/database/schema/projects.ts'
import { settingsKey } from '../../../src/server/scheduling/roster.ts'
import { type Affected, changeStaffing } from '../../../src/server/users/change.ts'
import { storeVisit, type Visit } from '../../appointments/story.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

type Stored = Parameters<typeof storeVisit>[4]

/** A working Tuesday, Wednesday or Thursday ahead without a holiday, far enough for every notice; `nth` counts them. */
export function workday(nth = 0): string {
  const days = daysFrom(toMinutes(new Date()), 40).slice(4)
  const free = days.filter(
    ({ date, weekday }) =>
      weekday >= 1 && weekday <= 3 && !statutoryHolidays(Number(date.slice(0, 4))).includes(date),
  )
  return free[nth]!.date
}

export const at = (date: string, time: string) => toDate(minuteAt(date, time))

/** A visit of a new customer's in Coyoacán, assigned to somebody, confirmed unless told otherwise. */
export async function visitFor(world: World, person: Person | null, startsAt: Date, wish: Stored = {}) {
  const customer = await world.person({ name: 'Camila' })
  return storeVisit(world, customer, await world.home(customer), startsAt, {
    ...(person ? { assigneeId: person.id } : { state: 'requested' as const, confirmedAt: null }),
    ...wish,
  })
}

/** What a booking leaves: the person is provisional. */
export const provisional = { state: 'requested', confirmedAt: null } as const

export const now = ({ id }: Pick<Visit, 'id'>, world: World) =>
  world.db
    .select()
    .from(appointments)
    .where(eq(appointments.id, id))
    .then(([row]) => row!)

/** The kinds of change that can touch appointments. */
export const changes = {
  deactivate:
    ({ id }: Person) =>
    async (tx: Tx) => {
      await tx.update(users).set({ active: false }).where(eq(users.id, id))
    },
  off:
    ({ id }: Person, from: Date, to: Date) =>
    async (tx: Tx) => {
      const during = `[${from.toISOString()},${to.toISOString()})`
      await tx.insert(timeOff).values({ personId: id, during, approvedAt: new Date() })
    },
  settings: (value: object) => async (tx: Tx) => {
    await tx
      .insert(settings)
      .values({ key: settingsKey, value })
      .onConflictDoUpdate({ target: settings.key, set: { value } })
  },
}

export type Outcome = { refused: Refusal | null; affected: Affected[]; errors: Record<string, string> }

/** Tries a change; answers what it was refused with, if it was. */
export async function tries(
  world: World,
  actor: Actor,
  change: (tx: Tx) => Promise<unknown>,
  decisions: Partial<Decisions> = {},
): Promise<Outcome> {
  try {
    await changeStaffing(world.db, actor, { change, now: new Date(), ...decisions })
    return { refused: null, affected: [], errors: {} }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const details = (error.details ?? {}) as Partial<Outcome>
    return { refused: error, affected: details.affected ?? [], errors: details.errors ?? {} }
  }
}

/** The whole local day of a moment. */
export function dayAround(moment: Date) {
  const { date } = dayOf(toMinutes(moment))
  return [at(date, '00:00'), at(addDays(date, 1), '00:00')] as const
}
