import { eq } from 'drizzle-orm'
import { transaction } from '../../src/platform/database/client.ts'
import { clients } from '../../src/platform/database/schema/agencies.ts'
import { quotes } from '../../src/platform/database/schema/payments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { acceptQuote } from '../../src/quotes/accept.ts'
import { cancelQuote } from '../../src/quotes/answers.ts'
import { benefitOfCustomer, digestOf, syncBenefit } from '../../src/quotes/benefit.ts'
import { noteViewed } from '../../src/quotes/detail.ts'
import { openDraft, saveDraft } from '../../src/quotes/drafts.ts'
import { differenceOf } from '../../src/quotes/rules/diff.ts'
import { totalsOfOption } from '../../src/quotes/rules/totals.ts'
import { storeCode, storeTie } from '../kit/agencies.ts'
import {
  ally,
  analyst,
  db,
  expectEmails,
  expectRow,
  expectTrail,
  fixture,
  manager,
  newPerson,
  openOnce,
  people,
  rowWhere,
  sendJobsOnce,
  setRow,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import {
  content,
  line,
  option,
  type Quote,
  quoteOf,
  sendDraft,
  storeDraft,
  storeNext,
  storeSent,
  visited,
  wishOf,
} from '../kit/quotes.ts'
import { expectRefusal } from '../kit/reading.ts'

openOnce()
sendJobsOnce()

const tenPercent = { benefitKind: 'percent', benefitValue: 10_00 } as const
const follow = (customer: Person) => transaction(db, (tx) => syncBenefit(tx, customer.id, new Date()))
/** Someone who uses a code now; what they were sent follows. */
async function use(customer: Person, benefit: Parameters<typeof storeCode>[1] = tenPercent) {
  const code = await storeCode(ally, benefit)
  const tie = await storeTie(customer, code)
  await follow(customer)
  return { code, tie }
}
const end = (tie: { id: string }) => setRow(clients, tie, { endedAt: new Date(), endedReason: 'x' })
/** Someone who was sent a quote. */
async function quoted(input: Parameters<typeof storeSent>[1] = {}) {
  const customer = await newPerson({ name: 'Clara' })
  const { analyst: maker } = people
  return { customer, sent: await storeSent({ customer, technician, maker }, input) }
}
const versions = ({ projectId }: Quote) =>
  db.select().from(quotes).where(eq(quotes.projectId, projectId)).orderBy(quotes.revision)
const accept = (customer: Person, quote: Quote) =>
  acceptQuote(db, customer.actor, quote.id, wishOf(quote, { addOns: ['funda'] }), new Date())
/** The form of a draft that the analyst saves. */
const save = (visitId: string, offered = content(), version = 0) =>
  saveDraft(db, analyst.actor, visitId, { version, content: offered }, new Date())

test('a code used while a quote is open sends the next version with its line in each option', async () => {
  const { customer, sent } = await quoted({ reminded3dAt: new Date('2026-11-20T00:00:00Z') })
  await noteViewed(db, customer.actor, sent.id, new Date())
  const { code } = await use(customer)
  const [former, next] = await versions(sent)
  expect(former).toMatchObject({ state: 'superseded', content: sent.content, digest: sent.digest })
  expect(next).toMatchObject({
    state: 'sent',
    revision: 2,
    folio: sent.folio,
    replacesId: sent.id,
    madeBy: analyst.id,
    sentBy: analyst.id,
    validUntil: sent.validUntil,
    addressee: 'Clara Prueba',
    lowestTotal: 1044_00,
    highestTotal: 2088_00,
    discountShare: 10_00,
    reminded3dAt: new Date('2026-11-20T00:00:00Z'),
    viewedAt: null,
    version: 1,
  })
  const words = `Código ${code.code}: 10 % de descuento`
  const added = { id: 'benefit', kind: 'discount', description: words, percent: 10_00, amount: null }
  for (const { lines } of next!.content.options) expect(lines.at(-1)).toEqual(added)
  expect(digestOf({ ...next!, addressee: next!.addressee! })).toBe(next!.digest)
  expect(differenceOf(sent.content, next!.content)).toEqual({
    options: [
      expect.objectContaining({ option: 'essential', before: 1160_00, after: 1044_00 }),
      expect.objectContaining({ lines: [{ change: 'added', isAddOn: false, after: added }] }),
    ],
    terms: [],
  })
  await expectTrail(sent, ['send', 'view', 'improve'], 'quote')
  await expectTrail(next!, ['send'], 'quote')
  await expectEmails(next!, ['quote_code_used to maker', 'quote_sent to customer'])
  await follow(customer)
  expect(await versions(sent)).toHaveLength(2)
})

test('the code of an accepted quote reduces no other project until that quote is cancelled', async () => {
  const { customer, sent } = await quoted()
  const { tie } = await use(customer, { benefitKind: 'amount', benefitValue: 100_00 })
  const newer = 'Hay una versión más nueva de esta cotización.'
  await expectRefusal(accept(customer, sent), 'failed-precondition', newer)
  const [, next] = await versions(sent)
  const accepted = await accept(customer, next!)
  // (2,000 - 100) · 1.16, and the add-on's 580, of which nothing is taken off.
  expect(accepted).toMatchObject({ acceptedTotal: 2784_00, depositAmount: 1392_00 })
  const tieNow = () => rowWhere(clients, { id: tie.id })
  expect(await tieNow()).toMatchObject({ benefitProjectId: sent.projectId })
  expect(await benefitOfCustomer(db, customer.id, sent.projectId)).not.toBeNull()
  expect(await benefitOfCustomer(db, customer.id, null)).toBeNull()
  const { id, version } = accepted
  await cancelQuote(db, customer.actor, id, { version, reason: 'Me mudo.' }, new Date())
  expect(await tieNow()).toMatchObject({ benefitProjectId: null })
})

test('a code that takes the discounts over 20 % leaves the sent quote, with a task for the manager', async () => {
  const quotedAt = (unitPrice: number, percent: number) => {
    const off = { id: 'd', kind: 'discount', description: 'Promoción', percent, amount: null } as const
    const lines = [line('cable', { unitPrice }), off]
    return quoted({ content: content({ options: [option('essential', { lines })] }) })
  }
  const { customer, sent } = await quotedAt(1000_0000, 15_00)
  await use(customer)
  expect(await versions(sent)).toHaveLength(1)
  expect(await quoteOf(sent)).toMatchObject({ state: 'sent' })
  const task = { urgent: true, reason: 'quote_benefit', personId: customer.id, doneAt: null }
  await expectRow(tasks, { quoteId: sent.id }, task)
  // Exactly 20 % is the analyst's to send, and a customer's code to bring.
  const even = await quotedAt(10_0500, 10_00)
  await use(even.customer)
  expect((await versions(even.sent)).map(({ discountShare }) => discountShare)).toEqual([10_00, 20_00])
})

test('a draft gets the line at once, and follows the version that the code sent', async () => {
  const { customer, sent } = await quoted()
  const draft = await storeNext(sent, analyst)
  await use(customer)
  const [, next, after] = await versions(sent)
  expect(next).toMatchObject({ state: 'sent', revision: 2 })
  expect(after).toMatchObject({ id: draft.id, state: 'draft', revision: 3, replacesId: next!.id })
  // The form that is open does not carry the line, and is still good.
  expect(after).toMatchObject({ version: draft.version, lowestTotal: 1044_00, discountShare: 10_00 })
  await expectTrail(draft, ['benefit'], 'quote')
})

test('an author can neither omit nor change the line, and is told of a code that covers a whole option', async () => {
  const customer = await newPerson()
  const { tie } = await use(customer)
  const visit = await visited(customer, technician)
  const off = { id: 'benefit', kind: 'discount', description: 'Todo', percent: 90_00, amount: null } as const
  for (const lines of [[line('cable')], [off, line('cable')]]) {
    const draft = await save(visit.id, content({ options: [option('essential', { lines })] }))
    expect(draft.content.options[0]!.lines.map(({ id }) => id)).toEqual(['cable', 'benefit'])
    expect(totalsOfOption(draft.content.options[0]!)).toMatchObject({ discount: 100_00, total: 1044_00 })
    await db.delete(quotes).where(eq(quotes.id, draft.id))
  }
  const bare = await storeDraft(fixture, visit, analyst)
  const changed = 'El descuento del código de este cliente cambió. Vuelve a abrir el borrador'
  await expectRefusal(sendDraft(fixture, analyst, bare), 'failed-precondition', changed)
  await end(tie)
  await use(customer, { benefitKind: 'amount', benefitValue: 2000_00 })
  const covered = sendDraft(fixture, manager, await quoteOf(bare))
  await expectRefusal(covered, 'failed-precondition', 'cubren una opción completa')
})

test('a next version begins with the line, and loses it once the tie to the agency ended', async () => {
  const { customer, sent } = await quoted()
  const { tie } = await use(customer)
  const [, next] = await versions(sent)
  const draft = await openDraft(db, analyst.actor, next!.id, new Date())
  expect(draft.lowestTotal).toBe(1044_00)
  await end(tie)
  const kept = await save(next!.appointmentId, draft.content, draft.version)
  expect(kept).toMatchObject({ lowestTotal: 1160_00, discountShare: 0 })
})

test('a code for a free visit changes no quote', async () => {
  const { customer, sent } = await quoted()
  await use(customer, { benefitKind: 'free_visit' })
  expect(await versions(sent)).toHaveLength(1)
})
