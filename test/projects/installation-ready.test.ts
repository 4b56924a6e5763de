import {
  type MoneyFacts,
  noMoney,
  notReadyWords,
  type ReadyFacts,
  readyParts,
} from '../../src/projects/rules/next-step.ts'
import { noProject, type ProjectFacts, projectStatusOf } from '../../src/projects/rules/project.ts'
import type { OpenCharge } from '../../src/projects/rules/stages.ts'
import type { QuoteState } from '../../src/quotes/rules/quote.ts'

const nothing: ReadyFacts = {
  quoteAccepted: false,
  depositPaid: false,
  permitNeeded: false,
  permitReceived: false,
  permitValid: false,
  permitReturned: null,
  conditions: [],
}

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
  const permitted = { quoteAccepted: true, depositPaid: true, permitNeeded: true }
  expect(turns({ ...permitted, permitReceived: true }, true)[2]).toEqual(['permit', false, 'analyst'])
  const [, , returned] = readyParts({ ...nothing, ...permitted, permitReturned: 'Falta el sello.' }, true)
  expect(returned!.line).toBe('Sube otro permiso de tu condominio: Falta el sello.')
})

test('words all that is missing and whose turn it is', () =>
  expect(notReadyWords(readyParts(nothing, true))).toBe(
    'Para agendar tu instalación falta: aceptar tu cotización (la preparamos nosotros); pagar tu anticipo.',
  ))

test('links each missing part to where its customer does it', () => {
  const parts = (money: Partial<MoneyFacts>, quoteAccepted = false) =>
    readyParts({ ...nothing, quoteAccepted }, true, { ...noMoney, ...money })
  for (const state of ['viewed', 'expired'] as const)
    expect(parts(quoteIn(state))[0]).toMatchObject({ waitingOn: 'customer', next: { to: '/quote' } })
  expect(parts(quoteIn('changes_requested'))[0]).toMatchObject({ waitingOn: 'analyst', next: null })
  expect(parts({}, true)[1]).toMatchObject({ waitingOn: 'customer', next: { to: '/payments' } })
  const reviewed = parts(owing(['deposit', 'in_review', 14]), true)
  expect(reviewed[1]).toMatchObject({ waitingOn: 'analyst', next: null })
})

const day = (n: number) => new Date(Date.UTC(2026, 10, n, 18))
const visit = {
  service: 'technical_visit' as const,
  state: 'done' as const,
  outcome: 'completed' as const,
  since: day(2),
  report: { state: 'approved' as const, since: day(3), notViable: null },
}
const installation = (state: 'assigned' | 'in_progress' | 'done') => ({
  service: 'installation' as const,
  state,
  outcome: null,
  since: day(20),
})
const quoteIn = (state: QuoteState, askedAnew = false): Partial<MoneyFacts> => ({
  quote: { state, since: day(10), validUntil: day(25), askedAnew },
})
const owing = (...demands: [OpenCharge['concept'], OpenCharge['state'], number][]): Partial<MoneyFacts> => ({
  demands: demands.map(([concept, state, n]) => ({
    concept,
    state,
    since: day(n),
    amount: 200_00,
    dueAt: null,
  })),
})
const standing = (money: Partial<MoneyFacts>, changes: Partial<ProjectFacts> = {}) =>
  projectStatusOf({
    ...noProject,
    area: 'served',
    appointments: [visit],
    ...changes,
    money: { ...noMoney, ...money },
  })
const accepted = { quoteAcceptedAt: day(12) }
const paid = { ...accepted, depositPaidAt: day(13) }

const closing = (state: 'in_progress' | 'done') => ({ ...paid, appointments: [visit, installation(state)] })
const agreed = quoteIn('accepted')

type Case = [
  what: string,
  money: Partial<MoneyFacts>,
  changes: Partial<ProjectFacts>,
  turn: string,
  since: number,
  words: string,
  to?: string,
]
test.each<Case>([
  ['no quote yet', {}, {}, 'quoting analyst', 3, 'preparando tu cotización'],
  [
    'a sent quote',
    quoteIn('sent'),
    {},
    'quoting customer',
    10,
    'Vence el miércoles 25 de noviembre',
    '/quote',
  ],
  ['a viewed quote', quoteIn('viewed'), {}, 'quoting customer', 10, 'Tu cotización está lista', '/quote'],
  ['changes', quoteIn('changes_requested'), {}, 'quoting analyst', 10, 'los cambios que pediste'],
  ['a rejected quote', quoteIn('rejected'), {}, 'quoting analyst', 10, 'Te vamos a llamar'],
  ['a withdrawn quote', quoteIn('withdrawn'), {}, 'quoting analyst', 10, 'preparando otra'],
  ['an expired quote', quoteIn('expired'), {}, 'quoting customer', 10, 'Tu cotización venció', '/quote'],
  ['a renewal', quoteIn('expired', true), {}, 'quoting analyst', 10, 'preparando otra'],
  ['a lapsed quote', quoteIn('lapsed'), {}, 'quoting customer', 10, 'No recibimos tu anticipo', '/quote'],
  ['a cancelled quote', quoteIn('cancelled'), {}, 'quoting customer', 10, 'Si cambias de idea', '/quote'],
  ['a deposit', agreed, accepted, 'deposit customer', 12, 'paga tu anticipo', '/payments'],
  [
    'a deposit in review',
    { ...agreed, ...owing(['deposit', 'in_review', 14]) },
    accepted,
    'deposit analyst',
    14,
    'revisando tu comprobante',
  ],
  ['a paid deposit', agreed, paid, 'installing customer', 13, 'agenda tu', '/agenda-installation'],
  ['a newer quote', quoteIn('sent'), paid, 'installing customer', 10, 'Tu cotización está lista', '/quote'],
  [
    'extra work',
    { ...agreed, extraWorkSince: day(21) },
    closing('in_progress'),
    'installing customer',
    21,
    'trabajo adicional',
    '/quote',
  ],
  [
    'extra work to pay',
    { ...agreed, ...owing(['extra_work', 'pending', 21]) },
    closing('in_progress'),
    'installing technician',
    20,
    'está instalando',
  ],
  [
    'a balance',
    { ...agreed, ...owing(['balance', 'pending', 22]) },
    closing('done'),
    'installing customer',
    22,
    'paga tu finiquito',
    '/payments',
  ],
  [
    'a balance in review',
    { ...agreed, ...owing(['balance', 'in_review', 22]) },
    closing('done'),
    'installing analyst',
    22,
    'revisando tu pago',
  ],
  ['all paid', agreed, closing('done'), 'closed none', 20, 'Tu cargador está listo', '/installation'],
])('a project with %s', (_, money, changes, turn, since, words, to) => {
  const status = standing(money, changes)
  expect([`${status.stage} ${status.waitingOn}`, status.since]).toEqual([turn, day(since)])
  expect(status.line).toContain(words)
  expect(status.next?.to).toBe(to)
})

test.each([
  ['pending', { isRest: true }, 'Te faltan $200.00 de tu anticipo.'],
  [
    'pending',
    { refused: 'Es de otra cuenta.' },
    'No pudimos aceptar tu comprobante: “Es de otra cuenta”. Sube otro.',
  ],
  ['in_review', { isRest: true, refused: null }, 'Estamos revisando tu comprobante.'],
] as const)('a deposit that is %s shows what is missing, and why: %o', (state, more, line) => {
  const [demand] = owing(['deposit', state, 12]).demands!
  expect(standing({ ...agreed, demands: [{ ...demand!, ...more }] }, accepted).line).toBe(line)
})
