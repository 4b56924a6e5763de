// How many defects do the tests notice? Puts made-up defects into the rules and the server, one at a time, and runs the
// tests of their noun that reach them:
//   node test-slow/mutations/run.ts --seed 20261128 --count 300 --out /tmp/mutations
// --checkout DIR   another checkout, such as an older commit     --list FILE   the defects of an earlier run (list.json)
// --nouns a,b      only defects of these folders                 --limit-minutes M
// What is there in --out is kept: called again, it goes on. The checkout is only read; a copy in --out carries the defects.
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { candidatesIn, isThere, makeCopy, nounOf, openHost, usersOf } from './checkout.ts'
import { type Defect, drawn } from './defects.ts'
import type { Numbered } from './schemata.ts'

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261128' },
    count: { type: 'string', default: '300' },
    checkout: { type: 'string', default: path.resolve(import.meta.dirname, '../..') },
    out: { type: 'string', default: '/tmp/mutations' },
    list: { type: 'string' },
    nouns: { type: 'string' },
    'limit-minutes': { type: 'string', default: '1440' },
  },
})
const checkout = path.resolve(given.checkout)
const inOut = (name: string) => path.resolve(given.out, name)
const until = Date.now() + Number(given['limit-minutes']) * 60_000

/** Where what was parted from another noun, or has no tests of its own, is also tried. */
const alsoIn: Record<string, readonly string[]> = {
  access: ['security'],
  customers: ['projects', 'agencies', 'quotes'],
  dispatch: ['scheduling'],
  privacy: ['accounts'],
}
const suitesOf = (noun: string) => [noun, ...(alsoIn[noun] ?? [])].map((name) => `test/${name}`)

type Baseline = { file: string; ms: number; failed: string | null; reached: string[] }
type Result = Numbered & { noun: string; outcome: string; by?: string; ms: number; files: number }

const json = <T>(name: string): T => JSON.parse(readFileSync(name, 'utf8'))
const linesOf = <T>(name: string): T[] =>
  existsSync(inOut(name))
    ? readFileSync(inOut(name), 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** The defects of this run; those of a list that the checkout no longer has are left out. */
function chosen(): Numbered[] {
  if (!existsSync(inOut('list.json'))) {
    const nouns = given.nouns?.split(',')
    const isAsked = ({ file }: Defect) => !nouns || nouns.includes(nounOf(file))
    const defects = given.list
      ? json<Defect[]>(given.list).filter(isAsked)
      : drawn(candidatesIn(checkout).filter(isAsked), Number(given.seed), Number(given.count))
    writeFileSync(
      inOut('list.json'),
      JSON.stringify(
        defects.map((one, at) => ({ id: at + 1, ...one })),
        null,
        1,
      ),
    )
  }
  const all = json<Numbered[]>(inOut('list.json'))
  const there = all.filter((one) => isThere(checkout, one))
  if (there.length < all.length)
    console.log(`${all.length - there.length} of ${all.length} defects have lost their place`)
  return there
}

mkdirSync(given.out, { recursive: true })
const defects = chosen()
makeCopy(checkout, inOut('copy'), defects)
const users = usersOf(checkout)
const host = await openHost(inOut('copy'))

const baselines = new Map(linesOf<Baseline>('baselines.jsonl').map((one) => [one.file, one]))

/** A file without any defect: how long it takes, and which places it reaches. */
async function baselineOf(file: string): Promise<Baseline> {
  const known = baselines.get(file)
  if (known) return known
  const list = inOut('reached')
  rmSync(list, { force: true })
  const { failed, ms } = await host.run({ files: [file], defect: 0, reached: list, limit: 900_000 })
  const reached = existsSync(list) ? [...new Set(readFileSync(list, 'utf8').trim().split('\n'))] : []
  const baseline = { file, ms, failed, reached }
  appendFileSync(inOut('baselines.jsonl'), `${JSON.stringify(baseline)}\n`)
  baselines.set(file, baseline)
  if (failed) console.log(`Judges nothing, since it fails without a defect: ${failed}`)
  return baseline
}

const words = (file: string) => new Set(path.basename(file).split('.')[0]!.split('-'))

/** The tests of its noun that reach a defect, those that will most probably notice it first; none that fails anyway. */
async function testsOf(defect: Numbered): Promise<Baseline[]> {
  const files = suitesOf(nounOf(defect.file)).flatMap((suite) =>
    globSync(`${suite}/**/*.test.{ts,tsx}`, { cwd: inOut('copy') }),
  )
  const found: { one: Baseline; rank: number }[] = []
  // What a module computes when it loads is used by its own functions and by those of modules that import it.
  const places = defect.static ? users(defect.file) : new Map([[String(defect.id), 0]])
  for (const file of files.toSorted()) {
    const one = await baselineOf(file)
    const near = one.reached.flatMap((place) => places.get(place) ?? [])
    const isAlike = !words(file).isDisjointFrom(words(defect.file))
    const rank = Math.min(...near) * 1e9 + (isAlike ? 0 : 1e8) + one.ms
    if (!one.failed && near.length > 0) found.push({ one, rank })
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ one }) => one)
}

async function judge(defect: Numbered): Promise<Result> {
  const tests = await testsOf(defect)
  const about = { ...defect, noun: nounOf(defect.file), files: tests.length }
  if (tests.length === 0) return { ...about, outcome: 'not reached', ms: 0 }
  const usual = tests.reduce((sum, { ms }) => sum + ms, 0)
  const files = tests.map(({ file }) => file)
  const asked = { files, defect: defect.id, reached: '', limit: 60_000 + 4 * usual }
  const { failed, isLate, ms } = await host.run(asked)
  if (isLate) return { ...about, outcome: 'timed out', ms }
  return failed ? { ...about, outcome: 'caught', by: failed, ms } : { ...about, outcome: 'survived', ms }
}

const done = new Set(linesOf<Result>('results.jsonl').map(({ id }) => id))
for (const defect of defects.filter(({ id }) => !done.has(id))) {
  if (Date.now() > until) break
  const result = await judge(defect)
  appendFileSync(inOut('results.jsonl'), `${JSON.stringify(result)}\n`)
  const { changed, file, id, kind, original, outcome } = result
  console.log(`${id} ${outcome}: ${file} ${kind} ${original.split('\n')[0]} → ${changed}`)
}
await host.close()

const outcomes = ['caught', 'timed out', 'survived', 'not reached']
const results = linesOf<Result>('results.jsonl')
const row = (rows: Result[]) =>
  outcomes.map((outcome) => rows.filter((one) => one.outcome === outcome).length)
const table = Map.groupBy(results, ({ noun }) => noun)
const columns = (rows: Result[]) => Object.fromEntries(row(rows).map((count, at) => [outcomes[at], count]))
console.table(
  Object.fromEntries(
    [...table].toSorted().map(([noun, rows]) => [noun, { all: rows.length, ...columns(rows) }]),
  ),
)
const caught = results.filter(({ outcome }) => outcome === 'caught' || outcome === 'timed out').length
console.log(`${caught} of ${results.length} caught (${defects.length - results.length} not tried)`)
