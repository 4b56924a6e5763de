import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { staffKinds } from '../../src/domain/access/actor.ts'
import { sessions, twoFactors, users } from '../../src/server/platform/database/schema/accounts.ts'
import { openBare, realClockAfterEach, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectWords, rowIn, rowsIn, trailOf } from '../kit/reading.ts'
import type { Answer, Visitor } from '../kit/visitor.ts'
import {
  account,
  codeOf,
  enrol,
  lettersTo,
  memberOf,
  password,
  recoveryCodesOn,
  secretOn,
  send,
} from './own.ts'

openBare()
/** Milliseconds that one code serves. */
const step = 30_000
// In the middle of one, and the clock stands: no code ends while a test is under way.
beforeEach(() => world.at(new Date(Math.floor(Date.now() / step) * step + step / 2)))
realClockAfterEach()

const sessionsOf = ({ id }: Person) => rowsIn(world, sessions, { userId: id })
const factorOf = async ({ id }: Person) => await rowIn(world, twoFactors, { userId: id })
/** Some wrong code of six digits. */
const wrong = (secret: string) =>
  ['000000', '111111', '222222', '333333'].find(
    (code) => ![-1, 0, 1].some((n) => codeOf(secret, n) === code),
  )!

const staff = () => memberOf(world, { kind: 'manager' })
/** Somebody with a second factor. */
async function enrolled() {
  const person = await staff()
  return { person, ...(await enrol(world, person)) }
}
/** Somebody who began to turn it on. */
async function begun() {
  const person = await staff()
  await send(world, person, 'second-factor-start', { currentPassword: password })
  return { person, secret: secretOn((await world.visit(account, person)).text) }
}

/** A browser that gave the password and stands before the code. */
async function halfSigned({ email }: Person, next?: string): Promise<Visitor> {
  const as = world.visitor()
  const answer = await world.post('/signin', { email, password, ...(next && { next }) }, as)
  expect([answer.status, answer.onward]).toEqual([
    303,
    next ? `/signin?next=${encodeURIComponent(next)}` : '/signin',
  ])
  return as
}
const types = (as: Visitor, code: string) => world.post('/signin', { intent: 'totp-code', code }, as)
const recovers = (as: Visitor, recoveryCode: string) =>
  world.post('/signin', { intent: 'recovery-code', recoveryCode }, as)
const isIn = async (as: Visitor) => (await world.visit('/admin', as)).status === 200
const home = ({ status, location }: Answer) => [status, location]

describe('turning it on', () => {
  test('password, a QR code, a first code; then it is on, with ten recovery codes', async () => {
    const person = await staff()
    const other = await world.secondBrowser(person)
    const begun = await send(world, person, 'second-factor-start', { currentPassword: password })
    expect(home(begun)).toEqual([303, `${account}#segundo-factor`])
    const page = await world.visit(account, person)
    const secret = secretOn(page.text)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(page.text).toContain('Código QR de tu segundo factor')
    expect(await factorOf(person)).toMatchObject({ verified: false })
    const on = await send(world, person, 'second-factor-confirm', { code: codeOf(secret) })
    expect(on.status).toBe(200)
    const codes = recoveryCodesOn(on.text)
    expect(codes).toHaveLength(10)
    const again = await world.visit(account, person)
    expect(again.text).toContain('Te quedan 10 códigos de recuperación.')
    expect(recoveryCodesOn(again.text)).toEqual([])
    expect(again.text).not.toContain(secret)
    expect(await isIn(other)).toBe(false)
    expect(await isIn(person)).toBe(true)
    expect(await trailOf(world, person)).toEqual(['turn_on_second_factor'])
    expect(await lettersTo(world, person)).toEqual(['second_factor_on'])
  })

  test('neither secret nor recovery codes can be read in the database', async () => {
    const { person, secret, codes } = await enrolled()
    const kept = JSON.stringify(await factorOf(person))
    for (const text of [secret, ...codes]) expect(kept).not.toContain(text)
  })

  test('a wrong password begins nothing', async () => {
    const person = await staff()
    const answer = await send(world, person, 'second-factor-start', { currentPassword: 'equivocada' })
    expectPage(answer, 400, 'La contraseña no es correcta.')
    expect(await factorOf(person)).toBeUndefined()
  })

  test('a wrong first code turns nothing on, and the QR code stays', async () => {
    const { person, secret } = await begun()
    const answer = await send(world, person, 'second-factor-confirm', { code: wrong(secret) })
    expectPage(answer, 400, 'Ese código no es correcto.')
    expect(secretOn(answer.text)).toBe(secret)
    expect(await factorOf(person)).toMatchObject({ verified: false })
    expect((await send(world, person, 'second-factor-confirm', { code: '12345' })).text).toContain(
      'El código tiene 6 dígitos.',
    )
  })

  test('no other session sees the secret or ends what this one began', async () => {
    const { person, secret } = await begun()
    const other = await world.secondBrowser(person)
    expect(secretOn((await world.visit(account, other)).text)).toBe('')
    const answer = await send(world, other, 'second-factor-confirm', { code: codeOf(secret) })
    expect(answer.status).toBe(409)
    expect(await factorOf(person)).toMatchObject({ verified: false })
  })

  test('what was begun a quarter of an hour ago is begun again', async () => {
    const { person, secret } = await begun()
    world.at(new Date(Date.now() + 16 * 60_000))
    expect(secretOn((await world.visit(account, person)).text)).toBe('')
    const answer = await send(world, person, 'second-factor-confirm', { code: codeOf(secret) })
    expect(answer.text).toContain('Pasó demasiado tiempo.')
  })

  test('sent twice at once it is turned on once', async () => {
    const { person, secret } = await begun()
    const confirm = () => send(world, person, 'second-factor-confirm', { code: codeOf(secret) })
    const answers = await Promise.all([confirm(), confirm(), confirm()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await trailOf(world, person)).toEqual(['turn_on_second_factor'])
    const start = await send(world, person, 'second-factor-start', { currentPassword: password })
    expect(start.text).toContain('Tu segundo factor ya está activado.')
  })

  test('is not for customers', async () => {
    const customer = await memberOf(world)
    const form = { currentPassword: password }
    expect((await send(world, customer, 'second-factor-start', form)).status).toBe(403)
    expect((await send(world, customer, 'second-factor-start', form, '/cuenta')).status).toBe(400)
    expect(await factorOf(customer)).toBeUndefined()
  })

  test('whoever has no password yet is told what to do first', async () => {
    const person = await world.person({ kind: 'analyst' })
    expect((await world.visit(account, person)).text).toContain('Para activarlo necesitas una contraseña.')
    const answer = await send(world, person, 'second-factor-start', { currentPassword: password })
    expect(answer.status).toBe(409)
  })
})

describe('signing in', () => {
  test('the password alone opens no session; the code does', async () => {
    const { person, secret } = await enrolled()
    const before = await sessionsOf(person)
    const as = await halfSigned(person, '/admin/assignations')
    expect(await sessionsOf(person)).toHaveLength(before.length)
    expect((await world.visit('/admin', as)).location).toBe('/signin')
    const page = await world.visit('/signin?next=/admin/assignations', as)
    expect(page.text).toContain('Escribe tu código')
    const form = { intent: 'totp-code', code: codeOf(secret), next: '/admin/assignations' }
    expect(home(await world.post('/signin', form, as))).toEqual([303, '/admin/assignations'])
    expect(await isIn(as)).toBe(true)
    expect([...as.cookies.keys()]).not.toContain('carga.two_factor')
  })

  test.each([-1, 0, 1])('a clock off by %i steps is taken', async (steps) => {
    const { person, secret } = await enrolled()
    // The step before was spent by turning it on.
    world.at(new Date(Date.now() + 120_000))
    const as = await halfSigned(person)
    expect(home(await types(as, codeOf(secret, steps)))).toEqual([303, '/'])
  })

  test.each([-3, 3])('one off by %i is not', async (steps) => {
    const { person, secret } = await enrolled()
    world.at(new Date(Date.now() + 120_000))
    const as = await halfSigned(person)
    expect((await types(as, codeOf(secret, steps))).status).toBe(400)
  })

  test('a code serves once: not again, not in another browser, not after turning it on with it', async () => {
    const { person, secret } = await enrolled()
    const first = await halfSigned(person)
    const spent = await types(first, codeOf(secret, -1))
    expectPage(spent, 400, 'Ese código ya se usó.')
    const code = codeOf(secret)
    const second = await halfSigned(person)
    expect(home(await types(second, code))).toEqual([303, '/'])
    const third = await halfSigned(person)
    expect((await types(third, code)).text).toContain('Ese código ya se usó.')
    expect(await isIn(third)).toBe(false)
  })

  test('of many posts of one code at once exactly one opens a session', async () => {
    const { person, secret } = await enrolled()
    const before = (await sessionsOf(person)).length
    const browsers = await Promise.all([1, 2, 3].map(() => halfSigned(person)))
    const answers = await Promise.all(
      browsers.flatMap((as) => [types(as, codeOf(secret)), types(as, codeOf(secret))]),
    )
    expect(answers.filter(({ location }) => location === '/')).toHaveLength(1)
    expect(await sessionsOf(person)).toHaveLength(before + 1)
  })

  test('a recovery code opens it once, however it is written', async () => {
    const { person, codes } = await enrolled()
    const as = await halfSigned(person)
    expect(home(await recovers(as, ` ${codes[0]!.toUpperCase().replace('-', ' ')} `))).toEqual([303, '/'])
    expect(await isIn(as)).toBe(true)
    const again = await halfSigned(person)
    const refused = await recovers(again, codes[0]!)
    expectPage(refused, 400, 'Ese código de recuperación no es correcto o ya se usó.')
    expect(home(await recovers(again, codes[1]!))).toEqual([303, '/'])
    expect((await world.visit(account, as)).text).toContain('Te quedan 8 códigos de recuperación.')
  })

  test('of one recovery code sent by two at once, one enters', async () => {
    const { person, codes } = await enrolled()
    const browsers = [await halfSigned(person), await halfSigned(person)]
    const answers = await Promise.all(browsers.map((as) => recovers(as, codes[0]!)))
    expect(answers.filter(({ location }) => location === '/')).toHaveLength(1)
  })

  test('five wrong codes, and the password is asked again', async () => {
    const { person, secret } = await enrolled()
    const as = await halfSigned(person)
    for (let n = 0; n < 5; n++) {
      const answer = await types(as, wrong(secret))
      expectPage(answer, 400, 'Ese código no es correcto.')
    }
    expect(home(await types(as, codeOf(secret)))).toEqual([303, '/signin'])
    const page = await world.visit('/signin', as)
    expectWords(page.text, 'Hubo demasiados códigos equivocados.', 'Correo electrónico')
    expect(await isIn(as)).toBe(false)
  })

  test('tries count for the account, from wherever they come, and so does a right code after too many', async () => {
    const { person, secret } = await enrolled()
    for (let n = 0; n < 2; n++) {
      const as = await halfSigned(person)
      for (let tries = 0; tries < 5; tries++) await types(as, wrong(secret))
    }
    const as = await halfSigned(person)
    const refused = await types(as, codeOf(secret))
    expectPage(refused, 429, 'Espera 15 minutos')
    expect(await isIn(as)).toBe(false)
    world.at(new Date(Date.now() + 16 * 60_000))
    const later = await halfSigned(person)
    expect(home(await types(later, codeOf(secret)))).toEqual([303, '/'])
  })

  test('all wrong codes at once are no way around', async () => {
    const { person, secret } = await enrolled()
    const as = await halfSigned(person)
    await Promise.all(
      Array.from({ length: 12 }, () => types({ ...as, cookies: new Map(as.cookies) }, wrong(secret))),
    )
    expect((await factorOf(person))!.failedVerificationCount).toBeLessThanOrEqual(5)
  })

  test('after ten minutes, with a forged cookie or with none, it begins again', async () => {
    const { person, secret } = await enrolled()
    const forged = world.visitor()
    forged.cookies.set('carga.two_factor', 'nada.nada')
    const late = await halfSigned(person)
    world.at(new Date(Date.now() + 11 * 60_000))
    for (const as of [late, forged, world.visitor()]) {
      expect(home(await types(as, codeOf(secret)))).toEqual([303, '/signin'])
      expect((await world.visit('/signin', as)).text).toContain('Correo electrónico')
    }
  })

  test('whoever wants another account goes back to the password', async () => {
    const { person } = await enrolled()
    const as = await halfSigned(person)
    expect(home(await world.post('/signin', { intent: 'start-over' }, as))).toEqual([303, '/signin'])
    expect((await world.visit('/signin', as)).text).toContain('Correo electrónico')
  })

  test('an inactive person does not enter with a code either', async () => {
    const { person, secret } = await enrolled()
    const as = await halfSigned(person)
    await world.db.update(users).set({ active: false }).where(eq(users.id, person.id))
    const answer = await types(as, codeOf(secret))
    expectPage(answer, 403, 'Tu cuenta está inactiva')
  })
})

describe('turning it off, and new recovery codes', () => {
  test('take the password and a code', async () => {
    const { person, secret } = await enrolled()
    for (const intent of ['second-factor-off', 'second-factor-codes']) {
      const noPassword = await send(world, person, intent, {
        currentPassword: 'equivocada',
        code: codeOf(secret),
      })
      expect(noPassword.status).toBe(400)
      const noCode = await send(world, person, intent, { currentPassword: password, code: wrong(secret) })
      expect(noCode.status).toBe(400)
    }
    expect(await factorOf(person)).toMatchObject({ verified: true })
  })

  test('off: the next sign-in needs the password only', async () => {
    const { person, secret } = await enrolled()
    const answer = await send(world, person, 'second-factor-off', {
      currentPassword: password,
      code: codeOf(secret),
    })
    expect(home(answer)).toEqual([303, `${account}#segundo-factor`])
    expect(await factorOf(person)).toBeUndefined()
    expect((await world.post('/signin', { email: person.email, password })).location).toBe('/')
    expect(await lettersTo(world, person)).toEqual(['second_factor_off', 'second_factor_on'])
    expect(await trailOf(world, person)).toContain('turn_off_second_factor')
  })

  test('new codes, with a recovery code as proof: the old ones serve no more', async () => {
    const { person, codes } = await enrolled()
    const form = { currentPassword: password, code: codes[3]! }
    const fresh = recoveryCodesOn((await send(world, person, 'second-factor-codes', form)).text)
    expect(fresh).toHaveLength(10)
    expect(fresh.filter((code) => codes.includes(code))).toEqual([])
    expect((await recovers(await halfSigned(person), codes[4]!)).status).toBe(400)
    expect(home(await recovers(await halfSigned(person), fresh[4]!))).toEqual([303, '/'])
  })

  test('codes guessed by a session that was left open are counted', async () => {
    const { person, secret } = await enrolled()
    const guess = () =>
      send(world, person, 'second-factor-off', { currentPassword: password, code: wrong(secret) })
    for (let n = 0; n < 9; n++) expect((await guess()).status).toBe(400)
    expect((await guess()).status).toBe(429)
  })
})

describe('REQUIRE_2FA', () => {
  const required = () => world.under({ REQUIRE_2FA: 'true' })

  test.each(staffKinds)('a %s without it', async (kind) => {
    const person = await world.person({
      kind,
      ...(kind === 'alliate' && { agencyId: (await world.agency()).id }),
    })
    const held = kind === 'manager' || kind === 'analyst'
    const app = required()
    for (const path of ['/admin', '/admin/appointments-done']) {
      const page = await app.visit(path, person)
      expect([page.status, page.location]).toEqual(held ? [302, account] : [200, null])
      const data = await app.data(path, person)
      expect([data.status, data.location]).toEqual(held ? [204, account] : [200, null])
    }
    const post = await app.post('/admin', { taskId: 'x' }, person)
    expect(post.location).toBe(held ? account : null)
    const own = await app.visit(account, person)
    expect(own.status).toBe(200)
    expect(own.text.includes('Activa tu segundo factor para continuar')).toBe(held)
    expect((await app.post('/signout', {}, person)).location).toBe('/signin')
  })

  test('a manager turns it on there, and is free', async () => {
    const person = await staff()
    const app = required()
    await app.post(account, { intent: 'second-factor-start', currentPassword: password }, person)
    const secret = secretOn((await app.visit(account, person)).text)
    const on = await app.post(account, { intent: 'second-factor-confirm', code: codeOf(secret) }, person)
    expect(recoveryCodesOn(on.text)).toHaveLength(10)
    expect(on.text).not.toContain('Activa tu segundo factor para continuar')
    expect((await app.visit('/admin', person)).status).toBe(200)
    expect((await app.visit(account, person)).text).not.toContain('Activa tu segundo factor para continuar')
  })

  test('the configuration, a part of the same screen, is not open either', async () => {
    const person = await world.person({ kind: 'manager' })
    const app = required()
    const hours = `${account}/configuracion/horario`
    expect((await app.visit(hours, person)).location).toBe(account)
    const form = { intent: 'settings.hours', version: '1' }
    for (const path of [hours, `${hours}.data`]) {
      const { location, status } = await app.post(path, form, person)
      expect([path, status >= 400 || status === 204 || location === account]).toEqual([path, true])
    }
  })

  test('customers are not asked, nor managers where it is not required', async () => {
    expect((await required().visit('/', await world.person())).status).toBe(200)
    expect((await world.visit('/admin', await world.person({ kind: 'manager' }))).status).toBe(200)
  })
})
