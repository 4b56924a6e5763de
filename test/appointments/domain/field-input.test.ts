import { expect, test } from 'vitest'
import { closingReasonCodes, fieldReasons } from '../../../src/domain/appointments/appointment.ts'
import { fieldInput } from '../../../src/domain/appointments/schema.ts'

const read = (move: 'finish' | 'callOff' | 'noShow', form: Record<string, unknown>) => {
  const { data, error } = fieldInput[move].safeParse(form)
  return data ?? Object.fromEntries(error!.issues.map(({ message, path }) => [path.join('.'), message]))
}
const note = 'Todo quedó listo'

test.each([
  [note, true],
  ['  Listo    .  ', true],
  ['', true],
  [undefined, true],
  ['x'.repeat(2001), false],
])('a completed one with the note %j: %s', (closingNote, accepted) =>
  expect(fieldInput.finish.safeParse({ closingNote }).success).toBe(accepted),
)

test('an end without an outcome is a complete one, and a complete one has no reason', () => {
  const completed = { outcome: 'completed', reason: null, closingNote: note }
  expect(read('finish', { closingNote: note })).toEqual(completed)
  expect(read('finish', { ...completed, reason: 'clima' })).toEqual(completed)
})

test.each(['partial', 'not_possible'])('%s needs a reason, and a note only for another reason', (outcome) => {
  const form = { outcome }
  expect(read('finish', form)).toEqual({ reason: 'Elige por qué no se completó.' })
  expect(read('finish', { ...form, reason: 'mal' })).toEqual({ reason: 'Elige un motivo.' })
  expect(read('finish', { ...form, reason: 'clima' })).toEqual({
    ...form,
    reason: 'clima',
    closingNote: null,
  })
  expect(read('finish', { ...form, reason: 'otro', closingNote: 'corta' })).toEqual({
    closingNote: 'Cuenta cómo quedó, con al menos 10 caracteres.',
  })
})

test('calling off needs a reason, and another reason a note', () => {
  expect(read('callOff', {})).toEqual({ reason: 'Elige un motivo.' })
  expect(read('callOff', { reason: 'otro', note: 'corta' })).toHaveProperty('note')
  expect(read('callOff', { reason: 'clima' })).toEqual({ reason: 'clima', note: null })
})

test('nobody is a no-show before somebody called, and said when', () => {
  expect(read('noShow', {})).toEqual({
    called: 'Antes de cerrarla, intenta llamarle.',
    calledAt: 'Escribe a qué hora llamaste, como 10:20 a. m.',
  })
  for (const calledAt of ['25:00', 'nada', '10', {}])
    expect(read('noShow', { called: 'yes', calledAt })).toHaveProperty('calledAt')
  expect(read('noShow', { called: 'yes', calledAt: ' 10:20 ' })).toEqual({
    called: true,
    calledAt: 620,
    note: null,
  })
})

test('every reason is one of a visit’s or a call’s', () => {
  expect(new Set([...fieldReasons(true), ...fieldReasons(false)])).toEqual(new Set(closingReasonCodes))
  expect(fieldReasons(true)).not.toContain('clima')
  expect(fieldReasons(false)).not.toContain('analista_no_disponible')
})
