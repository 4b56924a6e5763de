import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openEach, people, world } from '../appointments/opening.ts'
import { wordsOf } from './story.ts'

openEach()

const path = '/admin/account?configuracion'
const settle = (how: 'retry' | 'discard', queue: string, as = people.manager) =>
  world.post(path, { intent: `settings.jobs.${how}`, queue }, as)

/** As the queue leaves them after the last try. */
const stop = (queue: string, count: number) =>
  world.db.execute(sql`insert into pgboss.job (name, data, source_name)
    select 'dead-letters', jsonb_build_object('webhookId', n), ${queue} from generate_series(1, ${count}) n`)

const waiting = async (queue: string) =>
  (await world.db.execute(sql`select data from pgboss.job where name = ${queue} and state < 'active'`)).rows

test('jobs that nobody tries any more are seen by the manager, at home and in the configuration', async () => {
  await stop('send-webhook', 2)
  await stop('clean-up', 1)
  const home = wordsOf((await world.visit('/admin', people.manager)).text)
  expect(home).toMatch(/Trabajos detenidos\s*3|3\s*Trabajos detenidos/)
  const words = wordsOf((await world.visit(path, people.manager)).text)
  expect(words).toContain('Avisos al sistema de una concesionaria')
  expect(words).toContain('2 trabajos')
  expect(words).toContain('Limpieza de datos vencidos')
  expect((await world.visit('/admin', people.analyst)).text).not.toContain('Trabajos detenidos')
})

test('tried again they are back in their queue, discarded they are gone, once, and it is written down', async () => {
  await stop('send-webhook', 2)
  await stop('clean-up', 1)
  expect((await settle('retry', 'send-webhook')).status).toBe(303)
  expect(await waiting('send-webhook')).toHaveLength(2)
  expect((await settle('discard', 'clean-up')).status).toBe(303)
  expect(await waiting('clean-up')).toHaveLength(0)
  expect(await waiting('dead-letters')).toHaveLength(0)
  const again = await settle('retry', 'send-webhook')
  expect(again.status).toBe(409)
  expect(again.text).toContain('Alguien más ya los atendió')
  const { rows } = await world.db.execute(
    sql`select name, data ->> 'queue' as queue, data ->> 'count' as count from events where entity = 'jobs' order by id`,
  )
  expect(rows).toEqual([
    { name: 'retry', queue: 'send-webhook', count: '2' },
    { name: 'discard', queue: 'clean-up', count: '1' },
  ])
})
