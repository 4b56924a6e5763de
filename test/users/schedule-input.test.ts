import { minuteAt } from '../../src/shared/calendar.ts'
import { shiftsInput, timeOffInput, zonesInput } from '../../src/users/rules/schema.ts'

type Form = Record<string, string>
const errorsOf = (result: {
  success: boolean
  error?: { issues: { path: PropertyKey[]; message: string }[] }
}) => Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]))

const monday = (...times: string[]): Form =>
  Object.fromEntries(
    times.flatMap((time, n) => {
      const [from = '', to = ''] = time.split('-')
      return [
        [`shift.0.${n}.from`, from],
        [`shift.0.${n}.to`, to],
      ]
    }),
  )
const taken = (form: Form) =>
  shiftsInput.parse(form).shifts.map(({ weekday, from, to }) => [weekday, from / 60, to / 60])

test.each<[string, Form, number[][]]>([
  ['no times are no shift', {}, []],
  [
    'a pause at noon, in any order',
    monday('15:00-18:00', '', '09:00-14:00'),
    [
      [0, 9, 14],
      [0, 15, 18],
    ],
  ],
  ['shifts that touch are one', monday('12:00-15:00', '09:00-12:00', '15:00-16:30'), [[0, 9, 16.5]]],
  ['until midnight', monday('18:00-00:00'), [[0, 18, 24]]],
  ['seconds that a browser adds', monday('9:00:00-10:30:00'), [[0, 9, 10.5]]],
  [
    'each day apart',
    { ...monday('09:00-10:00'), 'shift.6.3.from': '09:30', 'shift.6.3.to': '12:00' },
    [
      [0, 9, 10],
      [6, 9.5, 12],
    ],
  ],
])('weekly hours: %s', (_what, form, shifts) => expect(taken(form)).toEqual(shifts))

const halves = 'Escribe una hora en punto o y media, como 9:30 a. m.'
test.each<[string, Form, string, string]>([
  ['no end', monday('09:00-'), 'shift.0.0.to', 'Falta la hora de salida.'],
  ['no beginning', monday('-09:00'), 'shift.0.0.from', 'Falta la hora de entrada.'],
  ['backwards', monday('10:00-09:00'), 'shift.0.0.to', 'La salida va después de la entrada.'],
  ['of no length', monday('10:00-10:00'), 'shift.0.0.to', 'La salida va después de la entrada.'],
  ['quarters', monday('09:15-10:00'), 'shift.0.0.from', halves],
  ['no time', monday('09:00-mediodía'), 'shift.0.0.to', halves],
  ['25 hours', monday('09:00-25:00'), 'shift.0.0.to', halves],
  [
    'twice the same',
    monday('09:00-12:00', '11:30-13:00'),
    'shift.0.1.from',
    'Se encima con otro horario del mismo día.',
  ],
])('weekly hours refuses %s', (_what, form, field, message) =>
  expect(errorsOf(shiftsInput.safeParse(form))).toEqual({ [field]: message }),
)

test('reads the known zones that are ticked', () => {
  expect(zonesInput.parse({ 'zone.toluca': 'on', 'zone.coyoacan': 'on', 'zone.marte': 'on' }).zones).toEqual([
    'coyoacan',
    'toluca',
  ])
  expect(zonesInput.parse({}).zones).toEqual([])
})

describe('time off', () => {
  const form = { from: '2026-11-24', to: '2026-11-25', reason: 'Vacaciones' }
  const span = (changes: Form) => timeOffInput.parse({ ...form, ...changes }).span
  test('whole days, the last included', () =>
    expect(span({})).toEqual({
      start: minuteAt('2026-11-24', '00:00'),
      end: minuteAt('2026-11-26', '00:00'),
    }))
  test('some hours of a day', () =>
    expect(span({ to: '2026-11-24', fromTime: '09:00', toTime: '12:15' })).toEqual({
      start: minuteAt('2026-11-24', '09:00'),
      end: minuteAt('2026-11-24', '12:15'),
    }))

  test.each<[Form, string, string]>([
    [{ from: '' }, 'from', 'Elige desde qué día.'],
    [{ to: '2026-02-30' }, 'to', 'Elige hasta qué día.'],
    [{ fromTime: '9am' }, 'fromTime', 'Escribe la hora como 9:30 a. m.'],
    [{ reason: '  ' }, 'reason', 'Escribe el motivo.'],
    [{ reason: 'x'.repeat(201) }, 'reason', 'Usa como máximo 200 caracteres.'],
    [{ to: '2026-11-23' }, 'to', 'El final va después del inicio.'],
    [{ to: '2026-11-24', fromTime: '10:00', toTime: '10:00' }, 'toTime', 'El final va después del inicio.'],
  ])('refuses %o', (changes, field, message) =>
    expect(errorsOf(timeOffInput.safeParse({ ...form, ...changes }))).toEqual({ [field]: message }),
  )
})
