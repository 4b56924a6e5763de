import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { hashOf } from '../../src/server/accounts/limits.ts'
import { sendAccountEmail } from '../../src/server/notifications/send.ts'
import type { OutgoingEmail } from '../../src/server/notifications/transport.ts'
import { invitations } from '../../src/server/platform/database/schema/accounts.ts'
import { newEmail } from '../kit/accounts.ts'
import { emailEnv } from '../kit/delivered.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { expectPage, expectWords, readable, rowsIn, trailOf } from '../kit/reading.ts'
import { codeTo, invitationTo, invite, invited } from '../kit/users.ts'

openOnce()

const day = 24 * 60 * 60 * 1000
const send = (intent: string, invitationId: string, as = people.manager) =>
  world.post('/admin/users', { intent, invitationId }, as)

/** What the letter of a job says; null when it is not sent. */
async function letterOf(invitationId: string, code: string): Promise<OutgoingEmail | null> {
  const sent: OutgoingEmail[] = []
  const transport = { send: async (letter: OutgoingEmail) => void sent.push(letter) }
  const job = { letter: 'invitation' as const, invitationId, code }
  const env = { ...emailEnv, baseUrl: 'http://carga.test' }
  await sendAccountEmail(world.db, env, transport, job, 'job')
  return sent[0] ?? null
}

describe('inviting', () => {
  test('keeps the hash of a code for seven days, and sends the code by letter', async () => {
    const { manager } = people
    const email = newEmail()
    const answer = await invite(world, manager, ` ${email.toUpperCase()} `, 'tecnician')
    expect([answer.status, answer.location]).toEqual([303, '/admin/users'])
    const row = await invitationTo(world, email)
    const code = await codeTo(world, email)
    expect(row).toMatchObject({ email, kind: 'tecnician', agencyId: null, invitedBy: manager.id })
    expect(row.codeHash).toBe(hashOf(code))
    expect(row.expiresAt.getTime() - Date.now()).toBeGreaterThan(6.9 * day)
    expect(row.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(7 * day)
    expect(await trailOf(world, row.id, 'invitation')).toEqual(['invite'])
    const letter = await letterOf(row.id, code)
    expect(letter).toMatchObject({ to: email, subject: 'Te invitamos al equipo de Carga en Casa' })
    for (const text of [letter!.text, letter!.html]) {
      expectWords(text, `http://carga.test/signup?invitacion=${code}`, 'Técnico instalador')
    }
    // Nobody who reads the queue opens it either.
    const jobs = await world.db.execute(
      sql`select data from pgboss.job where data ->> 'invitationId' = ${row.id}`,
    )
    expect(jobs.rows).toHaveLength(1)
    expect(JSON.stringify(jobs.rows)).not.toContain(code)
    const page = await world.visit('/admin/users', manager)
    expect(readable(page)).toContain('Invitaciones abiertas')
    expect(page.text).toContain(email)
    expect(page.text).not.toContain(code)
  })

  test('an ally with an agency that is active; nobody else has one', async () => {
    const { manager, ally } = people
    const gone = await world.agency({ name: 'Cerrada', active: false })
    expect((await invite(world, manager, newEmail(), 'alliate')).status).toBe(400)
    expect((await invite(world, manager, newEmail(), 'alliate', gone.id)).status).toBe(409)
    const [email, other] = [newEmail(), newEmail()]
    expect((await invite(world, manager, email, 'alliate', ally.agencyId!)).status).toBe(303)
    expect(await invitationTo(world, email)).toMatchObject({ agencyId: ally.agencyId })
    expect((await invite(world, manager, other, 'gester', ally.agencyId!)).status).toBe(303)
    expect(await invitationTo(world, other)).toMatchObject({ agencyId: null })
  })

  test.each([
    ['', 'analyst', 'Escribe tu correo electrónico.'],
    ['nada', 'analyst', 'Escribe un correo válido'],
    ['alguien@prueba.mx', 'customer', 'Elige su rol.'],
    ['alguien@prueba.mx', '', 'Elige su rol.'],
  ])('%o as %o is refused under its field', async (email, kind, message) => {
    const answer = await world.post('/admin/users', { intent: 'invite', email, kind }, people.manager)
    expectPage(answer, 400, message)
  })

  test('once for each e-mail, also when asked twice at once', async () => {
    const { manager } = people
    const email = newEmail()
    const answers = await Promise.all([1, 2, 3].map(() => invite(world, manager, email)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.text).toContain('Ya hay una invitación abierta')
    const rows = await rowsIn(world, invitations, { email })
    expect(rows).toHaveLength(1)
  })

  test('nobody who is of the team, inactive, or a customer with a project', async () => {
    const { manager, analyst, customer } = people
    await world.home(customer)
    const inactive = await world.person({ active: false })
    for (const [person, words] of [
      [analyst, 'ya es del equipo'],
      [inactive, 'cuenta inactiva'],
      [customer, 'proyecto abierto'],
    ] as const) {
      const answer = await invite(world, manager, person.email, 'gester')
      expectPage(answer, 409, words)
      expect(await invitationTo(world, person.email)).toBeUndefined()
    }
  })
})

describe('afterwards', () => {
  test('sent again, only the new link serves, for seven more days', async () => {
    const { email, code, id } = await invited(world, people.manager)
    await world.db
      .update(invitations)
      .set({ expiresAt: new Date(Date.now() - day) })
      .where(eq(invitations.id, id))
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('Esta invitación venció')
    expect(readable(await world.visit('/admin/users', people.manager))).toContain('Vencida')
    expect((await send('resend', id)).status).toBe(303)
    const fresh = await codeTo(world, email)
    expect(fresh).not.toBe(code)
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('No encontramos esta invitación')
    expect((await world.visit(`/signup?invitacion=${fresh}`)).text).toContain(email)
    expect(await letterOf(id, code)).toBeNull()
    expect((await letterOf(id, fresh))?.to).toBe(email)
    expect(await trailOf(world, id, 'invitation')).toEqual(['invite', 'resend'])
  })

  test('not sent again to whom it would serve no more', async () => {
    const { email, code, id } = await invited(world, people.manager)
    await world.person({ email, active: false })
    const answer = await send('resend', id)
    expectPage(answer, 409, 'cuenta inactiva')
    expect((await letterOf(id, code))?.to).toBe(email)
  })

  test('withdrawn, its link says so, and it is sent no more', async () => {
    const { email, code, id } = await invited(world, people.manager)
    expect((await send('withdraw', id)).status).toBe(303)
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('Esta invitación se retiró')
    expect(await letterOf(id, code)).toBeNull()
    for (const intent of ['withdraw', 'resend']) expect((await send(intent, id)).status).toBe(409)
    expect((await world.visit('/admin/users', people.manager)).text).not.toContain(email)
    expect((await invite(world, people.manager, email)).status).toBe(303)
  })

  test('an expired one may be replaced by another', async () => {
    const { email, code, id } = await invited(world, people.manager)
    await world.db
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(eq(invitations.id, id))
    expect((await invite(world, people.manager, email, 'gester')).status).toBe(303)
    expect(await invitationTo(world, email)).toMatchObject({ kind: 'gester', withdrawnAt: null })
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('se retiró')
  })

  test('one that does not exist', async () => {
    const nobody = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
    for (const intent of ['resend', 'withdraw']) expect((await send(intent, nobody)).status).toBe(404)
    expect((await send('resend', 'x')).status).toBe(400)
    expect((await send('accept', nobody)).status).toBe(400)
  })
})
