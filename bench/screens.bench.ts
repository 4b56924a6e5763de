import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { modules } from '../src/access/rules/routes.ts'
import { openSessions } from './crowd.ts'
import { connect, hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openBare, openStack, root } from './stack.ts'

/** Round trips, and PostgreSQL's and the web process's milliseconds, for a list or a home. */
const goals = { trips: 5, database: 2, web: 4 }
/**
 * All screens are asked so often first: enough for the plans of a connection and for the compiler of the web process. Then
 * rounds go over all of them, so that each screen costs what it costs a process that has been serving for a while.
 */
const warm = sized(15, 1)
const rounds = sized(4, 1)
const pages = sized(10, 1)
const bares = sized(100, 5)

/** The table of the last run that was kept: `--write` keeps this one; without it a screen that grew ends the run with 1. */
const kept = path.join(root, 'docs/screens.md')
const writes = process.argv.includes('--write')
/** How much a screen may grow, and how many more rounds it gets before it counts as grown: the machine may be busy. */
const growth = 1.2
const again = 3

/** What of a screen is compared. `ofBare`: the web process's time as a multiple of that of a bare JSON route, in the same run. */
const compared = ['statements', 'trips', 'bytes', 'ofBare'] as const
const columns = ['statements', 'trips', 'databaseMs', 'webMs', 'ofBare', 'bytes'] as const
type Measured = Record<(typeof columns)[number], number>
type Screen = { name: string; path: string; cookie: string }

/** The demo fixture's people, and where links lead on from. */
const people = {
  customer: ['cliente5@demo.mx', '/'],
  manager: ['gerente@demo.mx', '/admin'],
  analyst: ['analista@demo.mx', '/admin'],
  technician: ['tecnico@demo.mx', '/admin'],
  gester: ['gestor@demo.mx', '/admin'],
  ally: ['aliado@demo.mx', '/admin'],
} as const

const bare = await openBare()
const stack = await openStack(
  { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' },
  {
    role: 'web',
    environment: { DEMO: 'true', MODULES: modules.join(','), DATABASE_POOL: '4' },
    countsTrips: true,
  },
)
const client = connect(stack, 1)
const bareClient = connect(bare, 1)
/** The table tells of the full size. */
const before = sized(readTable, () => new Map<string, Measured>())()
const found = new Map<string, Measured>()
let bareMs = Number.POSITIVE_INFINITY
try {
  await stack.pool.query('create extension pg_stat_statements')
  const screens: Screen[] = []
  for (const [who, [email, start]] of Object.entries(people).slice(0, sized(undefined, 1)))
    screens.push(...(await screensOf(who, email, start)))
  for (let n = 0; n < warm; n++) {
    await askBare()
    for (const screen of screens) await client.ask(screen)
  }
  for (let round = 0; round < rounds; round++) for (const screen of screens) await measure(screen)
  for (let round = 0; round < again; round++)
    for (const screen of screens)
      if (grownIn(screen.name, found.get(screen.name)!).length > 0) await measure(screen)
} finally {
  for (const one of [client, bareClient]) one.close()
  await Promise.all([stack.close(), bare.close()])
}
for (const now of found.values()) now.ofBare = Math.round(now.webMs / bareMs)
report(
  'screens',
  `Screens of the demo world, ${rounds * pages} documents of each, one after another`,
  lines(),
)
const grown = [...found].flatMap(([screen, now]) => grownIn(screen, now).map((what) => `${screen}: ${what}`))
if (writes) writeFileSync(kept, table())
else for (const line of grown) console.log(`grew by more than 20 %: ${line}`)
if (!writes && grown.length > 0) process.exitCode = 1

function lines(): Line[] {
  return [...found].map(([what, now]) => ({
    what,
    ...now,
    goal: `<= ${goals.trips} round trips, ${goals.database} + ${goals.web} ms`,
    // Some screens need more: it is their growth that ends the run.
    fails: false,
    met: isFast(now.trips <= goals.trips && now.databaseMs <= goals.database && now.webMs <= goals.web),
  }))
}

/** Every screen that links lead a person to, each of its kind once. */
async function screensOf(who: string, email: string, start: string): Promise<Screen[]> {
  const { rows } = await stack.pool.query<{ id: string }>('select id from users where email = $1', [email])
  const cookie = (await openSessions(stack.pool, [rows[0]!.id]))[0]!
  const seen = new Set<string>()
  const screens: Screen[] = []
  const queue: string[] = [start]
  for (const path of queue) {
    const screen = path
      .replace(/\?.*/, '')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|(?<=catalogo\/)[A-Z]+-[\w-]+/g, '{id}')
    if (seen.has(screen)) continue
    seen.add(screen)
    const first = await client.ask({ path, cookie, plain: true })
    if (first.status !== 200) continue
    queue.push(...linksIn(first.body.toString()))
    screens.push({ name: `${who} ${screen}`, path, cookie })
  }
  return screens
}

function linksIn(page: string): string[] {
  return [...page.matchAll(/href="(\/[^"#]*)"/g)]
    .map(([, path]) => path!.replaceAll('&amp;', '&'))
    .filter(
      (path) => !/\.\w+$|^\/(files|documents|papers|calendar|session|account|signout|assets)/.test(path),
    )
}

/** One more round of a screen. The least of all its rounds counts: only the machine, or what the process does besides, is slow at times. */
async function measure(screen: Screen) {
  const was = found.get(screen.name)
  const now = await measureOnce(screen)
  if (was) for (const name of columns) now[name] = Math.min(now[name], was[name])
  found.set(screen.name, now)
}

/** The bare route's time is the lowest of the run: it is so short that anything else on the machine would double it. */
async function askBare() {
  const computed = bare.mainCpu()
  for (let n = 0; n < bares; n++) await bareClient.ask({ path: '/healthz' })
  bareMs = Math.min(bareMs, (bare.mainCpu() - computed) / bares)
}

async function measureOnce({ path, cookie }: Screen): Promise<Measured> {
  await askBare()
  await stack.pool.query('select pg_stat_statements_reset()')
  const trips: number[] = []
  let bytes = 0
  const computed = stack.mainCpu()
  for (let n = 0; n < pages; n++) {
    const sent = stack.trips()
    bytes = (await client.ask({ path, cookie })).bytes
    trips.push(stack.trips() - sent)
  }
  const webMs = (stack.mainCpu() - computed) / pages
  const { rows } = await stack.pool.query<{ calls: number; ms: number }>(
    `select sum(calls)::float as calls, sum(total_plan_time + total_exec_time) as ms
     from pg_stat_statements where query not ilike '%pg_stat_statements%'`,
  )
  const { calls = 0, ms = 0 } = rows[0] ?? {}
  return {
    statements: Math.round(calls / pages),
    // The least: what the process reads besides, or sends a moment later than usual, belongs to no page.
    trips: Math.min(...trips),
    databaseMs: hundredth(ms / pages),
    webMs: hundredth(webMs),
    ofBare: Math.round(webMs / bareMs),
    bytes,
  }
}

/** What of a screen is more than a fifth above the table that was kept, in words. */
function grownIn(screen: string, now: Measured): string[] {
  const was = before.get(screen)
  if (!was) return []
  return compared
    .filter((name) => now[name] > was[name] * growth)
    .map((name) => `${name} ${was[name]} -> ${now[name]}`)
}

function readTable(): ReadonlyMap<string, Measured> {
  if (!existsSync(kept)) return new Map()
  const rows = readFileSync(kept, 'utf8').matchAll(/^(\w+ \/\S*) +(\d.*)$/gm)
  return new Map(
    [...rows].map(([, screen, cells]) => {
      const figures = cells!.split(/ +/).map(Number)
      return [screen!, Object.fromEntries(columns.map((name, n) => [name, figures[n] ?? 0])) as Measured]
    }),
  )
}

function table(): string {
  const heads = ['statements', 'round trips', 'PostgreSQL ms', 'web ms', 'bare routes', 'bytes']
  const line = (screen: string, cells: readonly (string | number)[]) =>
    screen.padEnd(56) + cells.map((cell) => String(cell).padStart(15)).join('')
  const rows = [...found].map(([screen, now]) =>
    line(
      screen,
      columns.map((name) => now[name]),
    ),
  )
  const day = new Date().toISOString().slice(0, 10)
  return `# What each screen costs

Written by \`npm run bench -- bench/screens.bench.ts --write\` on ${day}, ${os.availableParallelism()} processors (${os.cpus()[0]?.model.trim()}), demo world, ${rounds * pages} documents of each screen in ${rounds} rounds over all of them, on a process that had served all of them ${warm} times. Without \`--write\` it ends with 1 when a screen needs over 20 % more statements, round trips, bytes or bare routes.

- **Statements**: what PostgreSQL ran for one document, the session's included. **Round trips**: what leaves before an answer counts once.
- **PostgreSQL ms**: planning and execution. **Web ms**: what the web process's main thread computed, the best of ${rounds} rounds.
- **Bare routes**: web ms as a multiple of what a bare JSON route took in the same run (${hundredth(bareMs * 1000)} µs), so that the machine's speed cancels. **Bytes**: the document, compressed.

\`\`\`text
${[line('screen', heads), ...rows].join('\n')}
\`\`\`
`
}
