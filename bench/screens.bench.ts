import { modules } from '../src/domain/access/routes.ts'
import { openSessions } from './crowd.ts'
import { connect, hundredth } from './load.ts'
import { type Line, report } from './report.ts'
import { openStack } from './stack.ts'

/** PostgreSQL's and the web process's milliseconds for a list or a home. */
const goals = { statements: 5, database: 2, web: 4 }
/** Enough for the plans of a connection to be made, then enough for the clock of a process, which counts by 10 ms. */
const [warm, times] = [12, 40]

/** The demo world's people, and where links lead on from. */
const people = {
  customer: ['cliente5@demo.mx', '/'],
  manager: ['gerente@demo.mx', '/admin'],
  analyst: ['analista@demo.mx', '/admin'],
  technician: ['tecnico@demo.mx', '/admin'],
  gester: ['gestor@demo.mx', '/admin'],
  ally: ['aliado@demo.mx', '/admin'],
} as const

const stack = await openStack(
  { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'on' },
  { role: 'web', environment: { DEMO: 'true', MODULES: modules.join(','), DATABASE_POOL: '4' } },
)
const client = connect(stack, 1)
const lines: Line[] = []
try {
  await stack.pool.query('create extension pg_stat_statements')
  for (const [who, [email, start]] of Object.entries(people)) await lookAs(who, email, start)
} finally {
  client.close()
  await stack.close()
}
report('screens', `Screens of the demo world, ${times} documents of each, one after another`, lines)

/** Asks for every screen that links lead to, each of its kind once. */
async function lookAs(who: string, email: string, start: string) {
  const { rows } = await stack.pool.query<{ id: string }>('select id from users where email = $1', [email])
  const [cookie] = await openSessions(stack.pool, [rows[0]!.id])
  const seen = new Set<string>()
  const queue: string[] = [start]
  for (const path of queue) {
    const screen = path
      .replace(/\?.*/, '')
      .replaceAll(/[\da-f]{8}-[\da-f-]{27}|(?<=catalogo\/)[A-Z]+-[\w-]+/g, '{id}')
    if (seen.has(screen)) continue
    seen.add(screen)
    const first = await client.ask({ path, cookie: cookie!, plain: true })
    if (first.status !== 200) continue
    queue.push(...linksIn(first.body.toString()))
    lines.push({ what: `${who} ${screen}`, ...(await measure(path, cookie!)) })
  }
}

function linksIn(page: string): string[] {
  return [...page.matchAll(/href="(\/[^"#]*)"/g)]
    .map(([, path]) => path!.replaceAll('&amp;', '&'))
    .filter(
      (path) => !/\.\w+$|^\/(files|documents|papers|calendar|session|account|signout|assets)/.test(path),
    )
}

async function measure(path: string, cookie: string) {
  for (let n = 0; n < warm; n++) await client.ask({ path, cookie })
  await stack.pool.query('select pg_stat_statements_reset()')
  const cpu = stack.cpu()
  let bytes = 0
  for (let n = 0; n < times; n++) bytes = (await client.ask({ path, cookie })).bytes
  const web = (stack.cpu() - cpu) / times
  const { rows } = await stack.pool.query<{ calls: number; plans: number; plan: number; run: number }>(
    `select sum(calls)::float as calls, sum(plans)::float as plans, sum(total_plan_time) as plan, sum(total_exec_time) as run
     from pg_stat_statements where query not ilike '%pg_stat_statements%'`,
  )
  const { calls = 0, plans = 0, plan = 0, run = 0 } = rows[0] ?? {}
  const each = (total: number) => hundredth(total / times)
  return {
    statements: each(calls),
    planned: each(plans),
    planMs: each(plan),
    runMs: each(run),
    webMs: hundredth(web),
    bytes,
    goal: `<= ${goals.statements} statements, ${goals.database} + ${goals.web} ms`,
    met: calls / times <= goals.statements && (plan + run) / times <= goals.database && web <= goals.web,
  }
}
