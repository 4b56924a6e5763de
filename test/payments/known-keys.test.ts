import { projectAccountPath } from '../../src/payments/rows.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import {
  analyst,
  customer,
  customer2,
  db,
  expectScreen,
  fixture,
  manager,
  markupOf,
  newHome,
  openEach,
  sendJobs,
  setRow,
} from '../kit/open.ts'
import {
  acceptQuote,
  account,
  confirming,
  demandOf,
  office,
  prove,
  recording,
  rowsOf,
  set,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectAnswered, expectShown, expectTwice } from '../kit/reading.ts'

type Form = Record<string, string>
const key = 'MBAN01002411'
let home: Home
let other: Home
/** The payment of another customer, whose proof has the key. */
let theirs: Awaited<ReturnType<typeof rowsOf>>[0]
openEach(async () => {
  home = await newHome(customer)
  other = await newHome(customer2)
  await acceptQuote(customer, home)
  await acceptQuote(customer2, other)
  await set(fixture, { spei: account })
  await prove(customer2, other.projectId)
  theirs = (await rowsOf(other.projectId))[0]!
})
sendJobs()

const demand = async () => (await demandOf(home.projectId))!
const rows = async () => wordsOf(await rowsOf(home.projectId))
const send = (more: Form = {}) => prove(customer, home.projectId, more)
const post = (form: Form) => fixture.post(office(home.projectId), form, manager)
const record = (amount: string, more: Form) =>
  post(recording(amount, { method: 'spei', trackingKey: key, ...more }))
const expectNoFolio = async () => expect(await markupOf('/payments', customer)).not.toContain(theirs.folio)
const used = () => `La clave ${key} ya se usó en ${theirs.folio}, de Carlos`

test('a key of the bank’s file, which names no bank, is refused without the folio of the other customer', async () => {
  await setRow(payments, theirs, { bank: null })
  const answer = await send()
  expectShown(answer, 409, 'ya está en otro pago')
  expect(answer.text).not.toContain(theirs.folio)
})

test('a key used at another bank is shown to the office, and confirmed once before its proof is booked', async () => {
  await expectAnswered(send({ bank: '014' }), 303)
  const link = `href="${await projectAccountPath(db, other.projectId)}"`
  const words = [theirs.folio, 'de Carlos', 'desde BBVA México', link]
  await expectScreen(office(home.projectId), analyst, 'Esta clave ya se usó', ...words)
  await expectNoFolio()
  const form = confirming(await demand(), '', { intent: 'confirm-whole-proof' })
  expectShown(await post(form), 409, used(), `name="sureKey" value="${key}"`)
  expect(await rows()).toEqual(['deposit in_review 5000'])
  await expectTwice(() => post({ ...form, sureKey: key }))
  expect(await rows()).toEqual(['deposit paid 5000'])
})

test('a key of a rejected proof is shown when it comes again, and confirmed where it is of another payment', async () => {
  const reject = confirming(theirs, '', { intent: 'reject-proof', reason: 'No llegó.' })
  await fixture.post(office(other.projectId), reject, analyst)
  expect(await rowsOf(other.projectId)).toMatchObject([{ trackingKey: null, rejectedKeys: [key] }])
  await expectAnswered(send(), 303)
  const words = ['Esta clave ya se rechazó', 'Ya venía en un comprobante rechazado de', theirs.folio]
  await expectScreen(office(home.projectId), analyst, ...words)
  expectShown(
    await post(confirming(await demand(), '5000')),
    409,
    `ya venía en un comprobante rechazado de ${theirs.folio}, de Carlos`,
  )
  // Its own, sent again with a better picture, is shown only.
  await expectAnswered(prove(customer2, other.projectId, { bank: '014' }), 303)
  const own = 'Ya venía en un comprobante rechazado de este mismo pago'
  await expectScreen(office(other.projectId), analyst, own)
  await expectNoFolio()
})

test('a key of a bank that an old row names in words is of the same bank', async () => {
  await setRow(payments, theirs, { bank: 'BBVA' })
  await expectAnswered(send(), 409)
  expectShown(await record('5000', { bank: '012' }), 409, `ya está en el pago ${theirs.folio}`)
  expect(await rows()).toEqual(['deposit pending 5000'])
})

test('a key used at another bank is confirmed together with its amount before it is recorded by hand', async () => {
  const form = recording('12000', { method: 'spei', bank: '014', trackingKey: key })
  expectShown(
    await post(form),
    409,
    'Son $2,000.00 más de todo lo que debe',
    used(),
    'Escribe otra vez la cantidad',
    'Sí, registrar $12,000.00',
    `name="sureKey" value="${key}"`,
  )
  await expectAnswered(post({ ...form, again: '12000' }), 409)
  await expectAnswered(post({ ...form, sureKey: key }), 409)
  expect(await rows()).toEqual(['deposit pending 5000'])
  const both = { ...form, again: '12000', sureKey: key }
  await expectTwice(() => post(both))
  expect((await rows()).toSorted()).toEqual(['balance paid 12000', 'deposit cancelled 5000'])
})
