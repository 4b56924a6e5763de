import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { checkouts, payments, refunds } from '../../src/platform/database/schema/payments.ts'
import { askAnew, cancelQuote } from '../../src/quotes/answers.ts'
import { lapseQuotes } from '../../src/quotes/jobs.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { hour, type Visit } from '../kit/appointments.ts'
import {
  analyst,
  customer,
  db,
  expectEmails,
  expectRow,
  expectRowsIn,
  expectTrail,
  fixture,
  fromNow,
  inParallel,
  manager,
  openEach,
  rowsWhere,
  runSql,
  sendJobs,
  sentAbout,
  storeRows,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  agreeOn,
  askedIn,
  content,
  installationOf,
  payCash,
  projectOf,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  visited,
} from '../kit/quotes.ts'
import { expectRefusal } from '../kit/reading.ts'

let accepted: Quote
openEach(async () => {
  const input = { content: content({ validUntil: addDays(localDate(toMinutes(new Date())), 2) }) }
  const draft = await storeDraft(fixture, await visited(customer, technician), analyst, input)
  accepted = await agreeOn(analyst, customer, draft)
})
sendJobs()

const pay = (amount: number) => payCash(amount)
const project = () => projectOf(accepted)
const asked = () => askedIn()
const book = (input: Partial<Visit> = {}, startsAt = fromNow(240 * hour)) =>
  installationOf(accepted, startsAt, { minutes: 240, ...input })
const cancel = (by: Person, reason = 'Me mudo de casa.', version = accepted.version) =>
  cancelQuote(db, by.actor, accepted.id, { version, reason }, new Date())

test('an accepted quote is cancelled by its customer: charges end, and a refund of payments is proposed', async () => {
  await pay(300_00)
  await expectRefusal(cancel(customer, 'x', 9), 'aborted')
  expect(await cancel(customer)).toMatchObject({ state: 'cancelled', reason: 'Me mudo de casa.' })
  expect(await asked()).toEqual(['deposit paid 30000', 'deposit cancelled 28000'])
  await expectRowsIn(refunds, {}, [{ amount: 300_00, state: 'requested' }])
  expect(await project()).toMatchObject({ quoteAcceptedAt: null, depositPaidAt: null })
  expect((await sentAbout(accepted)).slice(-2)).toEqual([
    'quote_cancelled to customer',
    'quote_cancelled to maker',
  ])
})

test('an accepted quote is cancelled once by the same form, and not again with another reason', async () => {
  await inParallel(3, () => cancel(customer))
  await expectTrail(accepted, ['send', 'accept', 'cancel'], 'quote')
  const again = cancel(manager, 'Otra razón.')
  await expectRefusal(again, 'failed-precondition', 'Esta cotización ya se canceló.')
})

test('an accepted quote is cancelled by a manager with its booked installation, whose people are emailed', async () => {
  await pay(580_00)
  const { id } = await book()
  await cancel(manager)
  await expectRow(appointments, { id }, { state: 'cancelled', late: false })
  await expectEmails(id, ['cancelled to customer', 'cancelled to person'])
  expect(await project()).toMatchObject({ quoteAcceptedAt: null, depositPaidAt: null })
})

test('an accepted quote is cancelled late by its customer past the limit of the installation, and managers are emailed', async () => {
  await pay(580_00)
  const { id } = await book({ createdAt: new Date(0) }, fromNow(20 * hour))
  await cancel(customer)
  await expectRow(appointments, { id }, { state: 'cancelled', late: true })
  expect(await sentAbout(id)).toContain('late_cancel to managers')
})

test.each([
  ['en_route', 'El técnico ya va en camino a instalar. Llámanos y lo vemos contigo.'],
  ['in_progress', 'La instalación ya empezó. Escríbenos y vemos cómo ayudarte.'],
  ['paused', 'La instalación ya empezó.'],
  ['done', 'La instalación ya empezó.'],
] as const)('an accepted quote is not cancelled once its installation is %s', async (state, words) => {
  await book({ state, ...(state === 'done' && { outcome: 'completed' }) }, new Date())
  for (const by of [customer, manager]) await expectRefusal(cancel(by), 'failed-precondition', words)
  expect(await asked()).toEqual(['deposit pending 58000'])
})

test('an accepted quote is cancelled after its installation turned out impossible', async () => {
  await book({ state: 'done', outcome: 'not_possible' }, new Date())
  expect(await cancel(manager)).toMatchObject({ state: 'cancelled' })
})

test('an accepted quote is cancelled with the extra work of its installation, whose payments are refunded too', async () => {
  const draft = await storeDraft(fixture, await book(), analyst, { kind: 'extra_work' })
  await agreeOn(analyst, customer, draft)
  await pay(580_00)
  await pay(200_00)
  await cancel(customer)
  expect((await quoteOf(draft)).state).toBe('cancelled')
  expect((await asked()).filter((row) => row.includes('pending'))).toEqual([])
  await expectRowsIn(refunds, {}, [{ quoteId: accepted.id, amount: 780_00 }])
})

const days = (after: number) => new Date(accepted.validUntil!.getTime() + after * 24 * hour)

test('an unpaid deposit ends the quote five days after its last day, once, with an email; another can be requested', async () => {
  expect(await lapseQuotes(db, days(5))).toBe(0)
  const late = new Date(days(5).getTime() + 1000)
  const rounds = await inParallel(3, () => lapseQuotes(db, late))
  expect(rounds.toSorted()).toEqual([0, 0, 1])
  expect(await quoteOf(accepted)).toMatchObject({ state: 'lapsed', endedAt: late })
  expect(await asked()).toEqual(['deposit expired 58000'])
  expect((await project()).quoteAcceptedAt).toBeNull()
  expect(await sentAbout(accepted)).toContain('quote_lapsed to customer')
  await askAnew(db, customer.actor, accepted.id, days(6))
  await expectTrail(accepted, ['send', 'accept', 'lapse', 'askAnew'], 'quote')
})

const prove = () =>
  runSql`with proof as (
    insert into documents (customer_id, purpose, name, type, bytes, sha256, uploaded_by)
    select ${customer.id}, 'payment_proof', 'spei.pdf', 'application/pdf', 9, repeat('a', 64), ${customer.id}
    returning id)
    update payments set state = 'in_review', method = 'spei', bank = 'BBVA', tracking_key = 'ABC123', proof_id = proof.id
    from proof`
const makeVoucher = async () => {
  const [{ amount, id: paymentId } = { amount: 0, id: '' }] = await rowsWhere(payments)
  const voucher = { session: 'cs_1', state: 'waiting', expiresAt: days(9), url: '' } as const
  await storeRows(checkouts, { paymentId, amount, ...voucher })
}
const proveFormerVersion = async () => {
  await prove()
  const next = await storeNext(accepted, analyst, { content: accepted.content })
  accepted = await agreeOn(analyst, customer, next)
}

test.each([
  ['the deposit is paid', () => pay(580_00)],
  ['a proof is in review', prove],
  ['a voucher waits', makeVoucher],
  ['a proof of the former version is in review', proveFormerVersion],
])('an unpaid deposit does not end the quote while %s', async (_, begin) => {
  await begin()
  expect(await lapseQuotes(db, days(30))).toBe(0)
  expect((await quoteOf(accepted)).state).toBe('accepted')
})
