import { expect, test } from 'vitest'
import { closingReasonCodes, fieldReasons } from '../../../src/domain/appointments/appointment.ts'
import { fieldInput } from '../../../src/domain/appointments/schema.ts'

const read = (move: 'finish' | 'callOff' | 'noShow', form: Record<string, unknown>) => {
  const { data, error } = fieldInput[move].safeParse(form)
  return data ?? Object.fromEntries(error!.issues.map(({ message, path }) => [path.join('.'), message]))
}
const note = 'Todo quedó listo'

test('an end without an outcome is a complete one, without a reason, its note optional up to 2000 characters', () => {
  const completed = { outcome: 'completed', reason: null, closingNote: note }
  expect(read('finish', { closingNote: note })).toEqual(completed)
  expect(read('finish', { ...completed, reason: 'clima' })).toEqual(completed)
  expect(read('finish', {})).toEqual({ ...completed, closingNote: null })
  expect(read('finish', { closingNote: 'x'.repeat(2001) })).toHaveProperty('closingNote')
})

test.each(['partial', 'not_possible'])('%s requires a reason, and a note for another reason', (outcome) => {
  expect(read('finish', { outcome })).toEqual({ reason: 'Elige por qué no se completó.' })
  expect(read('finish', { outcome, reason: 'mal' })).toEqual({ reason: 'Elige un motivo.' })
  const form = { outcome, reason: 'clima' }
  expect(read('finish', form)).toEqual({ ...form, closingNote: null })
  expect(read('finish', { outcome, reason: 'otro', closingNote: 'corta' })).toEqual({
    closingNote: 'Cuenta cómo quedó, con al menos 10 caracteres.',
  })
})

test('calling off requires a reason, and a note for another reason', () => {
  expect(read('callOff', {})).toEqual({ reason: 'Elige un motivo.' })
  expect(read('callOff', { reason: 'otro', note: 'corta' })).toHaveProperty('note')
  expect(read('callOff', { reason: 'clima' })).toEqual({ reason: 'clima', note: null })
})

test('a no-show requires a call and its time', () => {
  expect(read('noShow', {})).toEqual({
    called: 'Antes de cerrarla, intenta llamarle.',
    calledAt: 'Escribe a qué hora llamaste, como 10:20 a. m.',
  })
  for (const calledAt of ['25:00', 'nada', '10', {}])
    expect(read('noShow', { called: 'yes', calledAt })).toHaveProperty('calledAt')
  const called = { called: true, calledAt: 620, note: null }
  expect(read('noShow', { called: 'yes', calledAt: ' 10:20 ' })).toEqual(called)
})

test('every reason is one of a visit or of a call', () => {
  const [calls, visits] = [fieldReasons(true), fieldReasons(false)]
  expect(new Set([...calls, ...visits])).toEqual(new Set(closingReasonCodes))
  expect(calls).not.toContain('clima')
  expect(visits).not.toContain('analista_no_disponible')
})
