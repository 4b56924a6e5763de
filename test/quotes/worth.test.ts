import { eq } from 'drizzle-orm'
import { catalogueItems } from '../../src/platform/database/schema/payments.ts'
import { activeCatalogue } from '../../src/quotes/catalogue.ts'
import { withdrawQuote } from '../../src/quotes/detail.ts'
import { saveDraft } from '../../src/quotes/drafts.ts'
import { type ChargedLine, isCharged, type QuoteOption } from '../../src/quotes/rules/content.ts'
import { proposeOptions } from '../../src/quotes/rules/proposal.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import {
  analyst,
  customer,
  db,
  expectScreen,
  fixture,
  manager,
  openEach,
  sendJobs,
  technician,
} from '../kit/open.ts'
import { content, line, type Quote, quoteOf, sendDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectRefusal } from '../kit/reading.ts'

let visitId: string
/** What the report proposes, at the catalogue's prices. */
let proposed: readonly QuoteOption[]
openEach(async () => {
  visitId = (await visited(customer, technician, undefined, completeAnswers.visit)).id
  proposed = proposeOptions(completeAnswers.visit, await activeCatalogue(db))!.options
})
sendJobs()

const path = () => `/admin/cotizations/add-quote/${visitId}`
/** The proposal with each option changed, as the analyst's draft. */
type Change = (option: QuoteOption) => Partial<QuoteOption>
const save = (change: Change = () => ({}), version = 0) => {
  const options = proposed.map((option) => ({ ...option, ...change(option) }))
  const input = { version, content: content({ options }) }
  return saveDraft(db, analyst.actor, visitId, input, new Date())
}
const send = (draft: Quote) => sendDraft(fixture, analyst, draft)
const expectRefused = (draft: Quote) =>
  expectRefusal(send(draft), 'failed-precondition', 'Solo la gerencia puede enviarla')

const every =
  (input: Partial<ChargedLine>): Change =>
  ({ lines }) => ({ lines: lines.filter(isCharged).map((one) => ({ ...one, ...input })) })
const cheap = every({ unitPrice: 100 })
const off = (percent: number) =>
  ({ id: 'd', kind: 'discount', description: 'Descuento', amount: null, percent }) as const
/** Two of the dearest thing of the catalogue for nothing. */
const gift = (id: string) => line(id, { code: 'CAR-22', quantity: 2000, unitPrice: 0 })
const changeLabour = (to: Partial<typeof catalogueItems.$inferInsert>) =>
  db.update(catalogueItems).set(to).where(eq(catalogueItems.code, 'MO-BASE'))

test('an analyst sends what the report proposes, and up to 20 % less', async () => {
  const sent = await send(await save(({ lines }) => ({ lines: [...lines, off(20_00)] })))
  expect(sent).toMatchObject({ state: 'sent', discountShare: 20_00, belowList: 20_00 })
})

test.each<[string, Change]>([
  ['every price at a centavo', cheap],
  ['every quantity a hundredth', every({ quantity: 10 })],
  ['one line of words instead', () => ({ lines: [line('1', { unitPrice: 9_0000 })] })],
  ['lines for nothing', ({ lines }) => ({ lines: [...lines, gift('8'), gift('9')] })],
  ['no IVA and almost 20 % off', (one) => ({ lines: [...every({ iva: 0 })(one).lines!, off(19_00)] })],
  ['add-ons for nothing', () => ({ addOns: [gift('8'), gift('9')] })],
  ['further metres for a centavo', ({ metres }) => ({ metres: { ...metres!, furtherPrice: 100 } })],
  ['many more metres at the same price', ({ metres }) => ({ metres: { ...metres!, included: 4000 } })],
])('an analyst does not send %s', async (_, change) => {
  const draft = await save(change)
  expect(draft.belowList).toBeGreaterThan(20_00)
  await expectRefused(draft)
})

test('an analyst leaves a cheap draft to the manager, who finds it in the list and sends it', async () => {
  const draft = await save(cheap)
  await expectRefused(draft)
  await expectScreen('/admin/cotizations?view=borradores', manager, 'la envía la gerencia')
  const sent = await sendDraft(fixture, manager, draft)
  expect(sent.belowList).toBe(draft.belowList)
})

test('an analyst does not send a cheap next version, nor one whose catalogue rose since', async () => {
  const { id, version } = await send(await save())
  await withdrawQuote(db, analyst.actor, id, { version, reason: 'Otra.' }, new Date())
  await expectRefused(await save(cheap))
  await changeLabour({ unitPrice: 90_000_0000 })
  await expectRefused(await save(undefined, 1))
})

test('an analyst does not send a draft that the catalogue outgrew, and may ask for approval of it', async () => {
  const draft = await save()
  await changeLabour({ unitPrice: 90_000_0000 })
  await expectRefused(draft)
  expect(await save()).toMatchObject({ version: 1, belowList: expect.toSatisfy((at) => at > 20_00) })
  await expectScreen(path(), analyst, 'Pedir autorización')
  const form = { quoteId: draft.id, version: '1', reason: 'Se cotizó antes de la lista nueva.' }
  await expectAnswered(fixture.post(path(), { intent: 'ask-approval', ...form }, analyst), 303)
})

test('an analyst sends nothing below a known cost, and does not read the cost', async () => {
  await changeLabour({ unitCost: 30_000_0000 })
  expect((await fixture.data(path(), analyst)).text).not.toMatch(/300000000|unitCost/)
  const draft = await save()
  await expectRefused(draft)
  expect(await quoteOf(draft)).toMatchObject({ state: 'draft', belowCost: true })
  await changeLabour({ unitCost: 100_0000 })
  expect(await send(draft)).toMatchObject({ state: 'sent', belowCost: false })
})
