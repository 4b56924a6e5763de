import { existsSync, readdirSync } from 'node:fs'
import { type Checkout, killed, newCheckout } from './checkout.ts'

type Start = ReturnType<Checkout['start']>

/** Where a first start is killed, in the order in which it gets there. */
const steps: [step: string, isReached: (checkout: Checkout, start: Start) => string | (() => boolean)][] = [
  [
    'the install',
    ({ at }) =>
      () =>
        existsSync(at('node_modules')) && readdirSync(at('node_modules')).length > 40,
  ],
  ['the end of the install', () => 'Installing dependencies… done'],
  [
    'the build',
    ({ at }) =>
      () =>
        existsSync(at('build/client')),
  ],
  [
    'making the database',
    ({ at }) =>
      () =>
        newClusters(at('data')) > 0,
  ],
  ['the migrations', () => 'Migrating the database…'],
  ['the demo', () => 'Loading the demo…'],
  [
    'writing the demo',
    ({ at }) =>
      () =>
        existsSync(at('data/files')),
  ],
]

const newClusters = (data: string) =>
  existsSync(data) ? readdirSync(data).filter((name) => name.startsWith('postgres.new-')).length : 0

/** How it is killed: with everything that it started, as when the machine loses power; or alone, which leaves the rest. */
const ways: [way: string, kill: (checkout: Checkout, start: Start) => Promise<void>][] = [
  [
    'with all that it started',
    async ({ postmaster }, { child }) => {
      process.kill(-child.pid!, 'SIGKILL')
      const pid = postmaster()
      if (pid) await killed(pid)
    },
  ],
  ['alone', (_checkout, { child }) => killed(child.pid!)],
]

describe.each(ways)('npm start on a new folder, killed %s', (_way, kill) => {
  let checkout: Checkout
  beforeAll(async () => {
    checkout = await newCheckout()
  })
  afterAll(() => checkout.remove())

  test.each(steps)(
    'whoever starts it after the kills above gets as far as %s, where it is killed again',
    async (_step, isReached) => {
      const start = checkout.start()
      await start.reaches(isReached(checkout, start))
      await kill(checkout, start)
      expect(start.said()).not.toContain('failed')
    },
    300_000,
  )

  test('whoever starts it then gets the whole demo, and nothing is left of the others', async () => {
    const start = checkout.start()
    await start.reaches('is ready at')
    expect((await fetch(`http://localhost:${checkout.port}/readyz`)).status).toBe(200)
    expect(await checkout.rows('select count(*)::int from migrations')).toEqual([{ count: migrations() }])
    const [people] = await checkout.rows(`select count(*)::int from users where email like '%@demo.mx'`)
    expect(people!.count).toBeGreaterThan(40)
    expect(newClusters(checkout.at('data'))).toBe(0)
    expect(existsSync(checkout.at('node_modules/.bootstrap-lock'))).toBe(false)
    expect(await start.stop()).toBe(0)
  }, 300_000)

  const migrations = () => readdirSync(checkout.at('src/platform/database/migrations')).length
})
