import { makeCode } from '../../src/accounts/letter-codes.ts'
import { sendAccountEmail } from '../../src/notifications/send.ts'
import type { OutgoingEmail } from '../../src/notifications/transport.ts'
import { invitations, users } from '../../src/platform/database/schema/accounts.ts'
import { agencies } from '../../src/platform/database/schema/projects.ts'
import { hashOf } from '../../src/platform/http/sealing.ts'
import { memberOf } from '../accounts/own.ts'
import { newEmail, password, signIn } from '../kit/accounts.ts'
import { emailEnv } from '../kit/delivered.ts'
import {
  ago,
  ally,
  analyst,
  db,
  expectCount,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectScreen,
  expectTrail,
  expectUser,
  fixture,
  inParallel,
  ledTo,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  pageText,
  people,
  post,
  runSql,
  setRow,
} from '../kit/open.ts'
import type { PersonInput } from '../kit/people.ts'
import {
  expectAnswered,
  expectLocation,
  expectPage,
  expectStatus,
  expectStatuses,
  expectWords,
  readable,
} from '../kit/reading.ts'
import {
  at,
  changeRole,
  codeTo,
  invitationTo,
  invite,
  invited,
  profile,
  sessionsOf,
  userByEmail,
  visitFor,
  workday,
} from '../kit/users.ts'
import type { Visitor } from '../kit/visitor.ts'

openOnce()

const day = 24 * 60 * 60 * 1000
const screen = '/admin/users'
const send = (intent: string, invitationId: string) => post(screen, { intent, invitationId }, manager)
const expiresAt = (id: string, at: Date) => setRow(invitations, id, { expiresAt: at })
const linked = (code: string) => markupOf(`/signup?invitacion=${code}`)

/** The e-mail of a job; null when it is not sent. */
async function letterOf(invitationId: string, code: string): Promise<OutgoingEmail | null> {
  const sent: OutgoingEmail[] = []
  const transport = { send: async (letter: OutgoingEmail) => void sent.push(letter) }
  await sendAccountEmail(
    db,
    { ...emailEnv, baseUrl: 'http://carga.test' },
    transport,
    { letter: 'invitation' as const, invitationId, code },
    'job',
  )
  return sent[0] ?? null
}

test('an invitation stores the hash of a code for seven days, and sends the code by e-mail', async () => {
  const email = newEmail()
  await expectAnswered(invite(manager, ` ${email.toUpperCase()} `, 'tecnician'), 303, screen)
  const row = await invitationTo(email)
  const code = await codeTo(email)
  expect(row).toMatchObject({ email, kind: 'tecnician', agencyId: null, invitedBy: manager.id })
  expect(row.codeHash).toBe(hashOf(code))
  const life = row.expiresAt.getTime() - Date.now()
  expect(life > 6.9 * day && life <= 7 * day).toBe(true)
  await expectTrail(row.id, ['invite'], 'invitation')
  const letter = await letterOf(row.id, code)
  expect(letter).toMatchObject({ to: email, subject: 'Te invitamos al equipo de Carga en Casa' })
  for (const text of [letter!.text, letter!.html])
    expectWords(text, `http://carga.test/signup?invitacion=${code}`, 'Técnico instalador')
  const jobs = await runSql`select data from pgboss.job where data ->> 'invitationId' = ${row.id}`
  expect(jobs.rows).toHaveLength(1)
  const page = await fixture.visit(screen, manager)
  expectWords(readable(page), 'Invitaciones abiertas')
  expectWords(page.text, email)
  for (const text of [JSON.stringify(jobs.rows), page.text]) expect(text).not.toContain(code)
})

test('an invitation of an ally needs an active agency, which others ignore', async () => {
  const closed = await fixture.agency({ active: false })
  const to = (email: string, kind: 'alliate' | 'gester', agencyId = '') =>
    invite(manager, email, kind, agencyId)
  expectStatus(await to(newEmail(), 'alliate'), 400)
  expectStatus(await to(newEmail(), 'alliate', closed.id), 409)
  for (const [kind, agencyId] of [
    ['alliate', ally.agencyId],
    ['gester', null],
  ] as const) {
    const email = newEmail()
    expectStatus(await to(email, kind, ally.agencyId!), 303)
    expect(await invitationTo(email)).toMatchObject({ agencyId })
  }
})

test('keeps one open invitation per e-mail, also of three at once', async () => {
  const email = newEmail()
  const answers = await inParallel(3, () => invite(manager, email))
  expectStatuses(answers, 303, 409, 409)
  expectWords(answers.find(({ status }) => status === 409)!.text, 'Ya hay una invitación abierta')
  await expectCount(invitations, { email }, 1)
})

test('refuses to invite staff, inactive users and customers with an open project', async () => {
  await newHome(people.customer)
  for (const [person, words] of [
    [analyst, 'ya es del equipo'],
    [await newPerson({ active: false }), 'cuenta inactiva'],
    [people.customer, 'proyecto abierto'],
  ] as const) {
    expectPage(await invite(manager, person.email, 'gester'), 409, words)
    expect(await invitationTo(person.email)).toBeUndefined()
  }
})

test('an expired invitation sent again serves seven more days by the new link only, until replaced by another', async () => {
  const { email, code, id } = await invited(manager)
  await expiresAt(id, ago(day))
  expectWords(await linked(code), 'Esta invitación venció')
  await expectScreen(screen, manager, 'Vencida')
  expectStatus(await send('resend', id), 303)
  const fresh = await codeTo(email)
  expectWords(await linked(code), 'No encontramos esta invitación')
  expectWords(await linked(fresh), email)
  expect(await letterOf(id, code)).toBeNull()
  expect((await letterOf(id, fresh))?.to).toBe(email)
  await expectTrail(id, ['invite', 'resend'], 'invitation')
  await expiresAt(id, new Date(0))
  expectStatus(await invite(manager, email, 'gester'), 303)
  expect(await invitationTo(email)).toMatchObject({ kind: 'gester', withdrawnAt: null })
  expectWords(await linked(fresh), 'se retiró')
})

test('an invitation is not sent again to an inactive user; withdrawn it serves no more, and can be followed by another', async () => {
  const { email, code, id } = await invited(manager)
  const { id: userId } = await newPerson({ email, active: false })
  expectPage(await send('resend', id), 409, 'cuenta inactiva')
  await setRow(users, userId, { active: true })
  expectStatus(await send('withdraw', id), 303)
  expectWords(await linked(code), 'Esta invitación se retiró')
  expect(await letterOf(id, code)).toBeNull()
  for (const intent of ['withdraw', 'resend']) expectStatus(await send(intent, id), 409)
  expect((await fixture.data(screen, manager)).text).not.toContain(id)
  expectStatus(await invite(manager, email), 303)
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

const linkOf = (code: string) => `/signup?invitacion=${code}`
const signUp = (email: string, invitacion: string, as = fixture.visitor()) =>
  post('/signup', { email, password, invitacion }, as)
const complete = (form: Record<string, string>, as: Visitor) =>
  post('/completion', { ...profile, ...form }, as)
const accept = (as: Visitor, code?: string, path = '/?index') =>
  post(path, { intent: 'accept-invitation', ...(code && { invitacion: code }) }, as)
const setInvitation = (id: string, row: Partial<typeof invitations.$inferInsert>) =>
  setRow(invitations, id, row)
const customer = { role: 'customer', kind: null } as const

/** A person with an open invitation to the own e-mail. */
async function invitee(kind: Parameters<typeof invited>[2], input: PersonInput = {}) {
  const person = await newPerson({ name: 'Eva', ...input })
  return { person, ...(await invited(manager, person.email, kind)) }
}

// Codes that are guessed or of another person: test/security/staff.test.ts.
test('a new account from the link has a fixed e-mail and role and a verified mailbox, and uses the invitation once', async () => {
  const { email, code } = await invited(manager, newEmail(), 'tecnician')
  const as = fixture.visitor()
  const page = await fixture.visit(linkOf(code), as)
  expectWords(readable(page), 'Te invitaron como Técnico instalador')
  expect(page.text).toMatch(new RegExp(`<input[^>]*readOnly[^>]*value="${email}"`, 'i'))
  expect(await invitationTo(email)).toMatchObject({ acceptedAt: null, version: 1 })
  const onward = `/completion?invitacion=${code}`
  expectLocation(await signUp(email, code, as), onward)
  await expectUser({ email }, { ...customer, emailVerified: true, name: null })
  expect(await invitationTo(email)).toMatchObject({ acceptedAt: null })

  await expectScreen(onward, as, 'Viene en tu invitación.', '<option value="tecnician"')
  // Without the code the role is refused, although the mailbox is verified.
  await expectScreen('/completion', as, 'Para aceptar, abre el enlace')
  expectStatus(await complete({ role: 'tecnician' }, as), 403)
  expectLocation(await complete({ role: 'tecnician', invitacion: code }, as), '/')
  const user = (await userByEmail(email))!
  expect(user).toMatchObject({ role: 'staff', kind: 'tecnician', name: 'Eva', active: true })
  expect(await invitationTo(email)).toMatchObject({ acceptedBy: user.id })
  await expectLed('/admin', as, null)
  await expectScreen(linkOf(code), undefined, 'Esta invitación ya se usó')
})

test('a new account is refused with another e-mail than the invited', async () => {
  const { email, code } = await invited(manager)
  const mine = newEmail()
  const answer = await signUp(mine, code)
  expect([answer.status, answer.cookies]).toEqual([403, []])
  for (const one of [mine, email]) expect(await userByEmail(one)).toBeUndefined()
})

test.each([
  ['withdrawn', { withdrawnAt: new Date() }, 'se retiró'],
  ['expired', { expiresAt: new Date(0) }, 'venció'],
  ['used', { acceptedAt: new Date() }, 'ya se usó'],
  ['unknown', {}, 'No encontramos esta invitación'],
])('a new account is refused with a %s invitation, as is an existing one', async (name, set, words) => {
  const { code, email, id, person } = await invitee('analyst')
  const { email: other, ...fresh } = await invited(manager)
  for (const one of [id, fresh.id]) await setInvitation(one, name === 'unknown' ? { codeHash: one } : set)
  const page = await fixture.visit(linkOf(fresh.code))
  expectWords(page.text, words)
  expect(page.text).not.toContain('name="password"')
  expectWords((await signUp(other, fresh.code)).text, words)
  expect(await userByEmail(other)).toBeUndefined()
  expectWords((await accept(person, code)).text, words)
  await expectUser({ email }, customer)
})

test('a new account is refused another role than the invited, and may stay a customer for now', async () => {
  const { code, email, person } = await invitee('gester', { name: null })
  for (const role of ['manager', 'staff', 'x']) {
    expectStatus(await complete({ role, invitacion: code }, person), 403)
    await expectUser({ email }, { ...customer, name: null })
  }
  expectStatus(await complete({ role: 'customer' }, person), 303)
  await expectUser({ email }, customer)
  await expectScreen('/', person, 'Te invitaron al equipo')
  await expectScreen(`/?invitacion=${code}`, person, 'Aceptar invitación')
})

test('a new account of a stranger on the invited mailbox never gets the role', async () => {
  const attacker = await memberOf({ emailVerified: false })
  const { email, id } = attacker
  const { code: oobCode } = await makeCode(db, 'verify_email', id, new Date())
  const verify = (intent: string, as: Visitor) =>
    post(
      `/recover-password?mode=verifyEmail&oobCode=${oobCode}`,
      { intent, oobCode, password: 'la-mia-de-verdad' },
      as,
    )
  const owner = fixture.visitor()
  expectStatus(await verify('prove', owner), 409)
  const { code } = await invited(manager, email, 'manager')
  await expectNotOnPage('/', attacker, 'Aceptar invitación')
  for (const emailVerified of [true, false]) {
    await setRow(users, id, { emailVerified })
    expectPage(await accept(attacker), 409, 'Abre el enlace de la invitación')
    await expectUser({ email }, customer)
  }
  expectLocation(await verify('prove-by-new', owner), '/signin')
  await expectLed('/admin', attacker, '/signin')
  await signIn(email, 'la-mia-de-verdad', owner)
  expectLocation(await accept(owner, code), '/admin')
  expectStatus(await signIn(email, password, attacker), 400)
})

test('a new account gets no role from an invitation withdrawn before the profile, nor without one', async () => {
  const { code, email, id, person } = await invitee('analyst', { name: null })
  await post('/admin/users', { intent: 'withdraw', invitationId: id }, manager)
  for (const form of [{ role: 'analyst', invitacion: code }, { role: 'manager' }])
    expectStatus(await complete(form, person), 403)
  expect(await markupOf('/completion', person)).not.toContain('name="role"')
  expectStatus(await complete({}, person), 303)
  await expectUser({ email }, customer)
})

test('a new account on the invited e-mail, unverified, learns nothing of the invitation without its link', async () => {
  const { code, email, person } = await invitee('manager', { name: null, emailVerified: false })
  expect(await markupOf('/completion', person)).not.toContain('name="role"')
  expectStatus(await complete({ role: 'manager' }, person), 403)
  await complete({}, person)
  await expectNotOnPage('/', person, 'Te invitaron')
  expectPage(await accept(person), 409, 'Abre el enlace de la invitación')
  await expectUser({ email }, { ...customer, emailVerified: false })
  // The link proves the mailbox.
  expectLocation(await accept(person, code), '/admin')
  await expectUser({ email }, { kind: 'manager', emailVerified: true })
})

test('a complete account is notified at home, accepts once by the link, and keeps only this session', async () => {
  const { code, id, person } = await invitee('gester')
  const other = await fixture.secondBrowser(person)
  const hint = await pageText('/', person)
  expectWords(hint, `Para aceptar, abre el enlace que enviamos a ${person.email}`)
  expect(hint).not.toContain('Aceptar invitación')
  const home = await pageText(`/?invitacion=${code}`, person)
  expectWords(home, 'tu cuenta pasa a ser de Gestor ante CFE', 'Aceptar invitación')
  const answers = await inParallel(3, () => accept(person, code))
  expect(answers.filter(({ location }) => location === '/admin')).toHaveLength(1)
  for (const { status } of answers) expect([303, 403, 409]).toContain(status)
  await expectUser(person, { role: 'staff', kind: 'gester', version: 2 })
  await expectRow(invitations, { id }, { acceptedBy: person.id, version: 2 })
  expect([await ledTo('/admin', person), await ledTo('/admin', other)]).toEqual([null, '/signin'])
  expect(await sessionsOf(person)).toHaveLength(1)
})

test('a complete account is led home by the link; one with another e-mail is notified of that, and cannot accept', async () => {
  const { email, code } = await invited(manager)
  const person = await newPerson()
  for (const [as, home] of [
    [person, '/'],
    [analyst, '/admin'],
    [await newPerson({ name: null }), '/completion'],
  ] as const) {
    const path = `${home}?invitacion=${code}`
    await expectLed(linkOf(code), as, path)
    await expectScreen(path, as, 'para otro correo')
  }
  expectStatus(await accept(person, code), 403)
  await expectUser(person, { ...customer, version: 1 })
  expect(await invitationTo(email)).toMatchObject({ acceptedAt: null })
})

test('a complete account is refused with an open project, and by an inactive agency', async () => {
  const { code, id, person } = await invitee('analyst')
  await newHome(person)
  expectPage(await accept(person, code), 409, 'proyecto abierto')
  await expectUser(person, { ...customer, version: 1 })
  await expectRow(invitations, { id }, { acceptedAt: null })

  const ally = await newPerson()
  const { id: agencyId } = await fixture.agency()
  await invite(manager, ally.email, 'alliate', agencyId)
  await setRow(agencies, agencyId, { active: false })
  expectStatus(await accept(ally, await codeTo(ally.email)), 409)
  await expectUser(ally, customer)
})

test('a complete account of staff accepts too, unless appointments are ahead', async () => {
  const technician = await newPerson({ kind: 'tecnician', name: 'Tere' })
  const { code, id } = await invited(manager, newEmail(), 'manager')
  await setInvitation(id, { email: technician.email })
  await expectScreen(`/admin?invitacion=${code}`, technician, 'tu cuenta pasa a ser de Manager')
  const visit = await visitFor(technician, at(workday(), '10:00'))
  expectPage(await accept(technician, code, '/admin'), 409, 'Tienes citas por atender')
  await db.execute(`update appointments set state = 'cancelled' where id = '${visit.id}'`)
  expectLocation(await accept(technician, code, '/admin'), '/admin')
  await expectUser(technician, { kind: 'manager' })
})

test('a complete account loses the invitation when the manager changes the role by hand', async () => {
  const { code, person } = await invitee('manager')
  await changeRole(manager, person, 'analyst')
  await expectScreen(linkOf(code), undefined, 'se retiró')
  await expectUser(person, { kind: 'analyst' })
})
