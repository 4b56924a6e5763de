import { expect, test } from 'vitest'
import { noMailbox } from '../../src/domain/shared/format.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import { quotes } from '../../src/server/platform/database/schema/payments.ts'
import { remindOfQuotes } from '../../src/server/quotes/jobs.ts'
import { remindOfChosen } from '../../src/server/quotes/remind.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { expectRow, expectScreen, expectTrail, openEach, people, sendJobs, world } from '../kit/open.ts'
import { content, storeDraft, visited } from '../kit/quotes.ts'
import { emailsAbout, expectAnswered, expectShown, setIn, statusesOf } from '../kit/reading.ts'

openEach()
sendJobs()

const list = '/admin/cotizations'
const before = new Date(Date.now() - 3 * 24 * 3_600_000)

/** A quote that was sent some days ago, three by default, to a customer of its own. */
async function waiting(at = before, offered = content()) {
  const { analyst: maker, technician } = people
  const customer = await world.person()
  const visit = await visited(world, customer, technician)
  const draft = await storeDraft(world, visit, maker, { content: offered })
  return sendQuote(world.db, maker.actor, draft.id, draft.version, at)
}
const reminders = async ({ id }: { id: string }) => emailsAbout(world, id, 'quote_reminder')
const remind = (ids: string[], as = people.analyst, at = list) =>
  world.post(at, { intent: 'remind-quotes', ...Object.fromEntries(ids.map((id) => [`row.${id}`, '1'])) }, as)

test('an analyst reminds those ticked, each once a day; the others state why not and stay ticked', async () => {
  const one = await waiting()
  const viewed = await waiting()
  const answered = await waiting()
  const today = await waiting(new Date())
  const mailless = await waiting()
  await setIn(world, quotes, viewed, { state: 'viewed' })
  await setIn(world, quotes, answered, { state: 'changes_requested' })
  await setIn(world, users, mailless.customerId, { email: noMailbox('x') })
  const answer = await remind([one, viewed, answered, today, mailless].map(({ id }) => id))
  expectShown(
    answer,
    200,
    '2 recordatorios enviados. Estas no:',
    `${answered.folio} : Ya se pidieron cambios`,
    `${today.folio} : Se envió hoy.`,
    `${mailless.folio} : No tiene correo: llámale.`,
  )
  expect(answer.text).toMatch(new RegExp(`<input[^>]*name="row.${today.id}"[^>]* checked`))
  expect(answer.text).not.toMatch(new RegExp(`<input[^>]*name="row.${one.id}"[^>]* checked`))
  for (const quote of [one, viewed]) expect(await reminders(quote)).toEqual(['quote_reminder to customer'])
  for (const quote of [answered, today, mailless]) expect(await reminders(quote)).toEqual([])
  expectShown(
    await remind([one.id], people.manager),
    200,
    'Ninguno se envió. Esta no:',
    `${one.folio} : Hoy ya recibió un recordatorio.`,
  )
  expect(await reminders(one)).toHaveLength(1)
})

test('all ticked are reminded, the list stays ordered, and an open form of the customer stays valid', async () => {
  const { id, version } = await waiting()
  await expectAnswered(remind([id], people.manager, `${list}?order=worth`), 303, `${list}?order=worth`)
  await expectTrail(id, ['send', 'remind'], 'quote')
  await expectRow(quotes, { id }, { state: 'sent', version })
  await expectScreen(`${list}/detail-quote/${id}?parte=historial`, people.manager, 'Se le recordó al cliente')
})

test('two of the office at once remind once', async () => {
  const { id } = await waiting()
  expect(await statusesOf(remind([id]), remind([id], people.manager))).toEqual([200, 303])
})

test('a reminder of the system counts for its day, and one of the office replaces it', async () => {
  const at = (text: string) => new Date(`${text}-06:00`)
  const offered = content({ validUntil: '2031-03-04' })
  const ours = await waiting(before, offered)
  const theirs = await waiting(before, offered)
  const press = ({ id }: typeof ours, now: string) =>
    remindOfChosen(world.db, people.analyst.actor, [id], at(now))
  expect(await press(ours, '2031-03-01T09:00')).toEqual({ done: 1, left: [] })
  expect(await remindOfQuotes(world.db, at('2031-03-01T20:31'))).toBe(1)
  expect(await reminders(ours)).toEqual(['quote_reminder to customer'])
  expect(await reminders(theirs)).toEqual(['quote_reminder_3d to customer'])
  const why = 'Hoy ya recibió un recordatorio. Mañana puedes enviarle otro.'
  expect(await press(theirs, '2031-03-01T21:00')).toMatchObject({ done: 0, left: [{ why }] })
  expect(await press(theirs, '2031-03-02T09:00')).toEqual({ done: 1, left: [] })
  // The last one of the system is of another day.
  expect(await remindOfQuotes(world.db, at('2031-03-03T20:31'))).toBe(2)
})

test('refuses nothing ticked and unknown ids, and offers other roles no reminders', async () => {
  await waiting()
  expectShown(await remind([]), 400, 'Marca al menos una cotización.')
  await expectAnswered(remind(['x']), 400)
  await expectAnswered(remind([people.customer.id]), 404)
  for (const who of [people.technician, people.gester, people.ally])
    expect((await world.visit(list, who)).text).not.toContain('value="remind-quotes"')
  await expectScreen(list, people.manager, 'value="remind-quotes"')
})
