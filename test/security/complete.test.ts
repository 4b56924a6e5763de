import { globSync, readFileSync } from 'node:fs'
import { sourcesOf } from '../sources.ts'
import { actions } from './actions.ts'

/** How a route declares one of its forms. */
const declared = /^ +'?([\w.-]+)'?: form\(/gm

/** The names that a pattern finds in the sources of the screens, each once. */
const foundOnScreens = (pattern: RegExp) => [
  ...new Set(
    sourcesOf('screens').flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name]) => name!)),
  ),
]

const exported = /^export (?:const|async function|function) action\b|^export \{[^}]*\baction\b/m

// Whoever adds an action adds it to the table, and with it to every attack: one right request, and who may make it.
test('every screen with an action is in the table of test/security/actions', () => {
  const screens = sourcesOf('screens').filter(({ text }) => exported.test(text))
  expect(screens.map(({ file }) => file).toSorted()).toEqual(Object.keys(actions).toSorted())
})

test('so is every form of a screen that has several', () => {
  const table = globSync('test/security/actions/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const forms = foundOnScreens(declared)
  expect(forms.length).toBeGreaterThan(20)
  expect(forms.filter((name) => !new RegExp(`['"(]${name}['")]`).test(table))).toEqual([])
})

test('every form that a screen shows by its intent is one that a route answers', () => {
  const answered = foundOnScreens(declared)
  const shown = foundOnScreens(/<\w*Form(?:Details)?\b[^>]*?\bintent="([\w.-]+)"/g)
  expect(shown.length).toBeGreaterThan(15)
  expect(shown.filter((name) => !answered.includes(name))).toEqual([])
})
