import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Actor, Mover } from '../../src/domain/access/actor.ts'
import {
  awaitsApproval,
  type Benefit,
  benefitWords,
  type CodeFacts,
  type CodeMoveName,
  type CodeState,
  codeMachine,
  codeStateBy,
  codeStates,
  isWithin,
} from '../../src/domain/agencies/codes.ts'

const staff = (kind: string, id: string = kind, agencyId: string | null = null) =>
  ({ id, role: 'staff', kind, agencyId }) as Actor
const owner = staff('alliate', 'owner', 'agency')
const movers: Record<string, Mover> = {
  owner,
  colleague: staff('alliate', 'colleague', 'agency'),
  moved: { ...owner, agencyId: 'another' } as Actor,
  manager: staff('manager'),
  analyst: staff('analyst'),
  customer: { id: 'customer', role: 'customer', kind: null, agencyId: null } as Actor,
  system: 'system',
}
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

/** By whom, and from what to what. */
const life: Record<CodeMoveName, [by: string[], from: CodeState[], to: CodeState]> = {
  activate: [['owner', 'manager'], ['draft'], 'active'],
  ask: [['owner'], ['draft'], 'draft'],
  approve: [['manager'], ['draft'], 'active'],
  refuse: [['manager'], ['draft'], 'revoked'],
  pause: [['owner', 'manager'], ['active'], 'paused'],
  resume: [['owner', 'manager'], ['paused'], 'active'],
  revoke: [['owner', 'manager'], ['draft', 'active', 'paused', 'exhausted'], 'revoked'],
  exhaust: [['system'], ['active'], 'exhausted'],
  expire: [['system'], ['draft', 'active', 'paused'], 'expired'],
  giveBack: [['system'], ['exhausted'], 'active'],
}
/** The right moment of each, where there is a wrong one. */
const moment: Partial<Record<CodeMoveName, Partial<CodeFacts>>> = {
  ask: { benefit: { kind: 'free_visit' } },
  exhaust: { uses: 10 },
  expire: { endsOn: '2026-11-21' },
}
const states = Object.keys(codeStates) as CodeState[]

test.each(codeMachine.names)(
  '%s is made by whom and from where the table says, and by nobody and from nowhere else',
  (name) => {
    const [by, from, to] = life[name]
    for (const [who, mover] of Object.entries(movers))
      for (const state of states) {
        const held = { ...facts, ...moment[name], state }
        const may = by.includes(who) && from.includes(state)
        expect([who, state, codeMachine.can(name, mover, held, now)]).toEqual([who, state, may])
        if (may) expect(codeMachine.next(name, mover, held, now)).toBe(to)
        else expect(() => codeMachine.next(name, mover, held, now)).toThrow()
      }
  },
)

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
  expect(codeMachine.can('approve', movers.manager!, { ...facts, state: 'draft', benefit, limit }, now)).toBe(
    true,
  )
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
          expect(codeMachine.can(name, movers.manager!, held, now)).toBe(false)
    }),
  )
})

test.each([
  [none!, 'Sin beneficio'],
  [percent(10_00), '10 % de descuento'],
  [percent(7_50), '7.5 % de descuento'],
  [amount(1_000_00), '$1,000.00 de descuento antes de IVA'],
  [freeVisit!, 'Visita técnica gratis'],
])('%j is told as «%s»', (benefit, words) => expect(benefitWords(benefit)).toBe(words))
