import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { addresses } from '../../../src/server/platform/database/schema/projects.ts'
import {
  customerWithVisit,
  expectVisit,
  hour,
  nothingBooked,
  slots,
  visitOf,
  visitsOf,
} from '../../kit/appointments.ts'
import { expectScreen, openEach, people, world } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import {
  emailsAbout,
  eventsOf,
  expectAnswered,
  expectLeadsTo,
  expectShown,
  rowIn,
  rowsIn,
  statusesOf,
} from '../../kit/reading.ts'
import { accountLetters, at, bookFor, create, newCaller, path, send, startsFor } from './calling.ts'
import { makeReady } from './services.ts'

openEach()

const rita = async () => (await rowIn(world, users, { email: 'rita@prueba.mx' })) as typeof users.$inferSelect
const homes = () => world.db.select().from(addresses)
const giveHome = ({ id }: { id: string }, form: Record<string, string> = {}) => {
  const home = { intent: 'give-address', customerId: id, service: 'technical_visit', ...addressForm }
  return world.post(at({ id }), { ...home, ...form }, people.manager)
}

test('the manager registers a caller, saves the address and books a confirmed visit; the emails go out', async () => {
  const { manager } = people
  const registered = await create()
  const caller = await rita()
  expect(caller).toMatchObject({ name: 'Rita', phone: '5581234567', role: 'customer', emailVerified: false })
  expect([registered.status, registered.location]).toEqual([303, at(caller, 'videocall')])
  expect(await accountLetters()).toEqual(['claim_account'])
  await expectScreen(at(caller), manager, 'Guardar domicilio')
  await expectLeadsTo(giveHome(caller), at(caller))
  await expectAnswered(giveHome(caller), 409)
  expect(await homes()).toHaveLength(1)
  const [start] = await startsFor(caller)
  const answer = await bookFor(caller, { startsAt: start!, notes: 'Llama antes' })
  const visit = await visitOf(world, { id: caller.id } as Person)
  expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}`])
  expect(visit).toMatchObject({
    bookedBy: manager.id,
    state: 'assigned',
    confirmedAt: expect.any(Date),
    overrideReason: null,
    notes: 'Llama antes',
    municipality: 'coyoacan',
  })
  expect(await eventsOf(world, visit)).toMatchObject([
    { name: 'book', toState: 'assigned', actorId: manager.id },
  ])
  expect(await emailsAbout(world, visit)).toEqual(['assigned to person', 'booked to customer'])
  await expectScreen(at(caller), manager, 'Ya tiene una: VT-')
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
    const answer = await home({ postalCode: '55000', municipality: 'Ecatepec', notice: 'on' })
    expect(answer).toMatchObject({ status: 303, location: at(await rita(), 'videocall') })
    expect(await homes()).toMatchObject([{ area: 'outside', wantsNoticeAt: expect.any(Date) }])
    expect(await startsFor(await rita(), 'videocall')).not.toEqual([])
  })

  test('to be verified: refused until the manager answers on the same page', async () => {
    await home({ postalCode: '50999', municipality: 'Toluca', confirmInArea: 'on' })
    const caller = await rita()
    const page = await world.visit(at(caller), people.manager)
    expectShown(page, 200, 'Su domicilio está por verificar', 'Sí llegamos', 'No llegamos')
    const startsAt = new Date(Date.now() + 240 * hour).toISOString()
    expectShown(await bookFor(caller, { startsAt }), 409, 'está por verificar: di antes si llegamos.')
    const taskId = page.text.match(/name="taskId" value="([^"]+)"/)![1]!
    const form = { intent: 'verify-area', taskId, version: '1', answer: 'yes' }
    await expectLeadsTo(world.post(at(caller), form, people.manager), at(caller))
    expect(await homes()).toMatchObject([{ area: 'served', municipality: 'toluca' }])
    expect(await startsFor(caller)).not.toEqual([])
    expectShown(await world.post(at(caller), form, people.manager), 409, 'ya lo atendió')
  })

  test('all errors of the person and of the place are shown at once', async () => {
    const answer = await home({ name: '', phone: '1', postalCode: '44100', street: '', dwelling: '' })
    expectShown(
      answer,
      400,
      'Escribe su nombre.',
      'Escribe los 10 dígitos de su teléfono',
      'Escribe la calle.',
      'Elige el tipo de vivienda.',
      'Escribe el municipio.',
    )
    expect(await rita()).toBeUndefined()
    expectShown(await home({ postalCode: '' }), 400, 'Escribe el código postal.')
  })

  test.each([
    ['04100', 'Sí llegamos: Coyoacán'],
    ['55000', 'Por ese código postal no sabemos si llegamos'],
    ['44100', 'Todavía no llegamos a ese código postal'],
  ])('answers for the postal code %s before anything else is typed', async (code, words) => {
    await expectScreen(`${path}?codigo=${code}`, people.manager, words)
  })
})

describe('a known customer', () => {
  const phone = '5555550201'
  const carlos = () => world.person({ name: 'Ángel', lastname: 'Nuñez', phone })

  test('is found by phone in each notation, email or name without accents; staff are not', async () => {
    const { id, email } = await carlos()
    for (const q of ['+52 555 555 0201', '044 555 555 0201', '(555) 555.02-01', email, 'angel nunez']) {
      const { text } = await world.visit(`${path}?q=${encodeURIComponent(q)}`, people.manager)
      expect([q, text.includes(`cliente=${id}`)]).toEqual([q, true])
    }
    await expectAnswered(world.data(`${path}?q=%00%20`, people.manager), 200)
    await expectScreen(`${path}?q=Mariana`, people.manager, 'No encontramos a nadie')
    const inactive = await world.person({ active: false })
    for (const { id } of [people.analyst, { id: randomUUID() }, { id: 'nadie' }])
      await expectAnswered(world.data(at({ id }), people.manager), 404)
    for (const person of [people.analyst, inactive])
      await expectAnswered(bookFor(person, { startsAt: '29925600' }), 404)
  })

  test('of the same phone is offered before another one is registered', async () => {
    const known = await carlos()
    await world.person({ name: 'Inactivo', phone, active: false })
    await world.person({ kind: 'tecnician', name: 'Teresa', phone })
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
    expect(await rowsIn(world, users, { email: 'rita@prueba.mx' })).toHaveLength(1)
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
  const staff = await create({ email: people.technician.email.toUpperCase() })
  expectShown(staff, 409, 'Es de alguien del equipo')
  const { email } = await world.person({ active: false })
  expectShown(await create({ email }), 409, 'Está desactivada: actívala en Usuarios.')
})

test('a call is the analyst’s at once', async () => {
  const { customer, analyst } = people
  const [start] = await startsFor(customer, 'videocall')
  const call = { service: 'videocall', startsAt: start! }
  await expectAnswered(bookFor(customer, { ...call, interest: '03' }), 303)
  await expectVisit(
    {
      state: 'assigned',
      assigneeId: analyst.id,
      interest: '03',
    },
    customer,
  )
})

test('an installation is booked only when it is ready', async () => {
  const { customer } = people
  const { projectId } = await world.home(customer)
  const form = { service: 'installation', startsAt: new Date(Date.now() + 240 * hour).toISOString() }
  await expectScreen(
    at(customer, 'installation'),
    people.manager,
    'que acepte su cotización, que pague su anticipo',
  )
  const early = await bookFor(customer, form)
  expectShown(early, 409, 'Todavía no se puede agendar su instalación. Falta que acepte su cotización')
  expect(early.text).not.toContain('te toca a ti')
  await nothingBooked(world)
  await makeReady(world, projectId)
  const [start] = await startsFor(customer, 'installation')
  await expectAnswered(bookFor(customer, { ...form, startsAt: start! }), 303)
})

test('one form sent five times at once books once; with another hour it is refused, as is a taken hour', async () => {
  const { customer, customer2 } = people
  for (const one of [customer, customer2]) await world.home(one)
  const [start, other, , , , , , , taken] = await slots(world, customer)
  const form = { startsAt: start!, requestKey: randomUUID() }
  const answers = Array.from({ length: 5 }, () => bookFor(customer, form))
  expect(await statusesOf(...answers)).toEqual(Array(5).fill(303))
  expect(await visitsOf(world, customer)).toHaveLength(1)
  await expectAnswered(bookFor(customer, { ...form, startsAt: other! }), 409)
  for (let n = 0; n < 2; n++) await customerWithVisit(world, taken)
  expectShown(
    await bookFor(customer2, { startsAt: taken!, notes: 'Se queda' }),
    409,
    'se acaba de ocupar',
    'Se queda',
    `cliente=${customer2.id}&amp;servicio=technical_visit&amp;dia=`,
  )
})
