import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { actions } from './actions.ts'

/** The text of every TypeScript file in a folder, by its path there. */
function sourcesIn(folder: string): [file: string, source: string][] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')])
}

const exported = /^export (?:const|async function|function) action\b|^export \{[^}]*\baction\b/m

// Whoever adds an action adds it to the table, and with it to every attack: one right request, and who may make it.
test('every screen with an action is in the table of test/security/actions', () => {
  const screens = sourcesIn('src/web').filter(([, source]) => exported.test(source))
  expect(screens.map(([file]) => file).toSorted()).toEqual(Object.keys(actions).toSorted())
})

test('so is every form of a screen that has several', () => {
  const table = sourcesIn('test/security/actions')
    .map(([, source]) => source)
    .join('\n')
  const known = (name: string) => new RegExp(`['"(]${name}['")]`).test(table)
  const forms = ['src/web', 'src/domain']
    .flatMap(sourcesIn)
    .flatMap(([, source]) => [
      ...source.matchAll(/\b(?:intent|move): z\.literal\('([\w-]+)'\)/g),
      ...source.matchAll(/^ +'?([\w.-]+)'?: form\(/gm),
    ])
    .map(([, name]) => name!)
  expect(forms.length).toBeGreaterThan(20)
  expect([...new Set(forms)].filter((name) => !known(name))).toEqual([])
})

test('every form that a screen shows by its intent is one that a route answers', () => {
  const sources = sourcesIn('src/web').map(([, source]) => source)
  const found = (pattern: RegExp) =>
    sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name]) => name!))
  const answered = new Set(found(/^ +'?([\w.-]+)'?: form\(/gm))
  const shown = found(/<\w*Form(?:Details)?\b[^>]*?\bintent="([\w.-]+)"/g)
  expect(shown.length).toBeGreaterThan(15)
  expect([...new Set(shown)].filter((name) => !answered.has(name))).toEqual([])
})
