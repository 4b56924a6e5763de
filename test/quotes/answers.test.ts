import { isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { askAnew, askChanges, rejectQuote } from '../../src/server/quotes/answers.ts'
import { expectRow, expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
import { quoteOf, sendDraft, sendOne, sent, storeNext } from '../kit/quotes.ts'
import { emailsAbout, expectRefusal } from '../kit/reading.ts'

openEach(sendOne)
sendJobs()

const openTasks = () => world.db.select().from(tasks).where(isNull(tasks.doneAt))

test.each([
  [
    'rejects a quote',
    rejectQuote,
    'reject',
    'rejected',
    'quote_rejected',
    'Esta cotización ya fue rechazada.',
  ],
  [
    'requests changes to a quote',
    askChanges,
    'askChanges',
    'changes_requested',
    'quote_changes_requested',
    'Ya se pidieron cambios a esta cotización.',
  ],
] as const)(
  'a customer %s once: its author is emailed, and the next version closes the task',
  async (...row) => {
    const [, change, name, state, email, already] = row
    const answer = (reason = 'Sin el tablero.', { version } = sent) =>
      change(world.db, people.customer.actor, sent.id, { version, reason }, new Date())
    await expectRefusal(answer('No.', { ...sent, version: 7 }), 'aborted')
    await Promise.all([answer(), answer()])
    expect(await quoteOf(world, sent)).toMatchObject({ state, reason: 'Sin el tablero.' })
    await expectTrail(sent, ['send', name], 'quote')
    expect(await emailsAbout(world, sent)).toContain(`${email} to maker`)
    expect(await openTasks()).toEqual([
      expect.objectContaining({
        quoteId: sent.id,
        personId: people.customer.id,
        phone: '5512345678',
        subject: expect.stringContaining(`${sent.folio}, versión 1): «Sin el tablero.»`),
      }),
    ])
    await expectRefusal(answer('Otra cosa.'), 'failed-precondition', already)
    await sendDraft(world, people.manager, await storeNext(world, sent, people.manager))
    expect((await quoteOf(world, sent)).state).toBe('superseded')
    expect(await openTasks()).toEqual([])
    const closed = { result: 'Se envió la versión 2.', takenBy: people.manager.id }
    await expectRow(tasks, { quoteId: sent.id }, closed)
  },
)

test('a customer requests another quote once the sent one is over, which makes one task and one email', async () => {
  const afterwards = sent.validUntil!.getTime() + 60_000
  const ask = (now: Date) => askAnew(world.db, people.customer.actor, sent.id, now)
  await expectRefusal(ask(new Date()), 'failed-precondition', 'Esta cotización ya se envió.')
  await Promise.all([ask(new Date(afterwards)), ask(new Date(afterwards))])
  await ask(new Date(afterwards + 60_000))
  await expectTrail(sent, ['send', 'expire', 'askAnew'], 'quote')
  expect(await emailsAbout(world, sent)).toContain('quote_renewal_asked to maker')
  expect((await openTasks()).map(({ reason }) => reason)).toEqual(['quote_renewal'])
})
