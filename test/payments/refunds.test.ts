import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { mayBeOf } from '../../src/domain/payments/banks.ts'
import { cancelCharges } from '../../src/server/payments/charges.ts'
import { recordPayment } from '../../src/server/payments/record-payment.ts'
import { ledgerFactsOf } from '../../src/server/payments/rows.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { accounts } from '../../src/server/platform/database/schema/accounts.ts'
import { quotes } from '../../src/server/platform/database/schema/payments.ts'
import { givePassword, password } from '../accounts/own.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  acceptQuote,
  day,
  demandOf,
  office,
  paper,
  refundsOf,
  rowsOf,
  sendForm,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, readable } from '../kit/reading.ts'

openEach()
sendJobs()

let home: Home
beforeEach(async () => {
  home = await world.home(people.customer)
  await givePassword(world, people.customer)
})

type Method = 'cash' | 'card'

/** A deposit of $5,000.00 was paid, and the quote cancelled so many days after it was accepted. */
async function paidAndCancelled(daysAfter: number, method: Method = 'cash') {
  const acceptedAt = new Date(Date.now() - daysAfter * day)
  const quote = await acceptQuote(world, people.customer, home, { acceptedAt })
  const now = new Date()
  const about = { projectId: home.projectId, paymentId: (await demandOf(world, home.projectId))!.id }
  const by = { method, paidAt: now, actorId: null, ...(method === 'card' && { cardReference: 'pi_1' }) }
  await transaction(world.db, (tx) => recordPayment(tx, { ...about, ...by, amount: 5_000_00 }, now))
  await world.db.update(quotes).set({ state: 'cancelled', endedAt: now }).where(eq(quotes.id, quote.id))
  await transaction(world.db, (tx) => cancelCharges(tx, quote.id, 'Cambió de casa.', now))
}

const refund = async () => (await refundsOf(world, home.projectId)).at(-1)!
const sums = async () => (await ledgerFactsOf(world.db, home.projectId)).ledger
const account = { clabe: '032180000118359719', beneficiary: 'Camila Prueba' }
const told = { ...account, currentPassword: password }

async function decide(intent: string, form: Record<string, string>, as = people.manager) {
  const { id, version } = await refund()
  const fields = { intent, refundId: id, version: String(version), ...form }
  return sendForm(world, office(home.projectId), fields, as, intent === 'pay-refund' ? paper() : null)
}
const approve = (form: Record<string, string> = {}, as = people.manager) =>
  decide('approve-refund', { materials: '0', sourceId: '', clabe: '', beneficiary: '', ...form }, as)
const pay = (as = people.manager) => decide('pay-refund', { paidOn: today() }, as)

async function tellAccount(form: Record<string, string> = told, as = people.customer) {
  const { id, version } = await refund()
  const fields = { intent: 'refund-account', refundId: id, version: String(version), ...form }
  return sendForm(world, '/payments', fields, as)
}

describe('a cancelled quote within its terms', () => {
  beforeEach(() => paidAndCancelled(1))

  test('is given back whole: asked where, approved, transferred with its proof', async () => {
    expect(readable(await world.visit('/payments', people.customer))).toContain('Dar mi cuenta')
    expect((await tellAccount()).status).toBe(303)
    expect((await approve()).status).toBe(303)
    const approved = await refund()
    expect(approved).toMatchObject({
      state: 'approved',
      method: 'spei',
      amount: 5_000_00,
      decidedBy: people.manager.id,
    })
    expect((await pay()).status).toBe(303)
    const paid = await refund()
    expect(paid.state).toBe('paid')
    expect(paid.proofId).not.toBeNull()
    expect(wordsOf(await rowsOf(world, home.projectId))).toEqual(['deposit paid 5000', 'refund paid -5000'])
    expect(await sums()).toMatchObject({ owed: 0, credit: 0, held: 0, refunded: 5_000_00 })
    expect((await emailsAbout(world, paid.id)).slice(2)).toEqual([
      'refund_account to customer',
      'refund_approved to customer',
      'refund_paid to customer',
    ])
    const page = readable(await world.visit('/payments', people.customer))
    expect(page).toContain('Comprobante del reembolso')
    expect((await world.open(`/documents/${paid.proofId}`, people.customer)).status).toBe(200)
    expect((await world.open(`/documents/${paid.proofId}`, people.customer2)).status).toBe(404)
  })

  test('no material is kept of it', async () => {
    await tellAccount()
    const answer = await approve({ materials: '1200' })
    expect([answer.status, readable(answer).includes('se devuelve todo')]).toEqual([400, true])
    expect((await refund()).state).toBe('requested')
  })

  test('is not approved without an account, which the manager may write, too', async () => {
    expect((await approve()).status).toBe(409)
    expect((await approve({ clabe: '032180000118359718', beneficiary: 'Camila' })).status).toBe(400)
    expect((await approve({ clabe: account.clabe, beneficiary: 'Camila' })).status).toBe(303)
    expect(await refund()).toMatchObject({ clabe: account.clabe, beneficiary: 'Camila' })
  })

  test('an account that is no CLABE is said under its box; another customer’s refund does not exist', async () => {
    const wrong = await tellAccount({ ...told, clabe: '032180000118359718' })
    expect([wrong.status, readable(wrong).includes('Esa CLABE no es correcta')]).toEqual([400, true])
    expect((await tellAccount(told, people.customer2)).status).toBe(404)
    expect((await refund()).clabe).toBeNull()
  })

  test('is refused with a reason that its customer reads', async () => {
    expect((await decide('refuse-refund', { reason: '' })).status).toBe(400)
    expect((await decide('refuse-refund', { reason: 'Se usó en otra obra.' })).status).toBe(303)
    expect(readable(await world.visit('/payments', people.customer))).toContain('Se usó en otra obra.')
    expect((await approve()).status).toBe(409)
    const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'No hubo otra obra.', ...told }
    for (let time = 0; time < 2; time++)
      expect((await sendForm(world, '/payments', ask, people.customer)).status).toBe(303)
    expect(await refundsOf(world, home.projectId)).toMatchObject([
      { state: 'refused' },
      { state: 'requested', amount: 5_000_00, requestedBy: people.customer.id },
    ])
  })

  test('is decided by the manager alone', async () => {
    await tellAccount()
    for (const who of [people.analyst, people.technician, people.gester, people.ally, people.customer]) {
      expect((await approve({}, who)).status).toBe(403)
      expect((await decide('refuse-refund', { reason: 'No.' }, who)).status).toBe(403)
    }
    await approve()
    for (const who of [people.analyst, people.technician, people.customer])
      expect((await pay(who)).status).toBe(403)
    expect((await refund()).state).toBe('approved')
  })

  test('is paid once by two at once, and once by the same form twice', async () => {
    await tellAccount()
    await approve()
    const manager2 = await world.person({ kind: 'manager' })
    const { id, version } = await refund()
    const form = { intent: 'pay-refund', refundId: id, version: String(version), paidOn: today() }
    const send = (as = people.manager) => sendForm(world, office(home.projectId), form, as, paper())
    await Promise.all([send(), send(manager2), send()])
    expect((await send()).status).toBe(303)
    expect((await rowsOf(world, home.projectId)).filter(({ amount }) => amount < 0)).toHaveLength(1)
    expect((await sums()).held).toBe(0)
  })
})

describe('where a refund goes', () => {
  beforeEach(() => paidAndCancelled(1))
  const thief = { clabe: '646180157000000004', beneficiary: 'Otro Nombre' }
  const accountLetters = async () =>
    (await emailsAbout(world, (await refund()).id)).filter((one) => one.startsWith('refund_account'))

  test('is not changed by a session alone, by either form', async () => {
    await tellAccount()
    for (const currentPassword of ['', 'otra-frase-larga'])
      expect((await tellAccount({ ...thief, currentPassword })).status).toBe(400)
    expect((await tellAccount(thief)).status).toBe(400)
    expect(await refund()).toMatchObject(account)
    await decide('refuse-refund', { reason: 'No procede.' })
    const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'Es mío.', ...thief }
    const refused = await sendForm(world, '/payments', { ...ask, currentPassword: 'no' }, people.customer)
    expect([refused.status, readable(refused).includes('La contraseña no es correcta.')]).toEqual([400, true])
    expect(await refundsOf(world, home.projectId)).toHaveLength(1)
  })

  test('without a password it is said how to get one, and nothing changes', async () => {
    await world.db.update(accounts).set({ password: null }).where(eq(accounts.userId, people.customer.id))
    const page = readable(await world.visit('/payments', people.customer))
    expect(page).toContain('Créala primero en «Mi cuenta»')
    expect(page).not.toContain('Guardar cuenta')
    expect((await tellAccount()).status).toBe(409)
    expect((await refund()).clabe).toBeNull()
  })

  test('is written to its customer at every change, whoever makes it, with the account’s end alone', async () => {
    await tellAccount()
    await tellAccount({ ...told, clabe: thief.clabe })
    expect(await accountLetters()).toHaveLength(2)
    // The same once more is no change.
    await tellAccount({ ...told, clabe: thief.clabe })
    expect(await accountLetters()).toHaveLength(2)
    const job = { letter: 'refund_account', refundId: (await refund()).id, to: 'customer' } as const
    const [letter] = await emailsOf(world.db, job)
    expect(letter!.to).toBe(people.customer.email)
    expect(letter!.text).toContain('0004')
    expect(letter!.text).not.toContain(thief.clabe)
    await approve(account)
    expect(await accountLetters()).toHaveLength(3)
  })

  test('says to whoever decides since when, and that it is in another name', async () => {
    const desk = async () => readable(await world.visit(office(home.projectId), people.manager))
    await tellAccount()
    expect(await desk()).toContain('Cuenta dada')
    expect(await desk()).not.toContain('La cuenta está a otro nombre')
    await tellAccount({ ...told, beneficiary: thief.beneficiary })
    expect(await desk()).toContain('La cuenta está a otro nombre')
    expect(await desk()).toContain('El cliente se llama Camila Prueba')
  })
})

test.each([
  ['Camila Prueba', 'Camila Prueba', true],
  ['PRUEBA CAMILA', 'Camila Prueba', true],
  ['José Ángel Núñez Ruiz', 'Jose Nuñez', true],
  ['Ana', 'Ana María Soto', false],
  ['Otro Nombre', 'Camila Prueba', false],
  ['Camila Otra', 'Camila Prueba', false],
  ['', 'Camila Prueba', false],
])('an account of “%s” may be of %s: %s', (beneficiary, person, may) => {
  expect(mayBeOf(beneficiary, person)).toBe(may)
})

describe('a quote that was cancelled late', () => {
  beforeEach(async () => {
    await paidAndCancelled(20)
    await tellAccount()
  })

  test('gives back what was paid less what was bought, and the account is even', async () => {
    expect((await approve({ materials: '1,200.50' })).status).toBe(303)
    expect(await refund()).toMatchObject({ amount: 3_799_50, materials: 1_200_50 })
    await pay()
    expect(await sums()).toMatchObject({ charged: 1_200_50, held: 1_200_50, owed: 0, credit: 0 })
    const page = readable(await world.visit('/payments', people.customer))
    expect(page).toContain('Descontamos $1,200.50 de material ya comprado')
  })

  test('never gives less than nothing', async () => {
    for (const materials of ['5000', '6000', '-1', ''])
      expect((await approve({ materials })).status).toBe(400)
    expect((await refund()).state).toBe('requested')
  })
})

test('a card’s payment goes back to that card, and no further than it was paid', async () => {
  await paidAndCancelled(1, 'card')
  const [source] = await rowsOf(world, home.projectId)
  expect(readable(await world.visit(office(home.projectId), people.manager))).toContain(
    'A la tarjeta del pago',
  )
  expect((await approve({ sourceId: source!.id })).status).toBe(303)
  expect(await refund()).toMatchObject({ method: 'card', sourceId: source!.id, amount: 5_000_00 })
  expect((await pay()).status).toBe(409)
})

describe('a quote accepted while what was paid before is on its way back', () => {
  const nextAccepted = () => acceptQuote(world, people.customer, home, { revision: 2 })
  beforeEach(async () => {
    await paidAndCancelled(1)
    await tellAccount()
    await approve()
    await nextAccepted()
  })

  test('asks for its own deposit', async () => {
    expect(await demandOf(world, home.projectId)).toMatchObject({ amount: 5_000_00 })
    expect(await sums()).toMatchObject({ owed: 10_000_00, credit: 0, promised: 5_000_00 })
    const page = readable(await world.visit('/payments', people.customer))
    expect(page).toContain('Por reembolsar $5,000.00')
    expect((await pay()).status).toBe(303)
    expect(await sums()).toMatchObject({ held: 0, owed: 10_000_00, promised: 0 })
    expect(await demandOf(world, home.projectId)).toMatchObject({ amount: 5_000_00 })
  })

  test('has its deposit paid by it once it does not go back', async () => {
    expect((await decide('refuse-refund', { reason: 'Se usa en su nueva cotización.' })).status).toBe(303)
    expect(await demandOf(world, home.projectId)).toBeUndefined()
    expect(await sums()).toMatchObject({ owed: 5_000_00, credit: 0 })
    expect(await refundsOf(world, home.projectId)).toHaveLength(1)
  })
})

test('materials that a refused refund left out do not have it proposed again', async () => {
  await paidAndCancelled(20)
  await tellAccount()
  await approve({ materials: '1000' })
  await decide('refuse-refund', { reason: 'Ya se le devolvió en mano.' })
  expect(await refundsOf(world, home.projectId)).toHaveLength(1)
})

test('without anything too much there is nothing to ask for', async () => {
  await acceptQuote(world, people.customer, home)
  const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'Quiero mi dinero.', ...told }
  expect((await sendForm(world, '/payments', ask, people.customer)).status).toBe(409)
  const propose = { intent: 'propose-refund', reason: 'Por si acaso.' }
  expect((await sendForm(world, office(home.projectId), propose, people.manager)).status).toBe(409)
  expect(await refundsOf(world, home.projectId)).toEqual([])
})
