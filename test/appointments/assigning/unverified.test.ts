import { cancel } from '../../../src/appointments/cancel.ts'
import { letGoAt, mostOfANetwork, proveWords } from '../../../src/appointments/rules/rules.ts'
import { letUnverifiedGo } from '../../../src/appointments/unverified.ts'
import { users } from '../../../src/platform/database/schema/accounts.ts'
import { appointments, unprovedBookings } from '../../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../../src/platform/database/schema/projects.ts'
import { around, book, hour, slots, storeVisit, type Visit, visitsOf } from '../../kit/appointments.ts'
import {
  ago,
  analyst,
  db,
  expectLastEvent,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  inParallel,
  manager,
  newHome,
  newPerson,
  openEach,
  rowsWhere,
  rowWhere,
  runSql,
  sendJobs,
  sentAbout,
  setRow,
  technician,
} from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { expectAnswered, expectShown, statusesOf } from '../../kit/reading.ts'

let customer: Person
openEach(async () => {
  customer = await newPerson({ emailVerified: false })
})
sendJobs()

const agenda = '/agenda-technics-visit'
const prove = ({ id } = customer) => setRow(users, id, { emailVerified: true })
const stateOf = async ({ id }: Visit) => (await rowWhere(appointments, { id }))!.state
const letGo = (at: Date) => letUnverifiedGo(db, at)
const afterBooking = ({ createdAt }: Visit, hours: number) => new Date(createdAt.getTime() + hours * hour)

test('a customer with an unverified email has one appointment over all services until they verify it', async () => {
  const home = await newHome(customer)
  const call = { service: 'videocall', assigneeId: technician.id } as const
  await storeVisit(fixture, customer, home, fromNow(20 * 24 * hour), call)
  const [first] = await slots(customer)
  const page = await fixture.visit(agenda, customer)
  expectShown(page, 200, 'Confirma tu correo para agendar otra cita', 'Reenviar correo')
  expect(page.text).not.toContain('name="startsAt"')
  expectShown(
    await book(customer, first!, { notes: 'Tocar fuerte' }),
    409,
    'Mientras no confirmes tu correo puedes tener una sola cita.',
    'Reenviar correo',
    'Tocar fuerte',
  )
  expect(await visitsOf(customer)).toHaveLength(1)
  await prove()
  await expectAnswered(book(customer, first!), 303)
})

async function visit(input: Partial<Visit> = {}) {
  const at = fromNow(20 * 24 * hour)
  const home = await newHome(customer)
  return storeVisit(fixture, customer, home, at, { assigneeId: technician.id, ...input })
}

test.each<Partial<Visit>>([{ state: 'requested', confirmedAt: null }, { state: 'assigned' }])(
  '%o is cancelled four hours after the booking, with an event and an email',
  async (input) => {
    const kept = await visit(input)
    expect(await letGo(afterBooking(kept, 3.9))).toBe(0)
    expect(await stateOf(kept)).toBe(kept.state)
    expect(await letGo(afterBooking(kept, 4.1))).toBe(1)
    expect(await stateOf(kept)).toBe('cancelled')
    await expectLastEvent(kept, {
      name: 'letGo',
      actorId: null,
      fromState: kept.state,
      toState: 'cancelled',
      reason: 'unverified_email',
    })
    expect(await sentAbout(kept, 'let_go to customer')).toHaveLength(1)
    expect(await letGo(afterBooking(kept, 5))).toBe(0)
    await expectScreen('/technics-visit', customer, 'el correo no se confirmó a tiempo')
  },
)

test('a visit is kept once it began, is on the way, or the email is verified', async () => {
  const kept = await visit()
  expect(await letGo(around(kept, hour))).toBe(0)
  await db.update(appointments).set({ state: 'en_route' })
  expect(await letGo(around(kept, -hour))).toBe(0)
  await db.update(appointments).set({ state: 'assigned' })
  await prove()
  expect(await letGo(around(kept, -2 * hour))).toBe(0)
  expect(await stateOf(kept)).toBe('assigned')
})

describe('rounds of booking and cancelling', () => {
  const callOff = async (by: Person = customer) => {
    const held = (await visitsOf(customer)).find(({ state }) => state !== 'cancelled')!
    const form = { version: held.version, reason: 'cliente_se_arrepiente', note: null } as const
    await cancel(db, by.actor, held.id, form, new Date())
  }
  const bookOne = async (nth = 0) => book(customer, (await slots(customer, nth))[nth]!)
  let home: Home
  beforeEach(async () => {
    home = await newHome(customer)
  })
  const stored = (of: Partial<Visit>) => storeVisit(fixture, customer, home, fromNow(20 * 24 * hour), of)
  const round = async (nth = 0) => {
    await expectAnswered(bookOne(nth), 303)
    await callOff()
  }

  test('refuses an unverified customer a third booking after two that they cancelled, over all services', async () => {
    await round()
    await stored({ service: 'videocall', assigneeId: analyst.id })
    await callOff()
    const words = 'Ya agendaste y cancelaste dos veces. Confirma tu correo para agendar otra vez.'
    expectShown(await bookOne(), 409, words, 'Enviar otra vez')
    await prove()
    await expectAnswered(bookOne(), 303)
  })

  test('refuses two bookings at once after the second round', async () => {
    await round()
    await round(1)
    expect(await statusesOf(bookOne(), bookOne(2))).toEqual([409, 409])
  })

  test('does not count what the office cancelled, nor what it booked', async () => {
    await round()
    await expectAnswered(bookOne(1), 303)
    await callOff(manager)
    await stored({ bookedBy: manager.id, assigneeId: technician.id })
    await callOff()
    await expectAnswered(bookOne(2), 303)
  })
})

test.each<[bookedAt: string, isForCaller: boolean, letGo: string]>([
  ['2026-11-20T10:00Z', false, '2026-11-20T14:00Z'],
  // Near its start there are fewer hours, and never less than two.
  ['2026-11-24T03:00Z', false, '2026-11-24T06:00Z'],
  ['2026-11-24T05:00Z', false, '2026-11-24T07:00Z'],
  ['2026-11-20T10:00Z', true, '2026-11-24T06:00Z'],
  ['2026-11-24T05:00Z', true, '2026-11-24T07:00Z'],
])(
  'a visit at 2026-11-24T18:00Z booked at %s (for a caller: %s) is kept until %s',
  (bookedAt, isForCaller, at) => {
    const startsAt = new Date('2026-11-24T18:00Z')
    expect(letGoAt({ bookedAt: new Date(bookedAt), startsAt, isForCaller })).toEqual(new Date(at))
  },
)

describe('accounts with unverified emails of one network', () => {
  const squatter = async (address: string) => {
    const person = await newPerson({ emailVerified: false })
    await newHome(person)
    return Object.assign(person, { address })
  }
  const bookNth = async (person: Person, nth: number) =>
    book(person, (await slots(person, nth % 4))[Math.floor(nth / 4)]!)

  test('hold a limited number of slots from all addresses; other networks and verified emails are free', async () => {
    for (let n = 0; n < mostOfANetwork; n++)
      await expectAnswered(bookNth(await squatter(`2001:db8:7:${n}::${n}`), n), 303)
    const late = await squatter('2001:db8:7:ffff::1')
    const [start] = await slots(late, 5)
    expectShown(
      await book(late, start!),
      429,
      'Desde tu conexión ya hay varias citas de correos sin confirmar.',
      'Enviar otra vez',
    )
    await expectAnswered(book(await squatter('2001:db8:8::1'), start!), 303)
    await prove(late)
    await expectAnswered(book(late, (await slots(late, 5))[0]!), 303)
  })

  test('hold as many when they book at once, and again after those were cancelled; no address is stored', async () => {
    const all = await inParallel(mostOfANetwork + 3, () => squatter('10.9.9.9'))
    const starts = await Promise.all(all.map((one, nth) => slots(one, nth % 4)))
    const answers = await Promise.all(
      all.map((one, nth) => book(one, starts[nth]![Math.floor(nth / 4) * 3]!)),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(mostOfANetwork)
    const networks = () => rowsWhere(unprovedBookings)
    expect(new Set((await networks()).map(({ network }) => network)).size).toBe(1)
    expect(JSON.stringify(await networks())).not.toContain('10.9.9.9')
    expect(await letGo(fromNow(4.1 * hour))).toBe(mostOfANetwork)
    expect(await networks()).toEqual([])
    await expectAnswered(bookNth(await squatter('10.9.9.9'), 0), 303)
  })
})

test('the office is asked once about more than six bookings of new accounts from one network, none of which is refused', async () => {
  const newcomer = async (days: number) => {
    // The mailbox is confirmed after the booking, or before.
    const person = await newPerson({ emailVerified: days !== 0.5 })
    await newHome(person)
    await runSql`update users set created_at = ${ago(days * 24 * hour)} where id = ${person.id}`
    return Object.assign(person, { address: '10.7.7.7' })
  }
  const asked = async () => (await rowsWhere(tasks)).filter(({ reason }) => reason === 'one_network')
  const bookOf = async (days: number, nth: number) => {
    const person = await newcomer(days)
    await expectAnswered(book(person, (await slots(person, nth % 4))[0]!), 303)
    await prove(person)
  }
  await bookOf(2, 0)
  for (let nth = 1; nth <= mostOfANetwork; nth++) await bookOf(nth % 2 ? 0.5 : 0, nth)
  expect(await asked()).toEqual([])
  for (let nth = 1; nth <= 2; nth++) await bookOf(0, mostOfANetwork + nth)
  const [task, ...more] = await asked()
  expect(more).toEqual([])
  expect(task!.subject.match(/VT-/g)).toHaveLength(mostOfANetwork + 1)
})

test('the customer reads before, at and after booking until when it is kept, until the e-mail is verified', async () => {
  await newHome(customer)
  const [start] = await slots(customer)
  await expectScreen(agenda, customer, 'Si agendas ahora: confirma tu correo antes de')
  const { onward } = await book(customer, start!)
  const [visit] = await visitsOf(customer)
  const { createdAt: bookedAt, startsAt } = visit!
  const words = proveWords(letGoAt({ bookedAt, startsAt, isForCaller: false }), new Date())
  await expectScreen(onward!, customer, words, 'Enviar otra vez')
  await expectScreen('/', customer, words, `Abre el enlace que mandamos a ${customer.email}`)
  await prove()
  await expectNotOnPage('/', customer, 'Confirma tu correo')
})
