import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { invitations, users } from '../../src/server/platform/database/schema/accounts.ts'
import { agencies } from '../../src/server/platform/database/schema/projects.ts'
import { newEmail, password } from '../kit/accounts.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { expectPage, expectWords, readable, rowsIn } from '../kit/reading.ts'
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

const signUp = (email: string, form: Record<string, string>, as: Visitor) =>
  world.post('/signup', { email, password, ...form }, as)
const complete = (form: Record<string, string>, as: Visitor) =>
  world.post('/completion', { ...profile, ...form }, as)
const accept = (as: Visitor, code?: string, path = '/?index') =>
  world.post(path, { intent: 'accept-invitation', ...(code && { invitacion: code }) }, as)
const customer = { role: 'customer', kind: null } as const

describe('a new account', () => {
  test('from the link to the team: fixed e-mail, fixed role, proved mailbox', async () => {
    const { email, code } = await invited(world, people.manager, newEmail(), 'tecnician')
    const as = world.visitor()
    const page = await world.visit(`/signup?invitacion=${code}`, as)
    expect(readable(page)).toContain('Te invitaron como Técnico instalador')
    expect(page.text).toMatch(new RegExp(`<input[^>]*readOnly[^>]*value="${email}"`, 'i'))
    const onward = `/completion?invitacion=${code}`
    expect((await signUp(email, { invitacion: code }, as)).location).toBe(onward)
    expect(await userByEmail(world, email)).toMatchObject({ ...customer, emailVerified: true, name: null })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const form = await world.visit(onward, as)
    expect(readable(form)).toContain('Viene en tu invitación.')
    expect(form.text).toContain('<option value="tecnician"')
    // Without the letter's code the role is nobody's, however proved the mailbox is.
    expect(readable(await world.visit('/completion', as))).toContain('Para aceptar, abre el enlace')
    expect((await complete({ role: 'tecnician' }, as)).status).toBe(403)
    expect((await complete({ role: 'tecnician', invitacion: code }, as)).location).toBe('/')
    const user = (await userByEmail(world, email))!
    expect(user).toMatchObject({ role: 'staff', kind: 'tecnician', name: 'Eva', active: true })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedBy: user.id })
    expect((await world.visit('/admin', as)).status).toBe(200)
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('Esta invitación ya se usó')
  })

  test('looking at the link consumes nothing', async () => {
    const { email, code, id } = await invited(world, people.manager)
    const before = await rowsIn(world, invitations, { id })
    for (let n = 0; n < 3; n++)
      expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain(email)
    expect(await rowsIn(world, invitations, { id })).toEqual(before)
  })

  test('another e-mail signs up with nobody’s invitation', async () => {
    const { email, code } = await invited(world, people.manager)
    const [mine, as] = [newEmail(), world.visitor()]
    expect((await signUp(mine, { invitacion: code }, as)).status).toBe(403)
    expect(await userByEmail(world, mine)).toBeUndefined()
    expect(await userByEmail(world, email)).toBeUndefined()
    expect(as.cookies.has('carga.session_token')).toBe(false)
  })

  test.each([
    ['withdrawn', { withdrawnAt: new Date() }, 'se retiró'],
    ['expired', { expiresAt: new Date(0) }, 'venció'],
    ['used', { acceptedAt: new Date() }, 'ya se usó'],
  ])('one that is %s makes no account', async (_name, set, words) => {
    const { email, code, id } = await invited(world, people.manager)
    await world.db.update(invitations).set(set).where(eq(invitations.id, id))
    const page = await world.visit(`/signup?invitacion=${code}`)
    expect(page.text).toContain(words)
    expect(page.text).not.toContain('name="password"')
    const answer = await signUp(email, { invitacion: code }, world.visitor())
    expectPage(answer, 409, words)
    expect(await userByEmail(world, email)).toBeUndefined()
  })

  test('a code that nobody sent is said to be one', async () => {
    for (const code of ['x', 'A'.repeat(43), "' or 1=1", 'y'.repeat(500)]) {
      const page = await world.visit(`/signup?invitacion=${encodeURIComponent(code)}`)
      expect(page.status).toBe(200)
      if (code.length <= 100) expect(page.text).toContain('No encontramos esta invitación')
    }
  })

  test('a role that is not the invitation’s is refused, and changes nothing', async () => {
    const { email, code } = await invited(world, people.manager, newEmail(), 'gester')
    const as = world.visitor()
    await signUp(email, { invitacion: code }, as)
    for (const role of ['manager', 'staff', 'alliate', 'x']) {
      expect((await complete({ role, invitacion: code }, as)).status).toBe(403)
      expect(await userByEmail(world, email)).toMatchObject({ ...customer, name: null })
    }
    expect((await complete({ role: 'customer' }, as)).status).toBe(303)
    expect(await userByEmail(world, email)).toMatchObject(customer)
    // The invitation waits at home.
    expect(readable(await world.visit('/', as))).toContain('Te invitaron al equipo')
    expect(readable(await world.visit(`/?invitacion=${code}`, as))).toContain('Aceptar invitación')
  })

  test('who signed up first with somebody’s mailbox, which its owner then proved, does not become what that person is invited to be', async () => {
    const [email, attacker] = [newEmail(), world.visitor()]
    await signUp(email, {}, attacker)
    await complete({}, attacker)
    const { id } = (await userByEmail(world, email))!
    const oobCode = await makeCode(world.db, 'verify_email', id, new Date())
    const letter = `/recover-password?mode=verifyEmail&oobCode=${oobCode}`
    const owner = world.visitor()
    // The honest click of before: it proves nothing for an account that somebody else holds.
    expect((await world.post(letter, { intent: 'prove', oobCode }, owner)).status).toBe(409)
    const { code } = await invited(world, people.manager, email, 'manager')
    expect(readable(await world.visit('/', attacker))).not.toContain('Aceptar invitación')
    // Neither before the proof nor after it, and also for one that was proved long ago.
    for (const emailVerified of [false, true]) {
      await world.db.update(users).set({ emailVerified }).where(eq(users.id, id))
      const answer = await accept(attacker)
      expectPage(answer, 409, 'Abre el enlace de la invitación')
      expect(await userByEmail(world, email)).toMatchObject(customer)
    }
    await world.db.update(users).set({ emailVerified: false }).where(eq(users.id, id))
    const chosen = { intent: 'prove-by-new', oobCode, password: 'la-mia-de-verdad' }
    expect((await world.post(letter, chosen, owner)).location).toBe('/signin')
    expect((await world.visit('/admin', attacker)).location).toBe('/signin')
    await world.post('/signin', { email, password: 'la-mia-de-verdad' }, owner)
    expect((await accept(owner, code)).location).toBe('/admin')
    expect((await world.post('/signin', { email, password }, attacker)).status).toBe(400)
  }, 60_000)

  test('withdrawn between sign-up and profile, it gives no role', async () => {
    const { email, code, id } = await invited(world, people.manager)
    const as = world.visitor()
    await signUp(email, { invitacion: code }, as)
    await world.post('/admin/users', { intent: 'withdraw', invitationId: id }, people.manager)
    expect((await complete({ role: 'analyst', invitacion: code }, as)).status).toBe(403)
    expect((await world.visit('/completion', as)).text).not.toContain('name="role"')
    expect((await complete({}, as)).status).toBe(303)
    expect(await userByEmail(world, email)).toMatchObject(customer)
  })

  test('who signed up with the invited e-mail without the letter gets nothing of it', async () => {
    const { email, code } = await invited(world, people.manager, newEmail(), 'manager')
    const as = world.visitor()
    await signUp(email, {}, as)
    expect((await world.visit('/completion', as)).text).not.toContain('name="role"')
    expect((await complete({ role: 'manager' }, as)).status).toBe(403)
    await complete({}, as)
    expect((await world.visit('/', as)).text).not.toContain('Te invitaron')
    const answer = await accept(as)
    expectPage(answer, 409, 'Abre el enlace de la invitación')
    expect(await userByEmail(world, email)).toMatchObject({ ...customer, emailVerified: false })
    // With the letter's link it is theirs, and proves the mailbox.
    expect((await accept(as, code)).location).toBe('/admin')
    expect(await userByEmail(world, email)).toMatchObject({ kind: 'manager', emailVerified: true })
  })

  test('nobody without an invitation is asked for a role, or given one', async () => {
    const as = await world.person({ name: null })
    expect((await world.visit('/completion', as)).text).not.toContain('name="role"')
    const { code } = await invited(world, people.manager)
    for (const form of [{ role: 'manager' }, { role: 'analyst', invitacion: code }])
      expect((await complete(form, as)).status).toBe(403)
    expect(await userOf(world, as)).toMatchObject({ ...customer, name: null })
  })
})

describe('an account that is complete', () => {
  test('hears of its invitation at home, accepts it once by its link, and goes on in this browser only', async () => {
    const person = await world.person({ name: 'Eva' })
    const other = await world.secondBrowser(person)
    const { code, id } = await invited(world, people.manager, person.email, 'gester')
    const hint = readable(await world.visit('/', person))
    expect(hint).toContain(`Para aceptar, abre el enlace que enviamos a ${person.email}`)
    expect(hint).not.toContain('Aceptar invitación')
    const home = readable(await world.visit(`/?invitacion=${code}`, person))
    expect(home).toContain('tu cuenta pasa a ser de Gestor ante CFE')
    expect(home).toContain('Aceptar invitación')
    const answers = await Promise.all([accept(person, code), accept(person, code), accept(person, code)])
    expect(answers.filter(({ location }) => location === '/admin')).toHaveLength(1)
    for (const { status } of answers) expect([303, 403, 409]).toContain(status)
    expect(await userOf(world, person)).toMatchObject({ role: 'staff', kind: 'gester', version: 2 })
    const [row] = await rowsIn(world, invitations, { id })
    expect(row).toMatchObject({ acceptedBy: person.id, version: 2 })
    expect((await world.visit('/admin', person)).status).toBe(200)
    expect(await sessionsOf(world, person)).toHaveLength(1)
    expect((await world.visit('/admin', other)).location).toBe('/signin')
  })

  test('signed in, the link leads home and keeps its code; another’s says so and changes nothing', async () => {
    const person = await world.person({ name: 'Eva' })
    const { email, code } = await invited(world, people.manager)
    const sent = await world.visit(`/signup?invitacion=${code}`, person)
    expect(sent.location).toBe(`/?invitacion=${code}`)
    const home = await world.visit(sent.location!, person)
    expectWords(home.text, 'Esta invitación es para otro correo', email)
    expect(readable(home)).toContain('Cerrar sesión')
    expect((await accept(person, code)).status).toBe(403)
    expect(await userOf(world, person)).toMatchObject({ ...customer, version: 1 })
    expect(await invitationTo(world, email)).toMatchObject({ acceptedAt: null })

    const staff = await world.visit(`/signup?invitacion=${code}`, people.analyst)
    expect(staff.location).toBe(`/admin?invitacion=${code}`)
    expect((await world.visit(staff.location!, people.analyst)).text).toContain('para otro correo')
    const newcomer = await world.person({ name: null })
    const led = await world.visit(`/signup?invitacion=${code}`, newcomer)
    expect(led.location).toBe(`/completion?invitacion=${code}`)
    expect((await world.visit(led.location!, newcomer)).text).toContain('para otro correo')
  })

  test('who has an account is led by the sign-in back to the invitation', async () => {
    const [email, known] = [newEmail(), world.visitor()]
    await signUp(email, {}, known)
    await complete({}, known)
    const { code } = await invited(world, people.manager, email)
    const as = world.visitor()
    const page = await world.visit(`/signup?invitacion=${code}`, as)
    const next = `/signup?invitacion=${code}`
    expect(page.text).toContain(`href="/signin?next=${encodeURIComponent(next)}"`)
    expect((await signUp(email, { invitacion: code }, as)).status).toBe(409)
    expect((await world.post('/signin', { email, password, next }, as)).location).toBe(next)
    expect((await world.visit(next, as)).location).toBe(`/?invitacion=${code}`)
    expect((await accept(as, code)).location).toBe('/admin')
  })

  test('with an open project it is refused in words', async () => {
    const person = await world.person({ name: 'Eva' })
    const { code } = await invited(world, people.manager, person.email)
    await world.home(person)
    const answer = await accept(person, code)
    expectPage(answer, 409, 'proyecto abierto')
    expect(await userOf(world, person)).toMatchObject({ ...customer, version: 1 })
    expect(await invitationTo(world, person.email)).toMatchObject({ acceptedAt: null })
  })

  test('an agency closed meanwhile takes nobody', async () => {
    const person = await world.person({ name: 'Eva' })
    const agency = await world.agency({ name: 'Por cerrar' })
    const form = { intent: 'invite', email: person.email, kind: 'alliate', agencyId: agency.id }
    await world.post('/admin/users', form, people.manager)
    await world.db.update(agencies).set({ active: false }).where(eq(agencies.id, agency.id))
    expect((await accept(person, await codeTo(world, person.email))).status).toBe(409)
    expect(await userOf(world, person)).toMatchObject(customer)
  })

  test('expired, withdrawn or never sent, it says which', async () => {
    const person = await world.person({ name: 'Eva' })
    expect((await accept(person, 'inventado')).text).toContain('No encontramos esta invitación')
    const { id, code } = await invited(world, people.manager, person.email)
    const set = (row: Partial<typeof invitations.$inferInsert>) =>
      world.db.update(invitations).set(row).where(eq(invitations.id, id))
    await set({ expiresAt: new Date(0) })
    expect((await accept(person, code)).text).toContain('Esta invitación venció')
    expect((await world.visit(`/?invitacion=${code}`, person)).text).toContain('Esta invitación venció')
    await set({ withdrawnAt: new Date() })
    expect((await accept(person, code)).text).toContain('Esta invitación se retiró')
    expect(await userOf(world, person)).toMatchObject(customer)
  })

  test('staff accept too, unless appointments wait for them', async () => {
    const technician = await world.person({ kind: 'tecnician', name: 'Tere' })
    const inserted = async (email: string) => {
      const person = await world.person({ name: 'Puente', email: newEmail() })
      const { code, id } = await invited(world, people.manager, person.email, 'manager')
      await world.db.update(invitations).set({ email }).where(eq(invitations.id, id))
      return code
    }
    const code = await inserted(technician.email)
    const home = await world.visit(`/admin?invitacion=${code}`, technician)
    expect(readable(home)).toContain('tu cuenta pasa a ser de Manager')
    const visit = await visitFor(world, technician, at(workday(), '10:00'))
    const refused = await accept(technician, code, '/admin')
    expectPage(refused, 409, 'Tienes citas por atender')
    await world.db.execute(`update appointments set state = 'cancelled' where id = '${visit.id}'`)
    expect((await accept(technician, code, '/admin')).location).toBe('/admin')
    expect(await userOf(world, technician)).toMatchObject({ kind: 'manager' })
  })

  test('whom the manager makes staff by hand, no invitation waits for any more', async () => {
    const person = await world.person({ name: 'Eva' })
    const { code } = await invited(world, people.manager, person.email, 'manager')
    await changeRole(world, people.manager, person, 'analyst')
    expect((await world.visit(`/signup?invitacion=${code}`)).text).toContain('se retiró')
    expect(await userOf(world, person)).toMatchObject({ kind: 'analyst' })
  })

  test('a customer has nothing to accept, and strangers are led to sign in', async () => {
    expect((await accept(world.visitor())).location).toBe('/signin')
    const before = await rowsIn(world, users, { id: people.customer2.id })
    expect((await accept(people.customer2)).status).toBe(409)
    expect(await rowsIn(world, users, { id: people.customer2.id })).toEqual(before)
  })
})
