import type { Actor } from '../../src/access/rules/actor.ts'
import { type QuoteFacts, quoteMachine } from '../../src/quotes/rules/quote.ts'
import { noReminderReason, remindersUntil, timeLeftWords } from '../../src/quotes/rules/reminder.ts'
import { timeLeft } from '../../src/quotes/screens/quote-status.tsx'
import { noMailbox } from '../../src/shared/mailbox.ts'

const at = (text: string) => new Date(`${text}-06:00`)
const now = at('2031-03-01T10:00')
const reachable = { email: 'ana@example.com', active: true, sentAt: at('2031-02-20T10:00'), remindedAt: null }

test.each([
  ['never reminded before', {}, null],
  ['reminded yesterday before midnight', { remindedAt: at('2031-02-28T23:50') }, null],
  ['reminded today', { remindedAt: at('2031-03-01T00:01') }, 'Hoy ya recibió un recordatorio'],
  ['who was sent the quote today', { sentAt: at('2031-03-01T08:00') }, 'Se envió hoy.'],
  ['without a mailbox', { email: noMailbox('x') }, 'No tiene correo'],
  ['who is inactive', { active: false }, 'Su cuenta está desactivada.'],
])('why a customer %s is not reminded', (_, change, why) =>
  expect(noReminderReason({ ...reachable, ...change }, now)).toEqual(why && expect.stringContaining(why)),
)

test.each([
  ['2031-03-01T23:59:59', 'Hoy vence tu cotización'],
  ['2031-03-02T23:59:59', 'Mañana vence tu cotización'],
  ['2031-03-11T23:59:59', 'Te quedan 10 días para aceptar tu cotización'],
])('the subject of a reminder for %s', (until, words) => {
  expect(timeLeftWords(at(until), now)).toBe(words)
})

test.each([
  ['2031-03-10T23:59:59', []],
  ['2031-03-03T23:59:59', ['quote_reminder_3d']],
  ['2031-03-02T23:59:59', ['quote_reminder_3d', 'quote_reminder_1d']],
])('a reminder of a quote valid until %s replaces %j', (until, kinds) => {
  expect(remindersUntil(at(until), now)).toEqual(kinds)
})

test('a quote that expired by the clock is not reminded of', () => {
  const facts = { state: 'sent', validUntil: at('2031-02-28T23:59:59') } as QuoteFacts
  const analyst = { id: 'a', kind: 'analyst' } as Actor
  expect(quoteMachine.blockedReason('remind', analyst, facts, now)).toBe('Esta cotización ya venció.')
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [3 * day + 4 * hour, 'Te quedan 3 días y 4 horas'],
  [day, 'Te queda 1 día'],
  [23 * hour + 59 * minute, 'Te quedan 23 horas y 59 minutos'],
  [hour + minute, 'Te queda 1 hora y 1 minuto'],
  [minute, 'Te queda 1 minuto'],
  [1, 'Te queda menos de un minuto'],
  [0, 'Ya venció'],
])('words %i milliseconds as "%s"', (left, words) =>
  expect(timeLeft(new Date(now.getTime() + left), now)).toBe(words),
)
