import { expect, test } from 'vitest'
import { type MoneyFacts, noMoney, type OpenCharge } from '../../src/domain/projects/next-step.ts'
import { noProject, type ProjectFacts, projectStatusOf } from '../../src/domain/projects/project.ts'
import type { QuoteState } from '../../src/domain/quotes/quote.ts'

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
  demands: demands.map(([concept, state, n]) => ({ concept, state, since: day(n) })),
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

test.each<
  [string, Partial<MoneyFacts>, Partial<ProjectFacts>, string, string, string, string | null, number]
>([
  ['no quote yet', {}, {}, 'quoting', 'analyst', 'preparando tu cotización', null, 3],
  [
    'sent',
    quoteIn('sent'),
    {},
    'quoting',
    'customer',
    'Vence el miércoles 25 de noviembre de 2026.',
    '/quote',
    10,
  ],
  ['seen', quoteIn('viewed'), {}, 'quoting', 'customer', 'Tu cotización está lista', '/quote', 10],
  ['changes', quoteIn('changes_requested'), {}, 'quoting', 'analyst', 'los cambios que pediste', null, 10],
  ['rejected', quoteIn('rejected'), {}, 'quoting', 'analyst', 'Te vamos a llamar', null, 10],
  ['withdrawn', quoteIn('withdrawn'), {}, 'quoting', 'analyst', 'preparando otra', null, 10],
  ['expired', quoteIn('expired'), {}, 'quoting', 'customer', 'Tu cotización venció', '/quote', 10],
  ['asked anew', quoteIn('expired', true), {}, 'quoting', 'analyst', 'preparando otra', null, 10],
  ['lapsed', quoteIn('lapsed'), {}, 'quoting', 'customer', 'No recibimos tu anticipo', '/quote', 10],
  ['cancelled', quoteIn('cancelled'), {}, 'quoting', 'customer', 'Si cambias de idea', '/quote', 10],
  ['to be paid', quoteIn('accepted'), accepted, 'deposit', 'customer', 'paga tu anticipo', '/payments', 12],
  [
    ...(['in review', { ...quoteIn('accepted'), ...owing(['deposit', 'in_review', 14]) }, accepted] as const),
    ...(['deposit', 'analyst', 'revisando tu comprobante', null, 14] as const),
  ],
  ['ready', quoteIn('accepted'), paid, 'installing', 'customer', 'agenda tu', '/agenda-installation', 13],
  ['a newer one', quoteIn('sent'), paid, 'installing', 'customer', 'Tu cotización está lista', '/quote', 10],
  [
    ...(['extra work', { ...quoteIn('accepted'), extraWorkSince: day(21) }] as const),
    { ...paid, appointments: [visit, installation('in_progress')] },
    ...(['installing', 'customer', 'trabajo adicional', '/quote', 21] as const),
  ],
  [
    ...(['being installed', { ...quoteIn('accepted'), ...owing(['extra_work', 'pending', 21]) }] as const),
    { ...paid, appointments: [visit, installation('in_progress')] },
    ...(['installing', 'technician', 'está instalando', null, 20] as const),
  ],
  [
    ...(['owed', { ...quoteIn('accepted'), ...owing(['balance', 'pending', 22]) }] as const),
    { ...paid, appointments: [visit, installation('done')] },
    ...(['installing', 'customer', 'paga tu finiquito', '/payments', 22] as const),
  ],
  [
    ...(['being looked at', { ...quoteIn('accepted'), ...owing(['balance', 'in_review', 22]) }] as const),
    { ...paid, appointments: [visit, installation('done')] },
    ...(['installing', 'analyst', 'revisando tu pago', null, 22] as const),
  ],
  [
    ...(['all paid', quoteIn('accepted'), { ...paid, appointments: [visit, installation('done')] }] as const),
    ...(['closed', 'none', 'Tu cargador está listo', '/installation', 20] as const),
  ],
])('%s', (_what, money, changes, stage, waitingOn, words, to, since) => {
  const { line, next, ...rest } = standing(money, changes)
  expect(rest).toEqual({ stage, waitingOn, since: day(since) })
  expect(line).toContain(words)
  expect(next?.to ?? null).toBe(to)
})

test.each([
  ['pending', { rest: 200_00 }, 'Te faltan $200.00 de tu anticipo.'],
  [
    'pending',
    { refused: 'Es de otra cuenta.' },
    'No pudimos aceptar tu comprobante: “Es de otra cuenta”. Sube otro.',
  ],
  ['in_review', { rest: 200_00, refused: null }, 'Estamos revisando tu comprobante.'],
] as const)('a deposit that is %s says what is missing, and why: %o', (state, more, line) => {
  const demands = [{ concept: 'deposit', state, since: day(12), ...more }] as const
  expect(standing({ ...quoteIn('accepted'), demands }, accepted).line).toBe(line)
})
