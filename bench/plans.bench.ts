import type pg from 'pg'
import { modules } from '../src/domain/access/routes.ts'
import { openSessions } from './crowd.ts'
import { addAppointments } from './lists-world.ts'
import { connect, hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

/** PostgreSQL's milliseconds for one statement, and how much slower than a plan for its values a generic one may be. */
const goals = { ms: 2, ratio: 2 }
const size = Number(process.argv[2] ?? sized(1_000_000, 2_000))
/** What PostgreSQL took longer for is looked at. */
const slowMs = sized(1, 0.1)
const rounds = sized(5, 1)
/** Of a person, so many addresses at most. */
const mostAddresses = sized(Number.POSITIVE_INFINITY, 6)

/** Whose screens are asked for, and where their links begin. */
const people = [
  ['cliente5@demo.mx', '/'],
  ['gerente@demo.mx', '/admin'],
  ['analista@demo.mx', '/admin'],
  ['tecnico@demo.mx', '/admin'],
  ['gestor@demo.mx', '/admin'],
  ['aliado@demo.mx', '/admin'],
] as const

const stack = await openStack(
  { shared_buffers: '1GB', logging_collector: 'on', log_destination: 'jsonlog' },
  { role: 'web', environment: { DEMO: 'true', MODULES: modules.join(','), DATABASE_POOL: '4' } },
)
const client = connect(stack, 1)
const lines: Line[] = []
try {
  await addAppointments(stack.pool, size)
  await stack.pool.query(`alter system set log_min_duration_statement = ${slowMs}`)
  await stack.pool.query('select pg_reload_conf()')
  for (const [email, start] of sized<readonly (readonly [string, string])[]>(people, people.slice(1, 2)))
    await visitAs(email, start)
  for (const statement of await slowStatements()) lines.push(await compared(statement))
} finally {
  client.close()
  await stack.close()
}
report(
  'plans',
  `Statements of lists and homes over ${slowMs} ms, ${size} appointments: generic plan beside one for the values`,
  lines.toSorted((a, b) => Number(b.generic) - Number(a.generic)),
)

/** Asks for every screen that links lead to, with each of its filters, each kind of address once. */
async function visitAs(email: string, start: string) {
  const { rows } = await stack.pool.query<{ id: string }>('select id from users where email = $1', [email])
  const [cookie] = await openSessions(stack.pool, [rows[0]!.id])
  const seen = new Set<string>()
  const queue: string[] = [start]
  for (const path of queue) {
    if (seen.size === mostAddresses) return
    const kind = path
      .replaceAll(/=[^&]*/g, '')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|(?<=catalogo\/)[A-Z]+-[\w-]+/g, '')
    if (seen.has(kind)) continue
    seen.add(kind)
    // The second time its statements are planned.
    for (let n = 0; n < 2; n++) {
      const answer = await client.ask({ path, cookie: cookie!, plain: true })
      if (answer.status === 200 && n > 0) queue.push(...addressesIn(path, answer.body.toString()))
    }
  }
}

/** Where links lead, and the filters of a list one by one. */
function addressesIn(path: string, page: string): string[] {
  const links = [...page.matchAll(/href="(\/[^"#]*)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'))
  const choices = [...page.matchAll(/<select[^>]* name="(\w+)"[\s\S]*?<option[^>]* value="([\w-]+)"/g)]
  const words = /<input[^>]* name="text"/.test(page) ? [['', 'text', 'maria']] : []
  const filtered = path.includes('?')
    ? []
    : [...choices, ...words].map(([, name, value]) => `${path}?${name}=${value}`)
  return [...links, ...filtered].filter(
    (to) => !/\.\w+$|^\/(files|documents|papers|calendar|session|account|signout|assets)/.test(to),
  )
}

type Statement = { text: string; values: string; ms: number }

/** The slowest run of each text, with its values as the log spells them. */
async function slowStatements(): Promise<Statement[]> {
  const { rows } = await stack.pool.query<{ log: string }>(
    `select pg_read_file(pg_current_logfile('jsonlog')) as log`,
  )
  const slowest = new Map<string, Statement>()
  for (const line of rows[0]!.log.split('\n').filter(Boolean)) {
    const { message = '', detail = '' } = JSON.parse(line) as { message?: string; detail?: string }
    const [, took, text = ''] = /^duration: ([\d.]+) ms {2}execute [^:]+: ([\s\S]+)$/.exec(message) ?? []
    if (!/^\s*(select|with)\b/i.test(text)) continue
    const ms = Number(took)
    const values = detail
      .replace(/^parameters: /i, '')
      .replaceAll(/('(?:[^']|'')*')|\$\d+ = /g, (_, value?: string) => value ?? '')
    if (ms > (slowest.get(text)?.ms ?? 0)) slowest.set(text, { text, values, ms })
  }
  return [...slowest.values()]
}

async function compared({ text, values, ms }: Statement): Promise<Line> {
  const connection = await stack.pool.connect()
  try {
    await connection.query('set jit = off')
    await connection.query(`prepare looked as ${text}`)
    const generic = await bestOf(connection, 'force_generic_plan', values)
    const custom = await bestOf(connection, 'force_custom_plan', values)
    const ratio = hundredth(generic / custom)
    return {
      what: inShort(`${text} -- ${values}`),
      seen: ms,
      generic,
      custom,
      ratio,
      goal: `<= ${goals.ms} ms or ${goals.ratio} times`,
      met: isFast(generic <= goals.ms || ratio <= goals.ratio),
    }
  } finally {
    connection.release(true)
  }
}

/** What tells a statement from others: where it reads, and the end of its conditions with the values. */
function inShort(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').replaceAll('"', '')
  return line.length <= 200 ? line : `${line.slice(0, 60)} … ${line.slice(-140)}`
}

/** Milliseconds of execution alone. */
async function bestOf(connection: pg.PoolClient, mode: string, values: string): Promise<number> {
  await connection.query(`set plan_cache_mode = ${mode}`)
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const { rows } = await connection.query<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(
      `explain (analyze, timing off, buffers off, format json) execute looked${values && `(${values})`}`,
    )
    times.push(rows[0]!['QUERY PLAN'][0]['Execution Time'])
  }
  return hundredth(Math.min(...times))
}
