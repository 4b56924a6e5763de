import { randomUUID } from 'node:crypto'
import { isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { toMinutes, wallMinute } from '../../src/domain/shared/calendar.ts'
import { clockText } from '../../src/domain/shared/format.ts'
import { files } from '../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import {
  agenda,
  around,
  assignVisit,
  bookVisit,
  customer,
  minute,
  move,
  slots,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, expectWords, readable, rowsIn, trailOf } from '../kit/reading.ts'
import { jpeg } from '../platform/storage/samples.ts'

openEach(bookVisit, assignVisit)

const screen = () => `/admin/appointments-pending/${visit.id}`
const over = () => `/admin/appointments-done/${visit.id}`
const now = () => visitOf(world, customer)
const press = (after: number, name: string, form = {}, by = people.technician) => {
  world.at(around(visit, after * minute))
  return move(world, by, visit, name, form)
}
/** The wall clock some minutes after the start, as a box for times takes it. */
const clock = (after: number) => clockText(wallMinute(toMinutes(around(visit, after * minute))))
const pendingTasks = () => world.db.select().from(tasks).where(isNull(tasks.doneAt))
const bookAgain = async () => {
  const [startsAt = ''] = await slots(world, customer, 1)
  return world.post(agenda, { startsAt, requestKey: randomUUID() }, customer)
}

test.each(['partial', 'not_possible'] as const)(
  '%s: with its reason, and the next one is booked at once',
  async (outcome) => {
    await press(0, 'start')
    const none = await press(20, 'finish', { outcome, closingNote: 'Se quedó a la mitad.' })
    expect(none.status).toBe(400)
    expect(readable(none)).toContain('Elige por qué no se completó.')
    expect(none.text).toContain('Se quedó a la mitad.')
    expect((await press(20, 'finish', { outcome, reason: 'sin_acceso' })).location).toBe(over())
    expect(await now()).toMatchObject({
      state: 'done',
      outcome,
      closingReason: 'sin_acceso',
      closingNote: null,
    })
    expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
      name: 'finish',
      reason: 'No hubo acceso al lugar',
    })
    const letter = outcome === 'partial' ? 'half_done' : 'not_possible'
    expect((await emailsAbout(world, visit)).at(-1)).toBe(`${letter} to customer`)
    const toDo = { reason: letter, appointmentId: visit.id, personId: customer.id, urgent: false }
    expect(await pendingTasks()).toMatchObject([{ ...toDo, subject: expect.stringContaining(visit.folio) }])
    for (const by of [people.manager, people.analyst])
      expect(readable(await world.visit('/admin', by))).toContain(visit.folio)
    const page = readable(await world.visit(over(), people.technician))
    expectWords(page, 'No hubo acceso al lugar', 'Horarios para proponerle')
    expect(page).toMatch(/Lo registró Tomás/)
    expect(page).not.toContain('Cancelación tardía')
    expect((await bookAgain()).status).toBe(303)
    const [done] = await world.db.select().from(tasks)
    expect([await pendingTasks(), done?.result]).toEqual([[], expect.stringMatching(/^Se agendó VT-/)])
    expect(readable(await world.visit(over(), people.technician))).not.toContain('Horarios para proponerle')
  },
)

test('calling off proposes times, tells the customer why, and frees the customer to book', async () => {
  await press(-20, 'setOut')
  expect(readable(await world.visit(screen(), people.technician))).toContain(
    'Los horarios libres más cercanos',
  )
  const bad = await press(-10, 'callOff', { reason: 'otro', note: 'corta' })
  expect([bad.status, bad.text.includes('>corta</textarea>')]).toEqual([400, true])
  expect(readable(bad)).toContain('Cuenta por qué, con al menos 10 caracteres.')
  const form = { reason: 'clima', note: 'Llueve mucho.' }
  const taps = await Promise.all([press(-9, 'callOff', form), press(-9, 'callOff', form)])
  expect(taps.map(({ location }) => location)).toEqual([over(), over()])
  expect(await now()).toMatchObject({
    state: 'cancelled',
    closingReason: 'clima',
    closingNote: 'Llueve mucho.',
    sequence: visit.sequence + 1,
    movedByCustomer: 0,
    late: false,
  })
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign', 'setOut', 'callOff'])
  expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('called_off'))).toEqual([
    'called_off to customer',
  ])
  expect(await pendingTasks()).toMatchObject([{ reason: 'called_off' }])
  const ended = await world.visit(over(), people.technician)
  expect(readable(ended)).toContain('Horarios para proponerle')
  const [proposal = ''] = /https:\/\/wa\.me\/[^"]*Ap%C3%A1rtalo[^"]*/.exec(ended.text) ?? []
  const offered = new URL(/http\S+/.exec(new URL(proposal).searchParams.get('text')!)![0])
  const hour = offered.searchParams.get('hora')!
  expect(offered.pathname).toBe(agenda)
  expect((await world.visit(offered.pathname + offered.search, customer)).text).toContain(
    `name="startsAt" checked="" value="${hour}"`,
  )
  const own = await world.visit('/technics-visit', customer)
  expect(readable(own)).toContain('Llueve mucho.')
  expect(own.text).toContain(agenda)
  expect((await bookAgain()).status).toBe(303)
})

test('the manager calls off as well, and its person hears of it; a pause is no hindrance', async () => {
  await press(0, 'start')
  await press(5, 'pause')
  expect((await press(6, 'callOff', { reason: 'pago_pendiente' }, people.manager)).status).toBe(303)
  expect(await emailsAbout(world, visit)).toEqual(
    expect.arrayContaining(['called_off to customer', 'called_off to person']),
  )
  expect((await press(7, 'callOff', { reason: 'clima' }, people.manager)).location).toBe(over())
  expect(await now()).toMatchObject({ closingReason: 'pago_pendiente', pausedAt: null })
})

test('what was not set out for is not called off', async () => {
  const early = await press(-20, 'callOff', { reason: 'clima' })
  expect([early.status, readable(early).includes('«Asignada»')]).toEqual([409, true])
  expect(await now()).toMatchObject({ state: 'assigned' })
})

/** The form of whoever went, with a photo. */
async function absent(after: number, form: Record<string, string>, photo: Buffer) {
  world.at(around(visit, after * minute))
  const body = new FormData()
  for (const [name, value] of Object.entries({ move: 'noShow', formKey: randomUUID(), ...form }))
    body.set(name, value)
  body.set('photo', new File([new Uint8Array(photo)], 'fachada.jpg'))
  const headers = { origin: 'http://carga.test' }
  return world.send(screen(), people.technician, { method: 'POST', headers, body })
}

test('a customer who isn’t there: from a quarter of an hour on, after a call, with a photo of the façade', async () => {
  const form = { called: 'yes', calledAt: clock(14) }
  const facade = await jpeg({ width: 900, height: 700 })
  const early = await absent(14, form, facade)
  expect(early.status).toBe(409)
  expect(readable(await world.visit(screen(), people.technician))).toMatch(
    /A partir de .* puedes marcar que no se presentó/,
  )
  const without = await press(15, 'noShow', { note: 'Nadie abre' })
  expect([without.status, without.text.includes('>Nadie abre</textarea>')]).toEqual([400, true])
  const unseen = await press(15, 'noShow', { ...form, note: 'Nadie abre' })
  expect([unseen.status, unseen.text.includes('Toma una foto de la fachada.')]).toEqual([400, true])
  expect(unseen.text).toContain('>Nadie abre</textarea>')
  const broken = await absent(15, form, facade.subarray(0, 900))
  expect([broken.status, readable(broken).includes('dañada o incompleta')]).toEqual([400, true])
  const unsaid = await absent(15, { note: 'Nadie abre' }, facade)
  expect([unsaid.status, readable(unsaid).includes('Ya está la de las')]).toEqual([400, true])
  const future = await press(15, 'noShow', { ...form, calledAt: clock(30), note: 'Nadie abre' })
  expect([future.status, readable(future).includes('Esa hora todavía no llega.')]).toEqual([400, true])
  expect(future.text).toContain('>Nadie abre</textarea>')
  expect(await now()).toMatchObject({ state: 'assigned' })
  // The photo came with a form that was refused, and serves.
  expect((await press(15, 'noShow', form)).location).toBe(over())
  expect((await press(15, 'noShow', form)).location).toBe(over())
  expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('no_show'))).toEqual([
    'no_show to customer',
  ])
  expect(await pendingTasks()).toMatchObject([{ reason: 'no_show', appointmentId: visit.id }])
  const [photo] = await world.db.select().from(files)
  expect(photo).toMatchObject({
    appointmentId: visit.id,
    slot: 'no_show_facade',
    uploadedBy: people.technician.id,
  })
  for (const by of [people.technician, people.manager])
    expect((await world.visit(over(), by)).text).toContain(`/files/${photo!.id}/list`)
  expect(await now()).toMatchObject({ state: 'no_show', closingReason: 'cliente_no_disponible' })
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'noShow',
    data: { calledAt: around(visit, 14 * minute).toISOString() },
  })
  const own = await world.visit('/technics-visit', customer)
  expectWords(readable(own), 'No te encontramos', 'Llegamos aquí el', 'Sí estaba')
  expect(readable(own)).not.toContain('No podías')
  expect(own.text).toContain(`/files/${photo!.id}/list`)
  for (const [by, status] of [
    [customer, 200],
    [people.customer2, 404],
  ] as const)
    expect((await world.visit(`/files/${photo!.id}/list`, by)).status).toBe(status)
  expect((await bookAgain()).status).toBe(303)
})

test('a customer who was not found answers that they were there, once: a task for the office', async () => {
  await press(3 * 24 * 60, 'noShow', { called: 'yes', calledAt: clock(20) }, people.manager)
  const answer = (words: string, by = customer) =>
    world.post('/technics-visit', { intent: 'answer-no-show', appointmentId: visit.id, words }, by)
  const empty = await answer(' ')
  expect([empty.status, readable(empty)]).toEqual([400, expect.stringContaining('Cuéntanos qué pasó.')])
  expect((await answer('Es otra casa.', people.customer2)).status).toBe(404)
  const taps = [await answer('No es mi fachada.'), await answer('No es mi fachada.')]
  expect(taps.map(({ status }) => status)).toEqual([303, 303])
  const answers = await rowsIn(world, tasks, { reason: 'no_show_answer' })
  expect(answers).toMatchObject([
    {
      urgent: true,
      personId: customer.id,
      subject: `Dice que sí estaba en ${visit.folio}: «No es mi fachada.»`,
    },
  ])
  expect(readable(await world.visit('/technics-visit', customer))).toContain('Recibimos lo que nos dijiste')
  expect(readable(await world.visit('/admin', people.analyst))).toContain('Dice que sí estaba')
})

test('one that was not missed is not answered so', async () => {
  const form = { intent: 'answer-no-show', appointmentId: visit.id, words: 'Sí estaba.' }
  expect((await world.post('/technics-visit', form, customer)).status).toBe(409)
})

test('the manager says it of a visit that nobody began, days later', async () => {
  expect(
    (await press(3 * 24 * 60, 'noShow', { called: 'yes', calledAt: clock(20) }, people.manager)).status,
  ).toBe(303)
  expect(await now()).toMatchObject({ state: 'no_show' })
})

test('what was typed about a visit that the house called off meanwhile is given back with the reason', async () => {
  await press(0, 'start')
  await press(5, 'callOff', { reason: 'clima' }, people.manager)
  const typed = 'Quedó listo el cableado hasta el patio.'
  const late = await press(20, 'finish', { outcome: 'completed', closingNote: typed })
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('«Cancelada»')
  expect(readable(late)).toContain(`Esto escribiste: «${typed}»`)
})
