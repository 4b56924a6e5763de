import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { accounts, users } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail } from '../kit/accounts.ts'
import { expectScreen, expectUser, openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, rowsIn, trailOf } from '../kit/reading.ts'
import { lettersOf } from './letters.ts'
import { memberOf, registerCaller } from './own.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await world.person({ kind: 'manager' })
})

const pageOf = (id: string) => `/admin/users/${id}/cliente`
const caller = () => registerCaller(world, manager, newEmail())
/** The subjects of the e-mails to one address that arrive while something is done. */
const subjectsTo = async (email: string, run: () => Promise<unknown>) =>
  (await lettersOf(world, run)).filter(({ to }) => to === email).map(({ subject }) => subject)

const resend = (id: string) => world.post(pageOf(id), { intent: 'resend-access' }, manager)
const makeLink = (id: string) => world.post(pageOf(id), { intent: 'access-link' }, manager)
const linkIn = ({ text }: { text: string }) =>
  /https?:\/\/[^<"\\]+oobCode=[\w-]+/.exec(text)![0].replaceAll('&amp;', '&')
function choose(link: string) {
  const { pathname, search, searchParams } = new URL(link)
  const oobCode = searchParams.get('oobCode')!
  const form = { intent: 'password', oobCode, password: 'otra-frase-muy-larga', terms: 'on' }
  return world.post(pathname + search, form)
}

// That only the manager may: test/security/actions/pipeline.ts.
describe('sends the access e-mail again', () => {
  test.each([
    ['who never signed in', caller, 'Tu cuenta en Carga en Casa'],
    ['who did not confirm', () => memberOf(world, { emailVerified: false }), 'Confirma tu correo'],
    ['who lost the password', () => memberOf(world), 'Cambia tu contraseña'],
  ])('to a customer %s, and records it', async (_who, make, subject) => {
    const { email, id } = await make()
    const sent = await subjectsTo(email, async () => expectStatus(await resend(id), 303))
    expect(sent).toContain(subject)
    expect(await trailOf(world, id)).toContain('resend_access')
    if (subject === 'Tu cuenta en Carga en Casa')
      await expectScreen(pageOf(id), manager, 'Correo: cuenta abierta por teléfono')
  })

  test('at most 5 times', async () => {
    const { id } = await memberOf(world)
    for (let n = 0; n < 5; n++) expectStatus(await resend(id), 303)
    expectStatus(await resend(id), 429)
  })
})

describe('a link to copy', () => {
  test('opens an account that was never entered, once, and verifies no mailbox', async () => {
    const { email, id } = await caller()
    const shown = await makeLink(id)
    expectPage(shown, 200, 'Compártelo solo con el cliente')
    const link = linkIn(shown)
    const sent = await subjectsTo(email, async () => expectLocation(await choose(link), '/signin'))
    expect(sent).toContain('Confirma tu correo')
    await expectUser({ id }, { emailVerified: false })
    expectStatus(await choose(link), 409)
    expect(await trailOf(world, id)).toContain('make_access_link')
  })

  test('opens nothing once the mailbox was verified, or a provider was linked, which stays', async () => {
    const verified = await caller()
    const linked = await caller()
    const links = [await makeLink(verified.id), await makeLink(linked.id)].map(linkIn)
    await world.db.update(users).set({ emailVerified: true }).where(eq(users.id, verified.id))
    await world.db.insert(accounts).values({ userId: linked.id, accountId: randomUUID(), providerId: 'oidc' })
    for (const link of links) expectStatus(await choose(link), 409)
    const ways = await rowsIn(world, accounts, { userId: linked.id })
    expect(ways.map(({ providerId }) => providerId)).toEqual(['oidc'])
  })

  test('is refused for an account that was entered, whose page says where to sign in', async () => {
    const { id } = await memberOf(world)
    expectStatus(await makeLink(id), 409)
    await expectScreen(pageOf(id), manager, '/signin')
  })
})
