import fc from 'fast-check'
import type { Actor } from '../../src/access/rules/actor.ts'
import {
  awaitsApproval,
  type Benefit,
  benefitWords,
  type CodeFacts,
  type CodeState,
  codeMachine,
  codeStateBy,
  codeStates,
  isWithin,
} from '../../src/agencies/rules/codes.ts'

const owner = { id: 'owner', role: 'staff', kind: 'alliate', agencyId: 'agency' } as Actor
const manager = { id: 'manager', role: 'staff', kind: 'manager', agencyId: null } as Actor
const now = new Date('2026-11-22T18:00:00Z')
const facts: CodeFacts = {
  state: 'active',
  ownerId: 'owner',
  agencyId: 'agency',
  endsOn: null,
  uses: 0,
  maxUses: 10,
  benefit: { kind: 'none' },
  limit: { kind: 'none' },
}

const states = Object.keys(codeStates) as CodeState[]

const percent = (value: number): Benefit => ({ kind: 'percent', value })
const amount = (value: number): Benefit => ({ kind: 'amount', value })
const none: Benefit = { kind: 'none' }
const freeVisit: Benefit = { kind: 'free_visit' }

test.each([
  [none, percent(5_00), true],
  [percent(5_01), percent(5_00), false],
  [percent(1), none, false],
  [percent(1), amount(1_000_00), false],
  [amount(1_000_00), amount(1_000_00), true],
  [amount(1_000_01), amount(1_000_00), false],
  [freeVisit, freeVisit, true],
  [freeVisit, percent(30_00), false],
])('allows the benefit %j within the limit %j without approval: %s', (benefit, limit, within) => {
  expect(isWithin(benefit, limit)).toBe(within)
  const draft = { ...facts, state: 'draft' as const, benefit, limit }
  expect(awaitsApproval(draft)).toBe(!within)
  expect(codeMachine.can('activate', owner, draft, now)).toBe(within)
  expect(codeMachine.can('ask', owner, draft, now)).toBe(!within)
  expect(codeMachine.can('approve', manager, draft, now)).toBe(true)
})

test('a code stays active through its last day in Mexico City', () => {
  const until = (endsOn: string, at: string) => codeStateBy({ state: 'active', endsOn }, new Date(at))
  expect(until('2026-11-22', '2026-11-23T05:59:59Z')).toBe('active')
  expect(until('2026-11-22', '2026-11-23T06:00:00Z')).toBe('expired')
})

test('shows a code as expired exactly where the scheduled job would write so, and lets nobody activate it', () => {
  const endsOn = fc.option(fc.constantFrom('2026-11-20', '2026-11-21', '2026-11-22', '2026-12-01'))
  fc.assert(
    fc.property(fc.constantFrom(...states), endsOn, (state, day) => {
      const held = { ...facts, state, endsOn: day }
      const isWritten = codeMachine.can('expire', 'system', held, now)
      expect(codeStateBy(held, now)).toBe(isWritten ? 'expired' : state)
      if (day !== null && day < '2026-11-22')
        for (const name of ['activate', 'approve', 'resume'] as const)
          expect(codeMachine.can(name, manager, held, now)).toBe(false)
    }),
  )
})

test.each([
  [none, 'Sin beneficio'],
  [percent(10_00), '10\u00a0% de descuento'],
  [amount(1_000_00), '$1,000.00 de descuento antes de IVA'],
  [freeVisit, 'Visita técnica gratis'],
])('words the benefit %j as «%s»', (benefit, words) => expect(benefitWords(benefit)).toBe(words))
