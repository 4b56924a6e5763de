import { expect, test } from 'vitest'
import {
  type MoneyFacts,
  missingForInstallation,
  noMoney,
  notReadyWords,
  readyParts,
} from '../../src/domain/projects/next-step.ts'
import type { QuoteState } from '../../src/domain/quotes/quote.ts'

test.each([
  [false, false, false, false, ['quote', 'deposit']],
  [true, false, false, false, ['deposit']],
  [true, true, true, false, ['permit']],
  [true, true, true, true, []],
  [false, false, true, false, ['quote', 'deposit', 'permit']],
])(
  'finds missing with accepted %s, paid %s, permit needed %s and received %s: %j',
  (quoteAccepted, depositPaid, permitNeeded, permitReceived, missing) =>
    expect(missingForInstallation({ quoteAccepted, depositPaid, permitNeeded, permitReceived })).toEqual(
      missing,
    ),
)

const nothing = { quoteAccepted: false, depositPaid: false, permitNeeded: false, permitReceived: false }

test('shows whose turn each missing part is, and a permit only where needed', () => {
  const turns = (changes: Partial<typeof nothing>, visited: boolean) =>
    readyParts({ ...nothing, ...changes }, visited).map(({ part, done, waitingOn }) => [
      part,
      done,
      waitingOn,
    ])
  expect(turns({}, false)).toEqual([
    ['quote', false, 'none'],
    ['deposit', false, 'none'],
  ])
  expect(turns({}, true)[0]).toEqual(['quote', false, 'analyst'])
  expect(turns({ quoteAccepted: true, permitNeeded: true }, true)).toEqual([
    ['quote', true, 'none'],
    ['deposit', false, 'customer'],
    ['permit', false, 'customer'],
  ])
})

test('words all that is missing and whose turn it is', () =>
  expect(notReadyWords(readyParts(nothing, true))).toBe(
    'Para agendar tu instalación falta: aceptar tu cotización (la preparamos nosotros); pagar tu anticipo.',
  ))

test('links each missing part to where its customer does it', () => {
  const sent = (state: QuoteState): MoneyFacts => ({
    ...noMoney,
    quote: { state, since: new Date(0), validUntil: new Date(1), askedAnew: false },
  })
  const [waiting] = readyParts(nothing, true, sent('viewed'))
  expect(waiting).toMatchObject({ waitingOn: 'customer', next: { to: '/quote' } })
  const [expired] = readyParts(nothing, true, sent('expired'))
  expect(expired).toMatchObject({ waitingOn: 'customer', next: { to: '/quote' } })
  const changing = readyParts(nothing, true, sent('changes_requested'))
  expect(changing[0]).toMatchObject({ waitingOn: 'analyst', next: null })
  const accepted = { ...nothing, quoteAccepted: true }
  expect(readyParts(accepted, true)[1]).toMatchObject({ waitingOn: 'customer', next: { to: '/payments' } })
  const demands = [{ concept: 'deposit', state: 'in_review', since: new Date(0) }] as const
  const reviewed = readyParts(accepted, true, { ...noMoney, demands })
  expect(reviewed[1]).toMatchObject({ waitingOn: 'analyst', next: null })
})
