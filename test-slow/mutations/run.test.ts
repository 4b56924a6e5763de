import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folder = mkdtempSync(path.join(tmpdir(), 'mutations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const project = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': 'export default {}\n',
  'src/calls/rules/rule.ts': `const most = 3
export function isFree(taken: number, closed: boolean) {
  if (closed) return false
  return taken < most
}
export const first = async (all: Promise<number[]>) => (await all).length >= -7
export const unused = () => 5\n`,
  'test/calls/rule.test.ts': `import { expect, test } from 'vitest'
import { first, isFree } from '../../src/calls/rules/rule.ts'
test('knows the limits', async () => {
  expect([isFree(2, false), isFree(3, false), isFree(0, true)]).toEqual([true, false, false])
  expect(await first(Promise.resolve([]))).toBe(true)
})\n`,
}

test('catches what a test notices, and neither equal code nor what no test reaches', () => {
  for (const [name, text] of Object.entries(project)) {
    mkdirSync(path.dirname(path.join(folder, 'project', name)), { recursive: true })
    writeFileSync(path.join(folder, 'project', name), text)
  }
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'project/node_modules'))
  const out = path.join(folder, 'out')
  const args = ['test-slow/mutations/run.ts', '--checkout', path.join(folder, 'project'), '--out', out]
  const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  const outcomes = readFileSync(path.join(out, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ changed, kind, original, outcome }) => `${outcome}: ${kind} ${original} → ${changed}`)
  expect(outcomes.toSorted()).toEqual([
    'caught: await await all → no await',
    'caught: boolean false → true',
    'caught: boundary taken < most → <=',
    'caught: comparison (await all).length >= -7 → <',
    'caught: comparison taken < most → >=',
    'caught: guard negated closed → !',
    'caught: guard removed closed → false',
    'caught: number 3 → 2',
    'caught: number 3 → 4',
    'not reached: number 5 → 4',
    'not reached: number 5 → 6',
    'survived: boundary (await all).length >= -7 → >',
    'survived: number 7 → 6',
    'survived: number 7 → 8',
  ])
  expect(stdout).toContain('9 of 14 caught')
  for (const [name, text] of Object.entries(project))
    expect(readFileSync(path.join(folder, 'project', name), 'utf8')).toBe(text)
}, 120_000)
