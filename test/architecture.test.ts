import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { layerOf } from '../layers.ts'
import {
  circles,
  isOurs,
  leadsToSeeds,
  order,
  rules,
  type Source,
  specifiers,
  target,
} from './architecture.ts'
import { checks } from './architecture-checks.ts'
import { migrationHashes } from './platform/database/migration-hashes.ts'
import { ratchets } from './ratchets.ts'
import { differences, measures } from './weight.ts'

const root = path.resolve(import.meta.dirname, '..')
const foreign = new Set(['node_modules', 'build', 'data', 'test-results', 'playwright-report'])
const textOf = (name: string) =>
  /\.(tsx?|mjs|md|css|sql)$/.test(name) ? readFileSync(path.join(root, name), 'utf8') : ''
/** Every file of the repository by its path; the text of code and documents. */
const files = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !foreign.has(name) && (!name.startsWith('.') || name === '.ci'))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(path.join(root, entry.name), { recursive: true, withFileTypes: true })
          .filter((inner) => inner.isFile())
          .map((inner) => path.relative(root, path.join(inner.parentPath, inner.name)))
      : [entry.name],
  )
  .map((file): Source => ({ file, text: textOf(file) }))
/** The files of src by their paths from there. */
const everything = files.flatMap(({ file, text }) =>
  file.startsWith('src/') ? [{ file: file.slice('src/'.length), text }] : [],
)
const code = everything.filter(({ file }) => /\.tsx?$/.test(file))
const names = new Set(everything.map(({ file }) => file))

describe.each(Object.entries(rules))('%s', (_name, { rule, bad, good }) => {
  test('holds', () => {
    expect(rule(code)).toEqual([])
  })

  test('can fail, and does not without reason', () => {
    expect(rule([bad])).not.toEqual([])
    expect(rule([good])).toEqual([])
  })
})

describe.each(Object.entries(checks))('%s', (_name, { find, bad, good }) => {
  test('holds', () => {
    expect(find(files)).toEqual([])
  })

  test('can fail, and does not without reason', () => {
    expect(find(bad)).not.toEqual([])
    expect(find(good)).toEqual([])
  })
})

describe('ratchets', () => {
  test('no count is above its number, nor far below', () => {
    const counts = Object.entries(measures).map(([name, { count }]) => [name, count(files)])
    expect(differences(Object.fromEntries(counts), ratchets)).toEqual([])
  })

  test.each(Object.entries(measures))('counts %s', (_name, { count, bad }) => {
    expect(count([])).toBe(0)
    expect(count(bad)).toBeGreaterThan(0)
  })

  test('asks to lower a number whose count fell by more than 1 %, and refuses one that grew', () => {
    expect(differences({ a: 1_000, b: 990, c: 0 }, { a: 1_000, b: 1_000, c: 0 })).toEqual([])
    expect(differences({ a: 1_001, b: 1_989 }, { a: 1_000, b: 2_010 })).toEqual([
      "a: 1000 → 1001 grew (raise it only once, in the last commit of an issue). test/ratchets.ts: 'a': 1_001,",
      "b: 2010 → 1989 fell (lower it). test/ratchets.ts: 'b': 1_989,",
    ])
  })
})

test('there are three layers, and all of their files were read', () => {
  expect(new Set(code.map(({ file }) => layerOf(file)))).toEqual(new Set(['rules', 'screens', 'server']))
  for (const { file } of code)
    if (layerOf(file) === 'server') expect(order, file).toContain(file.split('/')[0])
  expect(code.length).toBeGreaterThan(100)
  expect(code.flatMap(specifiers).length).toBeGreaterThan(300)
  for (const source of code)
    for (const to of specifiers(source).filter(isOurs))
      if (!to.includes('+types') && !leadsToSeeds(source, to)) expect(names).toContain(target(source, to))
})

test('a circle of several files is found', () => {
  const file = (name: string, to: string): Source => ({ file: `kit/${name}.ts`, text: `import './${to}.ts'` })
  expect(circles([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual([
    'kit/b.ts → kit/c.ts → kit/b.ts',
  ])
})

test('no merged migration has another text than it was merged with, and each is listed', () => {
  const folder = path.join(root, 'src/platform/database/migrations')
  const texts = readdirSync(folder).map(
    (name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const,
  )
  const hashes = texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')])
  // A new one: its line goes into test/platform/database/migration-hashes.ts. A merged one that changed: what is new goes into the next number.
  expect(Object.fromEntries(hashes)).toEqual(migrationHashes)
})
