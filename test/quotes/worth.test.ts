import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { fieldsOf, typedOf } from '../../src/domain/quotes/draft.ts'
import { catalogueItems, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { expectScreen, openEach, people, sendJobs, world } from '../kit/open.ts'
import { builderForm, visited } from '../kit/quotes.ts'
import { expectAnswered, expectPage } from '../kit/reading.ts'

type Form = Record<string, string>
let visitId: string
openEach(async () => {
  const { customer, technician } = people
  visitId = (await visited(world, customer, technician, undefined, completeAnswers.visit)).id
})
sendJobs()

const path = () => `/admin/cotizations/add-quote/${visitId}`
/** The form as its page shows it: what the report proposes, at the catalogue's prices. */
const shown = () => builderForm(visitId)
/** Metres that the lines do not have are confirmed. */
const send = async (form: Form, as = people.analyst) => {
  const post = (more: Form) => world.post(path(), { ...form, ...more, intent: 'send-quote' }, as)
  const first = await post({})
  const [, meant] = /name="meant" value="([^"]+)"/.exec(first.text) ?? []
  return meant ? post({ meant, version: '1' }) : first
}
const expectSent = async (form: Form, as = people.analyst) => expectAnswered(send(form, as), 303)
const expectRefused = async (form: Form) =>
  expectPage(await send(form), 409, 'Solo la gerencia puede enviarla')
/** The same with every field of a name changed, of lines unless told otherwise. */
const every = (form: Form, field: string, value: string, list = 'lines'): Form =>
  Object.fromEntries(
    Object.entries(form).map(([name, typed]) =>
      name.includes(`.${list}.`) && name.endsWith(`.${field}`) ? [name, value] : [name, typed],
    ),
  )
/** Only the first line of each option is left, with more changed of it. */
const oneLine = (form: Form, more: Form): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, typed]) => {
      const [, at, field] = /\.lines\.(\d+)\.(\w+)$/.exec(name) ?? []
      if (at === undefined) return [[name, typed]]
      return at === '0' ? [[name, more[field!] ?? typed]] : []
    }),
  )
const blank = {
  kind: 'material',
  description: 'Otra cosa',
  unit: 'pieza',
  quantity: '1',
  unitPrice: '1',
  iva: '16',
  satProduct: '26121600',
  satUnit: 'H87',
  discount: '',
  code: '',
}
/** One more line at the end of a list of an option. */
const withLine = (form: Form, line: Form, list = 'options.0.lines'): Form => {
  const ids = Object.keys(form).filter((name) => name.startsWith(`${list}.`) && name.endsWith('.id'))
  const fields = Object.entries({ ...blank, ...line, id: String(900 + ids.length) })
  const named = fields.map(([field, value]) => [`${list}.${ids.length}.${field}`, value])
  return { ...form, ...Object.fromEntries(named) }
}
const discounted = (form: Form, discount: string) =>
  [0, 1, 2].reduce(
    (less, option) => withLine(less, { kind: 'discount', discount }, `options.${option}.lines`),
    form,
  )
/** The dearest thing of the catalogue, often, as add-ons that cost nothing. */
const withManyAddOns = (form: Form) => {
  const charger = { kind: 'equipment', unitPrice: '0', quantity: '2', code: 'CAR-22' }
  return [1, 2, 3, 4].reduce((more) => withLine(more, charger, 'options.0.addOns'), form)
}
const rows = () => world.db.select().from(quotes).orderBy(quotes.createdAt)
const changeLabour = (to: Partial<typeof catalogueItems.$inferInsert>) =>
  world.db.update(catalogueItems).set(to).where(eq(catalogueItems.code, 'MO-BASE'))
/** The form of the version after the one that was sent, which is withdrawn. */
async function next(): Promise<Form> {
  const [sent] = await rows()
  const wish = { version: sent!.version, reason: 'Otra.' }
  await withdrawQuote(world.db, people.analyst.actor, sent!.id, wish, new Date())
  return { ...fieldsOf(typedOf(sent!.content)), version: '0' }
}

describe('an analyst', () => {
  test('sends what the report proposes, and up to 20 % less', async () => {
    await expectSent(discounted(await shown(), '20 %'))
    expect(await rows()).toMatchObject([{ state: 'sent', discountShare: 20_00, belowList: 20_00 }])
  })

  test.each<[string, (form: Form) => Form]>([
    ['every price at a centavo', (form) => every(form, 'unitPrice', '0.01')],
    ['every quantity a thousandth', (form) => every(form, 'quantity', '0.01')],
    ['one line, without its code', (form) => oneLine(form, { code: '' })],
    ['one line of words instead', (form) => oneLine(form, { code: '', description: 'Todo', unitPrice: '9' })],
    ['prices of another item’s code', (form) => every(every(form, 'unitPrice', '0.01'), 'code', 'CAB-12')],
    ['no IVA and almost 20 % off', (form) => discounted(every(form, 'iva', '0'), '19 %')],
    ['add-ons for nothing', (form) => withManyAddOns(every(form, 'unitPrice', '0', 'addOns'))],
    ['further metres for a centavo', (form) => ({ ...form, 'options.0.furtherPrice': '0.01' })],
    ['many more metres at the same price', (form) => ({ ...form, 'options.0.metres': '400' })],
  ])('does not send %s', async (_, change) => {
    await expectRefused(change(await shown()))
    const [draft] = await rows()
    expect(draft).toMatchObject({ state: 'draft' })
    expect(draft!.belowList).toBeGreaterThan(20_00)
  })

  test('leaves a cheap draft to the manager, who finds it in the list and sends it', async () => {
    const form = every(await shown(), 'unitPrice', '0.01')
    await expectRefused(form)
    await expectScreen('/admin/cotizations', people.manager, 'la envía la gerencia')
    await expectSent({ ...form, version: '1' }, people.manager)
    expect(await rows()).toMatchObject([{ state: 'sent', belowList: expect.toSatisfy((at) => at > 20_00) }])
  })

  test('does not send a cheap next version, nor one whose catalogue rose since', async () => {
    await expectSent(await shown())
    const form = await next()
    await expectRefused(every(form, 'unitPrice', '0.01'))
    await changeLabour({ unitPrice: 90_000_0000 })
    await expectRefused({ ...form, version: '1' })
  })

  test('does not send a draft that the catalogue outgrew, and may ask for approval of it', async () => {
    await expectAnswered(
      world.post(path(), { ...(await shown()), intent: 'save-quote' }, people.analyst),
      303,
    )
    await changeLabour({ unitPrice: 90_000_0000 })
    await expectRefused(await shown())
    const [draft] = await rows()
    expect(draft).toMatchObject({ state: 'draft', version: 1 })
    await expectScreen(path(), people.analyst, 'Pedir autorización')
    const about = { quoteId: draft!.id, version: '1', reason: 'Se cotizó antes de la lista nueva.' }
    await expectAnswered(world.post(path(), { intent: 'ask-approval', ...about }, people.analyst), 303)
  })

  test('sends nothing below a known cost, and does not read the cost', async () => {
    await changeLabour({ unitCost: 30_000_0000 })
    const { text } = await world.data(path(), people.analyst)
    expect(text).not.toMatch(/300000000|unitCost/)
    await expectRefused(await shown())
    expect(await rows()).toMatchObject([{ state: 'draft', belowCost: true }])
    await changeLabour({ unitCost: 100_0000 })
    await expectSent(await shown())
  })
})
