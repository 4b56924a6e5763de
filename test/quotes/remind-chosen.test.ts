import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { noMailbox } from '../../src/domain/shared/format.ts'
import { quotes } from '../../src/server/platform/database/schema/payments.ts'
import { remindOfQuotes } from '../../src/server/quotes/jobs.ts'
import { remindOfChosen } from '../../src/server/quotes/remind.ts'
import { sendQuote } from '../../src/server/quotes/send.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { content, storeDraft, visited } from '../kit/quotes.ts'
import { emailsAbout, expectWords, readable, rowIn, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()

const list = '/admin/cotizations'
const before = new Date(Date.now() - 3 * 24 * 3_600_000)

/** A quote that was sent some days ago, three where it is not said, to a customer of its own. */
async function waiting(at = before, offered = content()) {
  const { analyst: maker, technician } = people
  const customer = await world.person()
  const visit = await visited(world, customer, technician)
  const draft = await storeDraft(world, visit, maker, { content: offered })
  return { ...(await sendQuote(world.db, maker.actor, draft.id, draft.version, at)), customer }
}
type Waiting = Awaited<ReturnType<typeof waiting>>

const change = ({ id }: Pick<Waiting, 'id'>, set: string) =>
  world.db.execute(sql.raw(`update quotes set ${set} where id = '${id}'`))
const reminders = async (quote: Waiting) =>
  (await emailsAbout(world, quote)).filter((letter) => letter.includes('reminder'))

const remind = (ids: string[], as = people.analyst, at = list) =>
  world.post(at, { intent: 'remind-quotes', ...Object.fromEntries(ids.map((id) => [`row.${id}`, '1'])) }, as)

test('those ticked are reminded, each once a day, and each that is not says why', async () => {
  const [one, two, answered, today, mailless] = [
    await waiting(),
    await waiting(),
    await waiting(),
    await waiting(new Date()),
    await waiting(),
  ]
  await change(two, `state = 'viewed'`)
  await change(answered, `state = 'changes_requested'`)
  await world.db.execute(sql`update users set email = ${noMailbox('x')} where id = ${mailless.customer.id}`)
  const answer = await remind([one, two, answered, today, mailless].map(({ id }) => id))
  expect(answer.status).toBe(200)
  const words = readable(answer)
  expectWords(
    words,
    '2 recordatorios enviados. Estas no:',
    `${answered.folio} : Ya se pidieron cambios`,
    `${today.folio} : Se envió hoy.`,
    `${mailless.folio} : No tiene correo: llámale.`,
  )
  // What was left stays ticked; of the others the box is as new.
  expect(answer.text).toMatch(new RegExp(`<input[^>]*name="row.${today.id}"[^>]* checked`))
  expect(answer.text).not.toMatch(new RegExp(`<input[^>]*name="row.${one.id}"[^>]* checked`))
  for (const quote of [one, two]) expect(await reminders(quote)).toEqual(['quote_reminder to customer'])
  for (const quote of [answered, today, mailless]) expect(await reminders(quote)).toEqual([])
  const again = readable(await remind([one.id], people.manager))
  expectWords(again, 'Ninguno se envió. Esta no:', `${one.folio} : Hoy ya recibió un recordatorio.`)
  expect(await reminders(one)).toHaveLength(1)
})

test('all ticked can be reminded, the list stays as it was, and an open form of the customer stays good', async () => {
  const quote = await waiting()
  const { location, status } = await remind([quote.id], people.manager, `${list}?order=worth`)
  expect([status, location]).toEqual([303, `${list}?order=worth`])
  expect(await trailOf(world, quote, 'quote')).toEqual(['send', 'remind'])
  expect(await rowIn(world, quotes, { id: quote.id })).toMatchObject({
    state: 'sent',
    version: quote.version,
  })
  expectWords(
    readable(await world.visit(`${list}/detail-quote/${quote.id}?parte=historial`, people.manager)),
    'Se le recordó al cliente',
  )
})

test('two of the office at once remind once', async () => {
  const { id } = await waiting()
  const answers = await Promise.all([remind([id]), remind([id], people.manager)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303])
})

test('the system’s reminder of a day counts, and the office’s takes its place', async () => {
  const at = (text: string) => new Date(`${text}-06:00`)
  const offered = content({ validUntil: '2031-03-04' })
  const [ours, theirs] = [await waiting(before, offered), await waiting(before, offered)]
  const [morning, evening] = [at('2031-03-01T09:00'), at('2031-03-01T20:31')]
  const press = (quote: Waiting, now: Date) => remindOfChosen(world.db, people.analyst.actor, [quote.id], now)
  expect(await press(ours, morning)).toEqual({ done: 1, left: [] })
  expect(await remindOfQuotes(world.db, evening)).toBe(1)
  expect(await reminders(ours)).toEqual(['quote_reminder to customer'])
  expect(await reminders(theirs)).toEqual(['quote_reminder_3d to customer'])
  const { done, left } = await press(theirs, at('2031-03-01T21:00'))
  expect([done, left[0]?.why]).toEqual([0, 'Hoy ya recibió un recordatorio. Mañana puedes enviarle otro.'])
  expect(await press(theirs, at('2031-03-02T09:00'))).toEqual({ done: 1, left: [] })
  // The last one of the system is of another day.
  expect(await remindOfQuotes(world.db, at('2031-03-03T20:31'))).toBe(2)
})

test('one past its last day is not reminded of, though it is not stored as expired', async () => {
  const quote = await waiting(before, content({ validUntil: '2031-03-04' }))
  const { left } = await remindOfChosen(
    world.db,
    people.analyst.actor,
    [quote.id],
    new Date('2031-03-05T12:00:00-06:00'),
  )
  expect(left).toMatchObject([{ folio: quote.folio, why: 'Esta cotización ya venció.' }])
  expect(await reminders(quote)).toEqual([])
})

test('nothing ticked, or what is no quote, is refused; others than the office have no such press', async () => {
  const quote = await waiting()
  expectWords(readable(await remind([])), 'Marca al menos una cotización.')
  expect((await remind(['x'])).status).toBe(400)
  expect((await remind([people.customer.id])).status).toBe(404)
  const pressed = async (who: typeof people.analyst) =>
    (await world.visit(list, who)).text.includes('value="remind-quotes"')
  expect([await pressed(people.analyst), await pressed(people.manager)]).toEqual([true, true])
  for (const who of [people.technician, people.gester, people.ally]) {
    expect((await remind([quote.id], who)).status).toBe(403)
    expect(await pressed(who)).toBe(false)
  }
  expect(await reminders(quote)).toEqual([])
})
