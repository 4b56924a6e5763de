import { sql } from 'drizzle-orm'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { quotes } from '../../src/platform/database/schema/payments.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { remindOfQuotes } from '../../src/quotes/jobs.ts'
import { remindOfChosen } from '../../src/quotes/remind.ts'
import { sendQuote } from '../../src/quotes/send.ts'
import { noMailbox } from '../../src/shared/mailbox.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  ago,
  ally,
  analyst,
  customer,
  db,
  expectRow,
  expectScreen,
  expectTrail,
  fixture,
  gester,
  inParallel,
  manager,
  markupOf,
  openEach,
  runSql,
  sendJobs,
  sentAbout,
  setRow,
  technician,
} from '../kit/open.ts'
import { content, storeDraft, visited } from '../kit/quotes.ts'
import { boxIn, expectAnswered, expectShown, expectWords, statusesOf } from '../kit/reading.ts'

openEach()
sendJobs()

const list = '/admin/cotizations?view=todas'
const before = ago(3 * 24 * 3_600_000)

/** A quote that was sent some days ago, three by default, to a customer of its own. */
async function waiting(at = before, offered = content()) {
  const visit = await visited(await fixture.person(), technician)
  const { id, version } = await storeDraft(fixture, visit, analyst, { content: offered })
  return sendQuote(db, analyst.actor, id, version, at)
}
const reminders = async ({ id }: { id: string }) => sentAbout(id, 'quote_reminder')
const remind = (ids: string[], as = analyst, at = list) =>
  fixture.post(
    at,
    { intent: 'remind-quotes', ...Object.fromEntries(ids.map((id) => [`row.${id}`, '1'])) },
    as,
  )

test('an analyst reminds those ticked, each once a day; the others state why not and stay ticked', async () => {
  const one = await waiting()
  const viewed = await waiting()
  const answered = await waiting()
  const today = await waiting(new Date())
  const mailless = await waiting()
  await setRow(quotes, viewed, { state: 'viewed' })
  await setRow(quotes, answered, { state: 'changes_requested' })
  await setRow(users, mailless.customerId, { email: noMailbox('x') })
  const answer = await remind([one, viewed, answered, today, mailless].map(({ id }) => id))
  expectShown(
    answer,
    200,
    '2 recordatorios enviados. Estas no:',
    `${answered.folio} : Ya se pidieron cambios`,
    `${today.folio} : Se envió hoy.`,
    `${mailless.folio} : No tiene correo: llámale.`,
  )
  expect(boxIn(answer, `row.${today.id}`)).toContain('checked=""')
  expect(boxIn(answer, `row.${one.id}`)).not.toContain('checked=""')
  for (const quote of [one, viewed]) expect(await reminders(quote)).toEqual(['quote_reminder to customer'])
  for (const quote of [answered, today, mailless]) expect(await reminders(quote)).toEqual([])
  expectShown(
    await remind([one.id], manager),
    200,
    'Ninguno se envió. Esta no:',
    `${one.folio} : Hoy ya recibió un recordatorio.`,
  )
  expect(await reminders(one)).toHaveLength(1)
})

test('all ticked are reminded, the list stays ordered, and an open form of the customer stays valid', async () => {
  const { id, version } = await waiting()
  await expectAnswered(remind([id], manager, `${list}&order=worth`), 303, `${list}&order=worth`)
  await expectTrail(id, ['send', 'remind'], 'quote')
  await expectRow(quotes, { id }, { state: 'sent', version })
  await expectScreen(
    `/admin/cotizations/detail-quote/${id}?parte=historial`,
    manager,
    'Se le recordó al cliente',
  )
})

test('two of the office at once remind once', async () => {
  const { id } = await waiting()
  expect(await statusesOf(remind([id]), remind([id], manager))).toEqual([200, 303])
})

test('refuses nothing ticked and unknown ids, and offers other roles no reminders', async () => {
  await waiting()
  expectShown(await remind([]), 400, 'Marca al menos una cotización.')
  await expectAnswered(remind(['x']), 400)
  await expectAnswered(remind([customer.id]), 404)
  for (const who of [technician, gester, ally])
    expect(await markupOf(list, who)).not.toContain('value="remind-quotes"')
  await expectScreen(list, manager, 'value="remind-quotes"')
})

const threeDays = '2031-03-01T20:31'
const oneDay = '2031-03-03T20:31'
const round = (at: string) => remindOfQuotes(db, new Date(`${at}-06:00`))
const change = (set: string) => db.execute(sql.raw(`update quotes set ${set}`))
const waitingUntil = () => waiting(before, content({ validUntil: '2031-03-04' }))

test('a customer is reminded in the evening three days and one day before the last second, once each', async () => {
  const quote = await waitingUntil()
  expect(await round('2031-03-01T20:29')).toBe(0)
  const rounds = await inParallel(4, () => round(threeDays))
  expect(rounds.toSorted()).toEqual([0, 0, 0, 1])
  expect(await round('2031-03-02T12:00')).toBe(0)
  expect(await round(oneDay)).toBe(1)
  expect(await round('2031-03-04T12:00')).toBe(0)
  expect(await reminders(quote)).toEqual(['quote_reminder_3d to customer', 'quote_reminder_1d to customer'])
})

test('nobody is reminded by night; after days without a round one email stands for both', async () => {
  const quote = await waitingUntil()
  expect(await round('2031-03-03T22:00')).toBe(0)
  expect(await round('2031-03-04T08:00')).toBe(1)
  expect(await round('2031-03-04T12:00')).toBe(0)
  expect(await reminders(quote)).toEqual(['quote_reminder_1d to customer'])
})

test('nobody is reminded of an answered quote, nor before it was sent', async () => {
  await waitingUntil()
  await change(`state = 'changes_requested'`)
  expect(await round(threeDays)).toBe(0)
  await runSql`alter table quotes disable trigger quotes_frozen`
  await change(`state = 'sent', sent_at = '2031-03-01T20:30:30-06:00'`)
  expect(await round(threeDays)).toBe(0)
  expect(await round(oneDay)).toBe(1)
})

test('a quote that is being answered is left to the next round', async () => {
  await waitingUntil()
  const other = await db.$client.connect()
  await other.query('begin')
  await other.query('select 1 from quotes for update')
  expect(await round(threeDays)).toBe(0)
  await other.query('commit')
  other.release()
  expect(await round(threeDays)).toBe(1)
})

test('the reminder states its last day and amounts, and is not sent once the quote is answered', async () => {
  const quote = await waitingUntil()
  await round(threeDays)
  const { rows } = await runSql<{
    data: EmailJob
  }>`select data from pgboss.job where name = 'letter' and data ->> 'letter' = 'quote_reminder_3d'`
  const [email] = await emailsOf(db, rows[0]!.data)
  expect(email!.subject).toBe(`Te quedan 3 días para aceptar tu cotización (${quote.folio})`)
  expectWords(
    email!.text,
    'Puedes aceptarla hasta: el martes 4 de marzo de 2031',
    'Total: De $1,160.00 a $2,320.00',
  )
  await change(`state = 'rejected'`)
  expect(await emailsOf(db, rows[0]!.data)).toEqual([])
})

test('a reminder of the system counts for its day, and one of the office replaces it', async () => {
  const ours = await waitingUntil()
  const theirs = await waitingUntil()
  const press = ({ id }: typeof ours, now: string) =>
    remindOfChosen(db, analyst.actor, [id], new Date(`${now}-06:00`))
  expect(await press(ours, '2031-03-01T09:00')).toEqual({ done: 1, left: [] })
  expect(await round(threeDays)).toBe(1)
  expect(await reminders(ours)).toEqual(['quote_reminder to customer'])
  expect(await reminders(theirs)).toEqual(['quote_reminder_3d to customer'])
  const why = 'Hoy ya recibió un recordatorio. Mañana puedes enviarle otro.'
  expect(await press(theirs, '2031-03-01T21:00')).toMatchObject({ done: 0, left: [{ why }] })
  expect(await press(theirs, '2031-03-02T09:00')).toEqual({ done: 1, left: [] })
  // The last one of the system is of another day.
  expect(await round(oneDay)).toBe(2)
})
