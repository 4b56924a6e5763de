import { codeTemplate } from '../../src/notifications/rules/whatsapp.ts'
import {
  invitations,
  twoFactors,
  users,
  verifications,
  whatsappNumbers,
} from '../../src/platform/database/schema/accounts.ts'
import { whatsappMessages } from '../../src/platform/database/schema/cfe.ts'
import { hashOf } from '../../src/platform/http/sealing.ts'
import type { Fixture } from '../kit/fixture.ts'
import {
  ago,
  expectTrail,
  fixture,
  fromNow,
  openBare,
  realClockAfterEach,
  rowsWhere,
  runSql,
  setRow,
  storeRows,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectLocation, expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import type { Visitor } from '../kit/visitor.ts'
import { openWhatsapp, sent, variables } from '../notifications/whatsapp-stub.ts'
import { lettersTo, memberOf, password } from './own.ts'

openBare()
openWhatsapp()
let app: ReturnType<Fixture['under']>
beforeAll(() => {
  app = fixture.under(variables())
})
beforeEach(async () => {
  // At night.
  fixture.at(new Date(new Date().setUTCHours(8, 0, 0, 0)))
  await runSql`delete from limits`
})
realClockAfterEach()
const day = 24 * 60 * 60_000
const pass = (minutes: number) => fixture.at(fromNow(minutes * 60_000))

let phones = 0
async function provedPhone() {
  const phone = `55${10_000_000 + ++phones}`
  await storeRows(whatsappNumbers, { hash: hashOf(phone), askedAt: ago(9 * day), agreedAt: ago(8 * day) })
  return phone
}

/** A customer with a second factor, whose phone has been proved for long. */
async function secured() {
  const person = await memberOf({ phone: await provedPhone() })
  const factor = { secret: '-', backupCodes: '', verified: true, startedAt: new Date() }
  await storeRows(twoFactors, { userId: person.id, ...factor })
  const since = ago(8 * day)
  await setRow(users, person, { twoFactorEnabled: true, whatsappOptInAt: since, phoneChangedAt: since })
  return person
}

async function halfSigned({ email }: Person): Promise<Visitor> {
  const as = fixture.visitor()
  expectLocation(await app.post('/signin', { email, password }, as), '/signin')
  return as
}
const phoneOf = async ({ id }: Person) => (await rowsWhere(users, { id }))[0]!.phone!
const sendCode = (as: Visitor) => app.post('/signin', { intent: 'send-phone-code' }, as)
const type = (as: Visitor, phoneCode: string) => app.post('/signin', { intent: 'phone-code', phoneCode }, as)
const sentCode = () => sent.at(-1)!.template.components[0]!.parameters[0]!.text
const wrong = () => (sentCode() === '000000' ? '111111' : '000000')
const asked = '/signin?codigo=whatsapp'

test('signs in a customer by a code to a proved phone, at night too, once of two attempts at a time, and e-mails them', async () => {
  const person = await secured()
  const as = await halfSigned(person)
  const phone = await phoneOf(person)
  expectWords(
    (await app.visit('/signin', as)).text,
    `Enviar un código a tu WhatsApp (termina en ${phone.slice(-2)})`,
  )
  expectLocation(await sendCode(as), asked)
  expectWords((await app.visit(asked, as)).text, 'Revisa tu WhatsApp', 'Enviar otro código')
  const code = sentCode()
  expect(code).toMatch(/^\d{6}$/)
  const copies = Array(2).fill([{ type: 'text', text: code }])
  expect(sent).toMatchObject([{ to: `52${phone}`, template: { name: codeTemplate } }])
  expect(sent[0]!.template.components.map(({ parameters }) => parameters)).toEqual(copies)
  const kept = JSON.stringify(await rowsWhere(verifications))
  const plainHash = Buffer.from(hashOf(code), 'hex').toString('base64url')
  expect([code, plainHash].filter((text) => kept.includes(text))).toEqual([])
  expect(await rowsWhere(whatsappMessages, { userId: person.id })).toMatchObject([{ state: 'sent' }])
  const both = await Promise.all(
    [as, { ...as, cookies: new Map(as.cookies) }].map((browser) => type(browser, code)),
  )
  expect(both.filter(({ location }) => location === '/')).toHaveLength(1)
  await expectTrail(person, ['enter_by_phone_code'])
  expect(await lettersTo(person)).toEqual(['phone_code_used'])
  expectPage(await type(await halfSigned(person), code), 400, 'Ese código no es correcto o ya no sirve.')
})

const invite = ({ email }: Person) =>
  storeRows(invitations, { email, kind: 'analyst' as const, codeHash: email, expiresAt: fromNow(day) })
const numberSays = (set: { agreedAt: Date | null }) =>
  runSql`update whatsapp_numbers set asked_at = ${ago(9 * day)}, agreed_at = ${set.agreedAt}`
test.each<[string, (person: Person) => Promise<unknown>]>([
  ['staff', (person) => setRow(users, person, { role: 'staff', kind: 'tecnician' })],
  ['a customer invited to the team', invite],
  ['a customer whose number did not agree', () => numberSays({ agreedAt: null })],
  ['a customer whose number only received messages', () => numberSays({ agreedAt: ago(9 * day) })],
  ['a customer who wants no messages', (person) => setRow(users, person, { whatsappOptInAt: null })],
  ['a phone changed now', async (person) => setRow(users, person, { phone: await provedPhone() })],
  ['a phone changed six days ago', (person) => setRow(users, person, { phoneChangedAt: ago(6 * day) })],
])('no code by phone is offered to, sent to or taken from %s', async (_who, change) => {
  const person = await secured()
  const as = await halfSigned(person)
  await sendCode(as)
  await change(person)
  expectPage(await type(as, sentCode()), 400, 'ya no sirve')
  expectLocation(await sendCode(as), asked)
  const page = await app.visit(asked, as)
  expectWords(page.text, 'Escribe tu código')
  expect(page.text).not.toContain('WhatsApp')
  expect(sent).toHaveLength(1)
})

test('e-mails a customer with a second factor about a changed phone, also where the manager changed it', async () => {
  const person = await secured()
  const manager = await memberOf({ kind: 'manager' })
  const save = async (path: string, intent: string, as: Visitor) => {
    const { version } = (await rowsWhere(users, { id: person.id }))[0]!
    const phone = await provedPhone()
    const form = { intent, name: 'Ana', lastname: 'Luna', phone, version: String(version) }
    expectStatus(await app.post(path, form, as), 303)
  }
  await save('/cuenta', 'profile', person)
  await save(`/admin/users/${person.id}`, 'correct-profile', manager)
  expect(await lettersTo(person)).toEqual(['phone_changed', 'phone_changed'])
})

test('no code by phone is sent or taken without the password, or without WhatsApp', async () => {
  const person = await secured()
  const visitor = fixture.visitor()
  for (const tried of [await sendCode(visitor), await type(visitor, '123456')])
    expectLocation(tried, '/signin')
  // The application without WhatsApp.
  const as = await halfSigned(person)
  expect((await fixture.visit('/signin', as)).text).not.toContain('WhatsApp')
  await fixture.post('/signin', { intent: 'send-phone-code' }, as)
  expect(sent).toEqual([])
})

test('a code by phone ends after five minutes, and wrong ones count as those of the authenticator', async () => {
  const person = await secured()
  const late = await halfSigned(person)
  await sendCode(late)
  pass(6)
  expectPage(await type(late, sentCode()), 400, 'ya no sirve')
  for (const last of ['/signin', 429] as const) {
    const as = await halfSigned(person)
    await sendCode(as)
    for (let n = 0; n < 5; n++) expectStatus(await type(as, wrong()), 400)
    if (last === 429) expectPage(await type(as, sentCode()), last, 'Espera 15 minutos')
    else expectLocation(await type(as, sentCode()), last)
  }
  await runSql`update two_factors set locked_until = null, failed_verification_count = 0`
  await runSql`update limits set count = 30 where key like 'second step by account %'`
  expectStatus(await type(await halfSigned(person), '123456'), 429)
})

test('three codes by phone are sent an hour to an account and a day to a number; the answer is the same, and the last one works, without a passkey too', async () => {
  const person = await secured()
  await runSql`update two_factors set by_passkey = true where user_id = ${person.id}`
  const as = await halfSigned(person)
  for (let n = 0; n < 4; n++) {
    pass(1)
    expectLocation(await sendCode(as), asked)
  }
  expect(sent).toHaveLength(3)
  const use = async (number: string) => {
    await setRow(users, person, { phone: number })
    await setRow(users, person, { phoneChangedAt: ago(8 * day) })
  }
  const phone = await phoneOf(person)
  const another = await provedPhone()
  await use(another)
  await sendCode(as)
  expect(sent).toHaveLength(3)
  await use(phone)
  expectLocation(await type(as, sentCode()), '/')
  pass(61)
  const later = await halfSigned(person)
  await sendCode(later)
  expect(sent).toHaveLength(3)
  await use(another)
  await sendCode(later)
  expect(sent.map(({ to }) => to).slice(2)).toEqual([`52${phone}`, `52${another}`])
})
