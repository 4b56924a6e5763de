import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { forgetInvited } from '../../../src/server/agencies/client-invitations.ts'
import type { EmailJob } from '../../../src/server/notifications/jobs.ts'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { clients, codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { clientPath, registerPath } from '../../../src/web/agencies/agency-paths.ts'
import { newEmail, password } from '../../kit/accounts.ts'
import { clientOf, clientTrailOf, storeCode } from '../../kit/agencies.ts'
import { hour } from '../../kit/appointments.ts'
import { emailEnv, emailsOf } from '../../kit/delivered.ts'
import { openedJob } from '../../kit/jobs.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { readable, rowsIn } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce()
let colleague: Person
beforeAll(async () => {
  colleague = await world.person({ kind: 'alliate', name: 'Amparo', agencyId: people.ally.agencyId! })
})

let count = 0
const typed = (more: Record<string, string> = {}) => ({
  intent: 'register',
  name: 'Irene',
  phone: `5577${String(++count).padStart(6, '0')}`,
  email: '',
  vehicleBrand: 'BYD',
  vehicleModel: 'Dolphin',
  vehicleYear: '2026',
  code: '',
  consent: 'yes',
  requestKey: randomUUID(),
  ...more,
})
const register = (form: Record<string, string>, as = people.ally) => world.post(registerPath, form, as)
const withPhone = (phone: string) => rowsIn(world, clients, { phone })
const about = (id: string, intent: string, as = people.ally) => world.post(clientPath(id), { intent }, as)
const linkIn = (answer: Answer) =>
  /\/approach\?\S*?registro=[\w-]{20,}/.exec(readable(answer))![0].replaceAll('&amp;', '&')

/** Somebody registered, with the link that the ally was shown. */
async function registered(more: Record<string, string> = {}) {
  const form = typed(more)
  const answer = await register(form)
  expect(answer.status).toBe(200)
  const [row] = await withPhone(form.phone)
  return { id: row!.id, link: linkIn(answer), form }
}

/** Follows a link and signs up with it; answers what ties the new account to an agency. */
async function signUpBy(link: string) {
  const [as, email] = [world.visitor(), newEmail()]
  await world.visit(link, as)
  const { searchParams: query } = new URL(link, 'http://x')
  const carried = { codigo: query.get('codigo') ?? '', registro: query.get('registro') ?? '' }
  const answer = await world.post('/signup', { email, password, ...carried }, as)
  const [user] = await rowsIn(world, users, { email })
  if (!user) return { answer, ties: [] }
  return { answer, ties: await rowsIn(world, clients, { customerId: user.id }) }
}

const jobsOf = async (id: string) => {
  const { rows } = await world.db.execute<{ data: EmailJob }>(
    sql`select data from pgboss.job where name = 'letter' and data ->> 'clientId' = ${id} order by created_on, id`,
  )
  return rows.map(({ data }) => openedJob(data))
}
/** With the address of the world's own pages. */
const lettersOf = async (id: string) =>
  (
    await Promise.all(
      (await jobsOf(id)).map((job) => emailsOf(world.db, job, { ...emailEnv, baseUrl: 'http://carga.test' })),
    )
  ).flat()

test('an ally registers somebody, who is in the list, and hands over a link that is kept nowhere', async () => {
  const code = await storeCode(world, people.ally)
  const { id, link } = await registered({ code: code.code })
  expect(link).toContain(`codigo=${code.code}`)
  const row = await clientOf(world, id)
  const { agencyId, id: allyId } = people.ally
  expect(row).toMatchObject({ agencyId, allyId, registeredBy: allyId, source: 'counter', stage: 'invited' })
  expect(row).toMatchObject({ waitingOn: 'customer', name: 'Irene', codeId: code.id, customerId: null })
  expect([row.consentAt, row.consentVersion].every(Boolean)).toBe(true)
  expect(await clientTrailOf(world, id)).toEqual(['register invited'])
  expect(JSON.stringify(row)).not.toContain(new URL(link, 'http://x').searchParams.get('registro'))
  expect(readable(await world.visit('/admin/alliate/clients', people.ally))).toContain('Irene')
})

test('nobody but an ally registers anybody', async () => {
  for (const who of [people.manager, people.analyst, people.technician, people.gester, people.customer]) {
    const form = typed()
    expect([302, 403]).toContain((await register(form, who)).status)
    expect(await withPhone(form.phone)).toEqual([])
  }
})

test('what is wrong is said under its field, and what was typed stays', async () => {
  const wrong = { name: 'Úrsula', phone: '55 12', email: 'sin arroba', vehicleYear: '1889', code: 'OI' }
  const { consent: _, ...form } = typed(wrong)
  const answer = await register(form)
  expect(answer.status).toBe(400)
  const page = readable(answer)
  for (const words of ['10 dígitos', 'Escribe un año de 1990', 'Pídele su consentimiento'])
    expect(page).toContain(words)
  for (const value of ['Úrsula', '55 12', 'sin arroba', 'Dolphin', '1889', form.requestKey])
    expect(answer.text).toContain(`value="${value}"`)
  const paused = await storeCode(world, people.ally, { state: 'paused' })
  const late = await register(typed({ code: paused.code }))
  expect([late.status, readable(late).includes('Ese código no está activo')]).toEqual([409, true])
})

test('the same form twice is one client; the same person again is found, not doubled', async () => {
  const form = typed()
  const answers = await Promise.all([register(form), register(form)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await withPhone(form.phone)).toHaveLength(1)
  const again = await register({ ...typed(), phone: form.phone })
  expect([again.status, readable(again).includes('ya invitó a alguien con este teléfono')]).toEqual([
    409,
    true,
  ])
  // Of two forms for one person at once, too.
  const { phone } = typed()
  const two = await Promise.all([register(typed({ phone })), register(typed({ phone }), colleague)])
  expect(two.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await withPhone(phone)).toHaveLength(1)
})

test('a mailbox is one person however it is spelled, and an ally is no client of their own', async () => {
  const name = `una.${randomUUID().slice(0, 8)}`
  await registered({ email: `${name}@gmail.com` })
  const again = await register(typed({ email: `${name.replace('.', '')}+auto@gmail.com` }))
  expect([again.status, readable(again).includes('ya invitó a alguien con este correo')]).toEqual([409, true])
  for (const ally of [people.ally, colleague]) {
    const form = typed({ email: ally.email })
    const own = await register(form)
    expect([own.status, readable(own).includes('un aliado no puede ser su propio cliente')]).toEqual([
      409,
      true,
    ])
    expect(own.text).toContain(`value="${ally.email}"`)
    expect(await withPhone(form.phone)).toEqual([])
  }
})

test('the counter has the ally’s own link to be read by a camera, and the new link too', async () => {
  const code = await storeCode(world, people.ally)
  const page = await world.visit(registerPath, people.ally)
  expect(page.text).toContain(`Código QR de tu enlace con el código ${code.code}`)
  expect(page.text).toContain(`/papers/code/${code.id}.pdf`)
  expect(readable(await world.visit('/admin/alliate/codes', people.ally))).toContain(
    'Tu enlace y su código QR',
  )
  const answer = await register(typed())
  expect(answer.text).toContain('Código QR del enlace de Irene')
})

test('a new link takes the place of the one before; whoever came needs none', async () => {
  const { id, link } = await registered({ email: newEmail() })
  expect((await about(id, 'invite', colleague)).status).toBe(404)
  const again = await about(id, 'invite')
  expect(again.status).toBe(200)
  expect(await clientTrailOf(world, id)).toEqual(['register invited', 'invite_again'])
  // The letter with the link before is not sent any more.
  expect([await jobsOf(id), await lettersOf(id)].map(({ length }) => length)).toEqual([2, 1])
  expect((await signUpBy(link)).ties).toEqual([])
  expect((await signUpBy(linkIn(again))).ties).toMatchObject([{ id, source: 'counter' }])
  expect((await about(id, 'invite')).status).toBe(409)
  expect((await about(id, 'withdraw')).status).toBe(409)
})

test('letters to one person are few', async () => {
  const { id } = await registered({ email: newEmail() })
  const answers: number[] = []
  for (let tries = 0; tries < 4; tries++) answers.push((await about(id, 'invite')).status)
  expect(answers).toEqual([200, 200, 200, 429])
})

const erased = { name: null, lastname: null, phone: null, email: null, vehicle: null, inviteHash: null }

test('an invitation that is taken back erases what was typed, and its link brings nobody', async () => {
  const { id, link, form } = await registered({ email: newEmail() })
  expect((await about(id, 'withdraw', colleague)).status).toBe(404)
  expect((await about(id, 'withdraw')).location).toBe('/admin/alliate/clients')
  expect(await clientOf(world, id)).toMatchObject({ ...erased, endedReason: 'withdrawn' })
  expect(await lettersOf(id)).toEqual([])
  expect((await signUpBy(link)).ties).toEqual([])
  expect((await world.visit(clientPath(id), people.ally)).status).toBe(404)
  // The phone is free again.
  expect((await register(typed({ phone: form.phone }))).status).toBe(200)
})

test('the letter names the agency, the link and what the code gives, and nothing that was typed', async () => {
  const code = await storeCode(world, people.ally, { benefitKind: 'percent', benefitValue: 1000 })
  const email = newEmail()
  const { id, link } = await registered({ email, code: code.code, name: 'Zenobia' })
  const [sent, ...more] = await lettersOf(id)
  expect(more).toEqual([])
  expect(sent!.to).toBe(email)
  for (const words of [link, code.code, '10 % de descuento']) expect(sent!.text).toContain(words)
  expect(`${sent!.text}${sent!.html}`).not.toContain('Zenobia')
  // A code that stopped meanwhile is not promised, and does not stand in the way of whoever follows a new link.
  await world.db.update(codes).set({ state: 'paused' }).where(eq(codes.id, code.id))
  const [late] = await lettersOf(id)
  expect(late!.text).not.toMatch(/descuento|codigo=/)
  const again = linkIn(await about(id, 'invite'))
  expect(again).not.toContain('codigo=')
  expect((await signUpBy(again)).ties).toMatchObject([{ id, codeId: null }])
})

test('the clean-up forgets after 90 days whoever did not come, and nobody else', async () => {
  const { id, link } = await registered()
  const fresh = await registered()
  const ended = new Date(Date.now() + 90 * 24 * hour + 1000)
  expect(await forgetInvited(world.db, new Date(ended.getTime() - 60_000))).toBe(0)
  await world.db.execute(
    sql`update clients set invite_expires_at = invite_expires_at + interval '1 day' where id = ${fresh.id}`,
  )
  expect(await forgetInvited(world.db, ended)).toBeGreaterThan(0)
  expect(await clientOf(world, id)).toMatchObject({ ...erased, endedReason: 'expired' })
  expect(await clientTrailOf(world, id)).toEqual(['register invited', 'expire'])
  expect(await clientOf(world, fresh.id)).toMatchObject({ name: 'Irene', endedAt: null })
  expect((await signUpBy(link)).ties).toEqual([])
})

test('the job of the letter keeps the token sealed, however it ends: whoever reads the queue opens nothing', async () => {
  const { id, link } = await registered({ email: newEmail() })
  const token = new URL(link, 'http://x').searchParams.get('registro')!
  const { rows } = await world.db.execute(sql`select data from pgboss.job where data ->> 'clientId' = ${id}`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
  const [told] = await jobsOf(id)
  expect(told).toMatchObject({ letter: 'client_invitation', token })
})
