import { randomUUID } from 'node:crypto'
import { makeCode } from '../../src/accounts/letter-codes.ts'
import { blockedAccounts, sessions, users } from '../../src/platform/database/schema/accounts.ts'
import { seal, sealingKey } from '../../src/platform/http/sealing.ts'
import { ago, db, fixture, post, rowsWhere, rowWhere, setRow, storeRows } from './open.ts'
import { secret } from './people.ts'
import type { Answer, Visitor } from './visitor.ts'

export const password = 'una-frase-larga'

/** An e-mail that no other test uses. */
export const newEmail = () => `persona-${randomUUID().slice(0, 13)}@prueba.mx`

export const accountOf = (email: string) => rowWhere(users, { email })

export const sessionsOf = async (email: string) =>
  rowsWhere(sessions, { userId: (await accountOf(email))!.id })

/** Signs up through the form, which hashes a password: `memberOf` of test/accounts/own.ts is quicker. */
export async function signUp(email = newEmail(), as = fixture.visitor()) {
  const answer = await post('/signup', { email, password }, as)
  return { email, as, answer }
}

export const signIn = (email: string, typed = password, as?: Visitor) =>
  post('/signin', { email, password: typed }, as)

export const resetPath = (code: string) => `/recover-password?mode=resetPassword&oobCode=${code}`

/** The form behind a link for a new password. */
export const choosePassword = (oobCode: string, typed: string, as?: Visitor) =>
  post(resetPath(oobCode), { intent: 'password', oobCode, password: typed }, as)

/** A new code for a new password, as the e-mail holds it. */
export const resetCodeOf = ({ id }: { id: string }, now = new Date()) =>
  makeCode(db, 'reset_password', id, now).then(({ code }) => code)

/** What a person reads of a page, without what differs from one answer to the next. */
export const readable = ({ text }: Answer, email: string) =>
  text
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll(email, '…')
    .replace(/nonce="[^"]*"/g, '')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')

const day = 24 * 60 * 60 * 1000

/** A customer whose account was deleted three days ago, and what was put aside of it; answers their id. */
export async function storeBlocked(sealedWith = secret): Promise<string> {
  const { id } = await fixture.person()
  const at = ago(3 * day)
  const held = { 'Tu cuenta': [{ Nombre: 'Citlali', 'Correo confirmado': true, 'Cuenta creada': at }] }
  await storeRows(blockedAccounts, {
    customerId: id,
    blockedAt: at,
    suppressAt: new Date(+at + 365 * day),
    sealed: seal(sealingKey(sealedWith, 'blocked accounts'), JSON.stringify(held)),
    files: [{ key: 'x', name: 'fachada.jpg', type: 'image/jpeg' }],
  })
  const nobody = { name: null, lastname: null, phone: null, active: false, email: `${id}@eliminada.invalid` }
  await setRow(users, id, { ...nobody, deletedAt: at })
  return id
}
