import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  endingInWords,
  isOneOf,
  mailboxOf,
  type RedeemFacts,
  redemptionOf,
  unknownCode,
  whyNotOpen,
} from '../../src/domain/agencies/clients.ts'
import { optionalCode, requiredCode } from '../../src/domain/agencies/referral-schema.ts'

test.each([
  ['SALVA22', 'SALVA22'],
  [' salva-22 ', 'SALVA22'],
  ['sal va 22', 'SALVA22'],
  ['', null],
  ['   ', null],
])('%j is read as %s', (typed, code) => {
  expect(optionalCode.parse(typed)).toBe(code)
})

test.each(['SOL2026', 'CORTO', 'ALARGADISIMA22', 'SALVA!2', '😀😀😀😀😀😀'])(
  '%s can be no code, and is said to be none of ours',
  (typed) => {
    expect(optionalCode.safeParse(typed).error?.issues[0]?.message).toBe(unknownCode)
  },
)

test('where a code is asked for, nothing is no answer', () => {
  expect(requiredCode.safeParse(' ').error?.issues[0]?.message).toBe('Escribe tu código.')
})

const now = new Date('2026-05-10T18:00:00Z')
const code = { startsOn: '2026-05-01', endsOn: '2026-05-10', state: 'active', uses: 1, maxUses: 2 } as const

test.each([
  [code, null],
  [{ ...code, endsOn: null }, null],
  [{ ...code, startsOn: '2026-05-10' }, null],
  [undefined, unknownCode],
  [{ ...code, startsOn: '2026-05-11' }, unknownCode],
  [{ ...code, state: 'draft' }, unknownCode],
  [{ ...code, state: 'paused' }, unknownCode],
  [{ ...code, state: 'revoked' }, unknownCode],
  [{ ...code, endsOn: '2026-05-09' }, 'Ese código ya venció.'],
  [{ ...code, state: 'expired' }, 'Ese código ya venció.'],
  [{ ...code, state: 'exhausted' }, 'Ese código ya se agotó.'],
  [{ ...code, uses: 2 }, 'Ese código ya se agotó.'],
] as const)('of %j: %s', (one, words) => {
  expect(whyNotOpen(one, now)).toBe(words)
})

test('its last day ends at midnight in Mexico City', () => {
  expect(whyNotOpen(code, new Date('2026-05-11T05:59:59Z'))).toBeNull()
  expect(whyNotOpen(code, new Date('2026-05-11T06:00:00Z'))).toBe('Ese código ya venció.')
})

const facts: RedeemFacts = {
  code: { id: 'c', agencyId: 'a' },
  living: null,
  accepted: false,
  isOwnReferral: false,
}
const refused = { refused: expect.any(String) }

test.each([
  ['nobody', {}, 'join'],
  ['its agency, without a code', { living: { agencyId: 'a', codeId: null } }, 'add'],
  [
    'this very code',
    { living: { agencyId: 'a', codeId: 'c' }, accepted: true, isOwnReferral: true },
    'known',
  ],
  ['its agency, by another code', { living: { agencyId: 'a', codeId: 'd' } }, refused],
  ['another agency', { living: { agencyId: 'b', codeId: null } }, refused],
  ['nobody, with an accepted quote', { accepted: true }, refused],
  [
    'its agency, with an accepted quote',
    { living: { agencyId: 'a', codeId: null }, accepted: true },
    refused,
  ],
  ['nobody, being one of its allies', { isOwnReferral: true }, refused],
] as const)('a customer who is tied to %s', (_tied, changes, outcome) => {
  expect(redemptionOf({ ...facts, ...changes })).toEqual(outcome)
})

test('a customer never gets a second code, nor another agency', () => {
  const id = fc.constantFrom('a', 'b', 'c')
  const living = fc.option(fc.record({ agencyId: id, codeId: fc.option(id) }))
  fc.assert(
    fc.property(
      fc.record({
        code: fc.record({ id, agencyId: id }),
        living,
        accepted: fc.boolean(),
        isOwnReferral: fc.boolean(),
      }),
      (some) => {
        const outcome = redemptionOf(some)
        if (outcome === 'join') expect(some.living).toBeNull()
        if (outcome === 'add') expect(some.living).toEqual({ agencyId: some.code.agencyId, codeId: null })
        if (outcome === 'known') expect(some.living?.codeId).toBe(some.code.id)
        if (some.isOwnReferral || some.accepted) expect(['join', 'add']).not.toContain(outcome)
      },
    ),
  )
})

test.each([
  ['Ana.Sol+auto@Gmail.com', 'anasol@googlemail.com', true],
  ['ana+auto@agencia.mx', 'ana@agencia.mx', true],
  ['ana.sol@agencia.mx', 'anasol@agencia.mx', false],
  ['+@agencia.mx', '+otra@agencia.mx', false],
  ['ana@agencia.mx', 'ana@otra.mx', false],
])('%s and %s are one mailbox: %s', (one, other, isSame) => {
  expect(mailboxOf(one) === mailboxOf(other)).toBe(isSame)
})

test('somebody is known by e-mail or by phone, and two without a phone are not one', () => {
  const ally = { email: 'aliada@agencia.mx', phone: '5511112222' }
  expect(isOneOf({ email: 'otra@casa.mx', phone: '5511112222' }, [ally])).toBe(true)
  expect(isOneOf({ email: 'ALIADA+x@agencia.mx', phone: null }, [ally])).toBe(true)
  expect(isOneOf({ email: 'otra@casa.mx', phone: null }, [{ ...ally, phone: null }])).toBe(false)
  expect(isOneOf({ email: 'otra@casa.mx', phone: null }, [])).toBe(false)
})

test('an ending says why, in our words or in those of the manager', () => {
  expect(endingInWords('self_referral')).toContain('aliado')
  expect(endingInWords('Se equivocó de agencia')).toBe('Se equivocó de agencia')
})
