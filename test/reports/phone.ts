import { expect } from 'vitest'
import { sheetFor } from '../../src/reports/queries.ts'
import { type Visit, visit } from '../kit/appointments.ts'
import { db, fixture, technician } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

type Of = Pick<Visit, 'id'>

/** What a phone's outbox sends in its owner's name, and the JSON it hears. */
async function send(by: Person, path: string, body: unknown) {
  const headers = { origin: 'http://carga.test', 'content-type': 'application/json', 'x-person': by.id }
  const init = { method: 'POST', body: JSON.stringify(body), headers }
  const { status, text } = await fixture.send(`/onsite/${path}`, by, init)
  return { status, json: JSON.parse(text) }
}

type Sent = { name: string; value: unknown; base?: number; at?: Date }

/** Sends answers; each is of revision 0 and typed now, unless told otherwise. */
export const answer = (by: Person, { id }: Of, ...changes: Sent[]) =>
  send(by, `${id}/answers`, {
    changes: changes.map(({ at = new Date(), base = 0, name, value }) => ({ name, value, base, at })),
  })

/** Sends a step that was pressed at a time. */
export const press = (by: Person, { id }: Of, move: string, at: Date, more: object = {}) =>
  send(by, `${id}/moves`, { move, at, ...more })

/** The technician answers in the report of the visit that the kit's steps booked. */
export const answerOwn = (...changes: Sent[]) => answer(technician, visit, ...changes)

/** Expects what was sent to be refused in some words. */
export const expectRefused = async (sent: ReturnType<typeof send>, words: RegExp) =>
  expect(await sent).toMatchObject({ status: 409, json: { description: expect.stringMatching(words) } })

/** What an installation's record lacks, as its technician reads it. */
export const missingOf = async ({ id }: Of) =>
  (await sheetFor(db, technician.actor, id))!.missing.map(({ name }) => name)
