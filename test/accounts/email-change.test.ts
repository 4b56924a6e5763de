import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeCode } from '../../src/server/accounts/letter-codes.ts'
import { accounts, emailChanges, users } from '../../src/server/platform/database/schema/accounts.ts'
import { openBare, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectWords, rowIn, rowsIn } from '../kit/reading.ts'
import { invitationTo, invited } from '../kit/users.ts'
import type { Visitor } from '../kit/visitor.ts'
import { codeIn, letterBox, linkIn } from './letters.ts'
import { account, enrol, memberOf, password, send } from './own.ts'

openBare()
let manager: Person
let box: Awaited<ReturnType<typeof letterBox>>
beforeAll(async () => {
  manager = await memberOf(world, { kind: 'manager' })
})

const chosen = 'otra-frase-muy-larga'
const newEmail = () => `nuevo-${randomUUID().slice(0, 8)}@prueba.mx`
const mine = '/cuenta'
const userOf = async ({ id }: { id: string }) => (await rowIn(world, users, { id }))!
const changesOf = ({ id }: { id: string }) => rowsIn(world, emailChanges, { userId: id })

/** The letters that arrive while something is done, by whom they go to. */
async function lettersOf(run: () => Promise<unknown>) {
  box = await letterBox(world)
  const before = (await box.delivered()).length
  await run()
  return (await box.delivered()).slice(before)
}
type Letters = Awaited<ReturnType<typeof lettersOf>>
const to = (letters: Letters, email: string) => letters.filter((letter) => letter.to === email)

const ask = (
  person: Person,
  email: string,
  path = person.role === 'staff' ? account : mine,
  typed = password,
) => send(world, person, 'email', { email, currentPassword: typed }, path)
const correct = async (person: { id: string }, email: string, by: Person = manager) =>
  world.post(
    `/admin/users/${person.id}`,
    { intent: 'correct-email', version: String((await userOf(person)).version), email },
    by,
  )
const open = (letter: Letters[number], intent: string, as: Visitor, form: Record<string, string> = {}) =>
  world.post(linkIn(letter), { intent, oobCode: codeIn(letter), ...form }, as)

/** Whoever is signed in and opens a letter that opens nothing is led home, with the reason. */
async function isSpent(letter: Letters[number], person: Person, as: Visitor = person) {
  const before = await userOf(person)
  expect((await open(letter, 'change-email', as)).location).toBe('/')
  const home = await world.visit(person.role === 'staff' ? '/admin' : '/', as)
  expect(home.text).toContain('Este enlace ya se usó')
  expect(await userOf(person)).toEqual(before)
}

/** A change that was asked for by its owner; the letter to the new mailbox, and to the old one. */
async function asked(person: Person, email = newEmail()) {
  const letters = await lettersOf(() => ask(person, email))
  return { email, fresh: to(letters, email)[0]!, old: to(letters, person.email)[0]! }
}

describe('one’s own', () => {
  test.each([
    ['customer', undefined],
    ['technician', 'tecnician'],
    ['manager', 'manager'],
  ] as const)(
    '%s: by the password; the old mailbox is told; only the new one’s letter changes it',
    async (_who, kind) => {
      const person = await memberOf(world, kind && { kind })
      const elsewhere = await world.secondBrowser(person)
      const path = kind ? account : '/cuenta'
      const { email, fresh, old } = await asked(person)
      expect(fresh.subject).toBe('Confirma tu correo nuevo')
      expect(old.subject).toBe('Pidieron cambiar el correo de tu cuenta')
      expect(old.text).not.toContain(email)
      expect(await userOf(person)).toMatchObject({ email: person.email, emailVerified: true })
      const page = await world.visit(path, person)
      expectWords(page.text, 'Falta confirmar tu correo nuevo', email)
      // Looking changes nothing, and without the account's session the button does nothing.
      expect((await world.visit(linkIn(fresh))).text).toContain('Inicia sesión')
      expect((await open(fresh, 'change-email', world.visitor())).status).toBe(409)
      expect((await open(fresh, 'change-email-new', world.visitor(), { password: chosen })).status).toBe(403)
      expect((await userOf(person)).email).toBe(person.email)

      const done = await lettersOf(async () => {
        expect((await world.visit(linkIn(fresh), person)).text).toContain('Usar este correo')
        expect((await open(fresh, 'change-email', person)).location).toBe('/')
      })
      expect(await userOf(person)).toMatchObject({ email, emailVerified: true })
      expect(to(done, person.email)[0]!.subject).toBe('Tu cuenta ya usa otro correo')
      expect((await world.visit(path, person)).text).toContain(email)
      expect((await world.visit(path, elsewhere)).location).toBe('/signin')
      expect((await world.post('/signin', { email: person.email, password })).status).toBe(400)
      expect((await world.post('/signin', { email, password })).status).toBe(303)
      await isSpent(fresh, person)
    },
  )

  test('a wrong password, one’s own e-mail and one that is taken: in words, under the field, and no letter', async () => {
    const [person, other] = [await memberOf(world), await world.person({ emailVerified: false })]
    const letters = await lettersOf(async () => {
      expect((await ask(person, newEmail(), mine, 'no-es-esta')).text).toContain('no es correcta')
      expect((await ask(person, person.email.toUpperCase())).text).toContain('Ese ya es tu correo.')
      const taken = await ask(person, other.email)
      expect([taken.status, taken.text]).toEqual([
        409,
        expect.stringContaining('Ya hay otra cuenta con ese correo.'),
      ])
      expect((await ask(person, 'nadie')).text).toContain('Escribe un correo válido')
    })
    expect(letters).toEqual([])
    expect(await changesOf(person)).toEqual([])
  })

  test('who has no password chooses one first', async () => {
    const person = await world.person()
    expect((await world.visit('/cuenta', person)).text).toContain(
      'Para cambiarlo, elige primero una contraseña.',
    )
    expect((await ask(person, newEmail())).status).toBe(409)
  })

  test('asked again only the last letter serves; taken back, none does', async () => {
    const person = await memberOf(world)
    const first = await asked(person)
    const second = await asked(person)
    await isSpent(first.fresh, person)
    expect((await send(world, person, 'cancel-email', {}, mine)).status).toBe(303)
    await isSpent(second.fresh, person)
    expect((await send(world, person, 'cancel-email', {}, mine)).status).toBe(409)
    expect((await userOf(person)).email).toBe(person.email)
  })

  test('a new password, by letter or in the account, ends a change that waits', async () => {
    for (const how of ['letter', 'account'] as const) {
      const person = await memberOf(world)
      const { fresh } = await asked(person)
      if (how === 'account')
        await send(world, person, 'password', { currentPassword: password, newPassword: chosen }, mine)
      else {
        const oobCode = await makeCode(world.db, 'reset_password', person.id, new Date())
        const form = { intent: 'password', oobCode, password: chosen }
        await world.post(`/recover-password?mode=resetPassword&oobCode=${oobCode}`, form)
      }
      await isSpent(fresh, person, await world.secondBrowser(person))
    }
  })

  test('of two who want the same e-mail at once one gets it, and so does a sign-up in between', async () => {
    const [one, other] = [await memberOf(world), await memberOf(world)]
    const email = newEmail()
    const letters = [await asked(one, email), await asked(other, email)]
    const answers = await Promise.all([
      open(letters[0]!.fresh, 'change-email', one),
      open(letters[1]!.fresh, 'change-email', other),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
    const late = await asked(one)
    await world.post('/signup', { email: late.email, password })
    const refused = await open(late.fresh, 'change-email', one)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Ya hay otra cuenta')])
  }, 60_000)

  test('a mistyped mailbox that nobody proved is let go at once, right in the banner; its letters open nothing', async () => {
    const [email, right, as] = [newEmail(), newEmail(), world.visitor()]
    const signedUp = await lettersOf(async () => {
      await world.post('/signup', { email, password }, as)
      await world.post('/completion', { name: 'Eva', lastname: 'Luna', phone: '5511112222' }, as)
    })
    expect((await world.visit('/', as)).text).toContain('¿Te equivocaste? Cambiar correo')
    const letters = await lettersOf(async () => {
      const form = { intent: 'email', email: right, currentPassword: password }
      expect((await world.post('/cuenta', form, as)).location).toBe('/cuenta#correo')
    })
    expect(to(letters, right)[0]!.subject).toBe('Confirma tu correo')
    expect(to(letters, email).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('ya no está en'),
    ])
    expect(to(letters, email)[0]!.text).not.toContain(right)
    const stale = to(signedUp, email)[0]!
    expect((await open(stale, 'prove-by-new', world.visitor(), { password: chosen })).status).toBe(409)
    expect((await open(to(letters, right)[0]!, 'prove', as)).location).toBe('/')
    const [user] = await rowsIn(world, users, { email: right })
    expect(user).toMatchObject({ emailVerified: true })
  }, 60_000)

  test('a letter that is written meanwhile goes to the new mailbox: the one of before gets nothing that opens', async () => {
    const person = await memberOf(world, { emailVerified: false })
    const email = newEmail()
    box = await letterBox(world)
    await box.delivered()
    await world.post(`/admin/users/${person.id}/cliente`, { intent: 'resend-access' }, manager)
    const isWaiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const waiting = async () => (await world.db.$client.query(`select ${isWaiting}`)).rowCount
    // What is done is recorded at its end: held there, the change has let go of the former mailbox already.
    const holder = await world.db.$client.connect()
    await holder.query('begin; lock table events in share mode')
    const changed = correct(person, email)
    await vi.waitFor(async () => expect(await waiting()).toBe(1))
    const letters = box.delivered()
    await vi.waitFor(async () => expect(await waiting()).toBe(2))
    await holder.query('rollback')
    holder.release()
    expect((await changed).status).toBe(303)
    expect((await letters).map(({ subject, to: mailbox }) => [mailbox, subject])).toEqual([
      [email, 'Confirma tu correo'],
    ])
  })

  test('an invitation to the e-mail of before stays that e-mail’s', async () => {
    const person = await memberOf(world)
    const { code } = await invited(world, manager, person.email, 'analyst')
    const { fresh } = await asked(person)
    await open(fresh, 'change-email', person)
    const answer = await world.post('/?index', { intent: 'accept-invitation', invitacion: code }, person)
    expect(answer.status).toBe(403)
    expect(await invitationTo(world, person.email)).toMatchObject({ acceptedAt: null })
  })
})

describe('the old mailbox objects', () => {
  const object = (letter: Letters[number]) =>
    open(letter, 'object-email', world.visitor(), { password: chosen })

  test('before the change: it does not happen, and whoever asked is out', async () => {
    const person = await memberOf(world)
    const { fresh, old } = await asked(person)
    expect((await world.visit(linkIn(old))).text).toContain('¿No pediste cambiar tu correo?')
    expect((await object(old)).location).toBe('/signin')
    expect((await world.visit('/', person)).location).toBe('/signin')
    await isSpent(fresh, person, await world.secondBrowser(person))
    expect((await world.post('/signin', { email: person.email, password })).status).toBe(400)
    expect((await world.post('/signin', { email: person.email, password: chosen })).status).toBe(303)
    expect((await object(old)).text).toContain('Este enlace ya se usó')
  })

  test('after it: the account is theirs again, whatever was set up since', async () => {
    const person = await memberOf(world, { kind: 'analyst' })
    const { email, fresh } = await asked(person)
    const [told] = to(await lettersOf(() => open(fresh, 'change-email', person)), person.email)
    await enrol(world, person)
    await world.db.insert(accounts).values({ userId: person.id, accountId: 'ajeno', providerId: 'oidc' })
    // Who sits on the e-mail of before did not prove it, and does not stand in its owner's way.
    await world.post('/signup', { email: person.email, password: 'de-quien-se-sienta' })
    const again = await asked({ ...person, email })
    expect((await object(told!)).location).toBe('/signin')
    expect(await userOf(person)).toMatchObject({
      email: person.email,
      emailVerified: true,
      twoFactorEnabled: false,
    })
    await isSpent(again.fresh, person, await world.secondBrowser(person))
    const ways = await rowsIn(world, accounts, { userId: person.id })
    expect(ways.map(({ providerId }) => providerId)).toEqual(['credential'])
    expect((await world.post('/signin', { email, password })).status).toBe(400)
    expect((await world.post('/signin', { email: person.email, password: chosen })).location).toBe('/')
  }, 60_000)
})

describe('the manager', () => {
  test('corrects name and phone, and nobody else does', async () => {
    const person = await memberOf(world)
    const form = {
      intent: 'correct-profile',
      version: '1',
      name: 'Óscar',
      lastname: 'Núñez',
      phone: '55 8765 4321',
    }
    const analyst = await memberOf(world, { kind: 'analyst' })
    expect((await world.post(`/admin/users/${person.id}`, form, analyst)).status).toBe(403)
    const wrong = await world.post(`/admin/users/${person.id}`, { ...form, phone: '1' }, manager)
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('Núñez')])
    expect((await world.post(`/admin/users/${person.id}`, form, manager)).status).toBe(303)
    expect(await userOf(person)).toMatchObject({
      name: 'Óscar',
      lastname: 'Núñez',
      phone: '5587654321',
      version: 2,
    })
    expect((await world.post(`/admin/users/${person.id}`, form, manager)).status).toBe(409)
    expect((await world.visit('/', person)).status).toBe(200)
    expect((await world.visit(`/admin/users/${person.id}/cliente`, manager)).text).toContain(
      'La gerencia corrigió sus datos',
    )
  })

  test('changes a customer’s e-mail, who may have lost the mailbox and the password: both are told, and it is proved', async () => {
    const person = await memberOf(world)
    const email = newEmail()
    const letters = await lettersOf(async () => expect((await correct(person, email)).status).toBe(303))
    expect((await userOf(person)).email).toBe(person.email)
    expect(to(letters, person.email)[0]!.subject).toBe('Pidieron cambiar el correo de tu cuenta')
    expect((await world.visit(`/admin/users/${person.id}/cliente`, manager)).text).toContain(
      'Falta que confirme',
    )
    const fresh = to(letters, email)[0]!
    expect((await world.visit(linkIn(fresh))).text).toContain('Ya no puedo entrar')
    expect((await open(fresh, 'change-email-new', world.visitor(), { password: chosen })).location).toBe(
      '/signin',
    )
    expect((await world.visit('/', person)).location).toBe('/signin')
    expect((await world.post('/signin', { email, password })).status).toBe(400)
    expect((await world.post('/signin', { email, password: chosen })).location).toBe('/')
  }, 60_000)

  test('takes over no other manager: the new mailbox alone opens nothing, and theirs is told', async () => {
    const [victim, accomplice] = [await memberOf(world, { kind: 'manager' }), newEmail()]
    const letters = await lettersOf(() => correct(victim, accomplice))
    expect(to(letters, victim.email)[0]!.text).toContain('Si no fuiste tú')
    const fresh = to(letters, accomplice)[0]!
    const page = await world.visit(linkIn(fresh))
    expect(page.text).not.toContain('Contraseña nueva')
    for (const [intent, as] of [
      ['change-email', world.visitor()],
      ['change-email', manager],
      ['change-email-new', world.visitor()],
      ['change-email-new', manager],
    ] as const)
      expect((await open(fresh, intent, as, { password: chosen })).status).toBeGreaterThanOrEqual(400)
    await world.post('/recover-password', { intent: 'ask', email: accomplice })
    expect(await userOf(victim)).toMatchObject({ email: victim.email })
    expect((await world.visit('/admin', victim)).status).toBe(200)
    expect((await open(fresh, 'change-email', victim)).location).toBe('/')
    expect((await userOf(victim)).email).toBe(accomplice)
  }, 60_000)

  test('not their own without the password, not on a stale page, not of somebody inactive, and nobody but them', async () => {
    const [person, inactive] = [await memberOf(world), await memberOf(world, { active: false })]
    expect((await correct(manager, newEmail())).status).toBe(409)
    expect((await correct(inactive, newEmail())).status).toBe(409)
    const stale = { intent: 'correct-email', version: '9', email: newEmail() }
    expect((await world.post(`/admin/users/${person.id}`, stale, manager)).status).toBe(409)
    for (const kind of ['analyst', 'tecnician', 'gester'] as const)
      expect((await correct(person, newEmail(), await world.person({ kind }))).status).toBe(403)
    expect((await correct(person, newEmail(), await world.person())).status).toBe(403)
    expect(await changesOf(person)).toEqual([])
  })

  test('a caller’s mistyped mailbox: the letter there opens nothing any more, the right one claims the account', async () => {
    const [wrong, right] = [newEmail(), newEmail()]
    const created = await lettersOf(() =>
      world.post(
        '/admin/assignations/nueva',
        {
          intent: 'create-customer',
          callOnly: 'on',
          name: 'Rita',
          lastname: 'Llamas',
          phone: '5581234567',
          email: wrong,
        },
        manager,
      ),
    )
    const [user] = await rowsIn(world, users, { email: wrong })
    const letters = await lettersOf(async () => expect((await correct(user!, right)).status).toBe(303))
    const claim = to(created, wrong)[0]!
    expect((await open(claim, 'password', world.visitor(), { password: chosen })).status).toBe(409)
    const mine = to(letters, right)
    expect(mine.map(({ subject }) => subject)).toEqual(['Tu cuenta en Carga en Casa'])
    expect((await open(mine[0]!, 'password', world.visitor(), { password: chosen })).location).toBe('/signin')
    expect(await userOf(user!)).toMatchObject({ email: right, emailVerified: true })
  })

  test('of an account that nobody proved every correction takes it from whoever opened it', async () => {
    const person = await memberOf(world, { emailVerified: false })
    expect((await world.visit(`/admin/users/${person.id}/cliente`, manager)).text).toContain(
      'Nadie ha confirmado su correo',
    )
    const form = {
      intent: 'correct-profile',
      version: '1',
      name: 'Otra',
      lastname: 'Persona',
      phone: '5511112222',
    }
    expect((await world.post(`/admin/users/${person.id}`, form, manager)).status).toBe(303)
    expect((await world.visit('/', person)).location).toBe('/signin')
    const ways = await world.db
      .select()
      .from(accounts)
      .where(and(eq(accounts.userId, person.id)))
    expect(ways).toEqual([])
  })
})
