import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  circles,
  isOurs,
  leadsToSeeds,
  roomOf,
  rules,
  type Source,
  specifiers,
  target,
} from './architecture.ts'
import { checks } from './architecture-checks.ts'
import {
  countsOf,
  differences,
  everyFile,
  nextExceptions,
  readExceptions,
} from './architecture-exceptions.ts'
import { migrationHashes } from './platform/database/migration-hashes.ts'

const root = new URL('../src', import.meta.url).pathname
const everything = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
const isCode = (file: string) => /\.tsx?$/.test(file)
const code = everything
  .filter(isCode)
  .map((file): Source => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

describe.each(Object.entries(rules))('%s', (_name, { rule, bad, good }) => {
  test('holds', () => {
    expect(rule(code)).toEqual([])
  })

  test('can fail, and does not without reason', () => {
    expect(rule([bad])).not.toEqual([])
    expect(rule([good])).toEqual([])
  })
})

const files = everyFile()
const exceptions = readExceptions()

describe.each(Object.entries(checks))('%s', (name, { find, counted, bad, good }) => {
  test('holds, but for the exceptions that are left', () => {
    expect(differences(countsOf(find(files)), countsOf(exceptions[name]))).toEqual([])
  })

  test('its exceptions are sorted, each once', () => {
    const keys = Object.keys(countsOf(exceptions[name]))
    expect(keys).toEqual(keys.toSorted((one, other) => (one < other ? -1 : 1)))
    if (!counted) expect(exceptions[name]).toEqual(keys)
  })

  test('can fail, and does not without reason', () => {
    expect(find(bad)).not.toEqual([])
    expect(find(good)).toEqual([])
  })
})

test('exceptions only shrink: what is new fails, and so does one that no longer holds', () => {
  expect(Object.keys(exceptions)).toEqual(Object.keys(checks))
  expect(differences({ a: 2 }, { a: 2 })).toEqual([])
  expect(differences({ a: 1, b: 1, c: 2 }, { a: 2, c: 1, d: 1 })).toEqual([
    expect.stringContaining('a: 2 excepted, 1 found: remove it'),
    expect.stringContaining('b: new'),
    expect.stringContaining('c: new'),
    expect.stringContaining('d: 1 excepted, 0 found: remove it'),
  ])
  expect(nextExceptions({ a: 2, c: 1, d: 1 }, { c: 2, a: 1, b: 1 }, false)).toEqual({ a: 1, c: 1 })
  expect(nextExceptions({ a: 2, c: 1, d: 1 }, { c: 2, a: 1, b: 1 }, true)).toEqual({ a: 1, b: 1, c: 2 })
})

test('there are three rooms, and all of their files were read', () => {
  expect([...new Set(everything.filter(isCode).map(roomOf))].toSorted()).toEqual(['domain', 'server', 'web'])
  expect(code.length).toBeGreaterThan(100)
  expect(code.flatMap(specifiers).length).toBeGreaterThan(300)
  for (const source of code)
    for (const to of specifiers(source).filter(isOurs))
      if (!to.includes('+types') && !leadsToSeeds(source, to))
        expect(everything).toContain(target(source, to))
})

test('a circle of several files is found', () => {
  const file = (name: string, to: string): Source => ({ file: `web/${name}.ts`, text: `import './${to}.ts'` })
  expect(circles([file('a', 'b'), file('b', 'c'), file('c', 'b')])).toEqual([
    'web/b.ts → web/c.ts → web/b.ts',
  ])
})

test('no merged migration has another text than it was merged with, and each is listed', () => {
  const folder = path.join(root, 'server/platform/database/migrations')
  const texts = readdirSync(folder).map(
    (name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const,
  )
  const hashes = texts.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')])
  // A new one: its line goes into test/platform/database/migration-hashes.ts. A merged one that changed: what is new goes into the next number.
  expect(Object.fromEntries(hashes)).toEqual(migrationHashes)
})
