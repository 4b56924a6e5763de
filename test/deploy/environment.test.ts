import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const table = read('docs/environment.md')

test('the table of the environment has every variable the app reads, and no other', () => {
  // The application's own, and those that its parts declare and it joins.
  const entry = 'src/server/app/env.ts'
  const parts = [...read(entry).matchAll(/ from '(\.[^']+)'/g)].map(([, to]) =>
    path.join(path.dirname(entry), to!),
  )
  const parsed = [entry, ...parts]
    .flatMap((file) => [...read(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)])
    .map(([, name]) => name)
  const app = table.slice(0, table.indexOf('## Tests only'))
  const told = [...app.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  expect(told.toSorted()).toEqual([...new Set(parsed)].toSorted())
})

test('what deploy/ sets for the app stands in that table', () => {
  const set = [
    ...read('deploy/container/env.example').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm),
    ...read('deploy/systemd/carga-en-casa-web@.service').matchAll(/[ =]([A-Z][A-Z0-9_]+)=/g),
    ...read('deploy/systemd/carga-en-casa-worker.service').matchAll(/[ =]([A-Z][A-Z0-9_]+)=/g),
    ...read('deploy/container/Containerfile').matchAll(/^ENV (\w+)=|(?<=^ENV.*) (\w+)=/gm),
  ].map(([, first, second]) => first ?? second)
  expect(set.length).toBeGreaterThan(15)
  for (const name of set) expect(table).toContain(`\`${name}\``)
})

test('every file of the sources that deploy/ starts exists', () => {
  const starts = readdirSync(path.join(root, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => [
      ...readFileSync(path.join(entry.parentPath, entry.name), 'utf8').matchAll(
        /\b(?:src|seeds)\/[\w./-]+\.m?[jt]sx?\b/g,
      ),
    ])
    .map(([file]) => file)
  expect(starts.length).toBeGreaterThan(4)
  for (const file of starts) expect(existsSync(path.join(root, file)), file).toBe(true)
})
