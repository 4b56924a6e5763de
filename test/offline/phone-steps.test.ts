import { expect, test } from 'vitest'
import { asOnPhone, lateIn, stepsIn } from '../../src/web/appointments/day/phone-steps.ts'
import { refused, step } from './rows.ts'

const sent = { state: 'sent' } as const

test.each([
  ['nothing', [], 'assigned', undefined],
  ['a step that waits', [step('start', 1)], 'in_progress', true],
  ['a step that the server has, and the page does not', [step('start', 1, sent)], 'in_progress', false],
  ['a report handed in', [step('start', 1, sent), step('submit', 2)], 'done', true],
  ['a report alone', [step('submit', 1)], 'done', true],
  ['a report that was refused', [step('start', 1), step('submit', 2, refused)], 'in_progress', true],
  [
    'a step after running late was refused',
    [step('runLate', 1, refused), step('start', 2)],
    'in_progress',
    true,
  ],
  ['running late alone', [step('runLate', 1)], 'assigned', undefined],
  ['a step that was refused', [step('start', 1, refused), step('pause', 2)], 'assigned', undefined],
] as const)('a list shows %s as the phone has it', (_, moves, state, isUnsent) => {
  const rows = [
    { id: 'a', state: 'assigned' as const },
    { id: 'b', state: 'assigned' as const },
  ]
  const [own, other] = asOnPhone(rows, stepsIn(moves))
  expect(own).toEqual({ id: 'a', state, ...(isUnsent !== undefined && { isUnsent }) })
  expect(other).toBe(rows[1])
})

const late = (minutes: string, nth: number, more: Parameters<typeof step>[2] = {}) =>
  step('runLate', nth, { form: { minutes }, ...more })

test.each([
  ['nothing', [step('setOut', 1)], undefined],
  ['a notice that waits', [late('15', 1)], { minutes: 15, isWaiting: true }],
  ['the last of several', [late('60', 2), late('15', 1, sent)], { minutes: 60, isWaiting: true }],
  [
    'one that the server has, and the page does not',
    [late('30', 1, sent)],
    { minutes: 30, isWaiting: false },
  ],
  ['one taken back before it was sent', [late('15', 1), late('0', 2)], { minutes: 0, isWaiting: true }],
  ['not one that was refused', [late('15', 1), late('30', 2, refused)], { minutes: 15, isWaiting: true }],
  ['not one of another stop', [late('15', 1, { appointmentId: 'b' })], undefined],
] as const)('how late one is shows %s', (_, moves, told) => {
  expect(lateIn(moves, 'a')).toEqual(told)
})
