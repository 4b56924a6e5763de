import { expect, test } from 'vitest'
import { closingInput, closingReasonCodes, closingWords } from '../../src/domain/reasons.ts'

test('a note is asked where the reason is another one', () => {
  for (const reason of closingReasonCodes)
    expect(closingInput.safeParse({ reason, note: '' }).success).toBe(reason !== 'otro')
  const tooShort = closingInput.safeParse({ reason: 'otro', note: ' poco    ' })
  expect(tooShort.error?.issues).toMatchObject([
    { path: ['note'], message: 'Cuenta por qué, con al menos 10 caracteres.' },
  ])
  expect(closingInput.safeParse({ reason: 'otro', note: 'Se fue la luz' }).success).toBe(true)
  expect(closingInput.safeParse({ reason: 'porque sí' }).error?.issues[0]?.message).toBe('Elige un motivo.')
})

test('a reason reads as words, with its note', () => {
  expect(closingWords({ reason: 'clima', note: null })).toBe('Clima')
  expect(closingWords({ reason: 'otro', note: 'Se fue la luz' })).toBe('Otro motivo: Se fue la luz')
})
