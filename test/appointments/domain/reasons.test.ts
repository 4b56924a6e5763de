import { expect, test } from 'vitest'
import {
  type ClosingReason,
  closingReasonCodes,
  closingWords,
  reasonToCustomer,
} from '../../../src/domain/appointments/appointment.ts'
import { closingInput } from '../../../src/domain/appointments/ends-schema.ts'

test('another reason requires a note of ten characters', () => {
  for (const reason of closingReasonCodes)
    expect(closingInput.safeParse({ reason, note: '' }).success).toBe(reason !== 'otro')
  const tooShort = closingInput.safeParse({ reason: 'otro', note: ' poco    ' })
  expect(tooShort.error?.issues).toMatchObject([
    { path: ['note'], message: 'Cuenta por qué, con al menos 10 caracteres.' },
  ])
  expect(closingInput.safeParse({ reason: 'otro', note: 'Se fue la luz' }).success).toBe(true)
  expect(closingInput.safeParse({ reason: 'porque sí' }).error?.issues[0]?.message).toBe('Elige un motivo.')
})

test('shows a reason with its note', () => {
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
])('shows %s to the customer as "%s"', (code, words) => expect(reasonToCustomer(code)).toBe(words))

test('shows an absence at a visit otherwise than at a call', () => {
  expect(reasonToCustomer('cliente_no_disponible', 'technical_visit')).toBe('No hubo quien nos recibiera')
  expect(reasonToCustomer('cliente_no_disponible', 'videocall')).toBe('No podías a esa hora')
  expect(reasonToCustomer('clima', 'installation')).toBe('Clima')
})

test('never calls the customer by their role', () => {
  for (const code of closingReasonCodes)
    expect(reasonToCustomer(code)).not.toMatch(/cliente|^(El|La) (técnico|analista)/i)
})
