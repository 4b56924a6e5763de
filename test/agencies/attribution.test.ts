import {
  endingInWords,
  isOneOf,
  mailboxOf,
  type RedeemFacts,
  redemptionOf,
  unknownCode,
  whyNotOpen,
} from '../../src/agencies/rules/clients.ts'
import { optionalCode, requiredCode } from '../../src/agencies/rules/referral-schema.ts'

test.each([
  ['SALVA22', 'SALVA22'],
  [' salva-22 ', 'SALVA22'],
  ['   ', null],
])('reads the code %j as %s', (typed, code) => expect(optionalCode.parse(typed)).toBe(code))

test.each(['SALV2', 'ALARGADSMA222', 'SOL2026'])(
  'refuses %s as an unknown code: too short, too long, or with a letter that no code has',
  (typed) => expect(optionalCode.safeParse(typed).error?.issues[0]?.message).toBe(unknownCode),
)

test('requires a code where one is asked for', () =>
  expect(requiredCode.safeParse(' ').error?.issues[0]?.message).toBe('Escribe tu código.'))

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
] as const)('the code %j: %s', (one, words) => expect(whyNotOpen(one, now)).toBe(words))

test('a code expires at midnight in Mexico City after its last day', () => {
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
  ['its agency, being an ally', { living: { agencyId: 'a', codeId: null }, isOwnReferral: true }, refused],
] as const)('redeems a code for a customer tied to %s: %o', (_, changes, outcome) =>
  expect(redemptionOf({ ...facts, ...changes })).toEqual(outcome),
)

test.each([
  ['Ana.Sol+auto@Gmail.com', 'anasol@googlemail.com', true],
  ['ana+auto@agencia.mx', 'ana@agencia.mx', true],
  ['ana.sol@agencia.mx', 'anasol@agencia.mx', false],
  ['+@agencia.mx', '+otra@agencia.mx', false],
  ['ana@agencia.mx', 'ana@otra.mx', false],
])('compares the mailboxes %s and %s: %s', (one, other, isSame) =>
  expect(mailboxOf(one) === mailboxOf(other)).toBe(isSame),
)

test('recognises an ally by e-mail or phone, and never by a missing phone', () => {
  const ally = { email: 'aliada@agencia.mx', phone: '5511112222' }
  expect(isOneOf({ email: 'otra@casa.mx', phone: '5511112222' }, [ally])).toBe(true)
  expect(isOneOf({ email: 'ALIADA+x@agencia.mx', phone: null }, [ally])).toBe(true)
  expect(isOneOf({ email: 'otra@casa.mx', phone: null }, [{ ...ally, phone: null }])).toBe(false)
})

test('words the reason of an ended attribution', () => {
  expect(endingInWords('self_referral')).toContain('aliado')
  expect(endingInWords('Se equivocó de agencia')).toBe('Se equivocó de agencia')
})
