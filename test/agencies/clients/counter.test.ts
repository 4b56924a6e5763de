import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { forgetInvited } from '../../../src/agencies/client-invitations.ts'
import { clientPath, registerPath } from '../../../src/agencies/screens/agency-paths.ts'
import { clients, codes } from '../../../src/platform/database/schema/agencies.ts'
import { agencies, projects } from '../../../src/platform/database/schema/projects.ts'
import type { EmailJob } from '../../../src/platform/jobs/emails.ts'
import { newEmail } from '../../kit/accounts.ts'
import { clientOf, clientTrailOf, signUpBy, storeCode } from '../../kit/agencies.ts'
import { hour } from '../../kit/appointments.ts'
import { emailEnv, emailsOf, openedJob } from '../../kit/delivered.ts'
import {
  ally,
  db,
  eventsAbout,
  expectRow,
  expectScreen,
  fixture,
  manager,
  openOnce,
  post,
  rowsWhere,
  runSql,
  setRow,
  storeRows,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import {
  expectAnswered,
  expectPage,
  expectShown,
  expectStatuses,
  expectWords,
  readable,
} from '../../kit/reading.ts'
import { save } from '../../kit/settings.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce()
let colleague: Person
beforeAll(async () => {
  colleague = await fixture.person({ kind: 'alliate', name: 'Amparo', agencyId: ally.agencyId! })
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
const register = (form: Record<string, string>, as = ally) => post(registerPath, form, as)
const withPhone = (phone: string) => rowsWhere(clients, { phone })
const about = (id: string, intent: string, as = ally) => post(clientPath(id), { intent }, as)
const linkIn = (answer: Answer) =>
  /\/approach\?\S*?registro=[\w-]{20,}/.exec(readable(answer))![0].replaceAll('&amp;', '&')
const tokenIn = (link: string) => new URL(link, 'http://x').searchParams.get('registro')!
const tiesBy = async (link: string) => (await signUpBy(link)).ties

/** Registers a client; answers the link that the ally is shown. */
async function registered(more: Record<string, string> = {}) {
  const form = typed(more)
  const answer = await register(form)
  expect(answer.status).toBe(200)
  const [row] = await withPhone(form.phone)
  return { id: row!.id, link: linkIn(answer), form }
}

const jobsOf = async (id: string) => {
  const { rows } = await runSql<{
    data: EmailJob
  }>`select data from pgboss.job where name = 'letter' and data ->> 'clientId' = ${id} order by created_on, id`
  return rows.map(({ data }) => data)
}
const emailsTo = async (id: string) => {
  const sent = (await jobsOf(id)).map((job) =>
    emailsOf(db, openedJob(job), { ...emailEnv, baseUrl: 'http://carga.test' }),
  )
  return (await Promise.all(sent)).flat()
}

const erased = { name: null, lastname: null, phone: null, email: null, vehicle: null, inviteHash: null }

test('an ally registers a client, whose link ties one account, uses the code and erases what was typed', async () => {
  const code = await storeCode(ally)
  const { id, link } = await registered({ code: code.code })
  expect(link).toContain(`codigo=${code.code}`)
  const row = await clientOf(id)
  const { agencyId, id: allyId } = ally
  const whose = {
    agencyId,
    allyId,
    registeredBy: allyId,
    source: 'counter',
    codeId: code.id,
    customerId: null,
  }
  expect(row).toMatchObject({ ...whose, stage: 'invited', waitingOn: 'customer', name: 'Irene' })
  expect(row).toMatchObject({ consentAt: expect.any(Date), consentVersion: expect.any(String) })
  expect(JSON.stringify(row)).not.toContain(tokenIn(link))
  await expectScreen('/admin/alliate/clients', ally, 'Irene')
  const { user, ties } = await signUpBy(link)
  expect(ties).toMatchObject([{ ...erased, id, codeId: code.id, source: 'counter' }])
  await expectRow(codes, { id: code.id }, { uses: 1 })
  await expectRow(projects, { customerId: user.id }, { agencyId, vehicle: { brand: 'BYD' } })
  expect(JSON.stringify(await eventsAbout(id))).not.toContain('Irene')
  expect(await tiesBy(`/approach?registro=${tokenIn(link)}`)).toEqual([])
})

test('an ally finds a client by their own reference, and tells clients of one name apart by their cars', async () => {
  const { id } = await registered({ reference: 'DMS-10482' })
  const path = '/admin/alliate/clients'
  await expectScreen(`${path}?text=dms-104`, ally, 'Irene · BYD Dolphin', 'DMS-10482')
  await expectScreen(`${path}.csv?text=10482`, ally, 'BYD Dolphin,DMS-10482')
  await expectAnswered(about(id, 'withdraw'), 303)
  await expectRow(clients, { id }, { ...erased, reference: null })
})

test('of two accounts that sign up by one link at once one is tied', async () => {
  const { id, link } = await registered()
  expect((await Promise.all([tiesBy(link), tiesBy(link)])).flat()).toMatchObject([{ id }])
})

test('refuses invalid values and a paused code under their fields, and keeps what was typed', async () => {
  const wrong = { name: 'Úrsula', phone: '55 12', email: 'sin arroba', vehicleYear: '1889', code: 'OI' }
  const { consent: _, ...form } = typed(wrong)
  const answer = await register(form)
  expectPage(answer, 400, ...['Úrsula', '55 12', 'sin arroba', '1889'].map((value) => `value="${value}"`))
  expectWords(
    answer.text,
    '10 dígitos',
    'Escribe un año de 1990',
    'Pídele su consentimiento',
    form.requestKey,
  )
  const paused = await storeCode(ally, { state: 'paused' })
  expectPage(await register(typed({ code: paused.code })), 409, 'Ese código no está activo')
})

test('registers a form sent twice, or two forms for one phone, once', async () => {
  const form = typed()
  expectStatuses(await Promise.all([register(form), register(form)]), 200, 200)
  expect(await withPhone(form.phone)).toHaveLength(1)
  expectPage(await register(typed({ phone: form.phone })), 409, 'ya invitó a alguien con este teléfono')
  const { phone } = typed()
  expectStatuses(
    await Promise.all([register(typed({ phone })), register(typed({ phone }), colleague)]),
    200,
    409,
  )
})

test('refuses another spelling of a known mailbox, and the mailbox of an ally of the agency', async () => {
  const name = `una.${randomUUID().slice(0, 8)}`
  await registered({ email: `${name}@gmail.com` })
  const again = await register(typed({ email: `${name.replace('.', '')}+auto@gmail.com` }))
  expectPage(again, 409, 'ya invitó a alguien con este correo')
  const own = await register(typed({ email: colleague.email }))
  expectPage(own, 409, 'un aliado no puede ser su propio cliente', `value="${colleague.email}"`)
})

test('shows QR codes of the ally’s own link and of a new invitation', async () => {
  const { code, id } = await storeCode(ally)
  const words = [`Código QR de tu enlace con el código ${code}`, `/papers/code/${id}.pdf`]
  await expectScreen(registerPath, ally, ...words)
  expectWords((await register(typed())).text, 'Código QR del enlace de Irene')
})

test('a new link replaces the one before and its email, and is refused to a colleague and once it was used', async () => {
  const { id, link } = await registered({ email: newEmail() })
  await expectAnswered(about(id, 'invite', colleague), 404)
  const again = await about(id, 'invite')
  expect(await clientTrailOf(id)).toEqual(['register invited', 'invite_again'])
  expect([(await jobsOf(id)).length, (await emailsTo(id)).length]).toEqual([2, 1])
  expect(await tiesBy(link)).toEqual([])
  expect(await tiesBy(linkIn(again))).toMatchObject([{ id, source: 'counter' }])
  for (const intent of ['invite', 'withdraw']) await expectAnswered(about(id, intent), 409)
})

test('limits the invitations of one client to 4', async () => {
  const { id } = await registered({ email: newEmail() })
  for (const status of [200, 200, 200, 429]) await expectAnswered(about(id, 'invite'), status)
})

test('an agency sends as many invitations a day as the settings allow', async () => {
  const limits = { emailsPerHour: '10', emailsPerDay: '20', bookingsPerDay: '6', movesPerDay: '6' }
  await save(manager, 'outward', { ...limits, invitationsPerDay: '1' })
  const [agency] = await storeRows(agencies, { name: 'Con límite' })
  const ally = await fixture.person({ kind: 'alliate', agencyId: agency!.id })
  await expectAnswered(register(typed({ email: newEmail() }), ally), 200)
  const over = typed({ email: newEmail() })
  expectShown(
    await register(over, ally),
    429,
    'Hoy tu concesionaria ya envió todas sus invitaciones',
    over.email,
  )
  expect(await withPhone(over.phone)).toEqual([])
  await expectAnswered(register(typed(), ally), 200)
  await save(manager, 'outward', { ...limits, invitationsPerDay: '300' })
})

test('a withdrawn invitation is erased, sends no email, ties nobody and frees the phone', async () => {
  const { id, link, form } = await registered({ email: newEmail() })
  await expectAnswered(about(id, 'withdraw', colleague), 404)
  expect((await about(id, 'withdraw')).location).toBe('/admin/alliate/clients')
  expect(await clientOf(id)).toMatchObject({ ...erased, endedReason: 'withdrawn' })
  expect(await emailsTo(id)).toEqual([])
  expect(await tiesBy(link)).toEqual([])
  await expectAnswered(fixture.data(clientPath(id), ally), 404)
  await expectAnswered(register(typed({ phone: form.phone })), 200)
})

test('the email names the link and the benefit of a code while it is active, and nothing that was typed', async () => {
  const code = await storeCode(ally, { benefitKind: 'percent', benefitValue: 1000 })
  const email = newEmail()
  const { id, link } = await registered({ email, code: code.code, name: 'Zenobia' })
  // Its job keeps the token sealed.
  expect(JSON.stringify(await jobsOf(id))).not.toContain(tokenIn(link))
  const [sent, ...more] = await emailsTo(id)
  expect([sent!.to, more]).toEqual([email, []])
  expectWords(sent!.text, link, code.code, '10 % de descuento')
  expect(`${sent!.text}${sent!.html}`).not.toContain('Zenobia')
  await setRow(codes, code, { state: 'paused' })
  expect((await emailsTo(id))[0]!.text).not.toMatch(/descuento|codigo=/)
  const again = linkIn(await about(id, 'invite'))
  expect(again).not.toContain('codigo=')
  expect(await tiesBy(again)).toMatchObject([{ id, codeId: null }])
})

test('an invitation ties nobody after 90 days, when the clean-up erases it', async () => {
  const { id, link } = await registered()
  const fresh = await registered()
  const ended = new Date(Date.now() + 90 * 24 * hour + 1000)
  expect(await forgetInvited(db, new Date(ended.getTime() - 60_000))).toBe(0)
  await setRow(clients, fresh, { inviteExpiresAt: sql`invite_expires_at + interval '1 day'` })
  expect(await forgetInvited(db, ended)).toBeGreaterThan(0)
  expect(await clientOf(id)).toMatchObject({ ...erased, endedReason: 'expired' })
  expect(await clientTrailOf(id)).toEqual(['register invited', 'expire'])
  expect(await tiesBy(link)).toEqual([])
  expect(await clientOf(fresh.id)).toMatchObject({ name: 'Irene', endedAt: null })
  await setRow(clients, fresh, { inviteExpiresAt: new Date() })
  expect(await tiesBy(fresh.link)).toEqual([])
})
