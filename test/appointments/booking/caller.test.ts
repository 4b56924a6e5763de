import { randomUUID } from 'node:crypto'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { addresses } from '../../../src/platform/database/schema/projects.ts'
import { addDays, minuteAt, toDate } from '../../../src/shared/calendar.ts'
import { localDay, longDate } from '../../../src/shared/format.ts'
import {
  customerWithVisit,
  expectVisit,
  hour,
  nothingBooked,
  slots,
  visitOf,
  visitsOf,
} from '../../kit/appointments.ts'
import {
  analyst,
  customer,
  customer2,
  eventsAbout,
  expectCount,
  expectEmails,
  expectScreen,
  fixture,
  fromNow,
  manager,
  markupOf,
  newHome,
  newPerson,
  openEach,
  post,
  rowsWhere,
  rowWhere,
  technician,
} from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectShown, statusesOf } from '../../kit/reading.ts'
import { workday } from '../../kit/users.ts'
import {
  accountLetters,
  agendaFor,
  at,
  bookFor,
  create,
  newCaller,
  path,
  send,
  startsFor,
} from './calling.ts'
import { makeReady } from './services.ts'

openEach()

const rita = async () => (await rowWhere(users, { email: 'rita@prueba.mx' })) as typeof users.$inferSelect
const homes = () => rowsWhere(addresses)
const giveHome = ({ id }: { id: string }, form: Record<string, string> = {}) => {
  const home = { intent: 'give-address', customerId: id, service: 'technical_visit', ...addressForm }
  return post(at({ id }), { ...home, ...form }, manager)
}

test('the manager registers a caller, saves the address and books a confirmed visit; the emails go out', async () => {
  const registered = await create()
  const caller = await rita()
  expect(caller).toMatchObject({ name: 'Rita', phone: '5581234567', role: 'customer', emailVerified: false })
  expect([registered.status, registered.location]).toEqual([303, at(caller, 'videocall')])
  expect(await accountLetters()).toEqual(['claim_account'])
  await expectLeadsTo(giveHome(caller), at(caller))
  await expectAnswered(giveHome(caller), 409)
  expect(await homes()).toHaveLength(1)
  const [start] = await startsFor(caller)
  const answer = await bookFor(caller, { startsAt: start!, notes: 'Llama antes' })
  const visit = await visitOf({ id: caller.id } as Person)
  expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}`])
  expect(visit).toMatchObject({
    bookedBy: manager.id,
    state: 'assigned',
    confirmedAt: expect.any(Date),
    overrideReason: null,
    notes: 'Llama antes',
    municipality: 'coyoacan',
  })
  expect(await eventsAbout(visit)).toMatchObject([{ name: 'book', toState: 'assigned', actorId: manager.id }])
  await expectEmails(visit, ['assigned to person', 'booked to customer'])
})

describe('a new caller with their home in one form', () => {
  const home = (form: Record<string, string> = {}) =>
    send({ intent: 'create-customer', ...newCaller, ...addressForm, ...form })

  test('inside the area: customer, home and free hours, once', async () => {
    for (let n = 0; n < 2; n++)
      expect(await home()).toMatchObject({ status: 303, location: at(await rita()) })
    expect(await homes()).toMatchObject([{ area: 'served', municipality: 'coyoacan', wantsNoticeAt: null }])
    expect(await startsFor(await rita())).not.toEqual([])
    expect(await accountLetters()).toEqual(['claim_account'])
  })

  test('outside it: kept for the notice of arrival, and a call can be booked', async () => {
    expect(await home({ postalCode: '55000', municipality: 'Ecatepec', notice: 'on' })).toMatchObject({
      status: 303,
      location: at(await rita(), 'videocall'),
    })
    expect(await homes()).toMatchObject([{ area: 'outside', wantsNoticeAt: expect.any(Date) }])
    expect(await startsFor(await rita(), 'videocall')).not.toEqual([])
  })

  test('to be verified: refused until the manager answers on the same page', async () => {
    await home({ postalCode: '50999', municipality: 'Toluca', confirmInArea: 'on' })
    const caller = await rita()
    const page = await fixture.visit(at(caller), manager)
    expectShown(page, 200, 'Su domicilio está por verificar', 'No llegamos')
    const startsAt = fromNow(240 * hour).toISOString()
    expectShown(await bookFor(caller, { startsAt }), 409, 'está por verificar: di antes si llegamos.')
    const taskId = page.text.match(/name="taskId" value="([^"]+)"/)![1]!
    const form = { intent: 'verify-area', taskId, version: '1', answer: 'yes' }
    await expectLeadsTo(post(at(caller), form, manager), at(caller))
    expect(await homes()).toMatchObject([{ area: 'served', municipality: 'toluca' }])
    expect(await startsFor(caller)).not.toEqual([])
    expectShown(await post(at(caller), form, manager), 409, 'ya lo atendió')
  })

  test('all errors of the person and of the place are shown at once', async () => {
    expectShown(
      await home({ name: '', phone: '1', postalCode: '44100', street: '', dwelling: '' }),
      400,
      'Escribe su nombre.',
      'Escribe los 10 dígitos de su teléfono',
      'Escribe la calle.',
      'Elige el tipo de vivienda.',
      'Escribe el municipio.',
    )
    expect(await rita()).toBeUndefined()
  })

  test.each([
    ['04100', 'Sí llegamos: Coyoacán'],
    ['55000', 'Por ese código postal no sabemos si llegamos'],
    ['44100', 'Todavía no llegamos a ese código postal'],
  ])('answers for the postal code %s before anything else is typed', async (code, words) => {
    await expectScreen(`${path}?codigo=${code}`, manager, words)
  })
})

describe('a known customer', () => {
  const phone = '5555550201'
  const carlos = () => newPerson({ name: 'Ángel', lastname: 'Nuñez', phone })

  test('is found by phone in each notation, email or name without accents; staff are not', async () => {
    const { id, email } = await carlos()
    for (const q of ['+52 555 555 0201', '044 555 555 0201', '(555) 555.02-01', email, 'angel nunez']) {
      const text = await markupOf(`${path}?q=${encodeURIComponent(q)}`, manager)
      expect([q, text.includes(`cliente=${id}`)]).toEqual([q, true])
    }
    await expectAnswered(fixture.data(`${path}?q=%00%20`, manager), 200)
    await expectScreen(`${path}?q=Mariana`, manager, 'No encontramos a nadie')
    const inactive = await newPerson({ active: false })
    for (const { id } of [analyst, { id: randomUUID() }, { id: 'nadie' }])
      await expectAnswered(fixture.data(at({ id }), manager), 404)
    for (const person of [analyst, inactive])
      await expectAnswered(bookFor(person, { startsAt: '29925600' }), 404)
  })

  test('of the same phone is offered before another one is registered', async () => {
    const known = await carlos()
    await newPerson({ name: 'Inactivo', phone, active: false })
    await newPerson({ kind: 'tecnician', name: 'Teresa', phone })
    expectShown(
      await create({ phone: '+52 1 555 555 0201' }),
      409,
      'Ya existe Ángel Nuñez con este teléfono: ¿es la misma persona?',
      at(known).replace('&', '&amp;'),
      'Ya es cliente: abrir a Ángel Nuñez',
      'No, es otra persona',
    )
    expect(await rita()).toBeUndefined()
    await expectAnswered(create({ phone, another: 'on' }), 303)
    await expectAnswered(create({ phone }), 303)
    await expectCount(users, { email: 'rita@prueba.mx' }, 1)
  })

  test('of the same email is offered, with no way to register another', async () => {
    const known = await carlos()
    const answer = await create({ email: known.email })
    expectShown(answer, 409, at(known).replace('&', '&amp;'), 'Ya es cliente: abrir a Ángel Nuñez')
    expect(answer.text).not.toContain('No, es otra persona')
  })
})

test('registering a caller twice is once; the email of another name, of staff or of an inactive account is refused', async () => {
  const first = await create()
  await expectLeadsTo(create(), first.location!)
  expect(await accountLetters()).toEqual(['claim_account'])
  expectShown(await create({ name: 'Otra' }), 409, 'Ya hay una cuenta con este correo.', 'value="Llamas"')
  expectShown(await create({ email: technician.email.toUpperCase() }), 409, 'Es de alguien del equipo')
  const { email } = await newPerson({ active: false })
  expectShown(await create({ email }), 409, 'Está desactivada: actívala en Usuarios.')
})

test('an installation is booked only when it is ready', async () => {
  const { projectId } = await newHome(customer)
  const form = { service: 'installation', startsAt: fromNow(240 * hour).toISOString() }
  expectShown(
    await bookFor(customer, form),
    409,
    'Todavía no se puede agendar su instalación. Falta que acepte su cotización',
  )
  await nothingBooked()
  await makeReady(projectId)
  const [start] = await startsFor(customer, 'installation')
  await expectAnswered(bookFor(customer, { ...form, startsAt: start! }), 303)
})

test('one form sent five times at once books once; with another hour it is refused, as is a taken hour', async () => {
  for (const one of [customer, customer2]) await newHome(one)
  const [start, other, , , , , , , taken] = await slots(customer)
  const form = { startsAt: start!, requestKey: randomUUID() }
  const answers = Array.from({ length: 5 }, () => bookFor(customer, form))
  expect(await statusesOf(...answers)).toEqual(Array(5).fill(303))
  expect(await visitsOf(customer)).toHaveLength(1)
  await expectAnswered(bookFor(customer, { ...form, startsAt: other! }), 409)
  for (let n = 0; n < 2; n++) await customerWithVisit(taken)
  expectShown(
    await bookFor(customer2, { startsAt: taken!, notes: 'Se queda' }),
    409,
    'se acaba de ocupar',
    'Se queda',
    `cliente=${customer2.id}&amp;servicio=technical_visit&amp;dia=`,
  )
})

describe('the calendar for a caller', () => {
  beforeEach(() => newHome(customer))

  const date = workday()
  const clockOn = (date: string, time: string) => toDate(minuteAt(date, time))

  test('an urgent hour of today is offered first and booked only with the box and a reason', async () => {
    fixture.at(clockOn(date, '08:10'))
    const agenda = await agendaFor(customer, undefined, `&dia=${date}`)
    const urgent = agenda.slots.find(({ kind }) => kind === 'urgent')!.start
    expect(localDay(new Date(urgent))).toBe(date)
    expect(agenda.urgent).toBe(urgent)
    const form = { startsAt: urgent, overrideReason: 'Se quedó sin cargador' }
    await expectAnswered(bookFor(customer, form), 409)
    await expectAnswered(bookFor(customer, { ...form, override: 'on', overrideReason: 'x' }), 400)
    await nothingBooked()
    await expectAnswered(bookFor(customer, { ...form, override: 'on' }), 303)
    const visit = await visitOf(customer)
    expect(visit).toMatchObject({ state: 'assigned', overrideReason: 'Se quedó sin cargador' })
    expect(await eventsAbout(visit)).toMatchObject([{ name: 'book', reason: 'Se quedó sin cargador' }])
  })

  test('offers nothing urgent once the day is over', async () => {
    fixture.at(clockOn(date, '22:00'))
    expect((await agendaFor(customer)).urgent).toBeNull()
  })

  test('a holiday and a day beyond the horizon open, and are booked with a reason', async () => {
    const { days } = await agendaFor(customer)
    const horizon = days.findLast(({ free }) => free > 0)!.date
    const holiday = days.find(({ date, free, ruled }) => ruled && free === 0 && date < horizon)
    const beyond = days.find(({ date, ruled }) => ruled && date > horizon)!
    for (const { date } of holiday ? [holiday, beyond] : [beyond])
      expectShown(
        await fixture.visit(`${at(customer)}&dia=${date}`, manager),
        200,
        `${longDate(date)}, sin horas libres, con un motivo`,
      )
    const { date, slots } = await agendaFor(customer, undefined, `&dia=${beyond.date}`)
    expect(date).toBe(beyond.date)
    expect(slots.map(({ kind }) => kind)).not.toContain('free')
    const form = { startsAt: slots[0]!.start, overrideReason: 'Sale de viaje' }
    await expectAnswered(bookFor(customer, form), 409)
    await expectAnswered(bookFor(customer, { ...form, override: 'on' }), 303)
    await expectVisit({ overrideReason: 'Sale de viaje' }, customer)
  })

  test('any hour off the grid can be asked for, with who could and the rules against it, neither past nor years ahead', async () => {
    const query = `&dia=${date}&hora=05:07`
    const agenda = await agendaFor(customer, undefined, query)
    const start = clockOn(date, '05:07').toISOString()
    expect(agenda).toMatchObject({ asked: start, date })
    const slot = agenda.slots.find((one) => one.start === start)!
    expect(slot.reasons).toContain('No es una hora de la agenda')
    const form = {
      startsAt: start,
      assigneeId: slot.personId,
      override: 'on',
      overrideReason: 'Sale de viaje',
    }
    const on = (date: string) =>
      bookFor(customer, { ...form, startsAt: clockOn(date, '10:00').toISOString() })
    expectShown(await on('2026-01-05'), 400, 'Esa hora ya pasó')
    expectShown(await on(addDays(date, 3 * 365)), 400, 'dentro de los próximos dos años')
    await nothingBooked()
    await expectAnswered(bookFor(customer, form), 303)
    await expectVisit({ assigneeId: slot.personId }, customer)
    await newHome(customer2)
    const { slots } = await agendaFor(customer2, undefined, `&con=${slot.personId}${query}`)
    expect(slots.map((one) => one.start)).not.toContain(start)
  })

  test('refuses a person of another trade and an unknown one, whatever the reason', async () => {
    const [startsAt] = await startsFor(customer)
    const form = { startsAt: startsAt!, override: 'on', overrideReason: 'Lo pide su cliente' }
    await expectAnswered(bookFor(customer, { ...form, assigneeId: analyst.id }), 409)
    await expectAnswered(bookFor(customer, { ...form, assigneeId: 'nadie' }), 400)
    await nothingBooked()
  })
})
