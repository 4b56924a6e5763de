import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { invitations, users } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { memberOf } from '../accounts/own.ts'
import { ledTo, newEmail, password, signIn } from '../kit/accounts.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { PersonWish } from '../kit/people.ts'
import { expectPage, expectWords, readable, rowIn } from '../kit/reading.ts'
import {
  at,
  changeRole,
  codeTo,
  invitationTo,
  invited,
  profile,
  sessionsOf,
  userByEmail,
  userOf,
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
const textOf = async (path: string, as?: Visitor) => readable(await world.visit(path, as))
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
    expect(readable(page)).toContain('Te invitaron como Técnico instalador')
    expect(page.text).toMatch(new RegExp(`<input[^>]*readOnly[^>]*value="${email}"`, 'i'))
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null, version: 1 })
    const onward = `/completion?invitacion=${code}`
    expect((await signUp(email, code, as)).location).toBe(onward)
    expect(await userByEmail(world, email)).toMatchObject({ ...customer, emailVerified: true, name: null })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const form = await world.visit(onward, as)
    expectWords(form.text, 'Viene en tu invitación.', '<option value="tecnician"')
    // Without the code the role is refused, although the mailbox is verified.
    expect(await textOf('/completion', as)).toContain('Para aceptar, abre el enlace')
    expect((await complete({ role: 'tecnician' }, as)).status).toBe(403)
    expect((await complete({ role: 'tecnician', invitacion: code }, as)).location).toBe('/')
    const user = (await userByEmail(world, email))!
    expect(user).toMatchObject({ role: 'staff', kind: 'tecnician', name: 'Eva', active: true })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedBy: user.id })
    expect(await ledTo('/admin', as)).toBeNull()
    expect(await textOf(linkOf(code))).toContain('Esta invitación ya se usó')
  })

  test('is refused with another e-mail than the invited', async () => {
    const { email, code } = await invited(world, people.manager)
    const mine = newEmail()
    const as = world.visitor()
    expect((await signUp(mine, code, as)).status).toBe(403)
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
    expect(page.text).toContain(words)
    expect(page.text).not.toContain('name="password"')
    expectPage(await signUp(email, code), 409, words)
    expect(await userByEmail(world, email)).toBeUndefined()
  })

  test('an unknown code is called so', async () => {
    for (const code of ['A'.repeat(43), "' or 1=1"])
      expect(await textOf(linkOf(encodeURIComponent(code)))).toContain('No encontramos esta invitación')
    expect((await world.visit(linkOf('y'.repeat(500)))).status).toBe(200)
  })

  test('is refused another role than the invited, and may stay a customer for now', async () => {
    const { code, email, person } = await invitee('gester', { name: null })
    for (const role of ['manager', 'staff', 'x']) {
      expect((await complete({ role, invitacion: code }, person)).status).toBe(403)
      expect(await userByEmail(world, email)).toMatchObject({ ...customer, name: null })
    }
    expect((await complete({ role: 'customer' }, person)).status).toBe(303)
    expect(await userByEmail(world, email)).toMatchObject(customer)
    expect(await textOf('/', person)).toContain('Te invitaron al equipo')
    expect(await textOf(`/?invitacion=${code}`, person)).toContain('Aceptar invitación')
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
    expect((await verify('prove', owner)).status).toBe(409)
    const { code } = await invited(world, people.manager, email, 'manager')
    expect(await textOf('/', attacker)).not.toContain('Aceptar invitación')
    for (const emailVerified of [true, false]) {
      await world.db.update(users).set({ emailVerified }).where(eq(users.id, id))
      expectPage(await accept(attacker), 409, 'Abre el enlace de la invitación')
      expect(await userByEmail(world, email)).toMatchObject(customer)
    }
    expect((await verify('prove-by-new', owner)).location).toBe('/signin')
    expect(await ledTo('/admin', attacker)).toBe('/signin')
    await signIn(email, 'la-mia-de-verdad', owner)
    expect((await accept(owner, code)).location).toBe('/admin')
    expect((await signIn(email, password, attacker)).status).toBe(400)
  })

  test('gets no role from an invitation withdrawn before the profile, nor without one', async () => {
    const { code, email, id, person } = await invitee('analyst', { name: null })
    await world.post('/admin/users', { intent: 'withdraw', invitationId: id }, people.manager)
    for (const form of [{ role: 'analyst', invitacion: code }, { role: 'manager' }])
      expect((await complete(form, person)).status).toBe(403)
    expect((await world.visit('/completion', person)).text).not.toContain('name="role"')
    expect((await complete({}, person)).status).toBe(303)
    expect(await userByEmail(world, email)).toMatchObject(customer)
  })

  test('on the invited e-mail, unverified, learns nothing of the invitation without its link', async () => {
    const { code, email, person } = await invitee('manager', { name: null, emailVerified: false })
    expect((await world.visit('/completion', person)).text).not.toContain('name="role"')
    expect((await complete({ role: 'manager' }, person)).status).toBe(403)
    await complete({}, person)
    expect(await textOf('/', person)).not.toContain('Te invitaron')
    expectPage(await accept(person), 409, 'Abre el enlace de la invitación')
    expect(await userByEmail(world, email)).toMatchObject({ ...customer, emailVerified: false })
    // The link proves the mailbox.
    expect((await accept(person, code)).location).toBe('/admin')
    expect(await userByEmail(world, email)).toMatchObject({ kind: 'manager', emailVerified: true })
  })
})

describe('a complete account', () => {
  test('is notified at home, accepts once by the link, and keeps this session only', async () => {
    const { code, id, person } = await invitee('gester')
    const other = await world.secondBrowser(person)
    const hint = await textOf('/', person)
    expect(hint).toContain(`Para aceptar, abre el enlace que enviamos a ${person.email}`)
    expect(hint).not.toContain('Aceptar invitación')
    const home = await textOf(`/?invitacion=${code}`, person)
    expectWords(home, 'tu cuenta pasa a ser de Gestor ante CFE', 'Aceptar invitación')
    const answers = await Promise.all([1, 2, 3].map(() => accept(person, code)))
    expect(answers.filter(({ location }) => location === '/admin')).toHaveLength(1)
    for (const { status } of answers) expect([303, 403, 409]).toContain(status)
    expect(await userOf(world, person)).toMatchObject({ role: 'staff', kind: 'gester', version: 2 })
    expect(await rowIn(world, invitations, { id })).toMatchObject({ acceptedBy: person.id, version: 2 })
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
      expect(await ledTo(linkOf(code), as)).toBe(path)
      expect(await textOf(path, as)).toContain('para otro correo')
    }
    expectWords(await textOf(`/?invitacion=${code}`, person), email, 'Cerrar sesión')
    expect((await accept(person, code)).status).toBe(403)
    expect(await userOf(world, person)).toMatchObject({ ...customer, version: 1 })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })
  })

  test('is led from the link through the sign-in and back', async () => {
    const { email } = await memberOf(world)
    const { code } = await invited(world, people.manager, email)
    const as = world.visitor()
    const next = linkOf(code)
    const page = await world.visit(next, as)
    expect(page.text).toContain(`href="/signin?next=${encodeURIComponent(next)}"`)
    expect((await signUp(email, code, as)).status).toBe(409)
    expect((await world.post('/signin', { email, password, next }, as)).location).toBe(next)
    expect(await ledTo(next, as)).toBe(`/?invitacion=${code}`)
    expect((await accept(as, code)).location).toBe('/admin')
  })

  test('is refused with an open project, and by an agency that was closed', async () => {
    const { code, email, person } = await invitee('analyst')
    await world.home(person)
    expectPage(await accept(person, code), 409, 'proyecto abierto')
    expect(await userOf(world, person)).toMatchObject({ ...customer, version: 1 })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const ally = await world.person()
    const agency = await world.agency()
    const form = { intent: 'invite', email: ally.email, kind: 'alliate', agencyId: agency.id }
    await world.post('/admin/users', form, people.manager)
    await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, agency.id))
    expect((await accept(ally, await codeTo(world, ally.email))).status).toBe(409)
    expect(await userOf(world, ally)).toMatchObject(customer)
  })

  test('is told whether the invitation is unknown, expired or withdrawn', async () => {
    const { code, id, person } = await invitee('analyst')
    expect((await accept(person, 'inventado')).text).toContain('No encontramos esta invitación')
    await setInvitation(id, { expiresAt: new Date(0) })
    expect((await accept(person, code)).text).toContain('Esta invitación venció')
    expect(await textOf(`/?invitacion=${code}`, person)).toContain('Esta invitación venció')
    await setInvitation(id, { withdrawnAt: new Date() })
    expect((await accept(person, code)).text).toContain('Esta invitación se retiró')
    expect(await userOf(world, person)).toMatchObject(customer)
  })

  test('of staff accepts too, unless appointments are ahead', async () => {
    const technician = await world.person({ kind: 'tecnician', name: 'Tere' })
    const { code, id } = await invited(world, people.manager, newEmail(), 'manager')
    await setInvitation(id, { email: technician.email })
    expect(await textOf(`/admin?invitacion=${code}`, technician)).toContain('tu cuenta pasa a ser de Manager')
    const visit = await visitFor(world, technician, at(workday(), '10:00'))
    expectPage(await accept(technician, code, '/admin'), 409, 'Tienes citas por atender')
    await world.db.execute(`update appointments set state = 'cancelled' where id = '${visit.id}'`)
    expect((await accept(technician, code, '/admin')).location).toBe('/admin')
    expect(await userOf(world, technician)).toMatchObject({ kind: 'manager' })
  })

  test('loses the invitation when the manager changes the role by hand', async () => {
    const { code, person } = await invitee('manager')
    await changeRole(world, people.manager, person, 'analyst')
    expect(await textOf(linkOf(code))).toContain('se retiró')
    expect(await userOf(world, person)).toMatchObject({ kind: 'analyst' })
  })
})
