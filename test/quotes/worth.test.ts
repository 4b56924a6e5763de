import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { fieldsOf, typedOf } from '../../src/domain/quotes/draft.ts'
import { catalogueItems, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { withdrawQuote } from '../../src/server/quotes/detail.ts'
import { builderFor } from '../../src/server/quotes/drafts.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { visited } from '../kit/quotes.ts'
import { readable } from '../kit/reading.ts'

openEach()
sendJobs()

type Form = Record<string, string>
let visitId: string
beforeEach(async () => {
  const { customer, technician } = people
  visitId = (await visited(world, customer, technician, undefined, completeAnswers.visit)).id
})

const path = () => `/admin/cotizations/add-quote/${visitId}`
/** The form as its page shows it: what the report proposes, at the catalogue's prices. */
async function shown(): Promise<Form> {
  const { building } = (await builderFor(world.db, people.analyst.actor, visitId, new Date()))!
  return { ...fieldsOf(building!.typed), version: String(building!.draft?.version ?? 0) }
}
/** Metres that do not stand in the lines are meant: they are confirmed once they are said. */
const send = async (form: Form, as: Person = people.analyst) => {
  const post = (more: Form) => world.post(path(), { ...form, ...more, intent: 'send-quote' }, as)
  const first = await post({})
  const [, meant] = /name="meant" value="([^"]+)"/.exec(first.text) ?? []
  const answer = meant ? await post({ meant, version: '1' }) : first
  return [answer.status, answer.text.includes('Solo la gerencia puede enviarla')]
}
/** The same with every field of lines of a name changed. */
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
const lines = (form: Form, option = 0) =>
  Object.keys(form).filter((name) => new RegExp(`^options\\.${option}\\.lines\\.\\d+\\.id$`).test(name))
    .length
/** One more line at the end of each option. */
const withLine = (form: Form, line: Form): Form => {
  const more = [0, 1, 2].flatMap((option) =>
    Object.entries({ ...blank, ...line, id: String(900 + option) }).map(([field, value]) => [
      `options.${option}.lines.${lines(form, option)}.${field}`,
      value,
    ]),
  )
  return { ...form, ...Object.fromEntries(more) }
}
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
const refused = [409, true]
const rows = () => world.db.select().from(quotes).orderBy(quotes.createdAt)

describe('an analyst sends', () => {
  test('what the report proposes, as it is, and up to 20 % less', async () => {
    const form = await shown()
    const off = { kind: 'discount', description: 'Descuento', discount: '20 %' }
    expect(await send(withLine(form, off))).toEqual([303, false])
    expect(await rows()).toMatchObject([{ state: 'sent', discountShare: 20_00, belowList: 20_00 }])
  })

  test.each<[string, (form: Form) => Form]>([
    ['every price at a centavo', (form) => every(form, 'unitPrice', '0.01')],
    ['every quantity a thousandth', (form) => every(form, 'quantity', '0.01')],
    ['one line, without its code', (form) => oneLine(form, { code: '' })],
    ['one line of words instead', (form) => oneLine(form, { code: '', description: 'Todo', unitPrice: '9' })],
    ['prices of another item’s code', (form) => every(every(form, 'unitPrice', '0.01'), 'code', 'CAB-12')],
    [
      'no IVA and almost 20 % off',
      (form) =>
        withLine(every(form, 'iva', '0'), { kind: 'discount', description: 'Menos', discount: '19 %' }),
    ],
    ['add-ons for nothing', (form) => withManyAddOns(every(form, 'unitPrice', '0', 'addOns'))],
    ['further metres for a centavo', (form) => ({ ...form, 'options.0.furtherPrice': '0.01' })],
    ['many more metres at the same price', (form) => ({ ...form, 'options.0.metres': '400' })],
  ])('not %s: that is the manager’s', async (_what, change) => {
    const form = change(await shown())
    expect(await send(form)).toEqual(refused)
    const [draft] = await rows()
    expect(draft).toMatchObject({ state: 'draft' })
    expect(draft!.belowList).toBeGreaterThan(20_00)
    expect((await world.visit('/admin/cotizations', people.manager)).text).toContain('la envía la gerencia')
    expect(await send({ ...form, version: String(draft!.version) }, people.manager)).toEqual([303, false])
    expect((await rows())[0]).toMatchObject({ state: 'sent', belowList: draft!.belowList })
  })

  test('not the next version for a centavo either', async () => {
    expect(await send(await shown())).toEqual([303, false])
    const [sent] = await rows()
    const wish = { version: sent!.version, reason: 'Otra.' }
    await withdrawQuote(world.db, people.analyst.actor, sent!.id, wish, new Date())
    const cheap = every(fieldsOf(typedOf(sent!.content)), 'unitPrice', '0.01')
    expect(await send({ ...cheap, version: '0' })).toEqual(refused)
  })

  test('by the catalogue of that moment: what rose meanwhile counts', async () => {
    const form = await shown()
    await world.db
      .update(catalogueItems)
      .set({ unitPrice: 9_000_0000 })
      .where(eq(catalogueItems.code, 'MO-BASE'))
    expect(await send({ ...form, 'options.0.lines.0.quantity': '1' })).toEqual([303, false])
    await world.db
      .update(catalogueItems)
      .set({ unitPrice: 90_000_0000 })
      .where(eq(catalogueItems.code, 'MO-BASE'))
    const [sent] = await rows()
    const wish = { version: sent!.version, reason: 'Otra.' }
    await withdrawQuote(world.db, people.analyst.actor, sent!.id, wish, new Date())
    expect(await send({ ...fieldsOf(typedOf(sent!.content)), version: '0' })).toEqual(refused)
  })

  test('a draft that the catalogue outgrew is measured when it is sent again, and its author may ask for it', async () => {
    const form = { ...(await shown()), intent: 'save-quote' }
    expect((await world.post(path(), form, people.analyst)).status).toBe(303)
    await world.db
      .update(catalogueItems)
      .set({ unitPrice: 90_000_0000 })
      .where(eq(catalogueItems.code, 'MO-BASE'))
    expect(await send(await shown())).toEqual(refused)
    const [draft] = await rows()
    expect(draft).toMatchObject({ state: 'draft', version: 1 })
    expect(readable(await world.visit(path(), people.analyst))).toContain('Pedir autorización')
    const about = { quoteId: draft!.id, version: '1', reason: 'Se cotizó antes de la lista nueva.' }
    const asked = await world.post(path(), { intent: 'ask-approval', ...about }, people.analyst)
    expect(asked.status).toBe(303)
  })

  test('nothing below what it costs, where the catalogue says so; only the manager reads the cost', async () => {
    const cost = 10_000_0000
    await world.db
      .update(catalogueItems)
      .set({ unitCost: cost * 3 })
      .where(eq(catalogueItems.code, 'MO-BASE'))
    const page = await world.data(path(), people.analyst)
    expect(page.text).not.toContain(String(cost * 3))
    expect(page.text).not.toContain('unitCost')
    expect(await send(await shown())).toEqual(refused)
    expect((await rows())[0]).toMatchObject({ state: 'draft', belowCost: true })
    await world.db
      .update(catalogueItems)
      .set({ unitCost: 100_0000 })
      .where(eq(catalogueItems.code, 'MO-BASE'))
    expect(await send({ ...(await shown()) })).toEqual([303, false])
  })
})

/** The dearest thing of the catalogue, often, as add-ons that cost nothing. */
function withManyAddOns(form: Form): Form {
  const count = Object.keys(form).filter((name) => /^options\.0\.addOns\.\d+\.id$/.test(name)).length
  const more = Array.from({ length: 4 }, (_, n) =>
    Object.entries({
      ...blank,
      kind: 'equipment',
      unitPrice: '0',
      quantity: '2',
      id: String(950 + n),
      code: 'CAR-22',
    }).map(([field, value]) => [`options.0.addOns.${count + n}.${field}`, value]),
  ).flat()
  return { ...form, ...Object.fromEntries(more) }
}
