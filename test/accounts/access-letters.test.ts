import { randomUUID } from 'node:crypto'
import { sendAccountEmail } from '../../src/notifications/send.ts'
import { accounts, users } from '../../src/platform/database/schema/accounts.ts'
import type { Jobs } from '../../src/platform/jobs/queues.ts'
import { newEmail } from '../kit/accounts.ts'
import { emailEnv } from '../kit/delivered.ts'
import { mailServer, readEmail } from '../kit/mail-server.ts'
import {
  db,
  expectScreen,
  expectUser,
  fixture,
  newPerson,
  openBare,
  post,
  rowsWhere,
  runSql,
  setRow,
  storeRows,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectWords, trailOf } from '../kit/reading.ts'
import { lettersOf } from './letters.ts'
import { memberOf, registerCaller } from './own.ts'

openBare()
let manager: Person
beforeAll(async () => {
  manager = await newPerson({ kind: 'manager' })
})

const pageOf = (id: string) => `/admin/users/${id}/cliente`
const caller = () => registerCaller(manager, newEmail())
/** The subjects of the e-mails to one address that arrive while something is done. */
const subjectsTo = async (email: string, run: () => Promise<unknown>) =>
  (await lettersOf(run)).filter(({ to }) => to === email).map(({ subject }) => subject)

const resend = (id: string) => post(pageOf(id), { intent: 'resend-access' }, manager)
const makeLink = (id: string) => post(pageOf(id), { intent: 'access-link' }, manager)
const linkIn = ({ text }: { text: string }) =>
  /https?:\/\/[^<"\\]+oobCode=[\w-]+/.exec(text)![0].replaceAll('&amp;', '&')
function choose(link: string) {
  const { pathname, search, searchParams } = new URL(link)
  const oobCode = searchParams.get('oobCode')!
  const form = { intent: 'password', oobCode, password: 'otra-frase-muy-larga', terms: 'on' }
  return post(pathname + search, form)
}

// That only the manager may: test/security/actions/pipeline.ts.
test.each([
  ['who never signed in', caller, 'Tu cuenta en Carga en Casa'],
  ['who did not confirm', () => memberOf({ emailVerified: false }), 'Confirma tu correo'],
  ['who lost the password', () => memberOf(), 'Cambia tu contraseña'],
])('sends the access e-mail again to a customer %s, and records it', async (_who, make, subject) => {
  const { email, id } = await make()
  expect(await subjectsTo(email, async () => expectStatus(await resend(id), 303))).toContain(subject)
  expect(await trailOf(fixture, id)).toContain('resend_access')
  if (subject === 'Tu cuenta en Carga en Casa')
    await expectScreen(pageOf(id), manager, 'Correo: cuenta abierta por teléfono')
})

test('sends the access e-mail again at most 5 times', async () => {
  const { id } = await memberOf()
  for (let n = 0; n < 5; n++) expectStatus(await resend(id), 303)
  expectStatus(await resend(id), 429)
})

test('a link to copy opens an account that was never entered, once, and verifies no mailbox', async () => {
  const { email, id } = await caller()
  const shown = await makeLink(id)
  expectPage(shown, 200, 'Compártelo solo con el cliente')
  const link = linkIn(shown)
  const sent = await subjectsTo(email, async () => expectLocation(await choose(link), '/signin'))
  expect(sent).toContain('Confirma tu correo')
  await expectUser({ id }, { emailVerified: false })
  expectStatus(await choose(link), 409)
  expect(await trailOf(fixture, id)).toContain('make_access_link')
})

test('a link to copy opens nothing once the mailbox was verified, or a provider was linked, which stays', async () => {
  const verified = await caller()
  const linked = await caller()
  const links = [await makeLink(verified.id), await makeLink(linked.id)].map(linkIn)
  await setRow(users, verified, { emailVerified: true })
  await storeRows(accounts, { userId: linked.id, accountId: randomUUID(), providerId: 'oidc' })
  for (const link of links) expectStatus(await choose(link), 409)
  const ways = await rowsWhere(accounts, { userId: linked.id })
  expect(ways.map(({ providerId }) => providerId)).toEqual(['oidc'])
})

test('a link to copy is refused for an account that was entered, whose page says where to sign in', async () => {
  const { id } = await memberOf()
  expectStatus(await makeLink(id), 409)
  await expectScreen(pageOf(id), manager, '/signin')
})

type Letter = Jobs['account-letter']['letter']
const env = { ...emailEnv, baseUrl: 'http://carga.test' }

/** The e-mails that arrive. */
async function sent(letter: Letter, who: { userId?: string; email?: string }) {
  const { received, transport } = await mailServer()
  await sendAccountEmail(db, env, transport, { letter, ...who }, randomUUID())
  return Promise.all(received.map(({ source }) => readEmail(source)))
}
const asked = (person: Person, at: string | null) =>
  setRow(users, person, { deletionRequestedAt: at === null ? null : new Date(at) })

test.each([
  ['second_factor_on', 'Activaste tu segundo factor', '/admin/account'],
  ['second_factor_off', 'Tu segundo factor está desactivado', '/recover-password'],
  ['recovery_codes_renewed', 'Tienes códigos de recuperación nuevos', '/recover-password'],
  ['phone_changed', 'Tu cuenta tiene otro teléfono', '/recover-password'],
  ['phone_code_used', 'Entraron a tu cuenta con un código de WhatsApp', '/recover-password'],
] as const)(
  '%s says to staff what changed, and what to do if another person did it',
  async (letter, subject, link) => {
    const person = await newPerson({ kind: 'analyst', name: 'Ana' })
    const [read] = await sent(letter, { userId: person.id })
    expect(read).toMatchObject({ to: person.email, subject })
    expectWords(read!.text, 'Hola, Ana:', 'Si no fuiste tú', `http://carga.test${link}`)
  },
)

test('a letter of a changed password, or of a second factor turned off, says whether passkeys open the account', async () => {
  const person = await newPerson()
  const read = async (letter: Letter) => (await sent(letter, { userId: person.id }))[0]!.text
  const left = 'Tus llaves de acceso siguen abriendo tu cuenta'
  expect(await read('password_changed')).not.toContain(left)
  expectWords(await read('second_factor_off'), 'en tu cuenta no quedan llaves de acceso')
  await runSql`insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${person.id}, 'Teléfono', '-', ${person.id}, 0, 'singleDevice', false)`
  expectWords(await read('password_changed'), left, 'http://carga.test/cuenta')
  expectWords(await read('second_factor_off'), 'o una de tus llaves de acceso')
})

test('says the day of a requested deletion, and sends nothing that no longer holds', async () => {
  const person = await newPerson()
  await asked(person, '2026-11-21T18:00:00Z')
  const [read] = await sent('deletion_asked', { userId: person.id })
  expect(read).toMatchObject({ to: person.email, subject: 'Vamos a eliminar tu cuenta' })
  expectWords(read!.text, 'el jueves 26 de noviembre de 2026', 'http://carga.test/cuenta')
  expect(await sent('deletion_taken_back', { userId: person.id })).toEqual([])
  await asked(person, null)
  expect(await sent('deletion_asked', { userId: person.id })).toEqual([])
  expect(await sent('deletion_taken_back', { userId: person.id })).toMatchObject([
    { subject: 'Conservamos tu cuenta' },
  ])
  expect(await sent('deletion_put_off', { userId: person.id })).toMatchObject([
    { subject: 'No eliminamos tu cuenta' },
  ])
})

test('sends the last e-mail to the address of the deleted account', async () => {
  const [read] = await sent('account_deleted', { email: 'borrada@prueba.mx' })
  expect(read).toMatchObject({ to: 'borrada@prueba.mx', subject: 'Eliminamos tu cuenta' })
  expectWords(read!.text, 'Hola:')
})
