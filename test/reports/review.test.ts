import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import {
  appointments,
  files,
  sheetAnswers,
  sheets,
} from '../../src/server/platform/database/schema/appointments.ts'
import { events, projects } from '../../src/server/platform/database/schema/projects.ts'
import { saveAnswers } from '../../src/server/reports/answers.ts'
import { sheetFor } from '../../src/server/reports/queries.ts'
import { approveSheet, returnSheet } from '../../src/server/reports/review.ts'
import { around, customer, minute, visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { emailsAbout, rowsIn } from '../kit/reading.ts'
import { beThere, fileRow, fillIn, sheetOf } from '../kit/reports.ts'
import { answer, press } from './phone.ts'

const at = (minutes: number) => around(visit, minutes * minute)
const send = (minutes: number) => press(world, people.technician, visit, 'submit', at(minutes))

openEach(beThere, fillIn, () => send(9))
sendJobs()
let version = 0
beforeEach(async () => {
  version = (await sheetOf(visit))!.version
})

const reason = 'La foto del medidor no se lee.'
const approve = (by: Person, seen = version) =>
  approveSheet(world.db, by.actor, visit.id, { version: seen }, new Date())
const giveBack = (by: Person, redo: string[] = ['meter', 'meterNumber'], seen = version) =>
  returnSheet(world.db, by.actor, visit.id, { reason, redo, version: seen }, new Date())
const trail = async () => (await rowsIn(world, events, { entity: 'sheet' })).map(({ name }) => name)
const refused = (code: string) => expect.objectContaining({ code })

describe('who reviews', () => {
  test('an analyst and a manager; nobody else, and for others it does not exist', async () => {
    const { technician, technician2, gester, ally, manager } = people
    for (const [by, code] of [
      [technician, 'permission-denied'],
      [customer, 'permission-denied'],
      ...([technician2, gester, ally] as Person[]).map((one) => [one, 'not-found'] as const),
    ] as const)
      for (const change of [approve, giveBack]) await expect(change(by)).rejects.toEqual(refused(code))
    expect(await trail()).toEqual(['submit'])
    await approve(manager)
    expect(await sheetOf(visit)).toMatchObject({
      state: 'approved',
      reviewedBy: manager.id,
      reviewedAt: at(10),
    })
    expect(await sheetFor(world.db, people.analyst.actor, visit.id)).toMatchObject({
      state: 'approved',
      mayReview: false,
      mayCorrect: false,
      reviewedBy: expect.any(String),
    })
  })

  test('two at once: one of the two, and the other hears that it is over', async () => {
    const both = await Promise.allSettled([approve(people.manager), giveBack(people.analyst)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await trail()).toHaveLength(2)
  })

  test('nobody takes what they did not see', async () => {
    const change = { name: 'panelBrand', value: 'Siemens', base: 1, at: new Date() }
    await saveAnswers(world.db, people.manager.actor, visit.id, [change], new Date())
    await expect(approve(people.analyst)).rejects.toEqual(refused('aborted'))
    await approve(people.analyst, version + 1)
  })
})

test('its customer sees a report that was sent; a draft is nobody’s but ours', async () => {
  expect(await sheetFor(world.db, customer.actor, visit.id)).toMatchObject({
    state: 'submitted',
    mayWrite: false,
    mayCorrect: false,
    mayReview: false,
  })
  expect(await sheetFor(world.db, people.customer2.actor, visit.id)).toBeNull()
})

describe('a returned report', () => {
  beforeEach(() => giveBack(people.analyst))

  test('is its technician’s again, who hears why and what for', async () => {
    expect(await emailsAbout(world, visit)).toContain('sheet_returned to person')
    expect(await sheetFor(world.db, people.technician.actor, visit.id)).toMatchObject({
      state: 'returned',
      mayWrite: true,
      returnReason: reason,
      redo: ['meter', 'meterNumber'],
      redone: [],
      missing: [{ name: 'meter', section: 'medidor' }, { name: 'meterNumber' }],
    })
    expect(await sheetFor(world.db, customer.actor, visit.id)).toMatchObject({ mayWrite: false })
  })

  test('is sent again when everything asked for was given anew, the same answer too', async () => {
    const { technician } = people
    const early = await send(11)
    expect([early.status, early.json.details.missing]).toEqual([
      409,
      [expect.objectContaining({ name: 'meter' }), expect.objectContaining({ name: 'meterNumber' })],
    ])
    world.at(at(20))
    // It was right; saying so again is enough.
    await answer(world, technician, visit, { name: 'meterNumber', value: '12AB34', base: 1 })
    await world.db.update(files).set({ replacedAt: new Date() }).where(eq(files.slot, 'meter'))
    await world.db.insert(files).values(fileRow(visit.id, 'meter', technician.id))
    expect(await sheetFor(world.db, technician.actor, visit.id)).toMatchObject({
      redo: [],
      redone: ['meter', 'meterNumber'],
      missing: [],
      progress: 100,
    })
    expect((await send(19)).status).toBe(200)
    expect(await sheetOf(visit)).toMatchObject({
      state: 'submitted',
      capturedAt: at(19),
      submittedAt: at(20),
    })
    expect(await trail()).toEqual(['submit', 'return', 'submit'])
    expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('finished'))).toHaveLength(
      1,
    )
  })

  test('is not sent by a sending that we heard before', async () => {
    expect((await send(9)).status).toBe(200)
    expect((await sheetOf(visit))!.state).toBe('returned')
  })
})

test('one that lost an answer to a correction is not approved', async () => {
  const change = { name: 'panelBrand', value: null, base: 1, at: new Date() }
  await saveAnswers(world.db, people.manager.actor, visit.id, [change], new Date())
  await expect(approve(people.manager, version + 1)).rejects.toMatchObject({
    description: 'Antes de aprobarlo, corrige «Marca del tablero»: Falta responder.',
  })
})

test('what was given back to somebody who left is put right and approved by the office', async () => {
  await giveBack(people.manager)
  await expect(approve(people.manager, version + 1)).rejects.toMatchObject({
    description: 'Espera a que su técnico lo complete.',
  })
  await world.db.update(users).set({ active: false }).where(eq(users.id, people.technician.id))
  await approve(people.manager, version + 1)
  expect((await sheetOf(visit))!.state).toBe('approved')
})

test('one whose technician left is not given back: the office puts it right', async () => {
  await world.db.update(users).set({ active: false }).where(eq(users.id, people.technician.id))
  await expect(giveBack(people.manager)).rejects.toMatchObject({
    description: expect.stringContaining('Corrige tú el reporte'),
  })
})

test('what was asked for again and is not asked any more, after another answer, keeps nothing back', async () => {
  const { technician } = people
  const reason = { name: 'feasibilityReason', value: 'Hay que cambiar el tablero.', base: 1 }
  await saveAnswers(
    world.db,
    people.analyst.actor,
    visit.id,
    [
      { name: 'feasibility', value: 'with_works', base: 1, at: at(9) },
      { ...reason, at: at(9) },
    ],
    new Date(),
  )
  await giveBack(people.analyst, ['feasibilityReason', 'fault_1'], (await sheetOf(visit))!.version)
  const missing = async () => (await sheetFor(world.db, technician.actor, visit.id))!.missing
  expect((await missing()).map(({ name }) => name)).toEqual(['feasibilityReason'])
  await answer(world, technician, visit, { name: 'feasibility', value: 'viable', base: 2 })
  expect(await missing()).toEqual([])
  world.at(at(12))
  expect((await send(11)).status).toBe(200)
})

test('sent anew by a clock that went back, it is not said to be sent; the first sending heard again is', async () => {
  await giveBack(people.analyst, [])
  expect((await send(9)).status).toBe(200)
  const early = await send(8)
  expect([early.status, early.json.description]).toEqual([409, expect.stringMatching('^La cita cambió a')])
  expect((await sheetOf(visit))!.state).toBe('returned')
})

test('what the home says of itself once the report is sent is no part of it', async () => {
  const read = async () => (await sheetFor(world.db, people.analyst.actor, visit.id))!.answers
  await world.db.delete(sheetAnswers).where(eq(sheetAnswers.name, 'chargerBrand'))
  await world.db
    .update(projects)
    .set({ charger: { origin: 'own', brand: 'Zaptec', kilowatts: 7 } as never })
    .where(eq(projects.id, visit.projectId))
  expect((await read()).chargerBrand).toBeUndefined()
  await world.db.delete(sheets).where(eq(sheets.appointmentId, visit.id))
  await world.db.update(appointments).set({ state: 'in_progress' }).where(eq(appointments.id, visit.id))
  expect((await read()).chargerBrand).toEqual({ value: 'Zaptec', revision: 0 })
})
