import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { accounts, users } from '../../src/server/platform/database/schema/accounts.ts'
import { events } from '../../src/server/platform/database/schema/projects.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable, rowIn, rowsIn } from '../kit/reading.ts'
import { letterBox } from './letters.ts'
import { memberOf } from './own.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await memberOf(world, { kind: 'manager' })
})

const pageOf = (id: string) => `/admin/users/${id}/cliente`
const newEmail = () => `nuevo-${randomUUID().slice(0, 8)}@prueba.mx`
const userOf = async (id: string) => (await rowIn(world, users, { id }))!
const chosen = 'otra-frase-muy-larga'

/** The subjects of the letters to somebody that arrive while something is done. */
async function lettersTo(email: string, run: () => Promise<unknown>) {
  const box = await letterBox(world)
  const before = (await box.delivered()).length
  await run()
  const fresh = (await box.delivered()).slice(before)
  return fresh.filter((letter) => letter.to === email).map(({ subject }) => subject)
}

let callers = 0
async function caller() {
  const email = newEmail()
  const form = {
    intent: 'create-customer',
    callOnly: 'on',
    name: 'Rita',
    lastname: 'Llamas',
    phone: `55123456${10 + callers++}`,
    email,
  }
  await world.post('/admin/assignations/nueva', form, manager)
  const [user] = await rowsIn(world, users, { email })
  return user!
}

const resend = (id: string, by = manager) => world.post(pageOf(id), { intent: 'resend-access' }, by)
const makeLink = (id: string, by = manager) => world.post(pageOf(id), { intent: 'access-link' }, by)
const linkIn = ({ text }: { text: string }) =>
  /https?:\/\/[^<"\\]+oobCode=[\w-]+/.exec(text)?.[0]?.replaceAll('&amp;', '&')
const choose = (link: string) => {
  const oobCode = new URL(link).searchParams.get('oobCode')!
  const { pathname, search } = new URL(link)
  return world.post(
    pathname + search,
    { intent: 'password', oobCode, password: chosen, terms: 'on' },
    world.visitor(),
  )
}

describe('the access letter is sent again', () => {
  test.each([
    ['who never entered', async () => (await caller()).id, 'Tu cuenta en Carga en Casa'],
    [
      'who did not confirm',
      async () => (await memberOf(world, { emailVerified: false })).id,
      'Confirma tu correo',
    ],
    ['who lost the password', async () => (await memberOf(world)).id, 'Cambia tu contraseña'],
  ])('to a customer %s', async (_who, make, subject) => {
    const { email, id } = await userOf(await make())
    const letters = await lettersTo(email, async () => expect((await resend(id)).status).toBe(303))
    expect(letters).toContain(subject)
    expect((await rowsIn(world, events, { entityId: id })).map(({ name }) => name)).toContain('resend_access')
  })

  test('by the manager only, and not without limit', async () => {
    const { id } = await memberOf(world)
    expect((await resend(id, await world.person({ kind: 'analyst' }))).status).toBe(403)
    for (let n = 0; n < 5; n++) expect((await resend(id)).status).toBe(303)
    expect((await resend(id)).status).toBe(429)
  })

  test('each letter is in the customer’s history once it went out', async () => {
    const { email, id } = await caller()
    await lettersTo(email, () => resend(id))
    expect(readable(await world.visit(pageOf(id), manager))).toContain('Correo: cuenta abierta por teléfono')
  })
})

describe('a link to copy', () => {
  test('opens an account that nobody entered, once, and proves no mailbox', async () => {
    const { email, id } = await caller()
    const shown = await makeLink(id)
    const link = linkIn(shown)!
    expect(shown.status).toBe(200)
    expect(readable(shown)).toContain('Compártelo solo con el cliente')
    const letters = await lettersTo(email, async () => expect((await choose(link)).location).toBe('/signin'))
    expect(letters).toContain('Confirma tu correo')
    expect(await userOf(id)).toMatchObject({ emailVerified: false })
    expect((await choose(link)).status).toBe(409)
    expect((await rowsIn(world, events, { entityId: id })).map(({ name }) => name)).toContain(
      'make_access_link',
    )
  })

  test('opens nothing once its owner came by the mailbox', async () => {
    const { id } = await caller()
    const link = linkIn(await makeLink(id))!
    await world.db.$client.query(`update users set email_verified = true where id = $1`, [id])
    expect((await choose(link)).status).toBe(409)
  })

  test('opens nothing once somebody came by a provider, who keeps that way in', async () => {
    const { id } = await caller()
    const link = linkIn(await makeLink(id))!
    await world.db.insert(accounts).values({ userId: id, accountId: randomUUID(), providerId: 'oidc' })
    expect((await choose(link)).status).toBe(409)
    expect((await rowsIn(world, accounts, { userId: id })).map(({ providerId }) => providerId)).toEqual([
      'oidc',
    ])
  })

  test('is not made of an account that somebody entered: its page says where to sign in', async () => {
    const { id } = await memberOf(world)
    expect((await makeLink(id)).status).toBe(409)
    const page = readable(await world.visit(pageOf(id), manager))
    expect(page).toContain('/signin')
    expect((await makeLink(id, await world.person({ kind: 'analyst' }))).status).toBe(403)
  })
})
