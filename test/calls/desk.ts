import { randomUUID } from 'node:crypto'
import { appointmentPath } from '../../src/domain/appointments/appointment-path.ts'
import { callMessages, callSittings, calls } from '../../src/server/platform/database/schema/appointments.ts'
import { around, minute, storeVisit, type Visit } from '../kit/appointments.ts'
import { people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { rowIn } from '../kit/reading.ts'
import { at, workday } from '../kit/users.ts'

/** A customer with a call at eleven of some working day, the analyst's, with the agency of the ally. */
export async function callAtEleven(wish: Partial<Visit> = {}, nth = 0) {
  const client = await world.person({ name: 'Camila', lastname: 'Cruz' })
  const home = await world.home(client, {}, people.ally.agencyId!)
  const call = await storeVisit(world, client, home, at(workday(nth), '11:00'), {
    folio: `AV-PRUEBA-${randomUUID().slice(0, 8)}`,
    service: 'videocall',
    minutes: 30,
    municipality: null,
    interest: '02',
    assigneeId: people.analyst.id,
    ...wish,
  })
  return { call, client }
}

export const pendingPath = ({ id }: Pick<Visit, 'id'>) =>
  appointmentPath('pending', { id, service: 'videocall' })
export const donePath = ({ id }: Pick<Visit, 'id'>) => appointmentPath('done', { id, service: 'videocall' })

/** Sends one of the forms of the screen of a call. */
export const press = (
  by: Person | undefined,
  call: Pick<Visit, 'id'>,
  move: string,
  form: Record<string, string> = {},
) => world.post(pendingPath(call), { move, ...form }, by)

export const storedCall = async ({ id }: Pick<Visit, 'id'>) =>
  await rowIn(world, calls, { appointmentId: id })

/** Somebody's stay in the room, in minutes after the start of the call. */
export const sat = (
  call: Visit,
  who: Person,
  side: 'customer' | 'analyst',
  from: number,
  to: number | null,
) =>
  world.db.insert(callSittings).values({
    appointmentId: call.id,
    side,
    userId: who.id,
    sessionId: randomUUID(),
    pageId: randomUUID(),
    media: { audio: true, video: true, screen: false },
    joinedAt: around(call, from * minute),
    ...(to !== null && { leftAt: around(call, to * minute), leftBecause: 'left' as const }),
  })

export const wrote = (call: Visit, who: Person, side: 'customer' | 'analyst', text: string, after: number) =>
  world.db.insert(callMessages).values({
    id: randomUUID(),
    appointmentId: call.id,
    authorId: who.id,
    side,
    text,
    at: around(call, after * minute),
  })

/** Sets the clock so many minutes after the start of a call. */
export const clock = (call: Visit, after: number) => world.at(around(call, after * minute))
