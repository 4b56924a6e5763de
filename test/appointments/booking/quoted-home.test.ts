import { and, eq, isNull } from 'drizzle-orm'
import { bookableProject, refuseUnready } from '../../../src/appointments/project-appointments.ts'
import { addresses, events, projects } from '../../../src/platform/database/schema/projects.ts'
import { acceptQuote } from '../../../src/quotes/accept.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sendJobs,
  sentAbout,
  technician,
} from '../../kit/open.ts'
import { addressForm, type Home } from '../../kit/people.ts'
import { type Quote, quoteOf, sendDraft, storeDraft, storeNext, visited, wishOf } from '../../kit/quotes.ts'
import { expectAnswered, expectShown, expectTwice, refusalOf } from '../../kit/reading.ts'
import { sourcesOf } from '../../sources.ts'

openEach()
sendJobs()

type Form = Record<string, string>
let sent: Quote
beforeEach(async () => {
  const visit = await visited(customer, technician)
  sent = await sendDraft(fixture, analyst, await storeDraft(fixture, visit, analyst))
})

const accept = (quote = sent) => acceptQuote(db, customer.actor, quote.id, wishOf(quote), new Date())
const home = async () => {
  const present = and(eq(addresses.projectId, sent.projectId), isNull(addresses.archivedAt))
  return (await db.select().from(addresses).where(present))[0]
}
const formOf = async (more: Form = {}): Promise<Form> => ({
  ...addressForm,
  version: String((await home())?.version ?? ''),
  ...more,
})
const send = (path: string, form: Form, by = customer) => fixture.post(path, form, by)
const save = async (more: Form = {}) => send('/address', await formOf(more))
const elsewhere = { postalCode: '50000', street: 'Otra calle', outerNumber: '99' }
const words = 'Tu cotización es para este domicilio'
const customerPage = () => `/admin/users/${customer.id}/cliente`
const give = (service: string) =>
  send(
    '/admin/assignations/nueva',
    { ...addressForm, ...elsewhere, intent: 'give-address', customerId: customer.id, service },
    manager,
  )
/** An installation to come at the present home. */
async function bookedThere() {
  const { id: addressId, ...address } = (await home())!
  const where = { projectId: sent.projectId, addressId, address: address as unknown as Home['address'] }
  const start = fromNow(240 * hour)
  return storeVisit(fixture, customer, where, start, { service: 'installation', state: 'requested' })
}
/** Where a home is. */
const place = (row: typeof addresses.$inferSelect | undefined) =>
  row && [
    row.street,
    row.outerNumber,
    row.innerNumber,
    row.colonia,
    row.postalCode,
    row.municipality,
    row.area,
  ]

async function mergedWithOther() {
  const { id: keptId } = customer
  const other = await fixture.person({ name: 'Camila', emailVerified: false })
  await fixture.home(other, { street: 'Otra calle' })
  const form = {
    intent: 'merge',
    keptId,
    endedId: other.id,
    nameOf: 'kept',
    phoneOf: 'kept',
    confirmed: 'on',
  }
  return send(`${customerPage()}/unir`, form, manager)
}

describe('the home of an accepted quote', () => {
  beforeEach(() => accept())

  test('cannot change its postal code, street, numbers or colonia', async () => {
    const before = await home()
    for (const change of [
      { postalCode: '50000' },
      { street: 'Otra calle' },
      { outerNumber: '99' },
      { innerNumber: '99' },
      { colonia: 'Otra colonia' },
    ])
      expectShown(await save(change), 409, words)
    expect(await home()).toEqual(before)
  })

  test('can change how to get there; the page offers help and no removal', async () => {
    const page = await fixture.visit('/address', customer)
    expectShown(page, 200, words, 'Pedir ayuda')
    expect(page.text).not.toContain('Quitar este domicilio')
    const details = { betweenStreets: 'Nueva y Vieja', receiverName: 'Rosa', gateNotes: 'Toca dos veces' }
    await expectAnswered(save({ ...details, street: addressForm.street.toUpperCase() }), 303)
    expect(await home()).toMatchObject(details)
  })

  test('removed before this rule, it is only given again as it was', async () => {
    await db.update(addresses).set({ archivedAt: new Date() })
    const { version: _, ...form } = await formOf()
    await expectAnswered(send('/address', { ...form, ...elsewhere }), 409)
    expect((await give('installation')).status).not.toBe(303)
    expect(await home()).toBeUndefined()
    await expectAnswered(send('/address', form), 303)
  })

  const correction = { intent: 'correct-address', ...addressForm, ...elsewhere, version: '1', visitSeen: '' }
  const areaAnswer = { intent: 'verify-area', taskId: crypto.randomUUID(), version: '1', answer: 'no' }
  /** Every way in which an address changes. */
  const ways: [way: string, status: number, change: () => Promise<{ status: number }>][] = [
    ['its removal', 409, () => send('/address', { intent: 'archive', version: '1' })],
    ['a correction by the office', 409, () => send(`${customerPage()}/domicilio`, correction, manager)],
    ['the address of a caller', 409, () => give('technical_visit')],
    ['a merge with a customer of another home', 303, mergedWithOther],
    ['an answer about the area', 409, () => send('/admin', areaAnswer, manager)],
    ['a pin on the map', 303, () => save({ pin: '19.35, -99.16' })],
    [
      'another home, which opens a project',
      303,
      () => send(`/address?otro=${crypto.randomUUID()}`, { ...addressForm, ...elsewhere }),
    ],
  ]
  test.each(ways)('is unchanged after %s (%i)', async (_way, status, change) => {
    const quoted = place(await home())
    await expectAnswered(change(), status)
    expect(place(await home())).toEqual(quoted)
  })

  // Whoever adds a command adds it to the table above.
  test('is written by no other command', () => {
    const writers = sourcesOf('server', 'screens').flatMap(({ file, text }) => {
      const found = text.match(/(update|insert)\(addresses\)|(update|insert into) addresses\b/g)
      return found ? [[`src/${file}`, found.length]] : []
    })
    expect(Object.fromEntries(writers)).toEqual({
      // The approval of another home.
      'src/customers/booked-visit.ts': 2,
      // Two of them keep a postal code outside the area, never in the place of a home.
      'src/customers/addresses.ts': 7,
      'src/customers/ending.ts': 1,
      'src/privacy/deletion.ts': 1,
    })
  })

  test('does not move along with a booked installation', async () => {
    const { id } = await bookedThere()
    expectShown(await save({ ...elsewhere, moveVisit: 'on', visitSeen: id }), 409, words)
  })

  test('moved before this rule, it gets no installation', async () => {
    await db.update(addresses).set({ street: 'Otra calle' })
    await db.update(projects).set({ depositPaidAt: new Date() })
    expect((await bookableProject(db, customer, 'installation')).hindrance).toBeNull()
    const refusal = async (isCaller: boolean) => {
      const booker = { customerId: customer.id, isCaller }
      return (await refusalOf(refuseUnready(db, booker, 'installation')))[1]
    }
    expect(await refusal(false)).toContain(words)
    expect(await refusal(true)).toContain('Su cotización aceptada es para')
  })
})

test('a quote is not accepted while the home is another than the quoted one', async () => {
  await expectAnswered(save(elsewhere), 303)
  expect((await refusalOf(accept()))[1]).toContain('tu domicilio ya es otro')
  expect((await quoteOf(sent)).state).not.toBe('accepted')
  await expectAnswered(save(), 303)
  expect(await accept()).toMatchObject({ state: 'accepted' })
})

describe('another home', () => {
  const page = () => `/admin/cotizations/detail-quote/${sent.id}`
  const approve = async (more: Form = {}, as = manager) => {
    const { version: _, ...form } = await formOf({ street: 'Otra calle', stands: 'yes', reason: 'Se mudó.' })
    const version = String((await quoteOf(sent)).version)
    return send(page(), { ...form, intent: 'approve-home', version, ...more }, as)
  }
  const acceptedAt = async () => (await rowWhere(projects, { id: sent.projectId }))!.quoteAcceptedAt

  test('is approved by the manager with a reason, once the quote is accepted; the customer is notified', async () => {
    await expectAnswered(approve(), 409)
    await accept()
    await expectAnswered(approve({ reason: '' }), 400)
    await expectAnswered(approve({ stands: '' }), 400)
    await expectScreen(page(), manager, 'Aprobar otro domicilio')
    await expectNotOnPage(page(), analyst, 'Aprobar otro domicilio')
    await expectTwice(() => approve())
    expect(await home()).toMatchObject({ street: 'Otra calle', approvedAt: expect.any(Date) })
    expect(await acceptedAt()).not.toBeNull()
    expect(await sentAbout(sent)).toContain('home_approved to customer')
    expect((await rowsWhere(events, { name: 'approve' }))[0]).toMatchObject({
      entity: 'address',
      reason: 'Se mudó.',
      actorId: manager.id,
    })
    await expectAnswered(save({ street: 'Otra calle' }), 303)
    await expectAnswered(save(), 409)
  })

  test('that needs a new quote keeps the accepted one until the next version is accepted', async () => {
    await accept()
    await expectAnswered(approve({ stands: 'no' }), 303)
    expect(await acceptedAt()).toBeNull()
    expect((await quoteOf(sent)).state).toBe('accepted')
    const next = await sendDraft(fixture, manager, await storeNext(sent, manager))
    expect(next.address).toMatchObject({ street: 'Otra calle' })
    expect(await accept(next)).toMatchObject({ state: 'accepted' })
    expect(await acceptedAt()).not.toBeNull()
  })

  test('is refused while something is booked at the quoted one', async () => {
    await accept()
    await bookedThere()
    expectShown(await approve(), 409, 'Cancélala antes')
  })
})
