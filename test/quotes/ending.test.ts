import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { checkouts, payments, refunds } from '../../src/server/platform/database/schema/payments.ts'
import { askAnew, cancelQuote } from '../../src/server/quotes/answers.ts'
import { lapseQuotes } from '../../src/server/quotes/jobs.ts'
import { hour, storeVisit, type Visit } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  agreeOn,
  askedIn,
  content,
  option,
  payCash,
  projectOf,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  visited,
} from '../kit/quotes.ts'
import { emailsAbout, refusalOf, rowIn, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

let accepted: Quote
beforeEach(async () => {
  const { analyst, customer, technician } = people
  const offered = content({ validUntil: addDays(localDate(toMinutes(new Date())), 2) })
  const visit = await visited(world, customer, technician)
  accepted = await agreeOn(
    world,
    analyst,
    customer,
    await storeDraft(world, visit, analyst, { content: offered }),
  )
})

const pay = (amount: number) => payCash(world, amount)
const project = () => projectOf(world, accepted)
const asked = () => askedIn(world)
const book = (
  state: Visit['state'],
  startsAt = new Date(Date.now() + 240 * hour),
  wish: Partial<Visit> = {},
) => {
  const home = { projectId: accepted.projectId, addressId: '', address: accepted.address } as never
  const { customer, technician } = people
  const of = { service: 'installation' as const, minutes: 240, assigneeId: technician.id, state, ...wish }
  return storeVisit(world, customer, home, startsAt, of)
}
const stateOf = async ({ id }: Visit) => (await rowIn(world, appointments, { id }))!
const cancel = (by: Person, reason = 'Me mudo de casa.', version = accepted.version) =>
  cancelQuote(world.db, by.actor, accepted.id, { version, reason }, new Date())

describe('what was accepted is cancelled', () => {
  test('by its customer: what was asked for ends, what was paid is proposed for a refund', async () => {
    await pay(300_00)
    expect(await cancel(people.customer)).toMatchObject({ state: 'cancelled', reason: 'Me mudo de casa.' })
    expect(await asked()).toEqual(['deposit paid 30000', 'deposit cancelled 28000'])
    const proposed = await world.db.select().from(refunds)
    expect(proposed.map(({ amount, state }) => [amount, state])).toEqual([[300_00, 'requested']])
    expect(await project()).toMatchObject({ quoteAcceptedAt: null, depositPaidAt: null })
    expect((await emailsAbout(world, accepted)).slice(-2)).toEqual([
      'quote_cancelled to customer',
      'quote_cancelled to maker',
    ])
  })

  test('twice by the same form once; later in other words no more', async () => {
    await Promise.all([1, 2, 3].map(() => cancel(people.customer)))
    expect(await trailOf(world, accepted, 'quote')).toEqual(['send', 'accept', 'cancel'])
    expect(await refusalOf(cancel(people.manager, 'Otra razón.'))).toEqual([
      'failed-precondition',
      'Esta cotización ya se canceló.',
    ])
  })

  test('by a manager with its booked installation, whose people hear of it', async () => {
    await pay(580_00)
    const booked = await book('assigned')
    await cancel(people.manager)
    expect(await stateOf(booked)).toMatchObject({ state: 'cancelled', late: false })
    expect(await emailsAbout(world, booked)).toEqual(['cancelled to customer', 'cancelled to person'])
    expect(await project()).toMatchObject({ quoteAcceptedAt: null, depositPaidAt: null })
  })

  test('past the limit its customer cancels the installation late, and the managers hear', async () => {
    await pay(580_00)
    const long = { createdAt: new Date(Date.now() - 72 * hour) }
    const soon = await book('assigned', new Date(Date.now() + 20 * hour), long)
    await cancel(people.customer)
    expect(await stateOf(soon)).toMatchObject({ state: 'cancelled', late: true })
    expect(await emailsAbout(world, soon)).toContain('late_cancel to managers')
  })

  test.each([
    ['en_route', 'El técnico ya va en camino a instalar. Llámanos y lo vemos contigo.'],
    ['in_progress', 'La instalación ya empezó. Escríbenos y vemos cómo ayudarte.'],
    ['paused', 'La instalación ya empezó. Escríbenos y vemos cómo ayudarte.'],
    ['done', 'La instalación ya empezó. Escríbenos y vemos cómo ayudarte.'],
  ] as const)('not once its installation is %s', async (state, words) => {
    const wish = state === 'done' ? { outcome: 'completed' as const } : {}
    await book(state, new Date(), wish)
    for (const by of [people.customer, people.manager]) expect((await refusalOf(cancel(by)))[1]).toBe(words)
    expect(await asked()).toEqual(['deposit pending 58000'])
  })

  test('after its installation turned out not to be possible', async () => {
    await book('done', new Date(), { outcome: 'not_possible' })
    expect(await cancel(people.manager)).toMatchObject({ state: 'cancelled' })
  })

  test('with the extra work of its installation: what was paid for that goes back, too', async () => {
    const extra = { kind: 'extra_work' as const, content: content({ options: [option('essential')] }) }
    const { analyst, customer } = people
    const draft = await storeDraft(world, await book('assigned'), analyst, extra)
    await agreeOn(world, analyst, customer, draft)
    await pay(580_00)
    await pay(200_00)
    await cancel(customer)
    expect((await quoteOf(world, draft)).state).toBe('cancelled')
    expect((await asked()).filter((row) => row.includes('pending'))).toEqual([])
    expect(await world.db.select().from(refunds)).toMatchObject([{ quoteId: accepted.id, amount: 780_00 }])
  })

  test('by nobody else', async () => {
    const { ally, analyst, customer2, gester, technician, technician2 } = people
    for (const by of [analyst, technician]) expect((await refusalOf(cancel(by)))[0]).toBe('permission-denied')
    for (const by of [ally, customer2, gester, technician2])
      expect((await refusalOf(cancel(by)))[0]).toBe('not-found')
    expect((await refusalOf(cancel(people.manager, 'x', 9)))[0]).toBe('aborted')
    expect((await quoteOf(world, accepted)).state).toBe('accepted')
  })
})

describe('a deposit that nobody pays', () => {
  const days = (after: number) => new Date(accepted.validUntil!.getTime() + after * 24 * hour)

  test('ends what was accepted five days after its last day, once, with a letter; another one can be asked for', async () => {
    expect(await lapseQuotes(world.db, days(5))).toBe(0)
    const late = new Date(days(5).getTime() + 1000)
    const rounds = await Promise.all([1, 2, 3].map(() => lapseQuotes(world.db, late)))
    expect(rounds.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect(await quoteOf(world, accepted)).toMatchObject({ state: 'lapsed', endedAt: late })
    expect(await asked()).toEqual(['deposit cancelled 58000'])
    expect((await project()).quoteAcceptedAt).toBeNull()
    expect(await emailsAbout(world, accepted)).toContain('quote_lapsed to customer')
    await askAnew(world.db, people.customer.actor, accepted.id, days(6))
    expect(await trailOf(world, accepted, 'quote')).toEqual(['send', 'accept', 'lapse', 'askAnew'])
  })

  test('once it is paid ends nothing', async () => {
    await pay(580_00)
    expect(await lapseQuotes(world.db, days(30))).toBe(0)
  })

  const prove = () =>
    world.db.execute(sql`with proof as (
      insert into documents (customer_id, purpose, name, type, bytes, sha256, uploaded_by)
      select ${people.customer.id}, 'payment_proof', 'spei.pdf', 'application/pdf', 9, repeat('a', 64), ${people.customer.id}
      returning id)
      update payments set state = 'in_review', method = 'spei', bank = 'BBVA', tracking_key = 'ABC123', proof_id = proof.id
      from proof`)

  test.each([
    ['a proof is being looked at', prove],
    [
      'a voucher was made',
      async () => {
        const [demand] = await world.db.select().from(payments)
        const of = { paymentId: demand!.id, amount: demand!.amount, url: 'https://stripe.test' }
        await world.db
          .insert(checkouts)
          .values({ ...of, session: 'cs_1', state: 'waiting', expiresAt: days(9) })
      },
    ],
  ])('but not while %s', async (_what, begin) => {
    await begin()
    expect(await lapseQuotes(world.db, days(30))).toBe(0)
    expect((await quoteOf(world, accepted)).state).toBe('accepted')
  })

  test('nor while the proof is of the version before', async () => {
    await prove()
    const { analyst, customer } = people
    const next = await storeNext(world, accepted, analyst, { content: accepted.content })
    await agreeOn(world, analyst, customer, next)
    expect(await lapseQuotes(world.db, days(30))).toBe(0)
    expect((await quoteOf(world, next)).state).toBe('accepted')
  })
})
