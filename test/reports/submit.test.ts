import { and, eq, isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { migrations } from '../../src/server/platform/database/migrate.ts'
import { files } from '../../src/server/platform/database/schema/appointments.ts'
import { addresses, events } from '../../src/server/platform/database/schema/projects.ts'
import { around, customer, minute, move, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, readable, rowsIn } from '../kit/reading.ts'
import { answersOf, beThere, fillIn, sheetOf } from '../kit/reports.ts'
import { answer, press } from './phone.ts'

openEach(beThere)

const at = (minutes: number) => around(visit, minutes * minute)
const submit = (minutes = 9) => press(world, people.technician, visit, 'submit', at(minutes))
const sheetEvents = () => rowsIn(world, events, { entity: 'sheet' })

test('the report ends the visit, at the time it was sent on the phone', async () => {
  await fillIn()
  expect(await submit()).toEqual({ status: 200, json: { state: 'done' } })
  expect(await visitOf(world, customer)).toMatchObject({
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

test('one that lacks something is not sent, and says what', async () => {
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
  expect(await visitOf(world, customer)).toMatchObject({ state: 'in_progress', version: visit.version })
  expect(await sheetEvents()).toEqual([])
  const form = await move(world, people.technician, visit, 'finish')
  expect([form.status, readable(form).includes('Medidor de CFE: Falta la foto.')]).toEqual([409, true])
})

test('sent many times at once, and again later, it is one', async () => {
  await fillIn()
  const answers = await Promise.all([
    submit(),
    submit(),
    submit(8),
    move(world, people.technician, visit, 'finish'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 303])
  expect((await submit()).status).toBe(200)
  expect((await sheetEvents()).map(({ name }) => name)).toEqual(['submit'])
  expect(
    (await eventsOf(world, visit.id, 'appointment')).filter(({ name }) => name === 'finish'),
  ).toHaveLength(1)
  expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('finished'))).toHaveLength(1)
})

test('what was only known of the home is kept from then on as it was', async () => {
  await fillIn()
  await world.db.$client.query(`delete from sheet_answers where name = 'dwelling'`)
  await submit()
  expect((await answersOf(visit)).dwelling).toMatchObject({ value: 'house', changedBy: people.technician.id })
  await world.db.update(addresses).set({ dwelling: 'apartment' }).where(isNull(addresses.archivedAt))
  expect((await answersOf(visit)).dwelling!.value).toBe('house')
})

test('neither a visit that was not begun is ended so, nor somebody else’s', async () => {
  await fillIn()
  await move(world, people.technician, visit, 'undoStart')
  expect((await submit()).status).toBe(409)
  expect((await press(world, people.technician2, visit, 'submit', at(9))).status).toBe(404)
  expect(await sheetOf(visit)).toBeUndefined()
  const [finished] = await world.db
    .select()
    .from(events)
    .where(and(eq(events.entityId, visit.id), eq(events.name, 'finish')))
  expect(finished).toBeUndefined()
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
