// Runs every npm script: `node bin/run.mjs <command> [operands]`, on the host's Node (>= 20).
import { mkdtempSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { command, fail, pinnedNode, ready, root } from './bootstrap.mjs'
import { clockAt, ensureClocks, keepSwept, testAtMoments } from './clocks.mjs'
import { handOver, runSteps, supervise } from './processes.mjs'
import {
  ensureChromium,
  ensurePrometheus,
  ensureTurnserver,
  findChromium,
  findShell,
} from './system-tools.mjs'

const main = 'src/app/main.ts'

/** The requirements of each script, and the function it runs with its operands. */
const commands = {
  start: { run: (...options) => supervise(main, '--processes', ...options) },
  dev: { build: false, run: (...options) => handOver(main, '--dev', ...options) },
  test: { run: test },
  'test:slow': { run: testSlow },
  'test:clocks': { run: testAtMoments },
  'test:watch': { build: false, run: watch },
  check: { build: false, run: check },
  bench: { run: bench },
  load: { run: (...options) => handOver('load/main.ts', ...options) },
  faults: { run: (...options) => handOver('faults/run.ts', ...options) },
  // npm run tasks -- keyboard: only that way.
  tasks: { browser: true, run: (...options) => handOver('bench/office/run.ts', ...options) },
  // npm run guide -- manager analista: only those pages.
  guide: { browser: true, run: guide },
  manager: { operands: ['email@example.com'], run: serverCommand('manager') },
  backup: { run: serverCommand('backup') },
  restore: { files: ['data/backups/2026-01-31T060000Z'], run: serverCommand('restore') },
  import: { files: ['users.json', 'profiles.json', 'hash-parameters.txt'], run: serverCommand('import') },
  postal: { files: ['CPdescarga.txt'], run: serverCommand('postal') },
  'reconcile-emails': { files: ['worker.log'], run: serverCommand('reconcile-emails') },
  db: { build: false, run: (...options) => handOver('bin/database.ts', 'shell', ...options) },
  'db:reset': { build: false, run: () => handOver('bin/database.ts', 'reset') },
  'db:new': { build: false, operands: ['name'], run: (name) => handOver('bin/database.ts', 'new', name) },
}

const [name, ...given] = process.argv.slice(2)
const asked = commands[name] ?? fail(`Commands: ${Object.keys(commands).join(', ')}`)
const { build = true, browser = false, files = [], operands = files } = asked
if (given.length < operands.length) fail(`Usage: npm run ${name} -- ${operands.join(' ')}`)
await ready({ build })
if (browser) ensureChromium()
// File operands are relative to the folder where npm was called.
await asked.run(
  ...given.map((word, at) => (at < files.length ? path.resolve(process.env.INIT_CWD ?? '.', word) : word)),
)

function serverCommand(name) {
  return (...operands) => handOver(main, name, ...operands)
}

/** npm test -- test/booking.test.ts e2e/customer.spec.ts: each file goes to its runner; a runner without files is skipped. */
async function test(...named) {
  const isWhole = named.length === 0
  const slow = named.filter((name) => name.startsWith('test-slow'))
  if (slow.length > 0) return testSlow(...slow)
  const browser = named.filter((name) => name.startsWith('e2e'))
  const files = named.filter((name) => !browser.includes(name))
  const counts = isWhole && mkdtempSync(path.join(os.tmpdir(), 'carga-counts-'))
  const env = counts ? { TEST_COUNTS: counts } : {}
  const steps = []
  if (isWhole || files.length > 0)
    steps.push({ name: 'vitest', command: [...command('vitest'), 'run', ...files], env })
  if (isWhole || browser.length > 0) steps.push(playwright('playwright.config.ts', browser, env))
  if (counts) steps.push({ name: 'counts', command: [pinnedNode, 'bin/judge-counts.mjs', counts] })
  await runSteps(steps)
}

/** What guards releases: `npm run test:slow`, whole or by file. */
async function testSlow(...named) {
  const browser = named.filter((name) => name.startsWith('test-slow/browser'))
  const files = named.filter((name) => !browser.includes(name))
  const isWhole = named.length === 0
  const steps = []
  if (isWhole || files.length > 0) {
    const prometheus = ensurePrometheus()
    const env = { ...(prometheus && { PROMETHEUS_BIN: prometheus }), ...benchClocks() }
    steps.push({
      name: 'vitest',
      command: [...command('vitest'), 'run', '--config', 'vitest.slow.ts', ...files],
      env,
    })
  }
  if (isWhole || browser.length > 0) {
    ensureTurnserver()
    steps.push(playwright('playwright.slow.config.ts', browser))
  }
  await runSteps(steps)
}

function playwright(config, files, more = {}) {
  ensureChromium()
  // Found once here: each worker reads the configuration.
  const chromium = findChromium()
  const shell = findShell()
  const env = { ...more, ...(chromium && shell && { CHROMIUM: chromium, CHROMIUM_SHELL: shell }) }
  const program = command('@playwright/test', 'playwright')
  return { name: 'playwright', command: [...program, 'test', '--config', config, ...files], env }
}

/** Three moments at which the benchmarks are tried; none where clocks cannot be moved, and those tests are skipped. */
function benchClocks() {
  const library = ensureClocks()
  if (!library) {
    console.log('Could not install libfaketime: the tests that need it are skipped.')
    return {}
  }
  keepSwept()
  const each = ['sunday', 'new-year', 'long-weekend'].map((name) => [name, clockAt(library, name)])
  return { BENCH_CLOCKS: JSON.stringify(Object.fromEntries(each)) }
}

async function check() {
  // In a log, each of its coloured letters would take a line.
  const colors = process.stdout.isTTY ? [] : ['--colors=off']
  // Several checkers would each derive the same types again: twice the work.
  const types = [...command('typescript', 'tsc'), '--noEmit', '--singleThreaded']
  await runSteps([
    { name: 'biome', command: [...command('@biomejs/biome', 'biome'), 'ci', ...colors, '.'] },
    { name: 'typegen', command: [...command('@react-router/dev', 'react-router'), 'typegen'] },
    { name: 'tsc', command: types },
    ...['rules', 'server'].map((room) => ({
      name: `tsc ${room}`,
      command: [...types, '-p', `tsconfig.${room}.json`],
    })),
    { name: 'knip', command: command('knip') },
    { name: 'architecture', command: [...command('vitest'), 'run', '--config', 'vitest.arrows.ts'] },
  ])
}

/** npm run bench -- bench/screens.bench.ts --write: options go to the benchmark. */
async function bench(...given) {
  const options = given.filter((word) => word.startsWith('--'))
  const named = given.filter((word) => !options.includes(word))
  const all = readdirSync(path.join(root, 'bench')).filter((name) => name.endsWith('.bench.ts'))
  const files = named.length > 0 ? named : all.sort().map((name) => `bench/${name}`)
  await runSteps(
    files.map((file) => ({ name: file, command: [pinnedNode, file, ...options] })),
    { closing: 0 },
  )
}

async function guide(...pages) {
  await runSteps([{ name: 'guide', command: [pinnedNode, 'guide/build.ts', ...pages] }])
}

/** Runs the unit tests of the rules again as files change: no build, no database. */
function watch(...files) {
  const [, vitest] = command('vitest')
  handOver(vitest, 'watch', '--config', 'vitest.rules.ts', ...files)
}
