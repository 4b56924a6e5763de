import { randomUUID } from 'node:crypto'
import { emailsWithoutRows } from '../../src/app/commands.ts'
import { queues } from '../../src/platform/jobs/queues.ts'
import {
  analyst,
  customer,
  db,
  fixture,
  manager,
  markupOf,
  openEach,
  runSql,
  technician,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectPage, expectStatus, expectWords } from '../kit/reading.ts'
import { wordsOf } from '../kit/settings.ts'

openEach()

const path = '/admin/account/configuracion'
const settle = (how: 'retry' | 'discard' | 'restore', queue: string) =>
  fixture.post(path, { intent: `settings.jobs.${how}`, queue }, manager)
const wordsFor = async (person: Person, screen = path) =>
  wordsOf(await markupOf(screen, person)).replaceAll(/<!--.*?-->/g, '')

/** As the queue leaves them after the last try. */
const stop = (queue: string, count: number) =>
  runSql`insert into pgboss.job (name, data, source_name)
    select 'dead-letters', jsonb_build_object('webhookId', n), ${queue} from generate_series(1, ${count}) n`

const waiting = async (queue: string) =>
  (await runSql`select data from pgboss.job where name = ${queue} and state < 'active'`).rows

test('shows stopped jobs to the manager, at home and in the configuration', async () => {
  await stop('send-webhook', 2)
  await stop('clean-up', 1)
  const home = await wordsFor(manager, '/admin')
  expectWords(home, '2 tareas automáticas detenidas', '1 tarea automática detenida')
  const words = await wordsFor(manager)
  expectWords(words, 'Avisos al sistema de una concesionaria', '2 tareas', 'Limpieza de datos vencidos')
  expect(await wordsFor(analyst, '/admin')).not.toContain('detenida')
})

test('shows the manager, and no one else, at home which rounds are late', async () => {
  await runSql`insert into rounds (name, minutes, done_at)
    select name, 1, now() - interval '1 hour' from unnest('{remind,end-quotes,end-payments}'::text[]) name`
  const words = ['3 tareas automáticas atrasadas', 'y 1 más', 'Avisa a quien opera el sistema']
  expectWords(await wordsFor(manager, '/admin'), ...words)
  expect(await wordsFor(analyst, '/admin')).not.toContain('atrasada')
  await runSql`update rounds set done_at = now() where name <> 'remind'`
  expectWords(await wordsFor(manager, '/admin'), '1 tarea automática atrasada', 'Recordatorios')
})

test('names each queue whose jobs can stop', async () => {
  const stoppable = Object.entries(queues).filter(([, options]) => 'deadLetter' in options)
  for (const [queue] of stoppable) await stop(queue, 1)
  const words = await wordsFor(manager)
  expect(words.match(/1 (correo|tarea) sin (enviar|hacer), /g)).toHaveLength(stoppable.length)
  expect(stoppable.filter(([queue]) => words.includes(`${queue} ·`))).toEqual([])
})

test('returns retried jobs to their queue and removes discarded ones, once, and records it', async () => {
  await stop('send-webhook', 2)
  await stop('clean-up', 1)
  expectStatus(await settle('retry', 'send-webhook'), 303)
  expect(await waiting('send-webhook')).toHaveLength(2)
  expectStatus(await settle('discard', 'clean-up'), 303)
  expect(await waiting('clean-up')).toHaveLength(0)
  expect(await waiting('dead-letters')).toHaveLength(0)
  expectPage(await settle('retry', 'send-webhook'), 409, 'Alguien más ya los atendió')
  const { rows } =
    await runSql`select name, data ->> 'queue' as queue, data ->> 'count' as count from events where entity = 'jobs' order by id`
  expect(rows).toEqual([
    { name: 'retry', queue: 'send-webhook', count: '2' },
    { name: 'discard', queue: 'clean-up', count: '1' },
  ])
})

test('restores discarded jobs for a week, once, to be tried again', async () => {
  await stop('clean-up', 2)
  await settle('discard', 'clean-up')
  const page = await wordsFor(manager)
  expectWords(page, 'Limpieza de datos vencidos', '2 tareas sin hacer que descartaste', 'Deshacer')
  expect(await wordsFor(manager, '/admin')).not.toContain('detenida')
  // The queue deletes what is cancelled by these columns, and no earlier.
  const { rows } = await runSql`select count(*)::int as kept from pgboss.job
    where name = 'dead-letters' and completed_on + deletion_seconds * interval '1s' > now() + interval '6 days'`
  expect(rows).toEqual([{ kept: 2 }])
  expectStatus(await settle('restore', 'clean-up'), 303)
  expect(await waiting('dead-letters')).toHaveLength(2)
  expectPage(await settle('restore', 'clean-up'), 409, 'Alguien más ya los atendió')
  await settle('retry', 'clean-up')
  expect(await waiting('clean-up')).toHaveLength(2)
})

test('says of e-mails which, to whom, and what to do if the mailbox does not exist', async () => {
  const dead = (queue: string, data: object, output: object) =>
    runSql`insert into pgboss.job (name, data, output, source_name)
      values ('dead-letters', ${JSON.stringify(data)}, ${JSON.stringify(output)}, ${queue})`
  const refused = { message: 'the mail server refuses the mailbox: EENVELOPE 550', reader: customer.id }
  await dead('letter', { letter: 'booked', to: 'customer' }, refused)
  const broken = { message: 'the mail server did not take the letter: ESOCKET', reader: technician.id }
  await dead('letter', { letter: 'assigned', to: 'person' }, broken)
  await dead('account-letter', { letter: 'password_changed', userId: customer.id }, { message: 'error' })
  const words = await wordsFor(manager)
  expectWords(words, `Quién atiende la cita, a Tomás Prueba, ${technician.email}`)
  expect(words).toMatch(
    new RegExp(
      `Cita agendada, a Camila Prueba, ${customer.email}\\s*Su correo no existe o no recibe mensajes`,
    ),
  )
  expectWords(
    await wordsFor(manager, '/admin'),
    '2 correos sin enviar',
    'Cita agendada a Camila Prueba',
    'Quién atiende la cita a Tomás Prueba',
  )
  expect(words.match(/Su correo no existe/g)).toHaveLength(1)
  expectWords(words, `Contraseña cambiada, a Camila Prueba, ${customer.email}`)
})

async function* log(...lines: (object | string)[]) {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
}

test('lists e-mails about rows that are gone, with whom to call', async () => {
  const { projectId } = await fixture.home(customer)
  const lost = randomUUID()
  const unknown = randomUUID()
  const sent = { time: 2_000, msg: 'e-mail sent', job: 'a', letter: 'booked', reader: customer.id }
  const { found, looked } = await emailsWithoutRows(
    db,
    log(
      { ...sent, projectId },
      { ...sent, time: 3_000, appointmentId: lost },
      { ...sent, time: 1_000, reader: unknown, quoteId: lost },
      { ...sent, msg: 'e-mail skipped: no recipient or outdated', appointmentId: lost },
      { ...sent, appointmentId: "'; drop table users" },
      'web-1  | {"msg":"e-mail sent"',
      'no JSON',
    ),
  )
  expect(looked).toBe(3)
  const about = { job: 'a', kind: 'booked', id: lost }
  const who = expect.stringContaining(customer.email)
  expect(found).toEqual([
    { ...about, at: new Date(1_000), readerId: unknown, table: 'quotes', who: null },
    { ...about, at: new Date(3_000), readerId: customer.id, table: 'appointments', who },
  ])
})
