import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Source } from './architecture.ts'
import { checks } from './architecture-checks.ts'

// `node test/architecture-exceptions.ts` takes out of architecture-exceptions.json what no longer breaks a check;
// with --moved, after files or names were changed by a program, it writes what breaks one today, and tells what grew.

type Counts = Record<string, number>
type Exceptions = Record<string, readonly string[] | Counts>

const root = path.resolve(import.meta.dirname, '..')
const file = path.join(import.meta.dirname, 'architecture-exceptions.json')
const foreign = new Set(['node_modules', 'build', 'data', 'test-results', 'playwright-report'])
const isRead = (name: string) => /\.(tsx?|mjs|md)$/.test(name)

/** Every file of the repository by its path; the text of code and documents. */
export const everyFile = (): Source[] =>
  readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !foreign.has(name) && (!name.startsWith('.') || name === '.ci'))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(path.join(root, entry.name), { recursive: true, withFileTypes: true })
            .filter((inner) => inner.isFile())
            .map((inner) => path.relative(root, path.join(inner.parentPath, inner.name)))
        : [entry.name],
    )
    .map((name) => ({ file: name, text: isRead(name) ? readFileSync(path.join(root, name), 'utf8') : '' }))

export const readExceptions = (): Exceptions =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** How often each key stands there. */
export const countsOf = (keys: readonly string[] | Counts = []): Counts => {
  if (!Array.isArray(keys)) return keys as Counts
  const counts: Counts = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

/** What differs from the exceptions, each with what to do about it. */
export function differences(found: Counts, allowed: Counts): string[] {
  const said = ([key, count]: [string, number], allowance: number) =>
    count > allowance
      ? `${key}: new (${count}, ${allowance} excepted): mend it`
      : `${key}: ${allowance} excepted, ${count} found: remove it (node test/architecture-exceptions.ts)`
  const gone = Object.keys(allowed).filter((key) => !(key in found))
  return [...Object.entries(found), ...gone.map((key): [string, number] => [key, 0])]
    .filter(([key, count]) => count !== (allowed[key] ?? 0))
    .map((entry) => said(entry, allowed[entry[0]] ?? 0))
    .toSorted()
}

/** The exceptions that are left of `before`; `today` as it is, when files were moved. */
export function nextExceptions(before: Counts, today: Counts, moved: boolean): Counts {
  const kept = Object.entries(today).map(([key, count]): [string, number] => [
    key,
    moved ? count : Math.min(count, before[key] ?? 0),
  ])
  return Object.fromEntries(
    kept.filter(([, count]) => count > 0).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}

function write(moved: boolean) {
  const files = everyFile()
  const before = readExceptions()
  const sum = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count, 0)
  const next = Object.entries(checks).map(([name, { find, counted }]) => {
    const had = countsOf(before[name])
    const today = countsOf(find(files))
    const kept = nextExceptions(had, today, moved)
    const left = sum(today) - sum(kept)
    console.log(`${name}: ${sum(had)} → ${sum(kept)}${sum(kept) > sum(had) ? ' (grew)' : ''}`)
    if (left > 0) console.log(`  ${left} new, not written: mend them`)
    return [name, counted ? kept : Object.keys(kept)]
  })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`)
}

if (import.meta.main) write(process.argv.includes('--moved'))
