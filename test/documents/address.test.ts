import { expect, test } from 'vitest'
import type { CustomerPurpose } from '../../src/domain/documents/document.ts'
import { attach, takeDocument } from '../../src/server/documents/documents.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { documents } from '../../src/server/platform/database/schema/payments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered, setIn } from '../kit/reading.ts'
import { fileOf, pdfWithScript } from './samples.ts'

openOnce()

async function stored(purpose: CustomerPurpose, name = 'x.pdf') {
  const file = fileOf(pdfWithScript, name)
  const wish = { file, purpose, customerId: people.customer.id, projectId: null }
  const taken = await takeDocument(world.db, world.drive, people.manager.actor, wish)
  return transaction(world.db, (tx) => attach(tx, taken))
}

const ask = (id: string, by?: Person) => world.open(`/documents/${id}`, by)

test('a PDF with a script is downloaded, and never opened as a page of the site', async () => {
  const id = await stored('payment_proof', 'Pagó "Núñez".pdf')
  const answer = await ask(id, people.customer)
  expect(answer.status).toBe(200)
  expect(pdfWithScript.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Pago Nunez.pdf"; filename*=UTF-8''Pag%C3%B3%20N%C3%BA%C3%B1ez.pdf`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  })
})

test('its customer, analysts and managers read a document; nobody else finds it', async () => {
  const { ally, analyst, customer, customer2, gester, manager, technician } = people
  for (const purpose of ['payment_proof', 'constancia', 'invoice_pdf', 'condominium_permit'] as const) {
    const id = await stored(purpose)
    for (const person of [customer, analyst, manager]) await expectAnswered(ask(id, person), 200)
    for (const person of [customer2, technician, gester, ally]) await expectAnswered(ask(id, person), 404)
    expect((await ask(id)).headers.get('location')).toBe('/signin')
  }
})

test('access is decided at every read, and a replaced document is not found', async () => {
  const id = await stored('constancia')
  const analyst = await world.person({ kind: 'analyst' })
  await expectAnswered(ask(id, analyst), 200)
  await setIn(world, users, analyst, { kind: 'tecnician' })
  await expectAnswered(ask(id, analyst), 404)
  await setIn(world, documents, id, { replacedAt: new Date() })
  for (const person of [people.customer, people.manager]) await expectAnswered(ask(id, person), 404)
})

test('an invalid or unknown id, or a missing file, is not found', async () => {
  const id = await stored('constancia')
  await world.drive.delete(`documents/${id}`)
  for (const one of ['x', '%2e%2e%2fsecret', '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f', id])
    await expectAnswered(ask(one, people.manager), 404)
})
