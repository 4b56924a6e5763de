import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { invitations } from '../../src/platform/database/schema/accounts.ts'
import { inviteManager } from '../../src/users/invite.ts'
import { password } from '../kit/accounts.ts'
import { db, expectScreen, expectUser, fixture, newPerson, openBare, post, rowsWhere } from '../kit/open.ts'
import { expectLocation, expectStatus } from '../kit/reading.ts'
import { invitationTo, profile } from '../kit/users.ts'

openBare()

const run = promisify(execFile)

/** Runs the command as the operator does, on this file's database. */
async function manager(email: string, ...options: string[]): Promise<{ code: number; said: string }> {
  const { host, user } = inject('postgres')
  const { rows } = await db.$client.query<{ name: string }>('select current_database() as name')
  const url = `postgres://${user}@localhost/${rows[0]!.name}?host=${encodeURIComponent(host)}`
  const env = { ...process.env, DATABASE_URL: url, BASE_URL: 'http://carga.test', LOG_LEVEL: 'error' }
  return run(process.execPath, ['src/app/main.ts', 'manager', email, ...options], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
  )
}

test('makes the first manager by the link, in an empty database', async () => {
  const email = 'primera@prueba.mx'
  const { code, said } = await manager(' Primera@Prueba.mx ')
  expect(code).toBe(0)
  const link = /http:\/\/carga\.test(\/signup\?invitacion=[\w-]{43})/.exec(said)?.[1] ?? ''
  const invitacion = link.split('=')[1]!
  expect(await invitationTo(email)).toMatchObject({ kind: 'manager', invitedBy: null })
  const as = fixture.visitor()
  await expectScreen(link, as, email)
  await post('/signup', { email, password, invitacion }, as)
  await post('/completion', { ...profile, role: 'manager', invitacion }, as)
  await expectUser({ email }, { kind: 'manager', emailVerified: true })
  expectStatus(await fixture.visit('/admin/users', as), 200)

  const refused = { code: 1, said: expect.stringContaining('is already a manager') }
  expect(await manager(email)).toMatchObject(refused)
})

test('promotes an existing account when it accepts the last link', async () => {
  const person = await newPerson({ name: 'Eva', emailVerified: false })
  const invite = () => inviteManager(db, person.email, '', new Date())
  const first = await invite()
  const link = await invite()
  await expectUser(person, { role: 'customer', version: 1 })
  await expectScreen(first, undefined, 'se retiró')
  await expectScreen((await fixture.visit(link, person)).location!, person, 'Aceptar invitación')
  const form = { intent: 'accept-invitation', invitacion: link.split('=')[1]! }
  expectLocation(await post('/?index', form, person), '/admin')
  await expectUser(person, { kind: 'manager' })
})

test('says why it does nothing, with an exit code of 1', async () => {
  const inactive = await newPerson({ active: false })
  const busy = await newPerson()
  await fixture.home(busy)
  expect(await manager('nada')).toMatchObject({ code: 1, said: expect.stringContaining('Name the e-mail') })
  expect((await manager(busy.email, '--otra')).said).toContain('Unknown option: --otra')
  for (const [email, words] of [
    ['', 'Name the e-mail'],
    [inactive.email, 'is inactive'],
    [busy.email, 'open project'],
  ] as const) {
    const refused = inviteManager(db, email, 'http://carga.test', new Date())
    await expect(refused).rejects.toMatchObject({ description: expect.stringContaining(words) })
    expect(await rowsWhere(invitations, { email })).toEqual([])
  }
})
