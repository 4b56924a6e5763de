import { expect, test } from 'vitest'
import type { Actor } from '../../src/domain/access/actor.ts'
import { type QuoteFacts, quoteMachine } from '../../src/domain/quotes/quote.ts'
import { noReminderReason, remindersUntil, timeLeftWords } from '../../src/domain/quotes/reminder.ts'
import { noMailbox } from '../../src/domain/shared/format.ts'

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
