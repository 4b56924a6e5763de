import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fiscalFor, fiscalOfQuote, reviewFiscal } from '../../../src/server/invoices/fiscal-data.ts'
import type { FiscalEmailJob } from '../../../src/server/notifications/jobs.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { pdf } from '../../documents/samples.ts'
import { emailsOf } from '../../kit/delivered.ts'
import { fiscalDataOf, sendFiscal, trailOfFiscal } from '../../kit/invoices.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { storeDraft, storeSent, visited } from '../../kit/quotes.ts'
import { emailsAbout, refusalOf } from '../../kit/reading.ts'

openEach(() => sendFiscal(world, people.customer, {}, pdf()))
sendJobs()

const now = new Date()
const kept = () => fiscalDataOf(world, people.customer)
const verify = (by = people.analyst, version = 1) =>
  reviewFiscal(world.db, by.actor, { move: 'verify', customerId: people.customer.id, version }, now)
const reject = (by = people.analyst, version = 1, reason = 'El nombre no es el de la Constancia.') =>
  reviewFiscal(world.db, by.actor, { move: 'reject', customerId: people.customer.id, version, reason }, now)

const lettersNow = (letter: FiscalEmailJob['letter']) => {
  const to = letter === 'fiscal_submitted' ? 'managers' : 'customer'
  return emailsOf(world.db, { letter, fiscalOf: people.customer.id, to } as FiscalEmailJob)
}

test('analysts and managers read and verify them; its customer hears of it', async () => {
  const { analyst, customer, manager } = people
  for (const by of [analyst, manager])
    expect(await fiscalFor(world.db, by.actor, customer.id)).toMatchObject({
      rfc: 'GODE561231GR8',
      warning: null,
    })
  await verify()
  expect(await kept()).toMatchObject({ state: 'verified', reviewedBy: analyst.id, version: 2 })
  expect(await emailsAbout(world, customer)).toEqual([
    'fiscal_submitted to managers',
    'fiscal_verified to customer',
  ])
  expect((await trailOfFiscal(world, customer))[0]).toEqual({
    name: 'verify',
    to: 'verified',
    reason: null,
    data: null,
  })
  const [letter] = await lettersNow('fiscal_verified')
  expect([letter?.to, letter?.subject]).toEqual([customer.email, 'Verificamos tus datos fiscales'])
  expect(letter?.text).not.toContain('GODE561231GR8')
})

test('for everybody else they do not exist, and nobody else decides on them', async () => {
  const { ally, customer, customer2, gester, technician } = people
  const quote = await storeDraft(world, await visited(world, customer, technician), people.analyst)
  for (const by of [technician, gester, ally, customer2]) {
    expect(await fiscalFor(world.db, by.actor, customer.id)).toBeNull()
    expect(await fiscalOfQuote(world.db, by.actor, quote.id)).toBeNull()
  }
  expect((await fiscalOfQuote(world.db, people.analyst.actor, quote.id))?.customerId).toBe(customer.id)
  expect(await fiscalOfQuote(world.db, people.manager.actor, 'x')).toBeNull()
  for (const by of [technician, gester, ally, customer2, customer])
    for (const change of [verify, reject]) expect((await refusalOf(change(by)))[0]).toBe('permission-denied')
  expect(await kept()).toMatchObject({ state: 'submitted', version: 1 })
})

test('a draft is nobody’s but its writer’s', async () => {
  const { analyst, customer2 } = people
  await sendFiscal(world, customer2, { intent: 'keep-fiscal' })
  expect(await fiscalFor(world.db, analyst.actor, customer2.id)).toBeNull()
  expect(await fiscalFor(world.db, customer2.actor, customer2.id)).toMatchObject({ state: 'draft' })
  const wish = { customerId: customer2.id, move: 'verify', version: 1 } as const
  expect((await refusalOf(reviewFiscal(world.db, analyst.actor, wish, now)))[0]).toBe('failed-precondition')
})

test('what has to be corrected is told, and corrected it is looked over again', async () => {
  const { customer, manager } = people
  await reject(manager)
  expect(await kept()).toMatchObject({
    state: 'rejected',
    rejectedReason: 'El nombre no es el de la Constancia.',
  })
  const { text } = await world.visit('/fiscal', customer)
  for (const words of ['Hay algo que corregir', 'El nombre no es el de la Constancia.'])
    expect(text).toContain(words)
  const [letter] = await lettersNow('fiscal_rejected')
  expect(letter?.text).toContain('Qué corregir: El nombre no es el de la Constancia.')
  // To a mailbox that nobody proved it is not told.
  await world.db.update(users).set({ emailVerified: false }).where(eq(users.id, customer.id))
  expect((await lettersNow('fiscal_rejected'))[0]?.text).not.toContain('Constancia')
  await sendFiscal(world, customer, { legalName: 'Eva Gómez Díaz', version: '2' })
  expect(await kept()).toMatchObject({ state: 'submitted', rejectedReason: null, version: 3 })
  expect(await lettersNow('fiscal_rejected')).toEqual([])
})

test('without a Constancia nothing is verified; the generic RFCs have none', async () => {
  const { customer2, analyst } = people
  await sendFiscal(world, customer2)
  const them = { customerId: customer2.id, move: 'verify' } as const
  const words = 'Para verificarlos falta la Constancia de Situación Fiscal.'
  const ask = (version: number) => reviewFiscal(world.db, analyst.actor, { ...them, version }, now)
  expect(await refusalOf(ask(1))).toEqual(['failed-precondition', words])
  await sendFiscal(world, customer2, { rfc: 'XEXX010101000', version: '1' })
  await ask(2)
  expect(await fiscalDataOf(world, customer2)).toMatchObject({ state: 'verified' })
})

test('two who decide at once: one does, and the other is told', async () => {
  const both = await Promise.allSettled([verify(people.analyst), reject(people.manager)])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await kept()).toMatchObject({ version: 2 })
  expect((await refusalOf(verify()))[0]).toBe('failed-precondition')
})

test('what was changed while somebody read it is not verified unread', async () => {
  await sendFiscal(world, people.customer, { legalName: 'Otra Persona', version: '1' })
  expect((await refusalOf(verify()))[0]).toBe('aborted')
  await verify(people.analyst, 2)
  expect(await kept()).toMatchObject({ state: 'verified', legalName: 'OTRA PERSONA' })
})

test('managers hear once of what waits, with the way to its quote and none of what it says', async () => {
  const { customer, manager, technician } = people
  await sendFiscal(world, customer, { postalCode: '03100', version: '1' })
  expect(await emailsAbout(world, customer)).toEqual(['fiscal_submitted to managers'])
  const quote = await storeDraft(world, await visited(world, customer, technician), people.analyst)
  const [letter, ...more] = await lettersNow('fiscal_submitted')
  expect([letter?.to, more]).toEqual([manager.email, []])
  expect(letter?.text).toContain(
    `https://carga.example/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`,
  )
  expect(letter?.text).toContain('Cliente: Camila Prueba')
  for (const own of ['GODE561231GR8', '03100', 'facturas@prueba.mx']) expect(letter?.text).not.toContain(own)
  await verify(people.analyst, 2)
  expect(await lettersNow('fiscal_submitted')).toEqual([])
})

test('on the screen of a quote the office reads them and decides; whoever sees the quote otherwise reads none of it', async () => {
  const { ally, analyst, customer, gester, manager, technician } = people
  const quote = await storeSent(world, { customer, technician, maker: analyst })
  const page = `/admin/cotizations/detail-quote/${quote.id}?parte=fiscal`
  for (const by of [manager, analyst]) {
    const { text } = await world.visit(page, by)
    for (const words of ['GODE561231GR8 (persona física)', 'facturas@prueba.mx', 'Verificar datos fiscales'])
      expect(text).toContain(words)
  }
  expect((await world.visit(page, technician)).status).toBe(200)
  for (const by of [technician, gester, ally])
    for (const { text } of [await world.visit(page, by), await world.data(page, by)])
      for (const own of ['GODE561231GR8', 'facturas@prueba.mx', 'legalName', 'verify-fiscal'])
        expect(text).not.toContain(own)
  const blank = await world.post(page, { intent: 'reject-fiscal', version: '1', reason: ' ' }, analyst)
  expect([blank.status, blank.text.includes('Escribe qué hay que corregir.')]).toEqual([400, true])
  expect((await world.post(page, { intent: 'verify-fiscal', version: '1' }, technician)).status).toBe(403)
  const done = await world.post(page, { intent: 'verify-fiscal', version: '1' }, analyst)
  expect([done.status, done.location]).toEqual([303, page])
  expect((await world.visit(page, analyst)).text).not.toContain('Verificar datos fiscales')
})
