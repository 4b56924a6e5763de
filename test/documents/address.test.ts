import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { CustomerPurpose } from '../../src/domain/documents/document.ts'
import { attach, takeDocument } from '../../src/server/documents/documents.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { fileOf, pdfWithScript } from './samples.ts'

openOnce()

async function stored(purpose: CustomerPurpose, name = 'x.pdf') {
  const { customer, manager } = people
  const file = fileOf(pdfWithScript, name)
  const wish = { file, purpose, customerId: customer.id, projectId: null }
  const taken = await takeDocument(world.db, world.drive, manager.actor, wish)
  return transaction(world.db, (tx) => attach(tx, taken))
}

async function ask(id: string, by?: Person) {
  const answer = await world.open(`/documents/${id}`, by)
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('a PDF that runs something is saved, and never opened as a page of ours', async () => {
  const id = await stored('payment_proof', 'Pagó "Núñez".pdf')
  const { bytes, headers, status } = await ask(id, people.customer)
  expect([status, bytes.equals(pdfWithScript)]).toEqual([200, true])
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Pago Nunez.pdf"; filename*=UTF-8''Pag%C3%B3%20N%C3%BA%C3%B1ez.pdf`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  })
})

test('its customer, analysts and managers read it; for everybody else it does not exist', async () => {
  const { ally, analyst, customer, customer2, gester, manager, technician } = people
  for (const purpose of [
    'payment_proof',
    'refund_proof',
    'constancia',
    'invoice_pdf',
    'condominium_permit',
  ] as const) {
    const id = await stored(purpose)
    for (const person of [customer, analyst, manager])
      expect([purpose, person.kind, (await ask(id, person)).status]).toEqual([purpose, person.kind, 200])
    for (const person of [customer2, technician, gester, ally])
      expect([purpose, person.kind, (await ask(id, person)).status]).toEqual([purpose, person.kind, 404])
    const signedOut = await ask(id)
    expect([signedOut.status, signedOut.headers.get('location')]).toEqual([302, '/signin'])
  }
})

test('it is asked at every read', async () => {
  const id = await stored('constancia')
  const analyst = await world.person({ kind: 'analyst' })
  expect((await ask(id, analyst)).status).toBe(200)
  await world.db.update(users).set({ kind: 'tecnician' }).where(eq(users.id, analyst.id))
  expect((await ask(id, analyst)).status).toBe(404)
  await world.db.update(documents).set({ replacedAt: new Date() }).where(eq(documents.id, id))
  for (const person of [people.customer, people.manager]) expect((await ask(id, person)).status).toBe(404)
})

test('what is no id, or no document, is not found', async () => {
  for (const id of ['x', '%2e%2e%2fsecret', '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'])
    expect((await ask(id, people.manager)).status).toBe(404)
  const id = await stored('constancia')
  await world.drive.delete(`documents/${id}`)
  expect((await ask(id, people.manager)).status).toBe(404)
})
