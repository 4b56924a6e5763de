import { readdirSync, readFileSync } from 'node:fs'
import { and, eq, isNull } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { bookableProject, refuseUnready } from '../../../src/server/appointments/project-appointments.ts'
import { quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { addresses, events, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { acceptQuote } from '../../../src/server/quotes/accept.ts'
import { storeVisit } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { addressForm, type Home, type Person } from '../../kit/people.ts'
import {
  content,
  type Quote,
  quoteOf,
  sendDraft,
  storeDraft,
  storeNext,
  visited,
  wishOf,
} from '../../kit/quotes.ts'
import { emailsAbout, readable, refusalOf, rowIn, rowsIn } from '../../kit/reading.ts'

openEach()
sendJobs()

type Form = Record<string, string>
let sent: Quote
beforeEach(async () => {
  const visit = await visited(world, people.customer, people.technician)
  // What was booked keeps the address that it was booked for.
  sent = await sendDraft(world, people.analyst, await storeDraft(world, visit, people.analyst))
})

const accept = (quote = sent) =>
  acceptQuote(world.db, people.customer.actor, quote.id, wishOf(quote), new Date())
/** Where something is booked, as the tests' homes say it. */
const where = ({ id: addressId, ...address }: typeof addresses.$inferSelect) => ({
  projectId: sent.projectId,
  addressId,
  address: address as unknown as Home['address'],
})
const home = async () =>
  (
    await world.db
      .select()
      .from(addresses)
      .where(and(eq(addresses.projectId, sent.projectId), isNull(addresses.archivedAt)))
  )[0]
const formOf = async (more: Form = {}): Promise<Form> => ({
  ...addressForm,
  version: String((await home())?.version ?? ''),
  ...more,
})
const save = async (more: Form) => world.post('/address', await formOf(more), people.customer)
const elsewhere = { postalCode: '50000', street: 'Otra calle', outerNumber: '99' }
const words = 'Tu cotización es para este domicilio'
const page = () => `/admin/users/${people.customer.id}/cliente`
const send = (path: string, form: Form, by: Person) => world.post(path, form, by)
const corrected = { intent: 'correct-address', ...addressForm, ...elsewhere, version: '1', visitSeen: '' }
const called = () => ({
  ...addressForm,
  ...elsewhere,
  intent: 'give-address',
  customerId: people.customer.id,
  service: 'technical_visit',
})
const areaAnswer = { intent: 'verify-area', taskId: crypto.randomUUID(), version: '1', answer: 'no' }
/** What an address says of where a home is. */
const isHome = (row: typeof addresses.$inferSelect | undefined) =>
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
  const other = await world.person({ name: 'Camila', emailVerified: false })
  await world.home(other, { street: 'Otra calle' })
  const form = {
    intent: 'merge',
    keptId: people.customer.id,
    endedId: other.id,
    nameOf: 'kept',
    phoneOf: 'kept',
    confirmed: 'on',
  }
  return send(`${page()}/unir`, form, people.manager)
}

async function otherHome() {
  const { onward } = await send('/address', { intent: 'other-home' }, people.customer)
  return send(onward!, { ...addressForm, ...elsewhere }, people.customer)
}

describe('the home of an accepted quote', () => {
  beforeEach(async () => {
    await accept()
  })

  test.each<[string, Form]>([
    ['postal code', { postalCode: '50000' }],
    ['street', { street: 'Otra calle' }],
    ['outer number', { outerNumber: '99' }],
    ['inner number', { innerNumber: '99' }],
    ['colonia', { colonia: 'Otra colonia' }],
  ])('keeps its %s', async (_what, change) => {
    const before = await home()
    const answer = await save(change)
    expect([answer.status, readable(answer).includes(words)]).toEqual([409, true])
    expect(await home()).toEqual(before)
  })

  test('is told on the page, with a way to ask; how to get there stays theirs to say', async () => {
    const page = await world.visit('/address', people.customer)
    expect(readable(page)).toContain(words)
    expect(readable(page)).toContain('Pedir ayuda')
    expect(readable(page)).not.toContain('Quitar este domicilio')
    const details = { betweenStreets: 'Nueva y Vieja', receiverName: 'Rosa', gateNotes: 'Toca dos veces' }
    expect((await save({ ...details, street: addressForm.street.toUpperCase() })).status).toBe(303)
    expect(await home()).toMatchObject(details)
  })

  test('is not removed, nor given anew elsewhere once it is gone', async () => {
    const { version } = (await home())!
    const answer = await world.post(
      '/address',
      { intent: 'archive', version: String(version) },
      people.customer,
    )
    expect([answer.status, readable(answer).includes(words)]).toEqual([409, true])
    // Removed before there was this rule.
    await world.db.update(addresses).set({ archivedAt: new Date() })
    const { version: _, ...first } = await formOf(elsewhere)
    expect((await world.post('/address', first, people.customer)).status).toBe(409)
    const given = {
      ...first,
      intent: 'give-address',
      customerId: people.customer.id,
      service: 'installation',
    }
    expect((await world.post('/admin/assignations/nueva', given, people.manager)).status).not.toBe(303)
    expect(await home()).toBeUndefined()
    const { version: __, ...same } = await formOf()
    expect((await world.post('/address', same, people.customer)).status).toBe(303)
  })

  /** Every way in which an address changes: what it answers, and whether the quoted home is what it was. */
  const ways: [way: string, change: () => Promise<{ status: number }>, status: number][] = [
    ['its customer’s form', () => save(elsewhere), 409],
    ['its removal', () => send('/address', { intent: 'archive', version: '1' }, people.customer), 409],
    ['the office’s correction', () => send(`${page()}/domicilio`, corrected, people.manager), 409],
    ['the address of a caller', () => send('/admin/assignations/nueva', called(), people.manager), 409],
    ['a merge with somebody of another home', mergedWithOther, 303],
    ['an answer about the area', () => send('/admin', areaAnswer, people.manager), 409],
    ['a pin on the map, which is how to get there', () => save({ pin: '19.35, -99.16' }), 303],
    ['another home, which is another project', otherHome, 303],
  ]
  test.each(ways)('is what it was after %s', async (_way, change, status) => {
    const quoted = isHome(await home())
    expect((await change()).status).toBe(status)
    expect(isHome(await home())).toEqual(quoted)
  })

  // An import and the public interface write none: whoever adds a way adds it to the table above.
  test('no other command writes an address', () => {
    const writers = ['src/server', 'src/web']
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
      )
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const found = readFileSync(file, 'utf8').match(
          /(update|insert)\(addresses\)|(update|insert into) addresses\b/g,
        )
        return found ? [[file, found.length]] : []
      })
    expect(Object.fromEntries(writers)).toEqual({
      // The approval of another home, which is the way to change it.
      'src/server/projects/booked-visit.ts': 2,
      // Two of them keep a postal code that we do not serve, never in the place of a home that we may.
      'src/server/projects/addresses.ts': 7,
      'src/server/projects/ending.ts': 1,
      // What a deleted account leaves.
      'src/server/accounts/deletion.ts': 1,
    })
  })

  test('does not move with what is booked there', async () => {
    const own = await home()
    const start = new Date(Date.now() + 10 * 24 * 3_600_000)
    const booked = await storeVisit(world, people.customer, where(own!), start, {
      service: 'installation',
      state: 'requested',
    })
    const answer = await save({ ...elsewhere, moveVisit: 'on', visitSeen: booked.id })
    expect([answer.status, readable(answer).includes(words)]).toEqual([409, true])
  })

  test('that was moved before there was this rule is not installed at', async () => {
    await world.db.update(addresses).set({ street: 'Otra calle' })
    await world.db.update(projects).set({ depositPaidAt: new Date() })
    expect((await bookableProject(world.db, people.customer, 'installation')).hindrance).toBeNull()
    const booker = { customerId: people.customer.id, isCaller: false }
    expect((await refusalOf(refuseUnready(world.db, booker, 'installation')))[1]).toContain(words)
    const byStaff = refuseUnready(world.db, { ...booker, isCaller: true }, 'installation')
    expect((await refusalOf(byStaff))[1]).toContain('Su cotización aceptada es para')
  })
})

describe('before it is accepted', () => {
  test('the home may change, and then the quote is for another: it is not accepted', async () => {
    expect((await save(elsewhere)).status).toBe(303)
    expect((await refusalOf(accept()))[1]).toContain('tu domicilio ya es otro')
    expect((await quoteOf(world, sent)).state).not.toBe('accepted')
    expect((await save({})).status).toBe(303)
    expect(await accept()).toMatchObject({ state: 'accepted' })
  })
})

describe('another home', () => {
  const page = () => `/admin/cotizations/detail-quote/${sent.id}`
  const approve = async (more: Form = {}, as: Person = people.manager) => {
    const { version } = await quoteOf(world, sent)
    const { version: _, ...form } = await formOf({ street: 'Otra calle', stands: 'yes', reason: 'Se mudó.' })
    return world.post(page(), { ...form, intent: 'approve-home', version: String(version), ...more }, as)
  }
  const ready = async () => (await rowIn(world, projects, { id: sent.projectId }))!.quoteAcceptedAt

  test('is approved by the manager alone, with a reason that its customer reads', async () => {
    expect((await approve()).status).toBe(409)
    await accept()
    for (const who of [people.analyst, people.technician, people.gester, people.ally])
      expect([403, 404]).toContain((await approve({}, who)).status)
    expect((await approve({ reason: '' })).status).toBe(400)
    expect((await approve({ stands: '' })).status).toBe(400)
    expect(readable(await world.visit(page(), people.manager))).toContain('Aprobar otro domicilio')
    expect(readable(await world.visit(page(), people.analyst))).not.toContain('Aprobar otro domicilio')
    for (let time = 0; time < 2; time++) expect((await approve()).status).toBe(303)
    expect(await home()).toMatchObject({ street: 'Otra calle', approvedAt: expect.any(Date) })
    expect(await ready()).not.toBeNull()
    expect(await emailsAbout(world, sent)).toContain('home_approved to customer')
    const [trace] = await rowsIn(world, events, { name: 'approve' })
    expect(trace).toMatchObject({ entity: 'address', reason: 'Se mudó.', actorId: people.manager.id })
    const past = await world.visit(`${page()}?parte=historial`, people.manager)
    expect(readable(past)).toContain('Se aprobó otro domicilio')
    // From here on that one is the quote's.
    expect((await save({ street: 'Otra calle' })).status).toBe(303)
    expect((await save({})).status).toBe(409)
  })

  test('that has to be quoted anew keeps what was paid, and waits for the next version', async () => {
    await accept()
    expect((await approve({ stands: 'no' })).status).toBe(303)
    expect(await ready()).toBeNull()
    const [kept] = await rowsIn(world, quotes, { id: sent.id })
    expect(kept!.state).toBe('accepted')
    const next = await sendDraft(
      world,
      people.manager,
      await storeNext(world, sent, people.manager, { content: content() }),
    )
    expect(next.address).toMatchObject({ street: 'Otra calle' })
    expect(await accept(next)).toMatchObject({ state: 'accepted' })
    expect(await ready()).not.toBeNull()
  })

  test('not while something is booked at the one that was quoted', async () => {
    await accept()
    const own = await home()
    const start = new Date(Date.now() + 10 * 24 * 3_600_000)
    await storeVisit(world, people.customer, where(own!), start, {
      service: 'installation',
      state: 'requested',
    })
    const answer = await approve()
    expect([answer.status, readable(answer).includes('Cancélala antes')]).toEqual([409, true])
  })
})
