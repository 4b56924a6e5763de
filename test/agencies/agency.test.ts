import { staffKinds } from '../../src/access/rules/actor.ts'
import { editsAgencies, seesAllAgencies } from '../../src/agencies/rules/agency.ts'
import { agencyInput } from '../../src/agencies/rules/schema.ts'

const form = {
  name: ' Autos  Ávila ',
  phone: '+52 55 1234-5678',
  email: 'VENTAS@avila.mx',
  municipality: 'Benito Juarez',
  commissionKind: 'percent',
  commissionValue: '5.5 %',
  benefitKind: 'amount',
  benefitValue: '$1,500.00',
}
/** The first message of each field that a form gets back. */
const errorsOf = (changes: Record<string, string>) => {
  const { error } = agencyInput.safeParse({ ...form, ...changes })
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path[0], message]) ?? [])
}

test('normalises an agency: digits of the phone, e-mail in lower case, slug of the place, centavos', () =>
  expect(agencyInput.parse(form)).toEqual({
    name: 'Autos Ávila',
    brand: null,
    contact: null,
    phone: '5512345678',
    email: 'ventas@avila.mx',
    address: null,
    municipality: 'benito-juarez',
    notes: null,
    commissionKind: 'percent',
    commissionValue: 550,
    benefitKind: 'amount',
    benefitValue: 150_000,
  }))

test('keeps a place outside the service area as typed, and drops values that do not apply', () => {
  const far = { ...form, municipality: 'Metepec', benefitKind: 'free_visit', benefitValue: '12' }
  expect(agencyInput.parse(far)).toMatchObject({ municipality: 'Metepec', benefitValue: 0 })
  const none = { ...form, municipality: '', benefitKind: 'none', benefitValue: 'x', commissionValue: '' }
  expect(agencyInput.parse(none)).toMatchObject({ municipality: null, benefitValue: 0, commissionValue: 0 })
})

test.each([
  [{ name: ' ' }, 'name', 'Escribe el nombre de la concesionaria.'],
  [{ name: 'x'.repeat(121) }, 'name', 'Usa como máximo 120 caracteres.'],
  [{ phone: '123' }, 'phone', 'Escribe los 10 dígitos del teléfono, con lada.'],
  [{ email: 'nada' }, 'email', 'Escribe un correo válido, como nombre@correo.mx.'],
  [{ commissionKind: 'gift' }, 'commissionKind', 'Elige porcentaje o cantidad.'],
  [{ commissionValue: '101' }, 'commissionValue', 'Usa como máximo 100\u00a0%.'],
  [{ commissionValue: 'mucho' }, 'commissionValue', 'Escribe el porcentaje como 12.5.'],
  [
    { commissionKind: 'amount', commissionValue: '12.345,50' },
    'commissionValue',
    'Escribe la cantidad como 12,345.50.',
  ],
  [
    { commissionKind: 'amount', commissionValue: '1,000,000.01' },
    'commissionValue',
    'Usa como máximo $1,000,000.00.',
  ],
  [{ benefitKind: 'all' }, 'benefitKind', 'Elige el límite de los códigos.'],
  [{ benefitKind: 'percent', benefitValue: '30.01' }, 'benefitValue', 'Usa como máximo 30\u00a0%.'],
  [{ benefitKind: 'percent', benefitValue: '0' }, 'benefitValue', 'Escribe más de cero.'],
])('refuses %j under %s: %s', (changes, field, message) =>
  expect(errorsOf(changes)).toEqual({ [field]: message }),
)

test('lets managers edit agencies, and all staff but allies read every agency', () => {
  const kinds = [...staffKinds, null]
  expect(kinds.filter((kind) => editsAgencies({ kind }))).toEqual(['manager'])
  expect(kinds.filter((kind) => seesAllAgencies({ kind }))).toEqual([
    'manager',
    'analyst',
    'tecnician',
    'gester',
  ])
})
