import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Actor } from '../../src/domain/access/actor.ts'
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
} from '../../src/domain/agencies/codes.ts'

const staff = (kind: string, id: string = kind, agencyId: string | null = null) =>
  ({ id, role: 'staff', kind, agencyId }) as Actor
const owner = staff('alliate', 'owner', 'agency')
const manager = staff('manager')
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
const [none, freeVisit]: Benefit[] = [{ kind: 'none' }, { kind: 'free_visit' }]

test.each([
  [none!, none!, true],
  [none!, percent(5_00), true],
  [percent(5_00), percent(5_00), true],
  [percent(5_01), percent(5_00), false],
  [percent(1), none!, false],
  [percent(1), amount(1_000_00), false],
  [amount(1_000_00), amount(1_000_00), true],
  [amount(1_000_01), amount(1_000_00), false],
  [freeVisit!, freeVisit!, true],
  [freeVisit!, percent(30_00), false],
])('%j where %j is allowed: %s', (benefit, limit, within) => {
  expect(isWithin(benefit, limit)).toBe(within)
  expect(awaitsApproval({ state: 'draft', benefit, limit })).toBe(!within)
  expect(codeMachine.can('activate', owner, { ...facts, state: 'draft', benefit, limit }, now)).toBe(within)
  expect(codeMachine.can('ask', owner, { ...facts, state: 'draft', benefit, limit }, now)).toBe(!within)
  expect(codeMachine.can('approve', manager, { ...facts, state: 'draft', benefit, limit }, now)).toBe(true)
})

test('its last day counts whole, in Mexico City', () => {
  const until = (endsOn: string, at: string) => codeStateBy({ state: 'active', endsOn }, new Date(at))
  expect(until('2026-11-22', '2026-11-23T05:59:59Z')).toBe('active')
  expect(until('2026-11-22', '2026-11-23T06:00:00Z')).toBe('expired')
})

test('what is over by the clock counts as expired wherever the round would write so, and only there', () => {
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
  [none!, 'Sin beneficio'],
  [percent(10_00), '10\u00a0% de descuento'],
  [percent(7_50), '7.5\u00a0% de descuento'],
  [amount(1_000_00), '$1,000.00 de descuento antes de IVA'],
  [freeVisit!, 'Visita técnica gratis'],
])('%j is told as «%s»', (benefit, words) => expect(benefitWords(benefit)).toBe(words))
