import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCode } from '../../../src/server/accounts/letter-codes.ts'
import { accounts, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { addressForm } from '../../kit/people.ts'
import { readable, rowsIn } from '../../kit/reading.ts'
import { accountLetters, at, bookFor, create, send, startsFor } from './calling.ts'

openEach()

describe('an account that a stranger made with the caller’s mailbox', () => {
  const password = 'una-frase-larga'
  async function strangers() {
    const [email, stranger] = [`marta-${randomUUID().slice(0, 8)}@prueba.mx`, world.visitor()]
    await world.post('/signup', { email, password }, stranger)
    const profile = { name: 'Marta', lastname: 'Vecina', phone: '5511112222', whatsapp: 'on' }
    await world.post('/completion', profile, stranger)
    const [account] = await rowsIn(world, users, { email })
    await world.db.insert(accounts).values({ userId: account!.id, accountId: 'ajeno', providerId: 'oidc' })
    await world.db.execute(sql`delete from pgboss.job where name = 'account-letter'`)
    return { id: account!.id, email, stranger }
  }
  const homeOf = (id: string) =>
    send({
      intent: 'give-address',
      customerId: id,
      service: 'technical_visit',
      ...addressForm,
      street: 'Secreta',
    })

  test('is theirs from the first thing that is written down: the stranger reads nothing of it', async () => {
    const { id, email, stranger } = await strangers()
    const known = await create({ email })
    expect(known.status).toBe(409)
    expect(readable(known)).toContain('al guardar la pasamos a quien llama')
    expect(readable(await world.visit(at({ id }), people.manager))).toContain(
      'Nadie ha confirmado este correo',
    )
    expect((await world.visit('/address', stranger)).status).toBe(200)
    expect((await homeOf(id)).status).toBe(303)
    for (const path of ['/address', '/', '/technics-visit', '/cuenta'])
      expect((await world.visit(path, stranger)).location).toBe('/signin')
    expect((await world.post('/signin', { email, password }, stranger)).status).toBe(400)
    expect(await rowsIn(world, accounts, { userId: id })).toEqual([])
    const [row] = await rowsIn(world, users, { id })
    expect(row).toMatchObject({ termsAcceptedAt: null, whatsappOptInAt: null, emailVerified: false })
    expect(await accountLetters()).toEqual(['claim_account'])
    // Nothing is left to take, and the letter that is on its way stays good.
    expect(readable(await world.visit(at({ id }), people.manager))).not.toContain('Nadie ha confirmado')
    const oobCode = await makeCode(world.db, 'reset_password', id, new Date())
    const [start] = await startsFor({ id })
    expect((await bookFor({ id }, { startsAt: start! })).status).toBe(303)
    expect(await accountLetters()).toEqual(['claim_account'])
    const chosen = { intent: 'password', oobCode, password: 'la-mia-de-verdad' }
    expect((await world.post('/recover-password?mode=resetPassword', chosen)).location).toBe('/signin')
  })

  test('a booking takes it over by itself', async () => {
    const { id, stranger } = await strangers()
    const [start] = await startsFor({ id }, 'videocall')
    const call = { service: 'videocall', startsAt: start!, interest: '03' }
    expect((await bookFor({ id }, call)).status).toBe(303)
    expect((await world.visit('/videocall', stranger)).location).toBe('/signin')
    expect(await accountLetters()).toEqual(['claim_account'])
  })

  test('one whose mailbox was proved is its owner’s, who stays where they are', async () => {
    const { id, stranger } = await strangers()
    await world.db.update(users).set({ emailVerified: true }).where(eq(users.id, id))
    expect((await homeOf(id)).status).toBe(303)
    expect((await world.visit('/address', stranger)).status).toBe(200)
    expect(await accountLetters()).toEqual([])
  })
})
