import { expect, test } from 'vitest'
import {
  type ClosingReason,
  closingReasonCodes,
  closingWords,
  reasonToCustomer,
} from '../../../src/domain/appointments/appointment.ts'
import { closingInput } from '../../../src/domain/appointments/ends-schema.ts'

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

test.each<[ClosingReason, string]>([
  ['cliente_no_disponible', 'No podías a esa hora'],
  ['cliente_se_arrepiente', 'Ya no la querías'],
  ['tecnico_no_disponible', 'Tu técnico no estaba disponible'],
  ['analista_no_disponible', 'Tu analista no estaba disponible'],
  ['permiso_condominio', 'Falta el permiso de tu condominio'],
  ['clima', 'Clima'],
])('of %s its customer reads "%s"', (code, words) => expect(reasonToCustomer(code)).toBe(words))

test('at the door nobody is told that they could not at that hour', () => {
  expect(reasonToCustomer('cliente_no_disponible', 'technical_visit')).toBe('No hubo quien nos recibiera')
  expect(reasonToCustomer('cliente_no_disponible', 'videocall')).toBe('No podías a esa hora')
  expect(reasonToCustomer('clima', 'installation')).toBe('Clima')
})

test('no reason speaks of its reader as of somebody else', () => {
  for (const code of closingReasonCodes)
    expect(reasonToCustomer(code)).not.toMatch(/cliente|^(El|La) (técnico|analista)/i)
})
