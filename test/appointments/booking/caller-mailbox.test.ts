import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { makeCode } from '../../../src/server/accounts/letter-codes.ts'
import { accounts, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { openEach, pageText, people, world } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { expectShown, rowIn, rowsIn } from '../../kit/reading.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { accountLetters, at, bookFor, create, send, startsFor } from './calling.ts'

const password = 'una-frase-larga'
let id: string
let email: string
let stranger: Visitor

/** A stranger has made an account with the caller's mailbox, which they cannot read. */
openEach()
beforeEach(async () => {
  email = `marta-${randomUUID().slice(0, 8)}@prueba.mx`
  stranger = world.visitor()
  await world.post('/signup', { email, password }, stranger)
  const profile = { name: 'Marta', lastname: 'Vecina', phone: '5511112222', whatsapp: 'on' }
  await world.post('/completion', profile, stranger)
  id = (await rowIn(world, users, { email }))!.id
  await world.db.insert(accounts).values({ userId: id, accountId: 'ajeno', providerId: 'oidc' })
  await world.db.execute(sql`delete from pgboss.job where name = 'account-letter'`)
})
const giveHome = () =>
  send({
    intent: 'give-address',
    customerId: id,
    service: 'technical_visit',
    ...addressForm,
    street: 'Secreta',
  })

test('saving the caller’s address takes an unproved account from the stranger', async () => {
  expectShown(await create({ email }), 409, 'al guardar la pasamos a quien llama')
  const unproved = 'Nadie ha confirmado este correo'
  expect(await pageText(at({ id }), people.manager)).toContain(unproved)
  expect((await giveHome()).status).toBe(303)
  for (const path of ['/address', '/', '/technics-visit', '/cuenta'])
    expect((await world.data(path, stranger)).location).toBe('/signin')
  expect((await world.post('/signin', { email, password }, stranger)).status).toBe(400)
  expect(await rowsIn(world, accounts, { userId: id })).toEqual([])
  expect(await rowIn(world, users, { id })).toMatchObject({
    termsAcceptedAt: null,
    whatsappOptInAt: null,
    emailVerified: false,
  })
  expect(await accountLetters()).toEqual(['claim_account'])
  // A later booking takes nothing more, and the code of the first email stays good.
  expect(await pageText(at({ id }), people.manager)).not.toContain(unproved)
  const oobCode = await makeCode(world.db, 'reset_password', id, new Date())
  const [start] = await startsFor({ id })
  expect((await bookFor({ id }, { startsAt: start! })).status).toBe(303)
  expect(await accountLetters()).toEqual(['claim_account'])
  const chosen = { intent: 'password', oobCode, password: 'la-mia-de-verdad' }
  expect((await world.post('/recover-password?mode=resetPassword', chosen)).location).toBe('/signin')
})

test('a booking alone takes it as well', async () => {
  const [start] = await startsFor({ id }, 'videocall')
  const call = { service: 'videocall', startsAt: start!, interest: '03' }
  expect((await bookFor({ id }, call)).status).toBe(303)
  expect((await world.data('/videocall', stranger)).location).toBe('/signin')
  expect(await accountLetters()).toEqual(['claim_account'])
})

test('an account with a proved mailbox stays its owner’s', async () => {
  await world.db.update(users).set({ emailVerified: true }).where(eq(users.id, id))
  expect((await giveHome()).status).toBe(303)
  expect((await world.data('/address', stranger)).status).toBe(200)
  expect(await accountLetters()).toEqual([])
})
