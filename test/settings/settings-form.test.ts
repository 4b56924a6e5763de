import { contradictionIn, sectionForms, withHoliday } from '../../src/settings/rules/schema.ts'
import { sections, settingsPartOf } from '../../src/settings/rules/settings.ts'
import { defaultSettings, parseSettings, type Settings } from '../../src/settings/rules/settings-schema.ts'
import { clockText } from '../../src/shared/format.ts'

type FormSection = keyof typeof sectionForms
/** A section's numbers as its form sends them. */
const service = (values: string) => {
  const [minutes, noticeHours, horizonDays, dailyMax, freeChangeHours] = values.split(' ') as string[]
  return { minutes, noticeHours, horizonDays, dailyMax, freeChangeHours } as Record<string, string>
}
const typedOf: Record<FormSection, Record<string, string>> = {
  hours: Object.fromEntries(
    defaultSettings.hours.flatMap((opening, day) => [
      [`from${day}`, opening ? clockText(opening.from) : ''],
      [`to${day}`, opening ? clockText(opening.to) : ''],
    ]),
  ),
  slots: { stepMinutes: '30', bufferMinutes: '15', arrivalWindowMinutes: '30' },
  technical_visit: service('60 24 30 4 24'),
  installation: service('240 72 45 2 48'),
  videocall: service('30 2 14 12 1'),
  changes: { freeChangeAfterBookingMinutes: '30', rescheduleLimit: '2' },
  confirmation: { autoConfirmAt: '18:00', autoConfirmAfterHours: '2' },
  outward: {
    emailsPerHour: '10',
    emailsPerDay: '20',
    bookingsPerDay: '6',
    movesPerDay: '6',
    invitationsPerDay: '300',
  },
  papers: { ec0118: 'false', dc3_electric: 'false' },
  support: {
    phone: '55 5555 0100',
    whatsapp: '+52 555 555 01 00',
    email: 'AYUDA@cargaencasa.mx',
    hours: defaultSettings.support.hours,
  },
  estimate: {
    base: '$12,900.00',
    baseMetres: '10',
    perMetre: '350',
    secondMeter: '4,500',
    charger: '11,000.00',
    rangePercent: '15',
  },
  quotes: {
    depositPercent: '50',
    validDays: '15',
    warrantyMonths: '12',
    refundTerms: defaultSettings.quotes.refundTerms,
    exclusions: '',
  },
  spei: { beneficiary: '', bank: '', clabe: '' },
  visitFee: { amount: '$0.00', keptOnLateCancel: 'true', keptOnNoShow: 'true', keptOnNotViable: 'true' },
  issuer: { rfc: '', name: '', regime: '', postalCode: '', address: '' },
}
const names = Object.keys(sectionForms) as FormSection[]
const sent = (section: FormSection, changes: Record<string, string> = {}) =>
  sectionForms[section].safeParse({ ...typedOf[section], ...changes })
const changed = (section: FormSection, changes: Record<string, string>): Settings => {
  const { data } = sent(section, changes)
  return data?.(defaultSettings) ?? expect.fail('refused')
}
const errorsOf = (section: FormSection, changes: Record<string, string>) =>
  Object.fromEntries(
    sent(section, changes).error?.issues.map(({ path, message }) => [path[0], message]) ?? [],
  )

test.each(names)('%s: changes nothing when sent back as shown', (section) =>
  expect(changed(section, {})).toEqual(defaultSettings),
)

test('has every setting in one section', () => {
  const edited = sections.flatMap((section) => Object.keys(settingsPartOf[section](defaultSettings)))
  const leaves = (value: unknown): number =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.values(value).reduce((sum: number, inner) => sum + leaves(inner), 0)
      : 1
  // The opening hours are seven days under one key.
  expect(edited.length).toBe(leaves(defaultSettings) - 1 + 7)
})

test.each([
  ['slots', 'stepMinutes', '7', 'Los minutos deben caber un número exacto de veces en el día.'],
  ['slots', 'bufferMinutes', '', 'Escribe un número.'],
  ['slots', 'bufferMinutes', '-1', 'Escribe un número de 0 a 240.'],
  ['slots', 'arrivalWindowMinutes', '1.5', 'Escribe un número entero.'],
  ['technical_visit', 'minutes', '721', 'Escribe un número de 5 a 720.'],
  ['technical_visit', 'dailyMax', '0', 'Escribe un número de 1 a 50.'],
  ['confirmation', 'autoConfirmAt', '25:00', 'Escribe la hora como 6:00 p. m.'],
  ['support', 'phone', '123', 'Escribe los 10 dígitos de tu teléfono, con lada.'],
  ['support', 'hours', ' ', 'Escribe en qué horario atienden.'],
  ['estimate', 'base', '12.900,00', 'Escribe la cantidad como 12,345.50.'],
  ['estimate', 'charger', '', 'Escribe una cantidad.'],
  ['estimate', 'perMetre', '1,000,000.01', 'Usa como máximo $1,000,000.00.'],
  ['estimate', 'rangePercent', '51', 'Escribe un número de 0 a 50.'],
  ['quotes', 'depositPercent', '101', 'Escribe un número de 0 a 100.'],
  ['quotes', 'refundTerms', ' ', 'Escribe qué se devuelve, y cuándo.'],
  ['visitFee', 'amount', '10,000.01', 'Usa como máximo $10,000.00.'],
  ['visitFee', 'keptOnNoShow', 'quizá', 'Elige sí o no.'],
  ['issuer', 'rfc', 'abc', 'Escribe el RFC en mayúsculas, como ABC010203AB9.'],
  ['issuer', 'postalCode', '123', 'El código postal tiene 5 dígitos.'],
  ['issuer', 'postalCode', '99999', 'Ese código postal no existe. Revísalo.'],
  ['hours', 'from0', '', 'Escribe las dos horas, o ninguna.'],
  ['hours', 'to6', '14:00', undefined],
  ['hours', 'from1', 'temprano', 'Escribe la hora como 9:00 a. m.'],
  ['hours', 'to2', '09:00', 'La hora de cierre va después de la de apertura.'],
] as const)('%s: refuses %s "%s"', (section, field, typed, message) => {
  const errors = errorsOf(section, { [field]: typed })
  // The other of two hours is the one that is missing.
  expect(errors).toEqual(message ? { [field]: message } : { from6: 'Escribe las dos horas, o ninguna.' })
})

test('accepts a CLABE with spaces, and requires its bank and beneficiary', () => {
  expect(
    changed('spei', { clabe: '032 180 00011835971 9', bank: 'IXE', beneficiary: 'Demo SA' }).spei.clabe,
  ).toBe('032180000118359719')
  expect(errorsOf('spei', { clabe: '032180000118359719' })).toEqual({
    beneficiary: 'Escribe de quién es la cuenta.',
    bank: 'Escribe el banco.',
  })
  expect(errorsOf('spei', { clabe: '032180000118359718', bank: 'IXE', beneficiary: 'Demo' })).toEqual({
    clabe: 'Esa CLABE no es correcta. Revisa sus 18 dígitos.',
  })
})

test('requires an open day', () => {
  const closed = Object.fromEntries(Object.keys(typedOf.hours).map((field) => [field, '']))
  expect(errorsOf('hours', closed)).toEqual({ from0: 'Deja abierto al menos un día.' })
})

describe('refuses numbers that do not go together', () => {
  const shortDays = parseSettings({ ...defaultSettings, hours: Array(7).fill({ from: 540, to: 720 }) })

  test('a service that fits in no day, under its minutes or over the hours', () => {
    const message = 'Con 240 minutos no cabe ninguna instalación en el día.'
    expect(contradictionIn(shortDays, 'hours')).toEqual({ message })
    expect(contradictionIn(shortDays, 'installation')).toEqual({ message, field: 'minutes' })
    const wideSteps = parseSettings({
      ...defaultSettings,
      stepMinutes: 240,
      hours: Array(7).fill({ from: 500, to: 730 }),
    })
    expect(contradictionIn(wideSteps, 'slots')).toMatchObject({ field: 'stepMinutes' })
  })

  test('a horizon inside the notice', () => {
    const settings = changed('videocall', { noticeHours: '336', horizonDays: '14' })
    const message = 'Asesoría virtual: debe poder agendarse más allá de la anticipación mínima.'
    expect(contradictionIn(settings, 'videocall')).toEqual({ message, field: 'horizonDays' })
    expect(contradictionIn(changed('videocall', { noticeHours: '335' }), 'videocall')).toBeNull()
  })

  test('the defaults go together', () => {
    for (const section of sections) expect(contradictionIn(defaultSettings, section)).toBeNull()
  })
})

test.each([
  ['2026-12-24', ['2026-12-24', '2026-12-31']],
  ['2026-11-21', ['2026-11-21', '2026-12-31']],
  ['2026-11-20', { error: 'Elige un día de hoy en adelante.' }],
  ['2026-12-31', { error: 'Ese día ya está en la lista.' }],
  ['2026-12-25', { error: 'Ese día ya es festivo por ley.' }],
  ['2030-12-24', { error: 'Elige un día de los próximos tres años.' }],
  ['2027-02-30', { error: 'Escribe la fecha como 2026-12-24.' }],
  ['mañana', { error: 'Escribe la fecha como 2026-12-24.' }],
])('answers a new holiday on %s', (date, expected) =>
  expect(withHoliday(['2026-12-31'], date, '2026-11-21')).toEqual(expected),
)
