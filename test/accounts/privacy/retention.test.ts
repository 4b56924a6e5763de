import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { retentionDays } from '../../../src/domain/accounts/privacy.ts'
import { deleteExpired } from '../../../src/server/accounts/privacy.ts'
import { deleteOldEmails } from '../../../src/server/notifications/transport.ts'
import { dataReads, invitations } from '../../../src/server/platform/database/schema/accounts.ts'
import {
  appointments,
  callMessages,
  callSittings,
  files,
} from '../../../src/server/platform/database/schema/appointments.ts'
import { whatsappMessages } from '../../../src/server/platform/database/schema/cfe.ts'
import { events, projects, tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { newEmail } from '../../kit/accounts.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { expectRow, openOnce, people, storeRows, world } from '../../kit/open.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { rowsIn } from '../../kit/reading.ts'
import { fileRow } from '../../kit/reports.ts'
import { inDays } from '../holdings.ts'

openOnce()

/** One thing of each kind that is deleted, so many days old; returns the appointment's id. */
async function oldThings(days: number): Promise<string> {
  const { analyst, customer, manager, technician } = people
  const { db } = world
  const home = await world.home(await world.person())
  const at = inDays(-days)
  const visit = { state: 'cancelled', notes: 'Nota vieja' } as const
  const { id } = await storeVisit(world, customer, home, at, visit)
  const chat = { appointmentId: id, side: 'analyst', text: 'Hola', at } as const
  await db.update(projects).set({ closedAt: at }).where(eq(projects.id, home.projectId))
  await db.insert(callMessages).values({ ...chat, id: randomUUID(), authorId: analyst.id })
  const media = { audio: false, video: false, screen: false }
  const sitting = { appointmentId: id, side: 'customer', userId: customer.id, media, leftAt: at } as const
  const browser = { sessionId: randomUUID(), pageId: randomUUID() }
  await db.insert(callSittings).values({ ...sitting, ...browser, leftBecause: 'left' })
  const event = { entity: 'appointment', entityId: id, name: 'cancel', reason: 'Palabras viejas', at }
  await db.insert(events).values(event)
  const task = { subject: 'Pide cambios: «algo»', reason: 'quote', phone: '5511112222', result: 'Hecho' }
  await db.insert(tasks).values({ ...task, doneAt: at })
  await db.insert(files).values({ ...fileRow(id, 'facade', technician.id), capturedAt: at })
  const invitation = { email: newEmail(), kind: 'analyst', codeHash: randomUUID(), expiresAt: at } as const
  await db.insert(invitations).values({ ...invitation, invitedBy: manager.id })
  const read = { readerId: manager.id, customerId: customer.id, what: 'fiscal', at } as const
  await db.insert(dataReads).values({ ...read, subjectId: randomUUID() })
  return id
}

const terms = retentionDays
const expire = (days = 0) => deleteExpired(world.db, inDays(days))
test.each([
  ['callSittings', terms.callSittings, []],
  ['staffInvitations', terms.staffInvitations, ['callSittings']],
  ['callChats', terms.callChats, ['callSittings', 'staffInvitations']],
] as const)('deletes %s after %i days, and keeps what may stay longer', async (name, term, before) => {
  await oldThings(term - 1)
  expect(Object.keys(await expire()).toSorted()).toEqual(before.toSorted())
  expect(await expire(2)).toMatchObject({ [name]: 1 })
})

test('deletes notes, words of the history and of tasks, photos and recorded reads; facts stay', async () => {
  const id = await oldThings(terms.evidence + 1)
  expect(await expire()).toMatchObject({
    appointmentNotes: 1,
    historyWords: 1,
    taskWords: 1,
    photosWithoutInstallation: 1,
    evidence: 1,
  })
  await expectRow(appointments, { id }, { notes: null, state: 'cancelled' })
  await expectRow(events, { entityId: id, name: 'cancel' }, { reason: null })
  const left = await rowsIn(world, tasks, { reason: 'quote' })
  expect(left.at(-1)).toMatchObject({ subject: 'Pide cambios', phone: null, result: '–' })
  expect(await expire()).toEqual({})
})

test('deletes answers to quotes and messages at the end of their term', async () => {
  const { analyst, technician } = people
  const ages = async (days: number) => {
    const customer = await world.person()
    const at = inDays(-days)
    const answered = { reason: 'Muy caro', answeredAt: at }
    await storeDraft(world, await visited(world, customer, technician), analyst, answered)
    const message = { letterId: randomUUID(), template: 'en_camino', createdAt: at } as const
    await storeRows(whatsappMessages, { ...message, userId: customer.id })
  }
  for (const name of ['messages', 'quoteAnswers'] as const) {
    await ages(terms[name] - 1)
    expect(await expire()).not.toHaveProperty(name)
    expect(await expire(2)).toMatchObject({ [name]: 1 })
  }
})

test('deletes e-mails kept as files after 30 days', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carga-letters-'))
  mkdirSync(path.join(folder, 'outbox'))
  for (const [name, age] of [
    ['old.eml', 31],
    ['new.eml', 29],
  ] as const) {
    const file = path.join(folder, 'outbox', name)
    writeFileSync(file, 'x')
    utimesSync(file, new Date(), inDays(-age))
  }
  expect(await deleteOldEmails(folder, new Date())).toBe(1)
  expect(readdirSync(path.join(folder, 'outbox'))).toEqual(['new.eml'])
  expect(await deleteOldEmails(path.join(folder, 'nowhere'), new Date())).toBe(0)
  await rm(folder, { recursive: true })
})

test('docs/privacy.md has each retention term and each table that points at people', async () => {
  const text = await readFile('docs/privacy.md', 'utf8')
  for (const [name, term] of Object.entries(retentionDays))
    expect(text).toMatch(new RegExp(`\`${name}\`.*\\b${term}\\b`))
  const { rows } =
    await world.db.$client.query(`select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('users'::regclass, 'projects'::regclass, 'appointments'::regclass)`)
  expect(rows.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})
