import { eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { migrations } from '../../src/server/platform/database/migrate.ts'
import { files } from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, events } from '../../src/server/platform/database/schema/projects.ts'
import { around, expectVisit, minute, move, visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, expectAnswered, expectShown, rowsIn } from '../kit/reading.ts'
import { answersOf, beThere, fillIn, sheetOf } from '../kit/reports.ts'
import { answer, press } from './phone.ts'

openEach(beThere)

const at = (minutes: number) => around(visit, minutes * minute)
const submit = (minutes = 9) => press(world, people.technician, visit, 'submit', at(minutes))
const sheetEvents = () => rowsIn(world, events, { entity: 'sheet' })

test('submitting ends the visit at the time on the phone', async () => {
  await fillIn()
  expect(await submit()).toEqual({ status: 200, json: { state: 'done' } })
  await expectVisit({
    state: 'done',
    outcome: 'completed',
    finishedAt: at(9),
    closingNote: null,
  })
  expect(await sheetOf(visit)).toMatchObject({
    state: 'submitted',
    capturedAt: at(9),
    submittedAt: at(10),
    submittedBy: people.technician.id,
    warrantyUntil: null,
  })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'finish',
    data: { outcome: 'completed', pressedAt: at(9).toISOString() },
  })
  expect((await emailsAbout(world, visit)).at(-1)).toBe('finished to customer')
})

test('refuses an incomplete report and names what is missing', async () => {
  await fillIn()
  await world.db.update(files).set({ replacedAt: new Date() }).where(eq(files.slot, 'meter'))
  await answer(world, people.technician, visit, { name: 'groundOk', value: null, base: 1 })
  const { json, status } = await submit()
  expect([status, json.details.missing.map(({ name }: { name: string }) => name)]).toEqual([
    409,
    ['meter', 'groundOk'],
  ])
  expect(json.description).toBe(
    'Envía tu reporte de visita completo para terminar. Medidor de CFE: Falta la foto. Y 1 más.',
  )
  await expectVisit({ state: 'in_progress', version: visit.version })
  expect(await sheetEvents()).toEqual([])
  expectShown(await move(world, people.technician, visit, 'finish'), 409, 'Medidor de CFE: Falta la foto.')
})

test('submits once when sent several times at once and again later', async () => {
  await fillIn()
  const answers = await Promise.all([
    submit(),
    submit(),
    submit(8),
    move(world, people.technician, visit, 'finish'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 303])
  await expectAnswered(submit(), 200)
  expect((await sheetEvents()).map(({ name }) => name)).toEqual(['submit'])
  expect(
    (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'finish'),
  ).toHaveLength(1)
  expect(await emailsAbout(world, visit, 'finished')).toHaveLength(1)
})

test('stores what was known of the home when it is submitted', async () => {
  await fillIn()
  await world.db.$client.query(`delete from sheet_answers where name = 'dwelling'`)
  await submit()
  expect((await answersOf(visit)).dwelling).toMatchObject({ value: 'house', changedBy: people.technician.id })
  await world.db.update(addresses).set({ dwelling: 'apartment' }).where(isNull(addresses.archivedAt))
  expect((await answersOf(visit)).dwelling!.value).toBe('house')
})

test('refuses to submit the report of a visit that was not begun', async () => {
  await fillIn()
  await move(world, people.technician, visit, 'undoStart')
  await expectAnswered(submit(), 409)
  expect(await sheetOf(visit)).toBeUndefined()
})

test('each pair of phases is asked of a report, but not of one that was measured before they were', async () => {
  const change = (changes: object, base = 1) =>
    answer(
      world,
      people.technician,
      visit,
      ...Object.entries(changes).map(([name, value]) => ({ name, value, base, at: at(4) })),
    )
  const migrated = () => world.db.$client.query(migrations.find(({ name }) => name === phases)!.text)
  await fillIn()
  await change({ supply: 'three', sparePoles: 6, voltsL1L2: null })
  await change({ voltsL3N: 127 }, 0)
  // Begun, and not measured yet: it can be asked.
  await migrated()
  await change({ voltsL1L2: 220 }, 2)
  const { json, status } = await submit()
  expect([status, json.details.missing.map(({ name }: { name: string }) => name)]).toEqual([
    409,
    ['voltsL2L3', 'voltsL1L3'],
  ])
  await migrated()
  const { asksPhases, voltsL1L2 } = await answersOf(visit)
  expect(asksPhases).toEqual({ ...voltsL1L2!, name: 'asksPhases', value: false, revision: 1 })
  // No signature fell.
  expect(await submit()).toEqual({ status: 200, json: { state: 'done' } })
})
const phases = '0065_phases_not_asked.sql'
