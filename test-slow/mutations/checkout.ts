import { fork, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { layerOf } from '../../layers.ts'
import { type Defect, defectsIn, statesIn } from './defects.ts'
import type { Answer, Asked } from './host.ts'
import { type Numbered, schemataOf, switchFile } from './schemata.ts'

const left = new Set([
  'node_modules',
  'build',
  'data',
  '.git',
  '.react-router',
  'test-results',
  'playwright-report',
])
/** Tables as Drizzle declares them, SQL and the test server itself: not code whose tests are judged. */
const apart = /\/platform\/database\/(schema|migrations|embedded)\//

const sourcesIn = (checkout: string, folder: string) =>
  readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !apart.test(file))
    .toSorted()

const read = (checkout: string, file: string) => readFileSync(path.join(checkout, file), 'utf8')

/** A checkout from before a noun was one folder, which is compared with. */
const byLayer = /^src\/(domain|server|web)\//

/** The folder of a source's noun. */
export const nounOf = (file: string) => file.split('/')[byLayer.test(file) ? 2 : 1]!

const layerIn = (file: string) => {
  const [, layer] = byLayer.exec(file) ?? []
  return layer
    ? { domain: 'rules', server: 'server', web: 'screens' }[layer]
    : layerOf(file.slice('src/'.length))
}

/** Every defect of the rules and the server. */
export function candidatesIn(checkout: string): Defect[] {
  const files = sourcesIn(checkout, 'src').filter((file) => layerIn(file) !== 'screens')
  const declared = files
    .filter((file) => layerIn(file) === 'rules')
    .flatMap((file) => statesIn(file, read(checkout, file)).map((pair) => ({ noun: nounOf(file), pair })))
  // The noun's own states, and of several declarations the first.
  const statesOf = (noun: string) => {
    const own = declared.filter((one) => one.noun === noun)
    return new Map([...declared.toReversed(), ...own.toReversed()].map(({ pair }) => pair))
  }
  return files.flatMap((file) => defectsIn(file, read(checkout, file), statesOf(nounOf(file))))
}

/** Whether the checkout has the very text that a defect changes. */
export const isThere = (checkout: string, { end, file, original, start }: Defect) =>
  existsSync(path.join(checkout, file)) && read(checkout, file).slice(start, end) === original

/** The modules that lean on a module, itself at 0, those that import it at 1, those that import these at 2. */
export function usersOf(checkout: string): (file: string) => Map<string, number> {
  const importers = new Map<string, string[]>()
  for (const file of sourcesIn(checkout, 'src'))
    for (const [, to] of read(checkout, file).matchAll(/\bfrom\s*'(\.[^']+)'/g)) {
      const target = path.join(path.dirname(file), to!)
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  return (file) => {
    const found = new Map([[file, 0]])
    for (const distance of [1, 2])
      for (const known of [...found.keys()])
        for (const user of importers.get(known) ?? []) if (!found.has(user)) found.set(user, distance)
    return found
  }
}

/** A copy of the checkout whose sources carry the defects behind a switch, built. The checkout stays as it is. */
export function makeCopy(checkout: string, copy: string, defects: readonly Numbered[]) {
  if (existsSync(path.join(copy, '.ready'))) return
  rmSync(copy, { recursive: true, force: true })
  for (const name of readdirSync(checkout).filter((one) => !left.has(one)))
    cpSync(path.join(checkout, name), path.join(copy, name), { recursive: true })
  linkModules(path.join(checkout, 'node_modules'), path.join(copy, 'node_modules'))
  const here = import.meta.dirname
  cpSync(path.join(here, 'switch.ts'), path.join(copy, switchFile))
  cpSync(path.join(here, 'host.ts'), path.join(copy, 'defects-host.ts'))
  const users = usersOf(checkout)
  const probed = new Set(defects.filter((one) => one.static).flatMap(({ file }) => [...users(file).keys()]))
  const byFile = Map.groupBy(defects, ({ file }) => file)
  for (const file of new Set([...probed, ...byFile.keys()]))
    writeFileSync(
      path.join(copy, file),
      schemataOf(file, read(checkout, file), byFile.get(file) ?? [], probed.has(file)),
    )
  build(copy)
  writeFileSync(path.join(copy, '.ready'), '')
}

/** Packages by links, so that what is kept beside them (.cache, .vite) is the copy's own. */
function linkModules(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  const real = realpathSync(from)
  for (const name of readdirSync(real))
    if (!name.startsWith('.') || name === '.bin') symlinkSync(path.join(real, name), path.join(to, name))
}

function build(copy: string) {
  if (!existsSync(path.join(copy, 'react-router.config.ts'))) return
  const done = spawnSync(process.execPath, [path.join(copy, 'node_modules/.bin/react-router'), 'build'], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (done.status !== 0) throw new Error(`The build with defects failed:\n${done.stdout}${done.stderr}`)
}

/** Starts the process that runs tests in the copy; what they write goes into its file `log`. */
export async function openHost(copy: string) {
  const env = {
    ...process.env,
    VITEST_POOL_ID: undefined,
    NODE_COMPILE_CACHE: path.resolve(copy, 'node_modules/.cache/node'),
  }
  const log = openSync(path.join(copy, 'log'), 'a')
  const host = fork('defects-host.ts', { cwd: copy, env, stdio: ['ignore', log, log, 'ipc'] })
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`The test process ended (${code})`))
      host.once('exit', ended)
      host.once('message', (message) => {
        host.off('exit', ended)
        resolve(message)
      })
    })
  await next()
  return {
    async run(asked: Asked): Promise<Answer> {
      const answer = next()
      host.send(asked)
      return (await answer) as Answer
    },
    async close() {
      const ended = new Promise((resolve) => host.once('exit', resolve))
      host.disconnect()
      await ended
    },
  }
}
