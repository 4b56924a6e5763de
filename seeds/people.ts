import type { StaffKind } from '../src/access/rules/actor.ts'
import { placeOf } from '../src/projects/rules/postal-codes.ts'
import { type Address, addressInput } from '../src/projects/rules/schema.ts'
import { centres } from '../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import type { MunicipalitySlug } from '../src/shared/places.ts'

type DemoStaff = {
  email: string
  name: string
  phone: string
  kind: StaffKind
  zones: readonly MunicipalitySlug[]
  /** Where their days begin, of who said so. */
  startsFrom?: MunicipalitySlug
  /** What customers whom they visit recognise them by: the car, its plates, and the portrait's hair and shirt. */
  arrivesIn?: { vehicle: string; colour: string; plates: string; credential: string; look: [string, string] }
}

/** The first agency is the allies'. */
export const demoAgencies = [
  {
    name: 'Concesionaria Demo',
    brand: 'Marca Ejemplo',
    contact: 'Alma Demo',
    phone: '5555550120',
    email: 'ventas@demo.mx',
    address: 'Avenida Ejemplo 100, Del Valle',
    municipality: 'benito-juarez',
    commissionKind: 'percent',
    commissionValue: 5_00,
    benefitKind: 'percent',
    benefitValue: 10_00,
  },
  { name: 'Ánimo Autos Eléctricos', brand: 'Marca Ejemplo', municipality: 'toluca', phone: '7225550121' },
  { name: 'Ruta Verde Satélite', municipality: 'naucalpan', active: false },
] as const
/** Was invited to the team and has not answered yet. */
export const invitedAnalyst = { email: 'invitada@demo.mx', kind: 'analyst', agencyId: null } as const
/** Signed up without completing the profile. */
export const newcomer = 'nuevo@demo.mx'

const south: readonly MunicipalitySlug[] = [
  'alvaro-obregon',
  'benito-juarez',
  'coyoacan',
  'iztapalapa',
  'la-magdalena-contreras',
  'tlahuac',
  'tlalpan',
  'xochimilco',
]

/** The staff of the demo world; no zones means all of them. */
export const demoStaff: readonly DemoStaff[] = [
  { email: 'gerente@demo.mx', name: 'Mariana', phone: '5555550110', kind: 'manager', zones: [] },
  { email: 'analista@demo.mx', name: 'Andrés', phone: '5555550111', kind: 'analyst', zones: [] },
  {
    email: 'tecnico@demo.mx',
    name: 'Tomás',
    phone: '5555550112',
    kind: 'tecnician',
    zones: [],
    startsFrom: 'iztacalco',
    arrivesIn: {
      vehicle: 'Nissan NV200',
      colour: 'Blanca',
      plates: 'DEM-01-0A',
      credential: 'EC0586-DEMO-1',
      look: ['#2b2320', '#1f6f54'],
    },
  },
  {
    email: 'tecnico2@demo.mx',
    name: 'Teresa',
    phone: '5555550113',
    kind: 'tecnician',
    zones: south,
    arrivesIn: {
      vehicle: 'Renault Kangoo',
      colour: 'Gris',
      plates: 'DEM-02-0B',
      credential: 'EC0586-DEMO-2',
      look: ['#5b3a24', '#2b5d8a'],
    },
  },
  { email: 'gestor@demo.mx', name: 'Gerardo', phone: '5555550114', kind: 'gester', zones: [] },
  { email: 'aliado@demo.mx', name: 'Alicia', phone: '5555550115', kind: 'alliate', zones: [] },
  { email: 'aliado2@demo.mx', name: 'Álvaro', phone: '5555550116', kind: 'alliate', zones: [] },
]

export type DemoCustomer = { email: string; name: string; lastname: string; phone: string; address: Address }

/** Their appointments are planned by their position here. */
export const workers = demoStaff.filter(({ kind }) => kind === 'tecnician' || kind === 'analyst')
/** They work during the opening hours. */
export const weekly = defaultSettings.hours.flatMap((hours, weekday) =>
  hours ? [{ weekday, ...hours }] : [],
)
/** The age of the office in days. */
export const openFor = 730
export const allies = demoStaff.filter(({ kind }) => kind === 'alliate')
export const [managerEmail, analystEmail, gesterEmail] = ['gerente', 'analista', 'gestor'].map(
  (name) => `${name}@demo.mx`,
) as [string, string, string]
/** The network from which customers act. */
export const network = '203.0.113.7'
/** The terms and the privacy notice that all users agreed to, and the clients whom an ally registered. */
export const consentVersion = '2025-01'

/** Real postal codes, used in turns; every second one is in the south. The streets are invented. */
const places: readonly [postalCode: string, colonia: string][] = [
  ['06700', 'Roma Norte'],
  ['14000', 'Tlalpan Centro'],
  ['07300', 'Lindavista'],
  ['01000', 'San Ángel'],
  ['11550', 'Polanco'],
  ['03100', 'Del Valle Centro'],
  ['53100', 'Ciudad Satélite'],
  ['04100', 'Del Carmen'],
  ['15900', 'Jardín Balbuena'],
  ['10200', 'San Jerónimo Lídice'],
  ['08500', 'Agrícola Oriental'],
  ['16090', 'Xaltocan'],
]

const names: readonly [name: string, lastname: string][] = [
  ['Fernanda', 'Salgado'],
  ['Héctor', 'Villaseñor'],
  ['Lucía', 'Ibarra'],
  ['Óscar', 'Montes'],
  ['Paulina', 'Cárdenas'],
  ['Rodrigo', 'Esquivel'],
  ['Ximena', 'Ortega'],
  ['Ángel', 'Robles'],
  ['Beatriz', 'Nájera'],
  ['César', 'Luna'],
  ['Daniela', 'Fuentes'],
  ['Emilio', 'Zárate'],
  ['Gabriela', 'Peña'],
  ['Iván', 'Cordero'],
  ['Jimena', 'Aguilar'],
  ['Karla', 'Mendoza'],
  ['Leonardo', 'Solís'],
  ['Mónica', 'Ávila'],
  ['Norma', 'Quiroz'],
  ['Pablo', 'Escobedo'],
  ['Regina', 'Trejo'],
  ['Saúl', 'Domínguez'],
  ['Tania', 'Barrera'],
  ['Ulises', 'Cano'],
  ['Valeria', 'Rangel'],
  ['Wendy', 'Osorio'],
  ['Yolanda', 'Ñúñez'],
  ['Bruno', 'Lara'],
  ['Claudia', 'Ponce'],
  ['Diego', 'Sandoval'],
  ['Elena', 'Valdés'],
  ['Fabián', 'Arriaga'],
  ['Irma', 'Castañeda'],
  ['Julián', 'Olvera'],
  ['Lorena', 'Muñiz'],
  ['Mateo', 'Bustos'],
  ['Natalia', 'Vera'],
  ['Octavio', 'Guzmán'],
  ['Renata', 'Sáenz'],
  ['Sofía', 'Treviño'],
]

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const phoneOf = (n: number) => `5555550${String(200 + n)}`

/** An address that passes the form's own rules; an invalid one stops the demo at its start. */
const addressIn = ([postalCode, colonia]: readonly [string, string], n: number): Address =>
  addressInput.parse({
    postalCode,
    colonia,
    street: 'Calle Ejemplo',
    outerNumber: String(100 + n),
    references: n % 2 ? 'Portón gris, interfón 2' : 'Casa de dos pisos con jardinera al frente',
    dwelling: n % 3 ? 'house' : 'apartment',
    parking: n % 3 ? 'own_covered' : 'assigned',
    ...(n % 3 > 0 && { pin: pinNear(postalCode, n) }),
  })

/** Some streets from the centre of its municipality; made up, as the address is. */
function pinNear(postalCode: string, n: number): string {
  const place = placeOf(postalCode)
  if (place.area !== 'served') return ''
  const [latitude, longitude] = centres[place.municipality]
  return [latitude + (((n * 7) % 11) - 5) / 400, longitude + (((n * 5) % 13) - 6) / 400]
    .map((degrees) => degrees.toFixed(5))
    .join()
}

/** A customer who signs in to the demo world, the n-th of those with a phone and an address. */
const signsIn = (email: string, name: string, place: readonly [string, string], n: number): DemoCustomer => ({
  email: `${email}@demo.mx`,
  name,
  lastname: 'Demo',
  phone: phoneOf(n),
  address: addressIn(place, n),
})

/** Lives in Coyoacán and has nothing booked, so that booking can be tried. */
export const bookingCustomer = signsIn('cliente', 'Camila', ['04000', 'Villa Coyoacán'], 0)
/** Lives in Benito Juárez and waits for an assignment. */
export const waitingCustomer = signsIn('cliente2', 'Carlos', ['03020', 'Narvarte Poniente'], 1)
/** Lives in Tlalpan; the quote is accepted and the deposit paid, so that booking an installation can be tried. */
export const readyCustomer = signsIn('cliente3', 'Carmen', ['14090', 'Toriello Guerra'], 60)
/** Received a second version of the quote, which can be accepted. */
export const askedCustomer = signsIn('cliente4', 'Cecilia', ['04310', 'Copilco Universidad'], 62)
/** Accepted a quote; its deposit is due. */
export const owingCustomer = signsIn('cliente5', 'Cristóbal', ['06100', 'Hipódromo'], 63)

/** Wants a charger at two homes. */
export const twoHomesCustomer = signsIn('cliente6', 'Clara', ['11560', 'Polanco V Sección'], 64)
export const secondHome = addressIn(['14000', 'Tlalpan Centro'], 65)

/** Lives outside the served area, and asks by video call. */
export const distantCustomer: DemoCustomer = {
  email: 'lejos@demo.mx',
  name: 'Graciela',
  lastname: 'Rivas Demo',
  phone: phoneOf(61),
  address: addressInput.parse({
    postalCode: '76000',
    colonia: 'Centro',
    municipality: 'Querétaro',
    state: 'queretaro',
    street: 'Calle Ejemplo',
    outerNumber: '141',
    dwelling: 'house',
    parking: 'own_covered',
  }),
}

/** The other customers, in the order in which visits are assigned to them. */
export const otherCustomers: readonly DemoCustomer[] = names.map(([name, lastname], n) => ({
  email: `${plain(name)}.${plain(lastname)}@demo.mx`,
  name,
  lastname: `${lastname} Demo`,
  phone: phoneOf(n + 2),
  address: addressIn(places[n % places.length]!, n + 2),
}))
