import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { databaseFault, databaseRefusal, transaction } from '../../src/platform/database/client.ts'
import { log } from '../../src/platform/telemetry/log.ts'
import { db, fixture, openBare, runSql } from '../../test/kit/open.ts'
import { addressForm } from '../../test/kit/people.ts'

openBare()

test('a connection lost between two queries of a transaction fails that change, and nothing else', async () => {
  const change = transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await runSql`select pg_terminate_backend(${rows[0]?.pid}::int)`
    await sleep(200)
    await tx.execute(sql`select 1`)
  })
  await expect(change).rejects.toThrow()
  expect((await runSql`select 1`).rowCount).toBe(1)
})

/** Asks while a table is held, and lets `end` be done to the connection that waits for it. */
async function whileHeld<Answer>(
  table: string,
  end: 'pg_terminate_backend' | 'pg_cancel_backend',
  ask: () => Promise<Answer>,
) {
  const holder = await db.$client.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const cut = () => db.$client.query(`select ${end}(pid) ${waiting}`)
  const answer = ask()
  try {
    await vi.waitFor(async () => expect((await cut()).rowCount).toBe(1), { timeout: 5_000 })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  return answer
}

const ways = { pg_terminate_backend: 503, pg_cancel_backend: 504 } as const

test.each(Object.entries(ways))(
  'a screen and a form that meet %s answer %i, and the form keeps what was typed',
  async (name, status) => {
    const end = name as keyof typeof ways
    const customer = await fixture.person()
    const screen = await whileHeld('projects', end, () => fixture.visit('/technics-visit', customer))
    expect(screen.status).toBe(status)
    expect(screen.headers.get('retry-after')).toBe(status === 503 ? '2' : null)
    const data = await whileHeld('projects', end, () => fixture.data('/technics-visit', customer))
    expect(data.status).toBe(status)
    const form = { ...addressForm, street: 'Calle de los Olvidos' }
    const answer = await whileHeld('addresses', end, () => fixture.post('/address', form, customer))
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('Calle de los Olvidos')
    expect(answer.text).toContain(status === 503 ? 'Servicio no disponible' : 'Tardamos demasiado')
  },
)

/** An error of the system's, as a failed query carries it. */
const behindQuery = (code: string, syscall: string) =>
  new Error('Failed query', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) })

test.each([
  ['EPIPE', 'write', 503],
  ['EPERM', 'connect', 503],
  ['EAI_AGAIN', 'getaddrinfo', 503],
  ['ETIMEDOUT', 'read', 503],
  ['EPERM', 'open', undefined],
  ['EXDEV', 'rename', undefined],
])('%s at a %s, which is no SQLSTATE, is refused as %s', (code, syscall, status) => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  expect(databaseFault(behindQuery(code, syscall))).toEqual({})
  expect(databaseRefusal(behindQuery(code, syscall))?.status).toBe(status)
  error.mockRestore()
})
