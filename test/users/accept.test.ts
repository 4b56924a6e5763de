import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { invitations, users } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { memberOf } from '../accounts/own.ts'
import { newEmail, password, signIn } from '../kit/accounts.ts'
import { expectLed, expectRow, expectUser, ledTo, openOnce, pageText, people, world } from '../kit/open.ts'
import type { PersonWish } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectWords, readable } from '../kit/reading.ts'
import {
  at,
  changeRole,
  codeTo,
  invitationTo,
  invited,
  profile,
  sessionsOf,
  userByEmail,
  visitFor,
  workday,
} from '../kit/users.ts'
import type { Visitor } from '../kit/visitor.ts'

openOnce()

const linkOf = (code: string) => `/signup?invitacion=${code}`
const signUp = (email: string, invitacion: string, as = world.visitor()) =>
  world.post('/signup', { email, password, invitacion }, as)
const complete = (form: Record<string, string>, as: Visitor) =>
  world.post('/completion', { ...profile, ...form }, as)
const accept = (as: Visitor, code?: string, path = '/?index') =>
  world.post(path, { intent: 'accept-invitation', ...(code && { invitacion: code }) }, as)
const setInvitation = (id: string, row: Partial<typeof invitations.$inferInsert>) =>
  world.db.update(invitations).set(row).where(eq(invitations.id, id))
const customer = { role: 'customer', kind: null } as const

/** A person with an open invitation to the own e-mail. */
async function invitee(kind: Parameters<typeof invited>[3], wish: PersonWish = {}) {
  const person = await world.person({ name: 'Eva', ...wish })
  return { person, ...(await invited(world, people.manager, person.email, kind)) }
}

// Codes that are guessed or of another person: test/security/staff.test.ts.
describe('a new account', () => {
  test('from the link to the team: fixed e-mail and role, verified mailbox, used once', async () => {
    const { email, code } = await invited(world, people.manager, newEmail(), 'tecnician')
    const as = world.visitor()
    const page = await world.visit(linkOf(code), as)
    expectWords(readable(page), 'Te invitaron como Técnico instalador')
    expect(page.text).toMatch(new RegExp(`<input[^>]*readOnly[^>]*value="${email}"`, 'i'))
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null, version: 1 })
    const onward = `/completion?invitacion=${code}`
    expectLocation(await signUp(email, code, as), onward)
    await expectUser({ email }, { ...customer, emailVerified: true, name: null })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const form = await world.visit(onward, as)
    expectWords(form.text, 'Viene en tu invitación.', '<option value="tecnician"')
    // Without the code the role is refused, although the mailbox is verified.
    expectWords(await pageText('/completion', as), 'Para aceptar, abre el enlace')
    expectStatus(await complete({ role: 'tecnician' }, as), 403)
    expectLocation(await complete({ role: 'tecnician', invitacion: code }, as), '/')
    const user = (await userByEmail(world, email))!
    expect(user).toMatchObject({ role: 'staff', kind: 'tecnician', name: 'Eva', active: true })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedBy: user.id })
    await expectLed('/admin', as, null)
    expectWords(await pageText(linkOf(code)), 'Esta invitación ya se usó')
  })

  test('is refused with another e-mail than the invited', async () => {
    const { email, code } = await invited(world, people.manager)
    const mine = newEmail()
    const as = world.visitor()
    expectStatus(await signUp(mine, code, as), 403)
    for (const one of [mine, email]) expect(await userByEmail(world, one)).toBeUndefined()
    expect(as.cookies.has('carga.session_token')).toBe(false)
  })

  test.each([
    ['withdrawn', { withdrawnAt: new Date() }, 'se retiró'],
    ['expired', { expiresAt: new Date(0) }, 'venció'],
    ['used', { acceptedAt: new Date() }, 'ya se usó'],
  ])('is refused with a %s invitation', async (_name, set, words) => {
    const { email, code, id } = await invited(world, people.manager)
    await setInvitation(id, set)
    const page = await world.visit(linkOf(code))
    expectWords(page.text, words)
    expect(page.text).not.toContain('name="password"')
    expectPage(await signUp(email, code), 409, words)
    expect(await userByEmail(world, email)).toBeUndefined()
  })

  test('an unknown code is called so', async () => {
    for (const code of ['A'.repeat(43), "' or 1=1"])
      expectWords(await pageText(linkOf(encodeURIComponent(code))), 'No encontramos esta invitación')
    expectStatus(await world.visit(linkOf('y'.repeat(500))), 200)
  })

  test('is refused another role than the invited, and may stay a customer for now', async () => {
    const { code, email, person } = await invitee('gester', { name: null })
    for (const role of ['manager', 'staff', 'x']) {
      expectStatus(await complete({ role, invitacion: code }, person), 403)
      await expectUser({ email }, { ...customer, name: null })
    }
    expectStatus(await complete({ role: 'customer' }, person), 303)
    await expectUser({ email }, customer)
    expectWords(await pageText('/', person), 'Te invitaron al equipo')
    expectWords(await pageText(`/?invitacion=${code}`, person), 'Aceptar invitación')
  })

  test('of a stranger on the invited mailbox never gets the role, once its owner verifies it', async () => {
    const attacker = await memberOf(world, { emailVerified: false })
    const { email, id } = attacker
    const oobCode = await makeCode(world.db, 'verify_email', id, new Date())
    const verify = (intent: string, as: Visitor) =>
      world.post(
        `/recover-password?mode=verifyEmail&oobCode=${oobCode}`,
        { intent, oobCode, password: 'la-mia-de-verdad' },
        as,
      )
    const owner = world.visitor()
    expectStatus(await verify('prove', owner), 409)
    const { code } = await invited(world, people.manager, email, 'manager')
    expect(await pageText('/', attacker)).not.toContain('Aceptar invitación')
    for (const emailVerified of [true, false]) {
      await world.db.update(users).set({ emailVerified }).where(eq(users.id, id))
      expectPage(await accept(attacker), 409, 'Abre el enlace de la invitación')
      await expectUser({ email }, customer)
    }
    expectLocation(await verify('prove-by-new', owner), '/signin')
    await expectLed('/admin', attacker, '/signin')
    await signIn(email, 'la-mia-de-verdad', owner)
    expectLocation(await accept(owner, code), '/admin')
    expectStatus(await signIn(email, password, attacker), 400)
  })

  test('gets no role from an invitation withdrawn before the profile, nor without one', async () => {
    const { code, email, id, person } = await invitee('analyst', { name: null })
    await world.post('/admin/users', { intent: 'withdraw', invitationId: id }, people.manager)
    for (const form of [{ role: 'analyst', invitacion: code }, { role: 'manager' }])
      expectStatus(await complete(form, person), 403)
    expect((await world.visit('/completion', person)).text).not.toContain('name="role"')
    expectStatus(await complete({}, person), 303)
    await expectUser({ email }, customer)
  })

  test('on the invited e-mail, unverified, learns nothing of the invitation without its link', async () => {
    const { code, email, person } = await invitee('manager', { name: null, emailVerified: false })
    expect((await world.visit('/completion', person)).text).not.toContain('name="role"')
    expectStatus(await complete({ role: 'manager' }, person), 403)
    await complete({}, person)
    expect(await pageText('/', person)).not.toContain('Te invitaron')
    expectPage(await accept(person), 409, 'Abre el enlace de la invitación')
    await expectUser({ email }, { ...customer, emailVerified: false })
    // The link proves the mailbox.
    expectLocation(await accept(person, code), '/admin')
    await expectUser({ email }, { kind: 'manager', emailVerified: true })
  })
})

describe('a complete account', () => {
  test('is notified at home, accepts once by the link, and keeps this session only', async () => {
    const { code, id, person } = await invitee('gester')
    const other = await world.secondBrowser(person)
    const hint = await pageText('/', person)
    expectWords(hint, `Para aceptar, abre el enlace que enviamos a ${person.email}`)
    expect(hint).not.toContain('Aceptar invitación')
    const home = await pageText(`/?invitacion=${code}`, person)
    expectWords(home, 'tu cuenta pasa a ser de Gestor ante CFE', 'Aceptar invitación')
    const answers = await Promise.all([1, 2, 3].map(() => accept(person, code)))
    expect(answers.filter(({ location }) => location === '/admin')).toHaveLength(1)
    for (const { status } of answers) expect([303, 403, 409]).toContain(status)
    await expectUser(person, { role: 'staff', kind: 'gester', version: 2 })
    await expectRow(invitations, { id }, { acceptedBy: person.id, version: 2 })
    expect([await ledTo('/admin', person), await ledTo('/admin', other)]).toEqual([null, '/signin'])
    expect(await sessionsOf(world, person)).toHaveLength(1)
  })

  test('is led home by the link with its code; that of another e-mail says so and changes nothing', async () => {
    const { email, code } = await invited(world, people.manager)
    const person = await world.person()
    for (const [as, path] of [
      [person, `/?invitacion=${code}`],
      [people.analyst, `/admin?invitacion=${code}`],
      [await world.person({ name: null }), `/completion?invitacion=${code}`],
    ] as const) {
      await expectLed(linkOf(code), as, path)
      expectWords(await pageText(path, as), 'para otro correo')
    }
    expectWords(await pageText(`/?invitacion=${code}`, person), email, 'Cerrar sesión')
    expectStatus(await accept(person, code), 403)
    await expectUser(person, { ...customer, version: 1 })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })
  })

  test('is led from the link through the sign-in and back', async () => {
    const { email } = await memberOf(world)
    const { code } = await invited(world, people.manager, email)
    const as = world.visitor()
    const next = linkOf(code)
    const page = await world.visit(next, as)
    expectWords(page.text, `href="/signin?next=${encodeURIComponent(next)}"`)
    expectStatus(await signUp(email, code, as), 409)
    expectLocation(await world.post('/signin', { email, password, next }, as), next)
    await expectLed(next, as, `/?invitacion=${code}`)
    expectLocation(await accept(as, code), '/admin')
  })

  test('is refused with an open project, and by an agency that was closed', async () => {
    const { code, email, person } = await invitee('analyst')
    await world.home(person)
    expectPage(await accept(person, code), 409, 'proyecto abierto')
    await expectUser(person, { ...customer, version: 1 })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const ally = await world.person()
    const agency = await world.agency()
    const form = { intent: 'invite', email: ally.email, kind: 'alliate', agencyId: agency.id }
    await world.post('/admin/users', form, people.manager)
    await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, agency.id))
    expectStatus(await accept(ally, await codeTo(world, ally.email)), 409)
    await expectUser(ally, customer)
  })

  test('is shown whether the invitation is unknown, expired or withdrawn', async () => {
    const { code, id, person } = await invitee('analyst')
    expectWords((await accept(person, 'inventado')).text, 'No encontramos esta invitación')
    await setInvitation(id, { expiresAt: new Date(0) })
    expectWords((await accept(person, code)).text, 'Esta invitación venció')
    expectWords(await pageText(`/?invitacion=${code}`, person), 'Esta invitación venció')
    await setInvitation(id, { withdrawnAt: new Date() })
    expectWords((await accept(person, code)).text, 'Esta invitación se retiró')
    await expectUser(person, customer)
  })

  test('of staff accepts too, unless appointments are ahead', async () => {
    const technician = await world.person({ kind: 'tecnician', name: 'Tere' })
    const { code, id } = await invited(world, people.manager, newEmail(), 'manager')
    await setInvitation(id, { email: technician.email })
    expectWords(await pageText(`/admin?invitacion=${code}`, technician), 'tu cuenta pasa a ser de Manager')
    const visit = await visitFor(world, technician, at(workday(), '10:00'))
    expectPage(await accept(technician, code, '/admin'), 409, 'Tienes citas por atender')
    await world.db.execute(`update appointments set state = 'cancelled' where id = '${visit.id}'`)
    expectLocation(await accept(technician, code, '/admin'), '/admin')
    await expectUser(technician, { kind: 'manager' })
  })

  test('loses the invitation when the manager changes the role by hand', async () => {
    const { code, person } = await invitee('manager')
    await changeRole(world, people.manager, person, 'analyst')
    expectWords(await pageText(linkOf(code)), 'se retiró')
    await expectUser(person, { kind: 'analyst' })
  })
})
