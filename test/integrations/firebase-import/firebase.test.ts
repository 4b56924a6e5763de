import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inArray } from 'drizzle-orm'
import { keepFirebase, matchesFirebase } from '../../../src/accounts/password.ts'
import { bringOver, planOf, reportOf } from '../../../src/integrations/firebase-import/commands.ts'
import {
  momentOf,
  readAuthUsers,
  readHashing,
  readProfiles,
} from '../../../src/integrations/firebase-import/export-files.ts'
import { accounts, users } from '../../../src/platform/database/schema/accounts.ts'
import { events } from '../../../src/platform/database/schema/projects.ts'
import { db, expectCount, fixture, openBare, post, rowWhere } from '../../kit/open.ts'
import { expectAnswered, expectLeadsTo, expectWords } from '../../kit/reading.ts'

openBare()

const sample = (name: string) => readFileSync(path.join(import.meta.dirname, 'sample', name), 'utf8')
const people = readAuthUsers(sample('auth.json'))
const profiles = readProfiles(sample('users.json'))
const hashing = readHashing(sample('hash.txt'))
const plan = planOf(people, profiles, hashing)
/** The password of the vector that Firebase publishes with its scrypt, whose parameters the sample has. */
const password = 'user1password'

describe('a password of Firebase', () => {
  const { passwordHash, salt } = people[0] as { passwordHash: string; salt: string }
  const usual = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/')
  const kept = keepFirebase(hashing, { passwordHash: usual(passwordHash), salt: usual(salt) })

  test('matches the published vector, and no other password', async () => {
    expect(await matchesFirebase(kept, password)).toBe(true)
    for (const wrong of ['user1passwore', 'User1password', '', `${password} `])
      expect(await matchesFirebase(kept, wrong)).toBe(false)
  })

  test('is stored without the key of its project', () => {
    expect(kept).not.toContain(hashing.signerKey.slice(0, 20))
    expect(kept).not.toContain(passwordHash.slice(0, 20))
  })
})

test.each([
  [{ _seconds: 1700000050, _nanoseconds: 5 }, '2023-11-14T22:14:10.000Z'],
  ['1700000050000', '2023-11-14T22:14:10.000Z'],
  [1700000050, '2023-11-14T22:14:10.000Z'],
  ['2023-11-14T16:14:10-06:00', '2023-11-14T22:14:10.000Z'],
  ['ayer', undefined],
  [null, undefined],
])('reads the moment %j as %s', (written, moment) => expect(momentOf(written)?.toISOString()).toBe(moment))

test('reads profiles as an object, as a list and line by line', () => {
  const list = [...profiles].map(([uid, profile]) => ({ ...profile, uid }))
  expect(readProfiles(JSON.stringify(list))).toEqual(profiles)
  expect(readProfiles(list.map((one) => JSON.stringify(one)).join('\n'))).toEqual(profiles)
  for (const wrong of ['{', '[{}]', '{"a": {"name": 5}}'])
    expect(() => readProfiles(wrong)).toThrow(/profiles file/)
  expect(() => readHashing('algorithm: BCRYPT')).toThrow('algorithm: SCRYPT')
})

test('plans who is imported with which role and gaps, and who is left out and why', () => {
  const newcomers = plan.newcomers.map(({ email, kind, phone, active, lacks }) =>
    [email, kind, phone, active ? 'active' : 'inactive', ...lacks].join(' '),
  )
  expect(newcomers).toEqual([
    'clienta.uno@demo.mx  5512340001 active',
    'analista.previa@demo.mx analyst 5512340002 inactive',
    'con.google@demo.mx   active password name phone',
    'aliada.previa@demo.mx alliate  active password',
  ])
  expect(plan.left).toEqual([
    { uid: 'Zq4dNobody', obstacle: 'no_email' },
    { uid: 'Zq5eTwice', obstacle: 'twice' },
    { uid: 'Zq7gUnproved', obstacle: 'unproved_staff' },
    { uid: 'Zq8hKind', obstacle: 'unknown_kind' },
    { uid: 'Zq9iWrong', obstacle: 'wrong_email' },
  ])
})

test('imports users with a redacted hash without a password', () => {
  const [first] = people
  const { newcomers } = planOf([{ ...first!, passwordHash: 'UkVEQUNURUQ=' }, people[1]!], profiles, hashing)
  expect(newcomers).toMatchObject([
    { lacks: ['password'], password: null },
    { lacks: [], password: expect.any(String) },
  ])
})

describe('in the database', () => {
  const emails = plan.newcomers.map(({ email }) => email)
  const rows = () => db.select().from(users).where(inArray(users.email, emails))
  const keptOf = async (email: string) => {
    const { id: userId } = (await rowWhere(users, { email }))!
    return (await rowWhere(accounts, { userId, providerId: 'credential' }))?.password
  }

  test('a dry run reports everything and writes nothing', async () => {
    expectWords(
      reportOf(plan, await bringOver(db, plan.newcomers, { dry: true, google: true }), true),
      'Dry run: nothing was written',
      '4 imported',
      '5 left out',
      'analista.previa@demo.mx · analyst · inactive',
      'agency Autos Demo does not exist here',
      'Zq7gUnproved: is staff and never verified the e-mail',
    )
    expect(await rows()).toEqual([])
  })

  test('imports each user once, and leaves existing users unchanged', async () => {
    const google = plan.newcomers.find(({ googleId }) => googleId)!
    const here = await fixture.person({ email: google.email, name: 'Alguien' })
    const done = async () =>
      (await bringOver(db, plan.newcomers, { dry: false, google: true })).map((one) => one.done)
    expect(await done()).toEqual(['made', 'made', 'known_email', 'made'])
    expect(await done()).toEqual(['before', 'before', 'known_email', 'before'])
    const found = new Map((await rows()).map((row) => [row.email, row]))
    expect(found.get('clienta.uno@demo.mx')).toMatchObject({
      name: 'Clienta',
      lastname: 'Uno Demo',
      phone: '5512340001',
      role: 'customer',
      emailVerified: true,
      createdAt: new Date(1_700_000_050_000),
      signedUpAt: new Date(1_700_000_000_000),
    })
    expect(found.get('aliada.previa@demo.mx')).toMatchObject({
      role: 'staff',
      kind: 'alliate',
      agencyId: null,
    })
    expect(found.get(google.email)).toMatchObject({ id: here.id, name: 'Alguien' })
    await expectCount(events, { name: 'bring_over' }, 3)
  })

  test('replaces the stored hash at the first sign-in, and refuses inactive users', async () => {
    const email = 'clienta.uno@demo.mx'
    const before = await keptOf(email)
    expect(before).toMatch(/^firebase-scrypt\$/)
    await expectAnswered(post('/signin', { email, password: 'user1passwore' }), 400)
    expect(await keptOf(email)).toBe(before)
    for (let time = 0; time < 2; time++) await expectLeadsTo(post('/signin', { email, password }), '/')
    expect(await keptOf(email)).toMatch(/^[0-9a-f]{32}:[0-9a-f]+$/)
    expect((await post('/signin', { email: 'analista.previa@demo.mx', password })).location).toBeNull()
  })
})
