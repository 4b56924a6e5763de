import { transaction } from '../../src/platform/database/client.ts'
import { quoteApprovals } from '../../src/platform/database/schema/payments.ts'
import { syncBenefit } from '../../src/quotes/benefit.ts'
import { saveDraft } from '../../src/quotes/drafts.ts'
import { storeCode, storeTie } from '../kit/agencies.ts'
import {
  ally,
  analyst,
  customer,
  db,
  expectNotOnPage,
  expectRowsIn,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  openEach,
  sendJobs,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Quote, quoteOf, sendDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectPage, expectRefusal, expectTwice } from '../kit/reading.ts'
import { discounted, smallContent } from './draft-form.ts'

let visitId: string
let draft: Quote
const reason = 'Compra dos cargadores.'
openEach(async () => {
  visitId = (await visited(customer, technician)).id
  draft = await save(30_00)
})
sendJobs()

const save = (percent: number, version = 0) => {
  const content = discounted(smallContent(new Date()), percent)
  return saveDraft(db, analyst.actor, visitId, { version, content }, new Date())
}
const path = () => `/admin/cotizations/add-quote/${visitId}`
const press = async (intent: string, by: Person, more: Record<string, string> = {}) => {
  const { discountShare, id, version } = await quoteOf(draft)
  const about = { quoteId: id, version: String(version), discountShare: String(discountShare) }
  return fixture.post(path(), { intent, ...about, ...more }, by)
}
const ask = () => press('ask-approval', analyst, { reason })
const send = async (by: Person) => sendDraft(fixture, by, await quoteOf(draft))
const expectUnapproved = () => expectRefusal(send(analyst), 'failed-precondition', 'pide su autorización')

test('an analyst asks for approval, the manager approves, and the analyst sends the approved draft', async () => {
  await expectUnapproved()
  await expectScreen(path(), analyst, 'Los descuentos pasan del 20 %.', 'Pedir autorización')
  expectPage(await press('ask-approval', analyst, { reason: ' ' }), 400, 'Escribe por qué conviene')
  await expectTwice(() => ask())
  await expectRowsIn(quoteApprovals, {}, [{ reason, askedBy: analyst.id, answer: null }])
  await expectScreen('/admin', manager, 'Por autorizar', `Andrés Prueba: ${reason}`, draft.folio)
  await expectNotOnPage('/admin', analyst, 'Por autorizar')
  await expectScreen(path(), analyst, 'Andrés Prueba pidió autorización')
  await expectScreen(path(), manager, 'Autorizar', 'Devolver con motivo')
  await expectAnswered(press('approve-quote', manager), 303)
  expectPage(await press('return-quote', manager, { words: 'No.' }), 409, 'Alguien más ya la respondió.')
  await expectScreen('/admin', analyst, 'Respuesta', 'Autorizada: ya puedes enviarla')
  await expectNotOnPage('/admin', manager, 'Por autorizar')
  await expectScreen(path(), analyst, 'la autorizó: ya se puede enviar')
  expect(await send(analyst)).toMatchObject({ state: 'sent', discountShare: 30_00 })
  await expectTrail(draft, ['begin', 'ask_approval', 'give_approval', 'send'], 'quote')
  await expectNotOnPage('/admin', analyst, 'Respuesta')
})

test('an approval ends with a change of the draft, and the former form of the manager is refused', async () => {
  await ask()
  await press('approve-quote', manager)
  await save(40_00, 1)
  await expectUnapproved()
  await expectScreen(path(), analyst, 'Pedir autorización')
  await expectNotOnPage('/admin', analyst, 'Respuesta')
  await expectAnswered(ask(), 303)
  expectPage(await press('approve-quote', manager, { version: '1' }), 409, 'Revisa lo que cambió')
})

test('an approval ends once a code of the customer takes more off, and the form of the draft stays valid', async () => {
  await ask()
  await press('approve-quote', manager)
  const code = await storeCode(ally, { benefitKind: 'percent', benefitValue: 10_00 })
  await storeTie(customer, code)
  await transaction(db, (tx) => syncBenefit(tx, customer.id, new Date()))
  const { discountShare, version } = await quoteOf(draft)
  expect([version, discountShare > 30_00]).toEqual([1, true])
  await expectUnapproved()
  await expectAnswered(ask(), 303)
  // The manager's page may be from before.
  expectPage(await press('approve-quote', manager, { discountShare: '3000' }), 409, 'Revisa lo que cambió')
  await expectAnswered(press('approve-quote', manager), 303)
  expect(await send(analyst)).toMatchObject({ state: 'sent', discountShare })
})

test('a draft returned with a reason is asked for again, or sent by the manager', async () => {
  await ask()
  expectPage(await press('return-quote', manager, { words: '' }), 400, 'Escribe qué hay que cambiar')
  await expectAnswered(press('return-quote', manager, { words: 'Baja a 25 %.' }), 303)
  await expectScreen('/admin', analyst, 'Devuelta: Baja a 25 %.')
  await expectScreen(path(), analyst, 'la devolvió: Baja a 25 %.', 'Pedir autorización')
  await expectUnapproved()
  await expectAnswered(ask(), 303)
  await expectScreen('/admin', manager, 'Por autorizar')
  await send(manager)
  await expectNotOnPage('/admin', manager, 'Por autorizar')
})

test('refuses to ask for approval of 20 % or of a sent quote; a discarded draft loses its request', async () => {
  await ask()
  await press('discard-quote', analyst)
  await expectRowsIn(quoteApprovals, {}, [])
  draft = await save(20_00)
  expectPage(await ask(), 409, 'No necesita autorización')
  await send(analyst)
  expectPage(await ask(), 409, 'ya se envió o se descartó')
  expectPage(await press('approve-quote', manager), 409, 'ya se envió o se descartó')
})
