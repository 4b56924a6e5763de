import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { hashOf } from '../../src/server/accounts/limits.ts'
import { sendAccountEmail } from '../../src/server/notifications/send.ts'
import type { OutgoingEmail } from '../../src/server/notifications/transport.ts'
import { invitations } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail } from '../kit/accounts.ts'
import { emailEnv } from '../kit/delivered.ts'
import { expectScreen, expectTrail, openOnce, people, world } from '../kit/open.ts'
import { expectPage, expectStatus, expectStatuses, expectWords, readable, rowsIn } from '../kit/reading.ts'
import { codeTo, invitationTo, invite, invited } from '../kit/users.ts'

openOnce()

const day = 24 * 60 * 60 * 1000
const screen = '/admin/users'
const send = (intent: string, invitationId: string) =>
  world.post(screen, { intent, invitationId }, people.manager)
const expiresAt = (id: string, at: Date) =>
  world.db.update(invitations).set({ expiresAt: at }).where(eq(invitations.id, id))
const linked = async (code: string) => (await world.visit(`/signup?invitacion=${code}`)).text

/** The e-mail of a job; null when it is not sent. */
async function letterOf(invitationId: string, code: string): Promise<OutgoingEmail | null> {
  const sent: OutgoingEmail[] = []
  const transport = { send: async (letter: OutgoingEmail) => void sent.push(letter) }
  const job = { letter: 'invitation' as const, invitationId, code }
  const env = { ...emailEnv, baseUrl: 'http://carga.test' }
  await sendAccountEmail(world.db, env, transport, job, 'job')
  return sent[0] ?? null
}

test('stores the hash of a code for seven days, and sends the code by e-mail', async () => {
  const { manager } = people
  const email = newEmail()
  const answer = await invite(world, manager, ` ${email.toUpperCase()} `, 'tecnician')
  expect([answer.status, answer.location]).toEqual([303, screen])
  const row = await invitationTo(world, email)
  const code = await codeTo(world, email)
  expect(row).toMatchObject({ email, kind: 'tecnician', agencyId: null, invitedBy: manager.id })
  expect(row.codeHash).toBe(hashOf(code))
  const life = row.expiresAt.getTime() - Date.now()
  expect(life > 6.9 * day && life <= 7 * day).toBe(true)
  await expectTrail(row.id, ['invite'], 'invitation')
  const letter = await letterOf(row.id, code)
  expect(letter).toMatchObject({ to: email, subject: 'Te invitamos al equipo de Carga en Casa' })
  for (const text of [letter!.text, letter!.html])
    expectWords(text, `http://carga.test/signup?invitacion=${code}`, 'Técnico instalador')
  const jobs = await world.db.execute(
    sql`select data from pgboss.job where data ->> 'invitationId' = ${row.id}`,
  )
  expect(jobs.rows).toHaveLength(1)
  const page = await world.visit(screen, manager)
  expectWords(readable(page), 'Invitaciones abiertas')
  expectWords(page.text, email)
  for (const text of [JSON.stringify(jobs.rows), page.text]) expect(text).not.toContain(code)
})

test('needs an active agency for an ally, and ignores one for others', async () => {
  const { manager, ally } = people
  const closed = await world.agency({ active: false })
  const to = (email: string, kind: 'alliate' | 'gester', agencyId = '') =>
    invite(world, manager, email, kind, agencyId)
  expectStatus(await to(newEmail(), 'alliate'), 400)
  expectStatus(await to(newEmail(), 'alliate', closed.id), 409)
  for (const [kind, agencyId] of [
    ['alliate', ally.agencyId],
    ['gester', null],
  ] as const) {
    const email = newEmail()
    expectStatus(await to(email, kind, ally.agencyId!), 303)
    expect(await invitationTo(world, email)).toMatchObject({ agencyId })
  }
})

test.each([
  ['nada', 'analyst', 'Escribe un correo válido'],
  ['alguien@prueba.mx', 'customer', 'Elige su rol.'],
] as const)('refuses %o as %o under its field', async (email, kind, message) =>
  expectPage(await invite(world, people.manager, email, kind as 'analyst'), 400, message),
)

test('keeps one open invitation per e-mail, also of three at once', async () => {
  const email = newEmail()
  const answers = await Promise.all([1, 2, 3].map(() => invite(world, people.manager, email)))
  expectStatuses(answers, 303, 409, 409)
  expectWords(answers.find(({ status }) => status === 409)!.text, 'Ya hay una invitación abierta')
  expect(await rowsIn(world, invitations, { email })).toHaveLength(1)
})

test('refuses to invite staff, inactive users and customers with an open project', async () => {
  const { manager, analyst, customer } = people
  await world.home(customer)
  for (const [person, words] of [
    [analyst, 'ya es del equipo'],
    [await world.person({ active: false }), 'cuenta inactiva'],
    [customer, 'proyecto abierto'],
  ] as const) {
    expectPage(await invite(world, manager, person.email, 'gester'), 409, words)
    expect(await invitationTo(world, person.email)).toBeUndefined()
  }
})

test('sent again, an expired one serves seven more days by the new link only', async () => {
  const { email, code, id } = await invited(world, people.manager)
  await expiresAt(id, new Date(Date.now() - day))
  expectWords(await linked(code), 'Esta invitación venció')
  await expectScreen(screen, people.manager, 'Vencida')
  expectStatus(await send('resend', id), 303)
  const fresh = await codeTo(world, email)
  expectWords(await linked(code), 'No encontramos esta invitación')
  expectWords(await linked(fresh), email)
  expect(await letterOf(id, code)).toBeNull()
  expect((await letterOf(id, fresh))?.to).toBe(email)
  await expectTrail(id, ['invite', 'resend'], 'invitation')
})

test('is not sent again to an inactive user', async () => {
  const { email, code, id } = await invited(world, people.manager)
  await world.person({ email, active: false })
  expectPage(await send('resend', id), 409, 'cuenta inactiva')
  expect((await letterOf(id, code))?.to).toBe(email)
})

test('withdrawn, it serves no more, is not sent, and can be followed by another', async () => {
  const { email, code, id } = await invited(world, people.manager)
  expectStatus(await send('withdraw', id), 303)
  expectWords(await linked(code), 'Esta invitación se retiró')
  expect(await letterOf(id, code)).toBeNull()
  for (const intent of ['withdraw', 'resend']) expectStatus(await send(intent, id), 409)
  expect((await world.visit(screen, people.manager)).text).not.toContain(email)
  expectStatus(await invite(world, people.manager, email), 303)
})

test('an expired one may be replaced by another', async () => {
  const { email, code, id } = await invited(world, people.manager)
  await expiresAt(id, new Date(0))
  expectStatus(await invite(world, people.manager, email, 'gester'), 303)
  expect(await invitationTo(world, email)).toMatchObject({ kind: 'gester', withdrawnAt: null })
  expectWords(await linked(code), 'se retiró')
})

test('refuses an unknown invitation, an invalid id and an unknown form', async () => {
  const unknown = crypto.randomUUID()
  for (const [intent, id, status] of [
    ['resend', unknown, 404],
    ['withdraw', unknown, 404],
    ['resend', 'x', 400],
    ['accept', unknown, 400],
  ] as const)
    expectStatus(await send(intent, id), status)
})
