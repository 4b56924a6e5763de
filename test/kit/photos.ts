import { createHash, randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { files } from '../../src/platform/database/schema/appointments.ts'
import { hour, minute, storeVisit, type Visit } from './appointments.ts'
import type { Fixture } from './fixture.ts'
import { db, fixture } from './open.ts'
import type { Person } from './people.ts'
import type { Body } from './visitor.ts'

export type Photo = {
  id?: string
  slot?: string
  capturedAt?: Date
  sha256?: string
  keptBecause?: string
  bytes: Buffer
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const origin = 'http://carga.test'

/** A visit that its technician is at, begun half an hour ago. */
export async function visitUnderWay(technician: Person, input: Partial<Visit> = {}) {
  const customer = await fixture.person()
  const home = await fixture.home(customer)
  const now = Date.now()
  const visit = await storeVisit(fixture, customer, home, new Date(now - 40 * minute), {
    assigneeId: technician.id,
    state: 'in_progress',
    startedAt: new Date(now - hour / 2),
    ...input,
  })
  return { customer, home, visit }
}

/** What a phone's outbox does with one picture. */
export function send(
  by: Person,
  { id: appointmentId }: Pick<Visit, 'id'>,
  { bytes, capturedAt = new Date(), id = randomUUID(), keptBecause, sha256: hash, slot = 'facade' }: Photo,
) {
  const query = new URLSearchParams({
    slot,
    capturedAt: capturedAt.toISOString(),
    sha256: hash ?? sha256(bytes),
    ...(keptBecause && { keptBecause }),
  })
  return ask(by, 'PUT', `/onsite/${appointmentId}/files/${id}?${query}`, new Uint8Array(bytes))
}

export const drop = (by: Person, { id: appointmentId }: Pick<Visit, 'id'>, id: string) =>
  ask(by, 'DELETE', `/onsite/${appointmentId}/files/${id}`)

async function ask(by: Person, method: string, path: string, body?: Body) {
  const headers = { origin, 'x-person': by.id }
  const answer = await fixture.send(path, by, { method, headers, ...(body && { body }) })
  const told = answer.text.startsWith('{') ? JSON.parse(answer.text) : {}
  return { ...answer, told: told as { stored?: true; code?: string; description?: string } }
}

/** A picture as a browser gets it. */
export async function look(by: Person | undefined, id: string, size = 'full') {
  const answer = await fixture.open(`/files/${id}/${size}`, by)
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

export const rowsOf = ({ id }: Pick<Visit, 'id'>) =>
  db.select().from(files).where(eq(files.appointmentId, id)).orderBy(asc(files.capturedAt))

/** The keys of everything that lies in the fixture's own folder. */
export const keysKept = async ({ drive }: Fixture) =>
  (await Array.fromAsync(drive.all())).map(({ key }) => key).sort()
