import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { addresses } from '../../../src/server/platform/database/schema/projects.ts'
import { book, nothingBooked, slots, visitOf, visitsOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { addressForm, type Person } from '../../kit/people.ts'
import { emailsAbout, eventsOf, expectWords, readable, rowsIn } from '../../kit/reading.ts'
import { accountLetters, at, bookFor, create, newCaller, path, send, startsFor } from './calling.ts'
import { makeReady } from './services.ts'

openEach()

test('somebody new: registered, with an address, a visit booked; the letters go out', async () => {
  const { manager } = people
  const registered = await create()
  const [caller] = await rowsIn(world, users, { email: 'rita@prueba.mx' })
  expect(caller).toMatchObject({ name: 'Rita', phone: '5581234567', role: 'customer', emailVerified: false })
  expect([registered.status, registered.location]).toEqual([303, at(caller!, 'videocall')])
  expect(await accountLetters()).toEqual(['claim_account'])
  const asked = await world.visit(at(caller!), manager)
  expect(readable(asked)).toContain('Guardar domicilio')
  const given = await send({
    intent: 'give-address',
    customerId: caller!.id,
    service: 'technical_visit',
    ...addressForm,
  })
  expect(given.location).toBe(at(caller!))
  const [start] = await startsFor(caller!)
  const answer = await bookFor(caller!, { startsAt: start!, notes: 'Llama antes' })
  const visit = await visitOf(world, { id: caller!.id } as Person)
  expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}`])
  expect(visit).toMatchObject({
    bookedBy: manager.id,
    state: 'assigned',
    overrideReason: null,
    notes: 'Llama antes',
    municipality: 'coyoacan',
  })
  expect(visit.confirmedAt).not.toBeNull()
  expect(await eventsOf(world, visit.id, 'appointment')).toMatchObject([
    { name: 'book', toState: 'assigned', actorId: manager.id },
  ])
  expect(await emailsAbout(world, visit)).toEqual(['assigned to person', 'booked to customer'])
})

describe('somebody new with their home, in one form', () => {
  const home = (form: Record<string, string> = {}) =>
    send({ intent: 'create-customer', ...newCaller, ...addressForm, ...form })
  const homes = () => world.db.select().from(addresses)

  test('in our area: the customer and the home at once, and the hours follow', async () => {
    const answer = await home()
    const [caller] = await rowsIn(world, users, { email: 'rita@prueba.mx' })
    expect([answer.status, answer.location]).toEqual([303, at(caller!)])
    expect(await homes()).toMatchObject([{ area: 'served', municipality: 'coyoacan', wantsNoticeAt: null }])
    expect(await startsFor(caller!)).not.toEqual([])
    expect((await home()).location).toBe(at(caller!))
    expect(await homes()).toHaveLength(1)
    expect(await accountLetters()).toEqual(['claim_account'])
  })

  test('outside it: kept for the notice that we arrived, and a call can be booked', async () => {
    const answer = await home({ postalCode: '55000', municipality: 'Ecatepec', notice: 'on' })
    const [caller] = await rowsIn(world, users, { email: 'rita@prueba.mx' })
    expect([answer.status, answer.location]).toEqual([303, at(caller!, 'videocall')])
    expect(await homes()).toMatchObject([{ area: 'outside', wantsNoticeAt: expect.any(Date) }])
    expect(await startsFor(caller!, 'videocall')).not.toEqual([])
  })

  test('to be verified: said so, answered there, and the hours follow', async () => {
    const answer = await home({ postalCode: '50999', municipality: 'Toluca', confirmInArea: 'on' })
    const [caller] = await rowsIn(world, users, { email: 'rita@prueba.mx' })
    expect([answer.status, answer.location]).toEqual([303, at(caller!)])
    const page = await world.visit(at(caller!), people.manager)
    expectWords(readable(page), 'Su domicilio está por verificar', 'Sí llegamos', 'No llegamos')
    expect(readable(page)).not.toContain('Todavía no llegamos')
    const startsAt = new Date(Date.now() + 10 * 86_400_000).toISOString()
    const early = await bookFor(caller!, { startsAt })
    expect([early.status, readable(early)]).toEqual([
      409,
      expect.stringContaining('Su domicilio está por verificar: di antes si llegamos.'),
    ])
    const taskId = page.text.match(/name="taskId" value="([^"]+)"/)![1]!
    const form = { intent: 'verify-area', taskId, version: '1', answer: 'yes' }
    const said = await world.post(at(caller!), form, people.manager)
    expect([said.status, said.location]).toEqual([303, at(caller!)])
    expect(await homes()).toMatchObject([{ area: 'served', municipality: 'toluca' }])
    expect(await startsFor(caller!)).not.toEqual([])
    const again = await world.post(at(caller!), form, people.manager)
    expect([again.status, readable(again)]).toEqual([409, expect.stringContaining('ya lo atendió')])
  })

  test('all that is wrong is said at once, of the person and of the place', async () => {
    const answer = await home({ name: '', phone: '1', postalCode: '44100', street: '', dwelling: '' })
    expect(answer.status).toBe(400)
    expectWords(
      readable(answer),
      'Escribe su nombre.',
      'Escribe los 10 dígitos de su teléfono',
      'Escribe la calle.',
      'Elige el tipo de vivienda.',
      'Escribe el municipio.',
    )
    expect(await rowsIn(world, users, { email: 'rita@prueba.mx' })).toEqual([])
  })

  test('the code is asked for, unless only a call is wanted', async () => {
    const answer = await send({ intent: 'create-customer', ...newCaller })
    expect([answer.status, readable(answer)]).toEqual([
      400,
      expect.stringContaining('Escribe el código postal.'),
    ])
  })

  test.each([
    ['04100', 'Sí llegamos: Coyoacán'],
    ['55000', 'Por ese código postal no sabemos si llegamos'],
    ['44100', 'Todavía no llegamos a ese código postal'],
  ])('%s is answered before anything else is typed', async (code, words) => {
    expect(readable(await world.visit(`${path}?codigo=${code}`, people.manager))).toContain(words)
  })
})

test('somebody we know is found by phone, e-mail or name, without accents; staff never', async () => {
  const known = await world.person({ name: 'Ángela', lastname: 'Nuñez', phone: '5587654321' })
  for (const q of ['55 8765 4321', known.email, 'angela nunez']) {
    const page = await world.visit(`${path}?q=${encodeURIComponent(q)}`, people.manager)
    expect(page.text).toContain(`cliente=${known.id}`)
  }
  const strange = await world.visit(`${path}?q=%00%20`, people.manager)
  expect(strange.status).toBe(200)
  const none = await world.visit(`${path}?q=Mariana`, people.manager)
  expect(readable(none)).toContain('No encontramos a nadie')
  for (const { id } of [people.analyst, { id: randomUUID() }, { id: 'nadie' }])
    expect((await world.visit(at({ id }), people.manager)).status).toBe(404)
})

describe('a phone that somebody has', () => {
  const phone = '5555550201'
  const carlos = () => world.person({ name: 'Carlos', lastname: 'Demo', phone })

  test.each(['+52 555 555 0201', '525555550201', '5215555550201', '044 555 555 0201', '(555) 555.02-01'])(
    'finds them as a caller ID shows it: %s',
    async (q) => {
      const { id } = await carlos()
      const page = await world.visit(`${path}?q=${encodeURIComponent(q)}`, people.manager)
      expect(page.text).toContain(`cliente=${id}`)
    },
  )

  test('asks before a second one is registered: one press goes on with them, another registers', async () => {
    const { id } = await carlos()
    await world.person({ name: 'Inactivo', phone, active: false })
    await world.person({ kind: 'tecnician', name: 'Teresa', phone })
    const asked = await create({ phone: '+52 1 555 555 0201' })
    expect([asked.status, readable(asked)]).toEqual([
      409,
      expect.stringContaining('Ya existe Carlos Demo con este teléfono: ¿es la misma persona?'),
    ])
    expect(asked.text).toContain(at({ id }).replace('&', '&amp;'))
    expectWords(readable(asked), 'Ya es cliente: abrir a Carlos Demo', 'No, es otra persona')
    expect(await rowsIn(world, users, { email: 'rita@prueba.mx' })).toEqual([])
    expect((await create({ phone, another: 'on' })).status).toBe(303)
    expect((await create({ phone })).status).toBe(303)
    expect(await rowsIn(world, users, { email: 'rita@prueba.mx' })).toHaveLength(1)
  })

  test('a known e-mail offers its customer', async () => {
    const known = await world.person({ name: 'Ángela', lastname: 'Nuñez', phone: '5587654321' })
    const asked = await create({ email: known.email })
    expect(asked.text).toContain(at(known).replace('&', '&amp;'))
    expect(readable(asked)).toContain('Ya es cliente: abrir a Ángela Nuñez')
    expect(readable(asked)).not.toContain('No, es otra persona')
  })
})

test('a customer with an address: the same slots that the customer sees, and a visit of theirs', async () => {
  const { customer } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  expect((await bookFor(customer, { startsAt: start! })).status).toBe(303)
  expect(readable(await world.visit('/technics-visit', customer))).toContain('Confirmada')
  expect(readable(await world.visit(at(customer), people.manager))).toContain('Ya tiene una: VT-')
})

test('a call asks its subject and is the analyst’s at once', async () => {
  const { customer, analyst } = people
  const [start] = await startsFor(customer, 'videocall')
  const call = { service: 'videocall', startsAt: start! }
  const wrong = await bookFor(customer, { ...call, notes: 'Se queda' })
  expect([wrong.status, readable(wrong)]).toEqual([
    400,
    expect.stringContaining('Elige de qué quieres hablar'),
  ])
  expect(wrong.text).toContain('Se queda')
  expect((await bookFor(customer, { ...call, interest: '03' })).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({
    state: 'assigned',
    assigneeId: analyst.id,
    interest: '03',
  })
})

test('an installation only when it is ready', async () => {
  const { customer } = people
  const { projectId } = await world.home(customer)
  const form = { service: 'installation', startsAt: new Date(Date.now() + 10 * 86_400_000).toISOString() }
  const page = readable(await world.visit(at(customer, 'installation'), people.manager))
  expect(page).toContain('que acepte su cotización, que pague su anticipo')
  const early = await bookFor(customer, form)
  expect([early.status, readable(early)]).toEqual([
    409,
    expect.stringContaining('Todavía no se puede agendar su instalación. Falta que acepte su cotización'),
  ])
  expect(readable(early)).not.toContain('te toca a ti')
  await nothingBooked(world)
  await makeReady(world, projectId)
  const [start] = await startsFor(customer, 'installation')
  expect((await bookFor(customer, { ...form, startsAt: start! })).status).toBe(303)
})

test('the same form twice, also at once, is one appointment; another body is refused', async () => {
  const { customer } = people
  await world.home(customer)
  const [start, other] = await slots(world, customer)
  const form = { startsAt: start!, requestKey: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 5 }, () => bookFor(customer, form)))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(303))
  expect(await visitsOf(world, customer)).toHaveLength(1)
  expect((await bookFor(customer, { ...form, startsAt: other! })).status).toBe(409)
})

test('the same person registered twice is one; a known e-mail under another name is refused', async () => {
  const [first, again] = [await create(), await create()]
  expect(again.location).toBe(first.location)
  expect(await accountLetters()).toEqual(['claim_account'])
  const other = await create({ name: 'Otra' })
  expect([other.status, readable(other)]).toEqual([
    409,
    expect.stringContaining('Ya hay una cuenta con este correo. Sigue con esa persona, o pide otro correo.'),
  ])
  expect(other.text).toContain('value="Llamas"')
  const staff = await create({ email: people.technician.email.toUpperCase() })
  expect([staff.status, readable(staff)]).toEqual([409, expect.stringContaining('Es de alguien del equipo')])
  const gone = await world.person({ active: false })
  const inactive = await create({ email: gone.email })
  expect([inactive.status, readable(inactive)]).toEqual([
    409,
    expect.stringContaining('Está desactivada: actívala en Usuarios.'),
  ])
})

describe('wrong fields are said under each, and what was typed stays', () => {
  test.each([
    [{ name: '' }, 'Escribe su nombre.'],
    [{ phone: '123' }, 'Escribe los 10 dígitos de su teléfono'],
    [{ email: 'rita' }, 'Escribe un correo válido'],
  ])('of a person: %j', async (form, words) => {
    const answer = await create(form)
    expect([answer.status, readable(answer)]).toEqual([400, expect.stringContaining(words)])
    expect(answer.text).toContain('value="Llamas"')
    expect(await accountLetters()).toEqual([])
  })

  test('of an address', async () => {
    const { customer } = people
    const form = {
      intent: 'give-address',
      customerId: customer.id,
      service: 'technical_visit',
      ...addressForm,
      postalCode: '123',
    }
    const answer = await world.post(at(customer), form, people.manager)
    expect([answer.status, readable(answer)]).toEqual([400, expect.stringContaining('tiene 5 dígitos')])
    expect(answer.text).toContain('value="Calle Ejemplo"')
    expect(await world.db.select().from(addresses)).toEqual([])
  })

  test('of a slot that went', async () => {
    const { customer } = people
    await world.home(customer)
    const [start] = await slots(world, customer)
    for (const _ of [1, 2]) {
      const other = await world.person()
      await world.home(other)
      await book(world, other, start!)
    }
    const form = {
      intent: 'book-for-caller',
      customerId: customer.id,
      service: 'technical_visit',
      requestKey: randomUUID(),
      startsAt: start!,
      notes: 'Se queda',
    }
    const answer = await world.post(at(customer), form, people.manager)
    expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining('se acaba de ocupar')])
    expectWords(answer.text, 'Se queda', `cliente=${customer.id}&amp;servicio=technical_visit&amp;dia=`)
  })
})

test('an address is given once; a second time is a conflict', async () => {
  const { customer } = people
  await world.home(customer)
  const form = { intent: 'give-address', customerId: customer.id, service: 'technical_visit', ...addressForm }
  const answer = await world.post(at(customer), form, people.manager)
  expect([answer.status, (await world.db.select().from(addresses)).length]).toEqual([409, 1])
})

test('other kinds, customers and the signed out neither see nor do any of it', async () => {
  const { customer, analyst, technician, gester, ally } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  for (const person of [customer, analyst, technician, gester, ally]) {
    expect((await world.visit(path, person)).status).toBe(302)
    expect((await bookFor(customer, { startsAt: start! }, person)).status).toBe(403)
    expect((await send({ intent: 'create-customer', callOnly: 'on', ...newCaller }, person)).status).toBe(403)
  }
  expect((await world.post(path, newCaller)).location).toBe('/signin')
  expect(await rowsIn(world, users, { email: 'rita@prueba.mx' })).toEqual([])
  await nothingBooked(world)
})

test('nobody books for staff, or for somebody inactive', async () => {
  const inactive = await world.person({ active: false })
  for (const person of [people.analyst, inactive])
    expect((await bookFor(person, { startsAt: '29925600' })).status).toBe(404)
})
