import { randomInt } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import { accounts, users } from '../../src/platform/database/schema/accounts.ts'
import { db, fixture, markupOf, post, rowWhere, storeRows } from '../kit/open.ts'
import type { Person, PersonInput } from '../kit/people.ts'
import { codeOf } from '../kit/totp.ts'
import type { Form, Visitor } from '../kit/visitor.ts'

/** The password of everyone in these tests. */
export const password = 'una-frase-larga'
let hashed: Promise<string> | undefined

/** A person with that password, stored without hashing it again. */
export async function memberOf(input?: PersonInput): Promise<Person> {
  const person = await fixture.person(input)
  await givePassword(person)
  return person
}

/** Gives it to a person without one. */
export async function givePassword(person: Pick<Person, 'id'>): Promise<void> {
  hashed ??= hashPassword(password)
  await storeRows(accounts, {
    userId: person.id,
    accountId: person.id,
    providerId: 'credential',
    password: await hashed,
  })
}

/** An account that the manager opens for a caller; no one has entered it. */
export async function registerCaller(manager: Person, email: string) {
  const names = { name: 'Rita', lastname: 'Llamas', phone: `55${randomInt(10_000_000, 99_999_999)}`, email }
  await post('/admin/assignations/nueva', { intent: 'create-customer', callOnly: 'on', ...names }, manager)
  return (await rowWhere(users, { email }))!
}

export const account = '/admin/account'

/** A form of the account page. */
export const send = (as: Visitor, intent: string, form: Form = {}, path = account) =>
  post(path, { intent, ...Object.fromEntries(new URLSearchParams(form)) }, as)

/** The secret that a page shows as text. */
export const secretOn = (text: string) => /data-secret="([A-Z2-7]+)"/.exec(text)?.[1] ?? ''

/** The recovery codes that a page shows. */
export const recoveryCodesOn = (text: string) =>
  [...text.matchAll(/<li>([a-z2-9]{6}-[a-z2-9]{6})<\/li>/g)].map(([, code]) => code!)

/** Turns the second factor on; answers its secret and recovery codes. The code spent is that of the step before now. */
export async function enrol(person: Person) {
  await send(person, 'second-factor-start', { currentPassword: password })
  const secret = secretOn(await markupOf(account, person))
  const { text } = await send(person, 'second-factor-confirm', { code: codeOf(secret, -1) })
  return { secret, codes: recoveryCodesOn(text) }
}

/** The e-mails about an account that were sent to its person, by name. */
export async function lettersTo({ id }: { id: string }): Promise<string[]> {
  const { rows } = await db.$client.query(
    `select data->>'letter' as letter from pgboss.job where name = 'account-letter' and data->>'userId' = $1`,
    [id],
  )
  return rows.map(({ letter }) => letter as string).sort()
}
