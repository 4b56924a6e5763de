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

/** How a route declares one of its forms. */
const declared = /^ +'?([\w.-]+)'?: form\(/gm

/** The names that a pattern finds in the sources of the screens, each once. */
const foundOnScreens = (pattern: RegExp) => [
  ...new Set(
    sourcesIn('src/web').flatMap(([, source]) => [...source.matchAll(pattern)].map(([, name]) => name!)),
  ),
]

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
  const forms = foundOnScreens(declared)
  expect(forms.length).toBeGreaterThan(20)
  expect(forms.filter((name) => !known(name))).toEqual([])
})

test('every form that a screen shows by its intent is one that a route answers', () => {
  const answered = foundOnScreens(declared)
  const shown = foundOnScreens(/<\w*Form(?:Details)?\b[^>]*?\bintent="([\w.-]+)"/g)
  expect(shown.length).toBeGreaterThan(15)
  expect(shown.filter((name) => !answered.includes(name))).toEqual([])
})
