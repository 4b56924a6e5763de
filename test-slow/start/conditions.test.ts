import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { type Checkout, newCheckout } from './checkout.ts'

const isRoot = process.getuid?.() === 0
const works = (...[program, ...args]: string[]) => spawnSync(program!, args).status === 0
const somebody = { uid: 65_534, gid: 65_534 }

let checkout: Checkout
beforeAll(async () => {
  checkout = await newCheckout({ built: true })
  // From here on nothing is installed: whoever calls npm fails.
  writeFileSync(checkout.at('host/npm'), '#!/bin/sh\necho ECONNREFUSED; exit 1\n')
}, 120_000)
afterAll(() => checkout.remove())

/** A start that ends by itself: its exit code and its last line. */
async function refused(start: ReturnType<Checkout['start']>) {
  return [await start.ended, start.lastLine()] as const
}

test('whoever installed once starts the program without a network', { timeout: 300_000 }, async ({
  skip,
}) => {
  if (!works('unshare', '-n', 'true')) skip('this user may not take the network away')
  const alone = ['unshare', '-n', '/bin/sh', '-c', 'ip link set lo up; exec "$0" "$@"']
  const start = checkout.start({ PATH: `${checkout.at('host')}:${process.env.PATH}` }, { below: alone })
  await start.reaches('is ready at')
  expect(await start.stop()).toBe(0)
})

test('whoever starts it where another program has the port reads which one and what to do', {
  timeout: 120_000,
}, async () => {
  const other = createServer().listen(checkout.port, '127.0.0.1')
  await once(other, 'listening')
  expect(await refused(checkout.start())).toEqual([
    1,
    `Port ${checkout.port} is in use. Stop the other program or choose another port: PORT=3001 npm start`,
  ])
  other.close()
})

describe.runIf(isRoot && works('mount', '--version'))('on a disk of its own', () => {
  let disk: string
  beforeAll(() => {
    disk = checkout.at('disk')
    mkdirSync(disk)
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=755', 'tmpfs', disk])
  })
  afterAll(async () => {
    spawnSync('umount', ['-l', disk])
  })
  const grow = (megabytes: number) => spawnSync('mount', ['-o', `remount,size=${megabytes}m`, disk])
  const data = () => path.join(disk, 'data')

  test.each([20, 52, 66, 74, 80])(
    'whoever starts it on %i MB reads that the disk is full, and nothing else at the end',
    async (megabytes) => {
      grow(megabytes)
      const [code, line] = await refused(checkout.start({ DATA_DIR: data() }))
      expect([code, line]).toEqual([
        1,
        expect.stringMatching(
          /^The disk of \S+ is full: free some space and start again\.( Log: \S+\.log)?$/,
        ),
      ])
    },
    300_000,
  )

  test('and starts it once there is room', { timeout: 300_000 }, async () => {
    grow(500)
    const start = checkout.start({ DATA_DIR: data() })
    await start.reaches('is ready at')
    expect(await start.stop()).toBe(0)
  })
})

test.runIf(isRoot)('an ordinary user starts it in a folder of their own', { timeout: 300_000 }, async () => {
  const folder = checkout.at('own')
  mkdirSync(folder)
  chownSync(folder, somebody.uid, somebody.gid)
  const start = checkout.start({ DATA_DIR: path.join(folder, 'data') }, somebody)
  await start.reaches('is ready at')
  expect(await start.stop()).toBe(0)
})

test.runIf(isRoot)(
  'an ordinary user reads whose folder it is where root started it before',
  {
    timeout: 120_000,
  },
  async () => {
    const data = checkout.at('roots')
    mkdirSync(data, { mode: 0o755 })
    writeFileSync(path.join(data, 'app.lock'), '')
    expect(await refused(checkout.start({ DATA_DIR: data }, somebody))).toEqual([
      1,
      expect.stringMatching(
        /cannot be written: start as the user who owns it|^Cannot write to \S+: start as the user/,
      ),
    ])
    // A checkout that they may read and that is not built is root's to prepare.
    chmodSync(checkout.folder, 0o755)
    writeFileSync(checkout.at('src/later.ts'), '')
    const [code, line] = await refused(checkout.start({}, somebody))
    expect([code, line]).toEqual([
      1,
      expect.stringContaining('cannot be written: start as the user who owns it'),
    ])
  },
)

test('whoever loses the database in the middle of the demo reads so in one line, and the start succeeds', {
  timeout: 300_000,
}, async () => {
  const start = checkout.start({ DATA_DIR: checkout.at('lost') })
  await start.reaches(() => existsSync(checkout.at('lost/files')))
  await checkout.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'carga-en-casa'`,
    'lost',
  )
  await start.reaches('is ready at')
  expect(start.said().match(/^.*(was lost|once more).*$/gm)).toEqual([
    expect.stringMatching(
      /^The connection to the database was lost while starting: .* Start again\. Log: \S+$/,
    ),
    'Trying once more.',
  ])
  expect(await start.stop()).toBe(0)
})

/** A version from before the baseline, with fewer migrations than it replaced, whose packages are among today's. */
const before = 'f86ca1c7'

test('whoever has a data folder from before the baseline reads which version to start first, and goes on with it then', {
  timeout: 1_200_000,
}, async ({ skip }) => {
  if (!works('git', 'cat-file', '-e', before)) skip('this clone does not reach that far back')
  const data = { DATA_DIR: checkout.at('older') }
  const people = 'select count(*)::int from users'
  const older = await newCheckout({ commit: before })
  const first = older.start()
  await first.reaches('is ready at')
  const known = await older.rows(people)
  expect(await first.stop()).toBe(0)
  // Moved, as an operator who updates does: the folder finds its cluster wherever it is.
  cpSync(older.at('data'), data.DATA_DIR, { recursive: true, preserveTimestamps: true })
  await older.remove()
  const [code, line] = await refused(checkout.start(data))
  expect([code, line]).toEqual([1, expect.stringContaining('This database is too old for this version')])
  const between = await newCheckout({ commit: /\(commit (\w+)\)/.exec(line!)![1]! })
  const second = between.start(data)
  await second.reaches('is ready at')
  expect(await second.stop()).toBe(0)
  await between.remove()
  const start = checkout.start(data)
  await start.reaches('is ready at')
  expect(existsSync(checkout.at('older/files'))).toBe(true)
  const names = (await checkout.rows('select name from migrations', 'older')).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(readdirSync(checkout.at('src/platform/database/migrations'))))
  expect(await checkout.rows(people, 'older')).toEqual(known)
  expect(await start.stop()).toBe(0)
})
