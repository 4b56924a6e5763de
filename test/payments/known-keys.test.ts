import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { projectAccountPath } from '../../src/server/payments/rows.ts'
import { payments } from '../../src/server/platform/database/schema/payments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  acceptQuote,
  account,
  demandOf,
  office,
  prove,
  rowsOf,
  set,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectWords, readable } from '../kit/reading.ts'
import type { Answer } from '../kit/visitor.ts'

openEach()
sendJobs()

let home: Home
beforeEach(async () => {
  home = await world.home(people.customer)
  await acceptQuote(world, people.customer, home)
  await set(world, { spei: account })
})

const demand = async () => (await demandOf(world, home.projectId))!
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
const send = (more: Record<string, string> = {}, file?: File | null) =>
  prove(world, people.customer, home.projectId, more, file)
const review = async (intent: string, form: Record<string, string>, as = people.analyst) => {
  const { id, version } =
    (await rowsOf(world, home.projectId)).find(({ proofId }) => proofId) ?? (await demand())
  return world.post(office(home.projectId), { intent, paymentId: id, version: String(version), ...form }, as)
}
describe('a key that another payment has', () => {
  test('of the bank’s file, which names no bank, tells its customer nobody else’s folio', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    await world.db.update(payments).set({ bank: null }).where(eq(payments.id, theirs!.id))
    const answer = await send()
    expect([answer.status, readable(answer).includes('ya está en otro pago')]).toEqual([409, true])
    expect(answer.text).not.toContain(theirs!.folio)
  })

  test('at another bank is said to whoever reviews it, and not to its customer', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    expect((await send({ bank: '014' })).status).toBe(303)
    const { text } = await world.visit(office(home.projectId), people.analyst)
    expectWords(text, 'Esta clave ya se usó', `href="${await projectAccountPath(world.db, other.projectId)}"`)
    expectWords(readable({ text } as Answer), theirs!.folio, 'de Carlos', 'desde BBVA México')
    expect((await world.visit('/payments', people.customer)).text).not.toContain(theirs!.folio)
  })

  test('at another bank is asked about once before its proof is booked whole', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    expect((await send({ bank: '014' })).status).toBe(303)
    const { id, version } = await demand()
    const form = { intent: 'confirm-whole-proof', paymentId: id, version: String(version), paidOn: today() }
    const press = (more = {}) => world.post(office(home.projectId), { ...form, ...more }, people.analyst)
    const asked = await press()
    expect(asked.status).toBe(409)
    expectWords(readable(asked), `La clave MBAN01002411 ya se usó en ${theirs!.folio}, de Carlos`)
    expect(asked.text).toContain('name="sureKey" value="MBAN01002411"')
    expect(await rows()).toEqual(['deposit in_review 5000'])
    for (let time = 0; time < 2; time++) expect((await press({ sureKey: 'MBAN01002411' })).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 5000'])
  })

  test('of a rejected proof is said when it comes again, and asked about where it is another payment’s', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    const reject = { intent: 'reject-proof', paymentId: theirs!.id, version: String(theirs!.version) }
    await world.post(office(other.projectId), { ...reject, reason: 'No llegó.' }, people.analyst)
    expect(await rowsOf(world, other.projectId)).toMatchObject([
      { trackingKey: null, rejectedKeys: ['MBAN01002411'] },
    ])
    expect((await send()).status).toBe(303)
    const shown = readable(await world.visit(office(home.projectId), people.analyst))
    expectWords(shown, 'Esta clave ya se rechazó', 'Ya venía en un comprobante rechazado de', theirs!.folio)
    const asked = await review('confirm-proof', { amount: '5000', paidOn: today() })
    expect(asked.status).toBe(409)
    expectWords(readable(asked), `ya venía en un comprobante rechazado de ${theirs!.folio}, de Carlos`)
    // Its own, sent again with a better picture, is only said.
    const again = await prove(world, people.customer2, other.projectId, { bank: '014' })
    expect(again.status).toBe(303)
    const own = readable(await world.visit(office(other.projectId), people.analyst))
    expectWords(own, 'Ya venía en un comprobante rechazado de este mismo pago')
    expect((await world.visit('/payments', people.customer)).text).not.toContain(theirs!.folio)
  })

  test('of a bank that an old row names in words is the same bank’s', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    await world.db.update(payments).set({ bank: 'BBVA' }).where(eq(payments.id, theirs!.id))
    expect((await send()).status).toBe(409)
    const byHand = await record({ bank: '012' })
    expect([byHand.status, readable(byHand).includes(`ya está en el pago ${theirs!.folio}`)]).toEqual([
      409,
      true,
    ])
    expect(await rows()).toEqual(['deposit pending 5000'])
  })

  test('at another bank is asked about before it is written down by hand, with its amount, in one step', async () => {
    const other = await world.home(people.customer2)
    await acceptQuote(world, people.customer2, other)
    await prove(world, people.customer2, other.projectId)
    const [theirs] = await rowsOf(world, other.projectId)
    const form = { amount: '12000', bank: '014', requestKey: randomUUID() }
    const asked = await record(form)
    expect(asked.status).toBe(409)
    expectWords(
      readable(asked),
      'Son $2,000.00 más de todo lo que debe',
      `La clave MBAN01002411 ya se usó en ${theirs!.folio}, de Carlos`,
      'Escribe otra vez la cantidad',
      'Sí, registrar $12,000.00',
    )
    expect(asked.text).toContain(`href="${await projectAccountPath(world.db, other.projectId)}"`)
    expect(asked.text).toContain('name="sureKey" value="MBAN01002411"')
    // One of the two confirmed is not both.
    expect((await record({ ...form, again: '12000' })).status).toBe(409)
    expect((await record({ ...form, sureKey: 'MBAN01002411' })).status).toBe(409)
    expect(await rows()).toEqual(['deposit pending 5000'])
    for (let time = 0; time < 2; time++)
      expect((await record({ ...form, again: '12000', sureKey: 'MBAN01002411' })).status).toBe(303)
    expect((await rows()).toSorted()).toEqual(['balance paid 12000', 'deposit cancelled 5000'])
  })

  const record = (form: Record<string, string>) =>
    world.post(
      office(home.projectId),
      {
        intent: 'record-payment',
        requestKey: randomUUID(),
        paymentId: '',
        amount: '5000',
        method: 'spei',
        paidOn: today(),
        trackingKey: 'MBAN01002411',
        note: '',
        ...form,
      },
      people.manager,
    )
})
