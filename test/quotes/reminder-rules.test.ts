import { expect, test } from 'vitest'
import { quoteMachine } from '../../src/domain/quotes/quote.ts'
import { noReminderReason, remindersUntil, timeLeftWords } from '../../src/domain/quotes/reminder.ts'
import { noMailbox } from '../../src/domain/shared/format.ts'

const at = (text: string) => new Date(`${text}-06:00`)
const now = at('2031-03-01T10:00')
const told = { email: 'ana@example.com', active: true, sentAt: at('2031-02-20T10:00'), remindedAt: null }

test.each([
  ['who never was', {}, null],
  ['who was yesterday, ten minutes before midnight', { remindedAt: at('2031-02-28T23:50') }, null],
  ['who was today, after midnight', { remindedAt: at('2031-03-01T00:01') }, 'Hoy ya recibió un recordatorio'],
  ['who was sent it today', { sentAt: at('2031-03-01T08:00') }, 'Se envió hoy.'],
  ['without a mailbox', { email: noMailbox('x') }, 'No tiene correo'],
  ['whose account is off', { active: false }, 'Su cuenta está desactivada.'],
])('whether a customer is reminded %s', (_who, change, why) => {
  const reason = noReminderReason({ ...told, ...change }, now)
  if (why) expect(reason).toContain(why)
  else expect(reason).toBeNull()
})

test.each([
  ['2031-03-01T23:59:59', 'Hoy vence tu cotización'],
  ['2031-03-02T23:59:59', 'Mañana vence tu cotización'],
  ['2031-03-11T23:59:59', 'Te quedan 10 días para aceptar tu cotización'],
])('what a reminder of one valid until %s says first', (until, words) => {
  expect(timeLeftWords(at(until), now)).toBe(words)
})

test.each([
  ['2031-03-10T23:59:59', []],
  ['2031-03-04T23:59:59', ['quote_reminder_3d']],
  ['2031-03-03T23:59:59', ['quote_reminder_3d']],
  ['2031-03-02T23:59:59', ['quote_reminder_3d', 'quote_reminder_1d']],
])('one valid until %s needs no more of the system: %j', (until, kinds) => {
  expect(remindersUntil(at(until), now)).toEqual(kinds)
})

test('what has expired by the clock is not reminded of, though it is not stored so', () => {
  const facts = {
    state: 'sent' as const,
    customerId: 'customer',
    validUntil: at('2031-02-28T23:59:59'),
    discountShare: 0,
    belowList: 0,
    belowCost: false,
    approved: false,
    installationStarted: false,
    depositPaid: false,
  }
  expect(quoteMachine.blockedReason('remind', { id: 'a', kind: 'analyst' } as never, facts, now)).toBe(
    'Esta cotización ya venció.',
  )
})
