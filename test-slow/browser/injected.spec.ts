import type pg from 'pg'
import { withDatabase } from '../../e2e/kit/database.ts'
import { startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { entersAs } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** What would run in a page, if any column were written into it as anything but text. */
const payload = `"'><img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script><svg onload=window.__pwned=1>{{7*7}}`

const marker = 'window.__pwned=1'

// One worker, with a server of its own: no other test should meet what is written here.
test.describe.configure({ mode: 'default' })

let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  test.setTimeout(startTime())
  server = await startOwnServer(Number(process.env.E2E_PORT ?? 3210) + 520, { DEMO: 'true' })
  await withDatabase(poison, server.folder)
})

test.afterAll(() => server?.stop())

/** Writes it past every form into each text column that takes it, and into the addresses that visits keep. */
async function poison(client: pg.Client) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'text'
       and table_name not in ('migrations', 'sessions', 'accounts', 'verifications', 'events', 'limits', 'sign_in_failures')
       and column_name not in ('email', 'folio', 'service', 'state', 'municipality', 'kind', 'role')`,
  )
  let taken = 0
  for (const { table, column } of rows)
    await client
      .query(`update ${table} set ${column} = left(coalesce(${column}, ''), 12) || $1`, [payload])
      .then(() => taken++)
      // What a constraint keeps out can't be shown either.
      .catch(() => undefined)
  for (const key of [
    'street',
    'colonia',
    'references',
    'gateNotes',
    'receiverName',
    'betweenStreets',
    'outerNumber',
  ])
    await client.query(
      `update appointments set address = jsonb_set(address, $1, to_jsonb($2::text)) where address is not null`,
      [[key], payload],
    )
  expect(taken).toBeGreaterThan(25)
}

const people = ['gerente', 'analista', 'tecnico', 'aliado', 'cliente2']

for (const who of people)
  test(`${who} opens every screen and no injected text runs as a script`, async ({ arrive }) => {
    const page = await arrive({ baseURL: server.origin })
    await entersAs(page, `${who}@demo.mx`)
    const seen = new Set<string>()
    const waiting = ['/', '/cuenta', '/admin', '/admin/account/configuracion', '/completion', '/dev/correo']
    let shown = 0
    for (let here = waiting.shift(); here !== undefined && seen.size < 40; here = waiting.shift()) {
      if (seen.has(kindOf(here))) continue
      seen.add(kindOf(here))
      const answer = await page.goto(here).catch(isKept)
      // A file to keep is no page.
      if (!answer) continue
      expect(answer.status(), here).toBeLessThan(500)
      // Time for what would run late, such as an image that fails.
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })))
      expect(await page.evaluate(() => (window as { __pwned?: unknown }).__pwned), here).toBeUndefined()
      expect(await page.locator('img[src="x"], svg[onload]').count(), here).toBe(0)
      if ((await page.locator('main').textContent())?.includes(marker)) shown++
      for (const link of await page
        .locator('a[href]')
        .evaluateAll((all) => all.map((a) => new URL(a.getAttribute('href')!, location.href).href))) {
        expect(link).toMatch(/^(https?|tel|mailto|geo):/)
        if (link.startsWith(server.origin)) waiting.push(link.slice(server.origin.length))
      }
    }
    // Otherwise it would prove nothing: what was written is there to be read.
    expect(shown).toBeGreaterThan(0)
  })

/** What a browser says that keeps an answer rather than show it. */
function isKept(error: Error): null {
  if (error.message.includes('Download is starting')) return null
  throw error
}

/** One of each screen is enough of those that differ by their row, month or page only. */
const kindOf = (address: string) =>
  address
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')
    .replace(/=[^&]*/g, '')
    .replace(/#.*/, '')
