import { modules } from '../src/domain/access/routes.ts'
import { addStaff, openSessions } from './crowd.ts'
import { addAppointments, addOffice } from './lists-world.ts'
import { connect, hundredth } from './load.ts'
import { openedInBrowser } from './office/opened.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack } from './stack.ts'

/** Milliseconds of a document as its reader waits for it, and PostgreSQL's for the figures. */
const goals = { document: 1000, figures: 300 }
const appointments = Number(process.env.APPOINTMENTS ?? sized(200_000, 600))
const customers = Number(process.env.CUSTOMERS ?? sized(3_000, 200))
const rounds = sized(4, 1)
/** How many rows each list has to show, or what was measured was an empty page. */
const fewest = sized(20, 1)

const board = '/admin/assignations'
const figures = '/admin/cifras'
/** Where the lists begin; each is also asked by every link to itself that it holds: filters, ranges of dates, orders, the next page. */
const lists = [
  '/admin',
  board,
  `${board}?vista=semana`,
  `${board}?mapa=todos`,
  '/admin/appointments-pending',
  '/admin/appointments-done',
  '/admin/cotizations',
  '/admin/clients',
  figures,
  '/admin/users',
  '/admin/users/bloqueadas',
  '/admin/agencies',
  '/admin/agency/{agency}/clientes',
  '/admin/agency/{agency}/codigos',
  '/admin/gesties',
  '/admin/payments',
  '/admin/payments/cobrar',
  '/admin/payments/libro',
  '/admin/payments/banco',
]
/** Nobody is locked out there, and figures are no rows. */
const withoutRows = ['/admin/users/bloqueadas', figures]
/** The screens of an office's day, which are also opened in a browser. */
const screens = [
  '/admin',
  board,
  `${board}?vista=semana`,
  `${board}?mapa=todos`,
  '/admin/appointments-pending',
  '/admin/appointments-done',
  '/admin/clients',
  '/admin/cotizations',
  '/admin/payments',
  '/admin/buscar?q=maria',
]
/** What a form of a list asks for. */
const asked = [
  '/admin/appointments-pending?text=maria',
  '/admin/appointments-pending?zone=coyoacan&order=reverse',
  '/admin/appointments-done?text=maria&order=reverse',
  '/admin/appointments-done?from=2025-01-01&to=2025-12-31&service=installation&order=reverse',
  '/admin/appointments-done?month=2&state=no_show',
  '/admin/cotizations?text=maria',
  '/admin/cotizations?state=accepted&order=reverse',
  '/admin/cotizations?year=2025&month=3',
  '/admin/clients?text=maria',
  '/admin/users?text=maria',
  '/admin/users?role=staff&active=yes',
  '/admin/gesties?text=maria',
  '/admin/gesties?over=1&order=reverse',
  '/admin/payments/libro?text=maria',
  '/admin/payments/libro?year=2025&state=paid',
  '/admin/buscar?q=maria',
  `${figures}?periodo=anio`,
]

const stack = await openStack(
  {
    shared_buffers: '512MB',
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  },
  { role: 'web', environment: { MODULES: modules.join(',') } },
)
const client = connect(stack, 1)
const lines: Line[] = []
try {
  await stack.pool.query('create extension pg_stat_statements')
  await addAppointments(stack.pool, appointments, customers)
  await addOffice(stack.pool)
  const [cookie] = (await openSessions(stack.pool, [await addStaff(stack.pool, 'manager')])) as [string]
  const { rows } = await stack.pool.query<{ id: string }>(
    'select agency_id as id from clients group by agency_id order by count(*) desc limit 1',
  )
  const found = new Map<string, string>()
  const find = (path: string) => found.set(shapeOf(path), found.get(shapeOf(path)) ?? path)
  for (const list of lists) {
    const path = list.replace('{agency}', rows[0]!.id)
    find(path)
    const { body } = await client.ask({ path, cookie, plain: true })
    const page = body.toString()
    if (!withoutRows.includes(path) && rowsOn(page) < fewest)
      throw new Error(`${path} shows ${rowsOn(page)} rows`)
    for (const link of linksWithin(path, page)) find(link)
  }
  for (const path of asked) find(path)
  for (const [what, path] of found) lines.push(await measured(what, path, cookie))
  lines.push(...(await openedInBrowser(stack.origin, cookie, screens)))
} finally {
  client.close()
  await stack.close()
}

/** The least of several times: the machine is busy with other things at times. */
async function measured(what: string, path: string, cookie: string): Promise<Line> {
  const [times, database]: [number[], number[]] = [[], []]
  for (let round = -1; round < rounds; round++) {
    await stack.pool.query('select pg_stat_statements_reset()')
    const { ms, status } = await client.ask({ path, cookie })
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    if (round < 0) continue
    times.push(ms)
    const { rows } = await stack.pool.query<{ ms: number }>(
      `select sum(total_plan_time + total_exec_time) as ms from pg_stat_statements where query not ilike '%pg_stat_statements%'`,
    )
    database.push(rows[0]!.ms)
  }
  const [ms, databaseMs] = [Math.round(Math.min(...times)), hundredth(Math.min(...database))]
  const isFigures = path.startsWith(figures)
  return {
    what,
    ms,
    databaseMs,
    ratio: hundredth(ms / goals.document),
    goal: `<= ${goals.document} ms${isFigures ? `, PostgreSQL <= ${goals.figures} ms` : ''}`,
    met: isFast(ms <= goals.document && (!isFigures || databaseMs <= goals.figures)),
  }
}

/** How many things a page is about, by the ids in its markup and the heads of its rows; its scripts don't count. */
function rowsOn(page: string): number {
  const shown = page.replace(/<script.*?<\/script>/gs, '')
  const heads = shown.match(/scope="row"/g) ?? []
  return heads.length + new Set(shown.match(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g)).size
}

/** The links of a page to the same page otherwise. */
function linksWithin(path: string, page: string): string[] {
  const { pathname } = new URL(path, stack.origin)
  return [...page.matchAll(/href="([^"#]*\?[^"#]*)/g)]
    .map(([, link]) => new URL(link!.replaceAll('&amp;', '&'), `${stack.origin}${path}`))
    .filter((link) => link.pathname === pathname)
    .map((link) => link.pathname + link.search)
}

/** An address as one of its kind: another id, day or place in the list costs the same. */
function shapeOf(path: string): string {
  const { pathname, searchParams } = new URL(path, stack.origin)
  const part = ([name, value]: [string, string]) =>
    `${name}=${name === 'after' || name === 'trail' ? '…' : value.replace(/^20\d\d-\d\d-\d\d$/, '{day}')}`
  const query = [...searchParams]
    .filter(([name]) => name !== 'page')
    .map(part)
    .sort()
    .join('&')
  return `${pathname}${query && `?${query}`}`.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '{id}')
}

report(
  'office',
  `Documents of a manager's lists, board and figures, one at a time, the least of ${rounds}: ${appointments.toLocaleString('en')} appointments of ${customers.toLocaleString('en')} customers`,
  lines,
)
