import { makeCode } from '../../src/accounts/letter-codes.ts'
import { accounts, emailChanges, users } from '../../src/platform/database/schema/accounts.ts'
import { choosePassword, newEmail, resetCodeOf, signIn } from '../kit/accounts.ts'
import {
  db,
  expectLed,
  expectRowsIn,
  expectScreen,
  expectUser,
  fixture,
  markupOf,
  newPerson,
  openBare,
  post,
  rowsWhere,
  rowWhere,
  storeRows,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectStatuses, expectWords } from '../kit/reading.ts'
import { invitationTo, invited, userOf as rowOf } from '../kit/users.ts'
import type { Visitor } from '../kit/visitor.ts'
import { codeIn, type Letters, letterBox, lettersOf, linkIn } from './letters.ts'
import { account, enrol, memberOf, password, registerCaller, send } from './own.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await memberOf({ kind: 'manager' })
})

const chosen = 'otra-frase-muy-larga'
const userOf = (person: { id: string }) => rowOf(person)
const changesOf = ({ id }: Person) => rowsWhere(emailChanges, { userId: id })
const pathOf = ({ role }: Person) => (role === 'staff' ? account : '/cuenta')
const to = (letters: Letters, email: string) => letters.find((letter) => letter.to === email)!

const ask = (person: Person, email = newEmail(), currentPassword = password) =>
  send(person, 'email', { email, currentPassword }, pathOf(person))
const correct = async (person: { id: string }, email = newEmail(), version?: string) =>
  post(
    `/admin/users/${person.id}`,
    { intent: 'correct-email', version: version ?? String((await userOf(person)).version), email },
    manager,
  )
/** The button behind an e-mail's link. */
const press = (letter: Letters[number], intent: string, as: Visitor = fixture.visitor()) =>
  post(linkIn(letter), { intent, oobCode: codeIn(letter), password: chosen }, as)
const look = (letter: Letters[number], as?: Visitor) => markupOf(linkIn(letter), as)

/** A link that serves no more leads a signed-in person home, with the reason, and changes nothing. */
async function expectSpent(
  letter: Letters[number],
  person: Person,
  as: Visitor = person,
  words = 'Este enlace ya se usó',
) {
  const before = await userOf(person)
  expectLocation(await press(letter, 'change-email', as), '/')
  await expectScreen(person.role === 'staff' ? '/admin' : '/', as, words)
  expect(await userOf(person)).toEqual(before)
}

/** A change that its owner asked for, with the e-mails to the new and to the old mailbox. */
async function asked(person: Person, email = newEmail()) {
  const letters = await lettersOf(() => ask(person, email))
  return { email, fresh: to(letters, email), old: to(letters, person.email) }
}

test.each([
  ['customer', undefined],
  ['manager', 'manager'],
] as const)(
  'a %s changes the own e-mail by the password; the old mailbox is notified; only the link in the new one changes it',
  async (_who, kind) => {
    const person = await memberOf(kind && { kind })
    const elsewhere = await fixture.secondBrowser(person)
    const path = pathOf(person)
    const { email, fresh, old } = await asked(person)
    expect(fresh.subject).toBe('Confirma tu correo nuevo')
    expect(old.subject).toBe('Pidieron cambiar el correo de tu cuenta')
    expect(old.text).not.toContain(email)
    await expectUser(person, { email: person.email, emailVerified: true })
    await expectScreen(path, person, 'Falta confirmar tu correo nuevo', email)
    // Looking changes nothing, and without the account's session neither button does.
    expectWords(await look(fresh), 'Inicia sesión')
    expectStatus(await press(fresh, 'change-email'), 409)
    expectStatus(await press(fresh, 'change-email-new'), 403)
    expect((await userOf(person)).email).toBe(person.email)

    const done = await lettersOf(async () => {
      expectWords(await look(fresh, person), 'Usar este correo')
      expectLocation(await press(fresh, 'change-email', person), '/')
    })
    await expectUser(person, { email, emailVerified: true })
    expect(to(done, person.email).subject).toBe('Tu cuenta ya usa otro correo')
    await expectLed(path, elsewhere, '/signin')
    expectStatus(await signIn(person.email), 400)
    expectStatus(await signIn(email), 303)
    await expectSpent(fresh, person, person, 'Ya cambiamos tu correo')
    expectWords(await look(fresh), 'Ya cambiamos tu correo', 'Iniciar sesión')
  },
)

test('a change of e-mail with a wrong password, the own e-mail, a taken and an invalid one are refused under the field, without e-mails', async () => {
  const person = await memberOf()
  const other = await newPerson({ emailVerified: false })
  const letters = await lettersOf(async () => {
    for (const [email, typed, status, words] of [
      [newEmail(), 'no-es-esta', 400, 'no es correcta'],
      [person.email.toUpperCase(), password, 400, 'Ese ya es tu correo.'],
      [other.email, password, 409, 'Ya hay otra cuenta con ese correo.'],
      ['nadie', password, 400, 'Escribe un correo válido'],
    ] as const)
      expectPage(await ask(person, email, typed), status, words)
  })
  expect(letters).toEqual([])
  expect(await changesOf(person)).toEqual([])
})

test('a change of e-mail without a password is refused until one is chosen', async () => {
  const person = await newPerson()
  await expectScreen('/cuenta', person, 'Para cambiarlo, elige primero una contraseña.')
  expectStatus(await ask(person), 409)
})

test('a second request voids the first link, and cancelling voids all', async () => {
  const person = await memberOf()
  const first = await asked(person)
  const second = await asked(person)
  await expectSpent(first.fresh, person)
  const cancel = () => send(person, 'cancel-email', {}, '/cuenta')
  expectStatus(await cancel(), 303)
  await expectSpent(second.fresh, person)
  expectStatus(await cancel(), 409)
  expect((await userOf(person)).email).toBe(person.email)
})

test.each([
  ['from an e-mail', async (person: Person) => choosePassword(await resetCodeOf(person), chosen)],
  [
    'in the account',
    (person: Person) =>
      send(person, 'password', { currentPassword: password, newPassword: chosen }, '/cuenta'),
  ],
])('a new password %s ends a pending change', async (_how, change) => {
  const person = await memberOf()
  const { fresh } = await asked(person)
  expectStatus(await change(person), 303)
  await expectSpent(fresh, person, await fixture.secondBrowser(person))
})

test('of two who want one e-mail at once one gets it; a sign-up in between keeps it', async () => {
  const one = await memberOf()
  const other = await memberOf()
  const email = newEmail()
  const letters = [await asked(one, email), await asked(other, email)]
  const answers = await Promise.all([
    press(letters[0]!.fresh, 'change-email', one),
    press(letters[1]!.fresh, 'change-email', other),
  ])
  expectStatuses(answers, 303, 409)
  const late = await asked(one)
  await newPerson({ email: late.email })
  expectPage(await press(late.fresh, 'change-email', one), 409, 'Ya hay otra cuenta')
})

test('an unverified mailbox is left at once, from the banner, and its links open nothing', async () => {
  const person = await memberOf({ emailVerified: false })
  const { email, id } = person
  const right = newEmail()
  const { code: oobCode } = await makeCode(db, 'verify_email', id, new Date())
  await expectScreen('/', person, '¿Te equivocaste? Cambiar correo')
  const letters = await lettersOf(async () => expectLocation(await ask(person, right), '/cuenta#correo'))
  expect(to(letters, right).subject).toBe('Confirma tu correo')
  // The mailbox is not proved: no e-mail goes there.
  expect(letters.filter((letter) => letter.to === email)).toEqual([])
  const stale = { intent: 'prove-by-new', oobCode, password: chosen }
  expectStatus(await post('/recover-password?mode=verifyEmail', stale), 409)
  expectLocation(await press(to(letters, right), 'prove', person), '/')
  await expectUser(person, { email: right, emailVerified: true })
})

test('an e-mail written during the change goes to the new mailbox, not to the old one', async () => {
  const person = await memberOf({ emailVerified: false })
  const email = newEmail()
  const box = await letterBox()
  await box.delivered()
  await post(`/admin/users/${person.id}/cliente`, { intent: 'resend-access' }, manager)
  const isWaiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waiting = async () => (await db.$client.query(`select ${isWaiting}`)).rowCount
  // What is done is recorded at its end: held there, the change has let go of the former mailbox already.
  const holder = await db.$client.connect()
  await holder.query('begin; lock table events in share mode')
  const changed = correct(person, email)
  await vi.waitFor(async () => expect(await waiting()).toBe(1))
  const letters = box.delivered()
  await vi.waitFor(async () => expect(await waiting()).toBe(2))
  await holder.query('rollback')
  holder.release()
  expectStatus(await changed, 303)
  expect(await letters).toMatchObject([{ to: email, subject: 'Confirma tu correo' }])
})

test('an invitation to the former e-mail is not taken along', async () => {
  const person = await memberOf()
  const { code } = await invited(manager, person.email, 'analyst')
  const { fresh } = await asked(person)
  await press(fresh, 'change-email', person)
  expectStatus(await post('/?index', { intent: 'accept-invitation', invitacion: code }, person), 403)
  expect(await invitationTo(person.email)).toMatchObject({ acceptedAt: null })
})

test('the old mailbox objects before the change: it does not happen, and the session that asked ends', async () => {
  const person = await memberOf()
  const { fresh, old } = await asked(person)
  expectWords(await look(old), '¿No pediste cambiar tu correo?')
  expectLocation(await press(old, 'object-email'), '/signin')
  await expectLed('/', person, '/signin')
  await expectSpent(fresh, person, await fixture.secondBrowser(person))
  expectStatus(await signIn(person.email), 400)
  expectStatus(await signIn(person.email, chosen), 303)
  expectWords((await press(old, 'object-email')).text, 'Este enlace ya se usó')
})

test('the old mailbox objects after the change: the account returns, without what was set up since', async () => {
  const person = await memberOf({ kind: 'analyst' })
  const { email, fresh } = await asked(person)
  const notice = to(await lettersOf(() => press(fresh, 'change-email', person)), person.email)
  await enrol(person)
  await storeRows(accounts, { userId: person.id, accountId: 'ajeno', providerId: 'oidc' })
  // An unverified account on the former e-mail does not stand in the owner's way.
  await memberOf({ email: person.email, emailVerified: false })
  const again = await asked({ ...person, email })
  expectLocation(await press(notice, 'object-email'), '/signin')
  await expectUser(person, {
    email: person.email,
    emailVerified: true,
    twoFactorEnabled: false,
  })
  await expectSpent(again.fresh, person, await fixture.secondBrowser(person))
  await expectRowsIn(accounts, { userId: person.id }, [{ providerId: 'credential' }])
  expectStatus(await signIn(email), 400)
  expectLocation(await signIn(person.email, chosen), '/')
})

// That no other role may: test/security/actions/people.ts.
const names = { intent: 'correct-profile', version: '1', name: 'Óscar', lastname: 'Núñez' }
const correctNames = ({ id }: Person, phone = '55 8765 4321') =>
  post(`/admin/users/${id}`, { ...names, phone }, manager)
const page = ({ id }: Person) => markupOf(`/admin/users/${id}/cliente`, manager)

test('a manager corrects name and phone; a stale form is refused with what was typed', async () => {
  const person = await memberOf()
  expectPage(await correctNames(person, '1'), 400, 'Núñez')
  expectStatus(await correctNames(person), 303)
  await expectUser(person, { name: 'Óscar', lastname: 'Núñez', phone: '5587654321', version: 2 })
  const late = await post(
    `/admin/users/${person.id}/cliente`,
    { ...names, lastname: 'Luna', phone: '5511113333' },
    manager,
  )
  expectPage(late, 409, 'value="Luna"', 'name="lastname.pick"')
  await expectLed('/', person, null)
  expectWords(await page(person), 'La gerencia corrigió sus datos')
})

test('a manager ends every way into an unverified account by correcting it', async () => {
  const person = await memberOf({ emailVerified: false })
  expectWords(await page(person), 'Nadie ha confirmado su correo')
  expectStatus(await correctNames(person), 303)
  await expectLed('/', person, '/signin')
  await expectRowsIn(accounts, { userId: person.id }, [])
})

test('a manager changes the e-mail of a customer who lost mailbox and password: both are notified, a new password verifies it', async () => {
  const person = await memberOf()
  const email = newEmail()
  const letters = await lettersOf(async () => expectStatus(await correct(person, email), 303))
  expect((await userOf(person)).email).toBe(person.email)
  expect(to(letters, person.email).subject).toBe('Pidieron cambiar el correo de tu cuenta')
  expectWords(await page(person), 'Falta que confirme')
  const fresh = to(letters, email)
  expectWords(await look(fresh), 'Ya no puedo entrar')
  expectLocation(await press(fresh, 'change-email-new'), '/signin')
  await expectLed('/', person, '/signin')
  expectStatus(await signIn(email), 400)
  expectLocation(await signIn(email, chosen), '/')
})

test('a manager cannot take over another manager: the new mailbox alone opens nothing', async () => {
  const victim = await memberOf({ kind: 'manager' })
  const accomplice = newEmail()
  const letters = await lettersOf(() => correct(victim, accomplice))
  expectWords(to(letters, victim.email).text, 'Si no fuiste tú')
  const fresh = to(letters, accomplice)
  expect(await look(fresh)).not.toContain('Contraseña nueva')
  for (const intent of ['change-email', 'change-email-new'])
    for (const as of [fixture.visitor(), manager])
      expect((await press(fresh, intent, as)).status).toBeGreaterThanOrEqual(400)
  expect((await userOf(victim)).email).toBe(victim.email)
  await expectLed('/admin', victim, null)
  expectLocation(await press(fresh, 'change-email', victim), '/')
  expect((await userOf(victim)).email).toBe(accomplice)
})

test('a manager is refused to change the own e-mail, an inactive account and a stale page', async () => {
  const person = await memberOf()
  for (const answer of [
    await correct(manager),
    await correct(await memberOf({ active: false })),
    await correct(person, newEmail(), '9'),
  ])
    expectStatus(answer, 409)
  expect(await changesOf(person)).toEqual([])
})

test('a manager corrects a caller’s mailbox: the link in the wrong one opens nothing, the right one claims the account', async () => {
  const wrong = newEmail()
  const right = newEmail()
  const created = await lettersOf(() => registerCaller(manager, wrong))
  const user = (await rowWhere(users, { email: wrong }))!
  const letters = await lettersOf(async () => expectStatus(await correct(user, right), 303))
  expectStatus(await press(to(created, wrong), 'password'), 409)
  const claims = letters.filter((letter) => letter.to === right)
  expect(claims).toMatchObject([{ subject: 'Tu cuenta en Carga en Casa' }])
  expectLocation(await press(claims[0]!, 'password'), '/signin')
  await expectUser(user, { email: right, emailVerified: true })
})
