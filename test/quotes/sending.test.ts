import { sql } from 'drizzle-orm'
import { quoteApprovals, quotes } from '../../src/platform/database/schema/payments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { acceptQuote } from '../../src/quotes/accept.ts'
import { isApproved } from '../../src/quotes/approvals.ts'
import { digestOf } from '../../src/quotes/benefit.ts'
import { noteViewed, withdrawQuote } from '../../src/quotes/detail.ts'
import { expireQuotes } from '../../src/quotes/jobs.ts'
import { sendQuote } from '../../src/quotes/send.ts'
import {
  ally,
  analyst,
  customer,
  customer2,
  db,
  expectEmails,
  expectNotOnPage,
  expectRow,
  expectScreen,
  expectTrail,
  fixture,
  fromNow,
  gester,
  inParallel,
  manager,
  openEach,
  runSql,
  sendJobs,
  sentAbout,
  setRow,
  technician,
} from '../kit/open.ts'
import {
  content,
  option,
  type Quote,
  quoteOf,
  storeDraft,
  storeNext,
  visited,
  wishOf,
} from '../kit/quotes.ts'
import { expectAnswered, expectOneDone, expectRefusal, expectTwice, insertIn } from '../kit/reading.ts'

let draft: Quote
openEach(async () => {
  draft = await storeDraft(fixture, await visited(customer, technician), analyst)
})
sendJobs()

const send = ({ id, version }: Quote = draft, now = new Date(), by = analyst) =>
  sendQuote(db, by.actor, id, version, now)
const replace = ({ id, version }: Quote, replaces = draft.id) =>
  sendQuote(db, analyst.actor, id, version, new Date(), { replaces })
const withdraw = ({ id, version }: Quote, reason: string | null = 'Cambió el precio.') =>
  withdrawQuote(db, manager.actor, id, { version, reason }, new Date())
const view = (by = customer, now = new Date()) => noteViewed(db, by.actor, draft.id, now)
const stored = () => quoteOf(draft)
const expectEvents = (...names: string[]) => expectTrail(draft, names, 'quote')

test('a draft is sent frozen, with its reader, its address and the last second of its last day', async () => {
  const sent = await send()
  expect(sent).toMatchObject({
    state: 'sent',
    sentBy: analyst.id,
    addressee: 'Camila Prueba',
    version: 2,
    lowestTotal: 1160_00,
    highestTotal: 2320_00,
    discountShare: 0,
    address: expect.objectContaining({ street: 'Calle Ejemplo' }),
    validUntil: new Date(`${draft.content.validUntil}T23:59:59-06:00`),
  })
  const row = await stored()
  expect(digestOf({ ...row, addressee: row.addressee! })).toBe(sent.digest)
  expect(digestOf({ ...row, addressee: 'Otra persona' })).not.toBe(sent.digest)
  for (const set of [`content = content || '{"depositPercent": 1}'`, `digest = repeat('0', 64)`])
    await expect(db.execute(sql.raw(`update quotes set ${set}`))).rejects.toMatchObject({
      cause: { constraint: 'quotes_frozen' },
    })
  await expectEvents('send')
  await expectEmails(draft, ['quote_sent to customer'])
})

test('a draft is sent once by the same form, and not after a change', async () => {
  await expectRefusal(send({ ...draft, version: 7 }), 'aborted')
  await Promise.all([send(), send(), send()])
  await expectEvents('send')
  const other = send(draft, new Date(), manager)
  await expectRefusal(other, 'failed-precondition', 'Esta cotización ya se envió.')
})

test.each([
  ['without a price', { options: [option('essential', { lines: [] })] }, 'una partida con precio'],
  ['after its last day', { validUntil: '2026-01-31' }, 'Su vigencia ya pasó'],
])('a draft is not sent %s', async (_, changes, words) => {
  const json = JSON.stringify(content(changes))
  await runSql`update quotes set content = ${json}::jsonb`
  await expectRefusal(send(), 'failed-precondition', words)
})

test('a sent quote is viewed once, by its own customer, and open forms stay valid', async () => {
  const { version } = await send()
  await view(manager)
  await expectRefusal(view(customer2), 'not-found')
  await view()
  const { viewedAt } = await stored()
  await view(customer, fromNow(60_000))
  expect(await stored()).toMatchObject({ state: 'viewed', version, viewedAt })
  await expectEvents('send', 'view')
})

test('a sent quote is withdrawn once by the same form, with an email', async () => {
  const sent = await send()
  await runSql`update pgboss.job set start_after = now() - interval '1 second'`
  await Promise.all([withdraw(sent), withdraw(sent)])
  expect(await stored()).toMatchObject({ state: 'withdrawn', reason: 'Cambió el precio.' })
  await expectEvents('send', 'withdraw')
  expect(await sentAbout(draft)).toContain('quote_withdrawn to customer')
  await expectRefusal(withdraw(sent, 'Otra.'), 'failed-precondition', 'Retiramos esta cotización.')
})

test('a sent quote is withdrawn without any email while that of its sending waits', async () => {
  await withdraw(await send())
  await expectEmails(draft, [])
})

test('a sent quote expires after its last second, once, with an email', async () => {
  const { validUntil } = await send()
  expect(await expireQuotes(db, validUntil!)).toBe(0)
  const after = new Date(validUntil!.getTime() + 1000)
  const rounds = await inParallel(3, () => expireQuotes(db, after))
  expect(rounds.toSorted()).toEqual([0, 0, 1])
  expect(await stored()).toMatchObject({ state: 'expired', endedAt: validUntil })
  expect(await sentAbout(draft)).toContain('quote_expired to customer')
  await expectEvents('send', 'expire')
})

const sendAndBegin = async () => {
  const sent = await send()
  return { sent, next: await storeNext(sent, analyst) }
}
test('the next version replaces an open one in one act, with one email', async () => {
  const { next } = await sendAndBegin()
  await view()
  await Promise.all([replace(next), replace(next)])
  expect(await stored()).toMatchObject({ state: 'superseded', endedAt: expect.any(Date) })
  await expectEvents('send', 'view', 'supersede')
  expect(await quoteOf(next)).toMatchObject({ state: 'sent', revision: 2 })
  for (const { id } of [draft, next]) await expectEmails(id, ['quote_sent to customer'])
})

test('the next version leaves an open one that its form does not name', async () => {
  const { next } = await sendAndBegin()
  await expectRefusal(replace(next, next.id), 'aborted')
  const words = 'El cliente todavía puede aceptar la versión 1. Si esta la sustituye, envía otra vez.'
  await expectRefusal(send(next), 'failed-precondition', words)
  expect((await stored()).state).toBe('sent')
  expect((await quoteOf(next)).state).toBe('draft')
})

test('the next version is sent, or the former is accepted, whichever comes first', async () => {
  const { sent, next } = await sendAndBegin()
  const input = wishOf(sent, { option: 'essential' })
  const accepting = acceptQuote(db, customer.actor, sent.id, input, new Date())
  const both = await Promise.allSettled([accepting, replace(next)])
  expectOneDone(both)
  expect((await stored()).state).toBe(both[0].status === 'fulfilled' ? 'accepted' : 'superseded')
})

test('the next version replaces a withdrawn one, and one whose time ran out before it was stored as expired', async () => {
  const { sent, next } = await sendAndBegin()
  await withdraw(sent)
  const second = await send(next)
  await expectEvents('send', 'withdraw', 'supersede')
  const later = content({ validUntil: '2031-01-31' })
  const third = await storeNext(second, analyst, { content: later })
  await send(third, new Date(second.validUntil!.getTime() + 1000))
  await expectTrail(next, ['send', 'expire', 'supersede'], 'quote')
})

test('the next version leaves one that was never sent', async () => {
  await withdraw(draft, null)
  await send(await storeNext(draft, analyst))
  expect(await stored()).toMatchObject({ state: 'withdrawn', sentAt: null })
  await expectEmails(draft, [])
})

let sent: Quote
const sendOne = async () => {
  sent = await send()
}
const page = () => `/admin/cotizations/detail-quote/${draft.id}`
const undo = (by = analyst, version = sent.version) =>
  fixture.post('/admin/deshacer', { changes: `cotizacion:${sent.id}:${version}`, back: page() }, by)
const stateOf = async () => (await stored()).state
const offer = 'Puedes deshacerlo todavía'

test('undoing the sending of a quote makes it the same draft again, with nothing to its customer, which is sent anew', async () => {
  const { customerId: personId, id: quoteId, projectId } = draft
  await insertIn(fixture, tasks, { subject: '', reason: 'quote_changes', personId, projectId, quoteId })
  await insertIn(fixture, quoteApprovals, {
    quoteId,
    reason: 'Cliente frecuente',
    askedBy: analyst.id,
    answer: 'approved',
    answeredBy: manager.id,
    answeredAt: new Date(),
    quoteVersion: draft.version,
  })
  await sendOne()
  await expectEmails(draft, ['quote_sent to customer'])
  await expectScreen(page(), analyst, offer)
  await expectTwice(() => undo(), 303, page())
  const { updatedAt, version, ...back } = await stored()
  const { updatedAt: _, version: before, ...was } = draft
  expect(back).toEqual(was)
  expect(version).toBe(before + 2)
  await expectEmails(draft, [])
  await expectEvents('send', 'unsend')
  await expectRow(tasks, { quoteId }, { doneAt: null, takenBy: null, result: null })
  expect(await isApproved(db, await stored())).toBe(true)
  await expectNotOnPage('/quote', customer, draft.folio)
  await expectNotOnPage(page(), analyst, offer)
  await send({ ...draft, version })
  await expectEmails(draft, ['quote_sent to customer'])
})

const emailBecomes = (change: string) => db.execute(sql.raw(`update pgboss.job set ${change}`))
test.each([
  ['its customer viewed it', () => view(), 'El cliente ya vio esta cotización', 'viewed'],
  ['its email was sent', () => emailBecomes(`start_after = now() - interval '1 second'`), 'ya salió', 'sent'],
  ['its email is being sent', () => emailBecomes(`state = 'active'`), 'El aviso al cliente ya salió', 'sent'],
  ['another version was begun', () => storeNext(sent, analyst), 'Ya empezaron otra', 'sent'],
] as const)('undoing the sending of a quote is refused once %s', async (_, happens, words, state) => {
  await sendOne()
  await happens()
  await expectAnswered(undo(), 303)
  await expectScreen(page(), analyst, 'No se pudo deshacer', words)
  await expectNotOnPage(page(), analyst, offer)
  await expectEmails(draft, ['quote_sent to customer'])
  expect(await stateOf()).toBe(state)
})

test('undoing the sending of a quote is refused to others than its sender, and for an invalid version', async () => {
  await sendOne()
  await expectNotOnPage(page(), manager, offer)
  await expectAnswered(undo(manager), 303)
  await expectScreen(page(), manager, 'Solo quien la envió puede deshacerlo')
  for (const by of [customer, technician, gester, ally]) await expectAnswered(undo(by), 403)
  await expectAnswered(undo(analyst, 0), 400)
  expect(await stateOf()).toBe('sent')
})

test('undoing the sending of a quote is refused where it replaced another version', async () => {
  sent = await replace(await storeNext(await send(), analyst))
  await expectNotOnPage(`/admin/cotizations/detail-quote/${sent.id}`, analyst, offer)
  await expectAnswered(undo(), 303)
  expect([(await quoteOf(sent)).state, await stateOf()]).toEqual(['sent', 'superseded'])
})

test('undoing the sending of a quote is refused by the database with a change of frozen columns, or once viewed', async () => {
  const { content, id } = await send()
  const back = { state: 'draft', digest: null, sentAt: null, validUntil: null } as const
  const frozen = { cause: { constraint: 'quotes_frozen' } }
  const changed = setRow(quotes, id, { ...back, content: { ...content, depositPercent: 1 } })
  await expect(changed).rejects.toMatchObject(frozen)
  await view()
  await expect(setRow(quotes, id, back)).rejects.toMatchObject(frozen)
})
