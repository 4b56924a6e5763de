import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { databaseFault, databaseRefusal, transaction } from '../../src/server/platform/database/client.ts'
import { log } from '../../src/server/platform/telemetry/log.ts'
import { openBare, world } from '../../test/kit/open.ts'
import { addressForm } from '../../test/kit/people.ts'

openBare()

test('a connection lost between two queries of a transaction fails that change, and nothing else', async () => {
  const change = transaction(world.db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await world.db.execute(sql`select pg_terminate_backend(${rows[0]?.pid}::int)`)
    await sleep(200)
    await tx.execute(sql`select 1`)
  })
  await expect(change).rejects.toThrow()
  expect((await world.db.execute(sql`select 1`)).rowCount).toBe(1)
})

/** Asks while a table is held, and lets `end` be done to the connection that waits for it. */
async function whileHeld<Answer>(
  table: string,
  end: 'pg_terminate_backend' | 'pg_cancel_backend',
  ask: () => Promise<Answer>,
) {
  const holder = await world.db.$client.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const cut = () => world.db.$client.query(`select ${end}(pid) ${waiting}`)
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

test.each(Object.entries(ways))('a screen whose reading meets %s answers %i', async (end, status) => {
  const customer = await world.person()
  const ask = () => world.visit('/technics-visit', customer)
  const answer = await whileHeld('projects', end as keyof typeof ways, ask)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('retry-after')).toBe(status === 503 ? '2' : null)
  const data = await whileHeld('projects', end as keyof typeof ways, () =>
    world.data('/technics-visit', customer),
  )
  expect(data.status).toBe(status)
})

test.each(Object.entries(ways))(
  'a form that meets %s answers %i and keeps what was typed',
  async (end, status) => {
    const customer = await world.person()
    const form = { ...addressForm, street: 'Calle de los Olvidos' }
    const answer = await whileHeld('addresses', end as keyof typeof ways, () =>
      world.post('/address', form, customer),
    )
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('Calle de los Olvidos')
    expect(answer.text).toContain(status === 503 ? 'Servicio no disponible' : 'Tardamos demasiado')
  },
)

/** An error of the system's, as a failed query carries it. */
const behindQuery = (code: string, syscall: string) =>
  new Error('Failed query', { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) })

test.each([
  ['EPIPE', 'write'],
  ['EPERM', 'connect'],
  ['EROFS', 'connect'],
  ['EAI_AGAIN', 'getaddrinfo'],
  ['ETIMEDOUT', 'read'],
  ['EHOSTUNREACH', 'read'],
])('%s at a %s is a database that is lost, and no SQLSTATE', (code, syscall) => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => undefined)
  expect(databaseFault(behindQuery(code, syscall))).toEqual({})
  expect(databaseRefusal(behindQuery(code, syscall))?.status).toBe(503)
  error.mockRestore()
})

test.each([
  ['EPERM', 'open'],
  ['EROFS', 'open'],
  ['EBUSY', 'rename'],
  ['EXDEV', 'rename'],
])('%s at a %s is a bug of ours, told as neither', (code, syscall) => {
  expect(databaseFault(behindQuery(code, syscall))).toEqual({})
  expect(databaseRefusal(behindQuery(code, syscall))).toBeNull()
})
