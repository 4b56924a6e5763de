import { beforeEach, expect, test } from 'vitest'
import { transaction } from '../../src/server/platform/database/client.ts'
import { quoteApprovals } from '../../src/server/platform/database/schema/payments.ts'
import { syncBenefit } from '../../src/server/quotes/benefit.ts'
import { saveDraft } from '../../src/server/quotes/drafts.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { storeCode, storeTie } from '../kit/agencies.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Quote, quoteOf, visited } from '../kit/quotes.ts'
import { expectPage, expectWords, readable, refusalOf, trailOf } from '../kit/reading.ts'
import { discounted, smallContent } from './draft-form.ts'

openEach()
sendJobs()

let visitId: string
let draft: Quote
const reason = 'Compra dos cargadores.'
beforeEach(async () => {
  visitId = (await visited(world, people.customer, people.technician)).id
  draft = await save(30_00)
})

const save = (percent: number, version = 0) => {
  const content = discounted(smallContent(new Date()), percent)
  return saveDraft(world.db, people.analyst.actor, visitId, { version, content }, new Date())
}
const path = () => `/admin/cotizations/add-quote/${visitId}`
const press = async (intent: string, by: Person, more: Record<string, string> = {}) => {
  const { discountShare, id, version } = await quoteOf(world, draft)
  const about = { quoteId: id, version: String(version), discountShare: String(discountShare) }
  return world.post(path(), { intent, ...about, ...more }, by)
}
const ask = () => press('ask-approval', people.analyst, { reason })
const send = async (by: Person) => {
  const { id, version } = await quoteOf(world, draft)
  return sendQuote(world.db, by.actor, id, version, new Date())
}
const page = async (at: string, by: Person) => readable(await world.visit(at, by))

test('an analyst asks, the manager approves from home, and the analyst sends it as it was approved', async () => {
  const { analyst, manager } = people
  expect((await refusalOf(send(analyst)))[1]).toContain('pide su autorización')
  expectWords(await page(path(), analyst), 'Los descuentos pasan del 20 %.', 'Pedir autorización')
  expectPage(await press('ask-approval', analyst, { reason: ' ' }), 400, 'Escribe por qué conviene')
  expect((await press('ask-approval', manager, { reason })).status).toBe(403)
  for (let times = 0; times < 2; times++) expect((await ask()).status).toBe(303)
  expect(await world.db.select().from(quoteApprovals)).toMatchObject([
    { reason, askedBy: analyst.id, answer: null },
  ])
  expectWords(
    await page('/admin', manager),
    'Cotización por autorizar',
    `Andrés Prueba: ${reason}`,
    draft.folio,
  )
  expect(await page('/admin', analyst)).not.toContain('Cotización por autorizar')
  expectWords(await page(path(), analyst), 'Andrés Prueba pidió autorización')
  expectWords(await page(path(), manager), 'Autorizar', 'Devolver con motivo')
  expect((await press('approve-quote', analyst)).status).toBe(403)
  expect((await press('approve-quote', manager)).status).toBe(303)
  expectPage(await press('return-quote', manager, { words: 'No.' }), 409, 'Alguien más ya la respondió.')
  expectWords(await page('/admin', analyst), 'Respuesta de la gerencia', 'Autorizada: ya puedes enviarla')
  expect(await page('/admin', manager)).not.toContain('Cotización por autorizar')
  expectWords(await page(path(), analyst), 'la autorizó: ya se puede enviar')
  expect(await send(analyst)).toMatchObject({ state: 'sent', discountShare: 30_00 })
  expect(await trailOf(world, draft, 'quote')).toEqual(['begin', 'ask_approval', 'give_approval', 'send'])
  expect(await page('/admin', analyst)).not.toContain('Respuesta de la gerencia')
})

test('an approval is of what the manager read: changed afterwards, it is asked for again', async () => {
  await ask()
  await press('approve-quote', people.manager)
  await save(40_00, 1)
  expect((await refusalOf(send(people.analyst)))[1]).toContain('Los descuentos pasan del 20\u00a0%.')
  expectWords(await page(path(), people.analyst), 'Pedir autorización')
  expect(await page('/admin', people.analyst)).not.toContain('Respuesta de la gerencia')
  expect((await ask()).status).toBe(303)
  const { id } = draft
  const about = { quoteId: id, version: '1', discountShare: '4000' }
  const old = await world.post(path(), { intent: 'approve-quote', ...about }, people.manager)
  expectPage(old, 409, 'Alguien más actualizó')
})

test('nor does it hold once the customer’s code takes more off, which leaves the form of the draft valid', async () => {
  const { ally, analyst, customer, manager } = people
  await ask()
  await press('approve-quote', manager)
  await storeTie(
    world,
    customer,
    await storeCode(world, ally, { benefitKind: 'percent', benefitValue: 10_00 }),
  )
  await transaction(world.db, (tx) => syncBenefit(tx, customer.id, new Date()))
  const { discountShare, version } = await quoteOf(world, draft)
  expect([version, discountShare > 30_00]).toEqual([1, true])
  expect((await refusalOf(send(analyst)))[1]).toContain('pide su autorización')
  expect(await page('/admin', analyst)).not.toContain('Respuesta de la gerencia')
  expectWords(await page(path(), analyst), 'Pedir autorización')
  expect((await ask()).status).toBe(303)
  // The manager's page may be from before.
  const old = await press('approve-quote', manager, { discountShare: '3000' })
  expectPage(old, 409, 'Alguien más actualizó')
  expect((await press('approve-quote', manager)).status).toBe(303)
  expect(await send(analyst)).toMatchObject({ state: 'sent', discountShare })
})

test('returned with a reason, its author reads it at home and in the draft, and asks again', async () => {
  const { analyst, manager } = people
  await ask()
  expectPage(await press('return-quote', manager, { words: '' }), 400, 'Escribe qué hay que cambiar')
  expect((await press('return-quote', manager, { words: 'Baja a 25 %.' })).status).toBe(303)
  expectWords(await page('/admin', analyst), 'Devuelta: Baja a 25 %.')
  expectWords(await page(path(), analyst), 'la devolvió: Baja a 25 %.', 'Pedir autorización')
  expect((await refusalOf(send(analyst)))[0]).toBe('failed-precondition')
  expect((await ask()).status).toBe(303)
  expectWords(await page('/admin', manager), 'Cotización por autorizar')
  // The manager may send any draft, which answers it too.
  await send(manager)
  expect(await page('/admin', manager)).not.toContain('Cotización por autorizar')
})

test('what needs no approval is not asked for, nor what is no draft; a discarded draft takes its request along', async () => {
  const { analyst, manager } = people
  await ask()
  await press('discard-quote', analyst)
  expect(await world.db.select().from(quoteApprovals)).toEqual([])
  draft = await save(20_00)
  expectPage(await ask(), 409, 'No necesita autorización')
  await send(analyst)
  expectPage(await ask(), 409, 'ya se envió o se descartó')
  expectPage(await press('approve-quote', manager), 409, 'ya se envió o se descartó')
})
