import { isNull, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { askAnew, askChanges, rejectQuote } from '../../src/server/quotes/answers.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { type Quote, quoteOf, storeNext, storeSent } from '../kit/quotes.ts'
import { emailsAbout, refusalOf, rowsIn, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

let sent: Quote
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  sent = await storeSent(world, { customer, technician, maker })
})

const openTasks = () => world.db.select().from(tasks).where(isNull(tasks.doneAt))
const says = (change: typeof rejectQuote, by: Person, reason = 'Sin el tablero.', version = sent.version) =>
  change(world.db, by.actor, sent.id, { version, reason }, new Date())

describe.each([
  ['rejected', rejectQuote, 'reject', 'rejected', 'quote_rejected', 'Esta cotización ya fue rechazada.'],
  [
    'sent back for changes',
    askChanges,
    'askChanges',
    'changes_requested',
    'quote_changes_requested',
    'Ya se pidieron cambios a esta cotización.',
  ],
] as const)('%s', (_what, change, name, state, letter, already) => {
  test('by its customer: the desk has a task, whoever made it a letter; twice by the same form once', async () => {
    await Promise.all([says(change, people.customer), says(change, people.customer)])
    expect(await quoteOf(world, sent)).toMatchObject({ state, reason: 'Sin el tablero.' })
    expect(await trailOf(world, sent, 'quote')).toEqual(['send', name])
    expect(await emailsAbout(world, sent)).toContain(`${letter} to maker`)
    const [task, ...more] = await openTasks()
    expect(more).toEqual([])
    expect(task).toMatchObject({ quoteId: sent.id, personId: people.customer.id, phone: '5512345678' })
    expect(task!.subject).toContain(`${sent.folio}, versión 1): «Sin el tablero.»`)
    expect(await refusalOf(says(change, people.customer, 'Otra cosa.'))).toEqual([
      'failed-precondition',
      already,
    ])
  })

  test('by nobody else', async () => {
    const { ally, analyst, customer2, gester, manager, technician, technician2 } = people
    for (const by of [analyst, manager, technician])
      expect((await refusalOf(says(change, by)))[0]).toBe('permission-denied')
    for (const by of [ally, customer2, gester, technician2])
      expect((await refusalOf(says(change, by)))[0]).toBe('not-found')
    expect([(await quoteOf(world, sent)).state, await openTasks()]).toEqual(['sent', []])
  })

  test('not by a form of another version', async () =>
    expect((await refusalOf(says(change, people.customer, 'No.', 7)))[0]).toBe('aborted'))

  test('is answered by the next version, which closes the task', async () => {
    await says(change, people.customer)
    const next = await storeNext(world, sent, people.manager)
    await sendQuote(world.db, people.manager.actor, next.id, next.version, new Date())
    expect(await quoteOf(world, sent)).toMatchObject({ state: 'superseded' })
    expect(await openTasks()).toEqual([])
    const [closed] = await rowsIn(world, tasks, { quoteId: sent.id })
    expect(closed).toMatchObject({ result: 'Se envió la versión 2.', takenBy: people.manager.id })
  })
})

describe('another one', () => {
  const afterwards = () => new Date(sent.validUntil!.getTime() + 60_000)
  const ask = (by: Person, now = afterwards()) => askAnew(world.db, by.actor, sent.id, now)

  test('is asked for once what was sent is over, before or after anything said so; once however often', async () => {
    expect((await refusalOf(ask(people.customer, new Date())))[1]).toBe('Esta cotización ya se envió.')
    await Promise.all([ask(people.customer), ask(people.customer)])
    await ask(people.customer, new Date(afterwards().getTime() + 60_000))
    expect(await trailOf(world, sent, 'quote')).toEqual(['send', 'expire', 'askAnew'])
    expect(await emailsAbout(world, sent)).toContain('quote_renewal_asked to maker')
    expect((await openTasks()).map(({ reason }) => reason)).toEqual(['quote_renewal'])
  })

  test('by nobody else', async () => {
    await world.db.execute(sql`update quotes set state = 'expired', ended_at = valid_until`)
    for (const by of [people.manager, people.technician])
      expect((await refusalOf(ask(by)))[0]).toBe('permission-denied')
    expect((await refusalOf(ask(people.customer2)))[0]).toBe('not-found')
  })
})
