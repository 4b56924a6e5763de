import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { retentionDays } from '../../../src/domain/accounts/privacy.ts'
import { deleteExpired } from '../../../src/server/accounts/privacy.ts'
import { deleteOldEmails } from '../../../src/server/notifications/transport.ts'
import { databaseFault } from '../../../src/server/platform/database/client.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'

const day = 24 * 60 * 60 * 1000
openOnce()

/** One thing of each kind that is deleted, so many days old. */
async function oldThings(days: number) {
  const { analyst, customer, manager, technician } = people
  const home = await world.home(await world.person())
  const at = new Date(Date.now() - days * day)
  const visit = await storeVisit(world, customer, home, at, { state: 'cancelled', notes: 'Nota vieja' })
  const { id } = visit
  const run = (text: string, ...values: unknown[]) => world.db.$client.query(text, values)
  await run(`update projects set closed_at = $2 where id = $1`, home.projectId, at)
  await run(
    `insert into call_messages (id, appointment_id, author_id, side, text, at) values ($1, $2, $3, 'analyst', 'Hola', $4)`,
    randomUUID(),
    id,
    analyst.id,
    at,
  )
  await run(
    `insert into call_sittings (appointment_id, side, user_id, session_id, page_id, media, left_at, left_because)
     values ($1, 'customer', $2, $3, $3, '{}', $4, 'left')`,
    id,
    customer.id,
    randomUUID(),
    at,
  )
  await run(
    `insert into events (entity, entity_id, name, reason, at) values ('appointment', $1, 'cancel', 'Palabras viejas', $2)`,
    id,
    at,
  )
  await run(
    `insert into tasks (subject, reason, phone, result, done_at) values ('Pide cambios: «algo»', 'quote', '5511112222', 'Hecho', $1)`,
    at,
  )
  await run(
    `insert into files (id, appointment_id, slot, sent_sha256, sha256, type, bytes, width, height, captured_at, uploaded_by)
     values ($1, $2, 'facade', repeat('a', 64), repeat('b', 64), 'image/jpeg', 9, 9, 9, $3, $4)`,
    randomUUID(),
    id,
    at,
    technician.id,
  )
  await run(
    `insert into invitations (email, kind, code_hash, invited_by, expires_at) values ($1, 'analyst', $2, $3, $4)`,
    `${randomUUID()}@prueba.mx`,
    randomUUID(),
    manager.id,
    at,
  )
  await run(
    `insert into data_reads (reader_id, customer_id, what, subject_id, at) values ($1, $2, 'fiscal', $3, $4)`,
    manager.id,
    customer.id,
    randomUUID(),
    at,
  )
  return { id }
}

const days = retentionDays
test.each([
  ['callSittings', days.callSittings, []],
  ['staffInvitations', days.staffInvitations, ['callSittings']],
  ['callChats', days.callChats, ['callSittings', 'staffInvitations']],
] as const)('deletes %s after %i days, and keeps what may stay longer', async (name, term, before) => {
  await oldThings(term - 1)
  expect(Object.keys(await deleteExpired(world.db, new Date())).toSorted()).toEqual(before.toSorted())
  expect(await deleteExpired(world.db, new Date(Date.now() + 2 * day))).toMatchObject({ [name]: 1 })
})

test('deletes notes, words of the history and of tasks, photos and recorded reads; facts stay', async () => {
  const { id } = await oldThings(days.evidence + 1)
  expect(await deleteExpired(world.db, new Date())).toMatchObject({
    appointmentNotes: 1,
    historyWords: 1,
    taskWords: 1,
    photosWithoutInstallation: 1,
    evidence: 1,
  })
  const one = async (text: string) => (await world.db.$client.query(text, [id])).rows[0]
  expect(await one('select notes, state from appointments where id = $1')).toEqual({
    notes: null,
    state: 'cancelled',
  })
  const event = `select reason, name from events where entity_id = $1 and name = 'cancel'`
  expect(await one(event)).toEqual({ reason: null, name: 'cancel' })
  const { rows } = await world.db.$client.query(
    `select subject, phone, result from tasks order by id desc limit 1`,
  )
  expect(rows).toEqual([{ subject: 'Pide cambios', phone: null, result: '–' }])
  expect(await deleteExpired(world.db, new Date())).toEqual({})
})

test('deletes answers to quotes and messages at the end of their term', async () => {
  const { analyst, technician } = people
  const ages = async (age: number) => {
    const customer = await world.person()
    const at = new Date(Date.now() - age * day)
    const visit = await visited(world, customer, technician)
    const quote = await storeDraft(world, visit, analyst)
    const run = (text: string, ...values: unknown[]) => world.db.$client.query(text, values)
    await run(`update quotes set reason = 'Muy caro', answered_at = $2 where id = $1`, quote.id, at)
    await run(
      `insert into whatsapp_messages (letter_id, user_id, template, created_at) values ($1, $2, 'en_camino', $3)`,
      randomUUID(),
      customer.id,
      at,
    )
  }
  await ages(days.messages - 1)
  expect(await deleteExpired(world.db, new Date())).not.toHaveProperty('messages')
  expect(await deleteExpired(world.db, new Date(Date.now() + 2 * day))).toMatchObject({ messages: 1 })
  await ages(days.quoteAnswers - 1)
  expect(await deleteExpired(world.db, new Date())).not.toHaveProperty('quoteAnswers')
  expect(await deleteExpired(world.db, new Date(Date.now() + 2 * day))).toMatchObject({ quoteAnswers: 1 })
})

test('refuses any other change of the history', async () => {
  const entity = people.customer.id
  await world.db.execute(
    sql`insert into events (entity, entity_id, name, reason) values ('user', ${entity}, 'x', 'dicho')`,
  )
  const named = (error: unknown) => databaseFault(error).constraint
  for (const change of [
    sql`update events set reason = null where entity_id = ${entity}`,
    sql`update events set name = 'y' where entity_id = ${entity}`,
    sql`delete from events where entity_id = ${entity}`,
  ])
    expect(await world.db.execute(change).then(() => 'done', named)).toBe('events_append_only')
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
    utimesSync(file, new Date(), new Date(Date.now() - age * day))
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
