import { kindLabels, type StaffKind } from '../../domain/actor.ts'
import { type Address, addressInput } from '../../domain/address.ts'
import type { MunicipalitySlug } from '../../domain/regions.ts'

type SignIn = { email: string; label: string }
type DemoStaff = {
  email: string
  name: string
  phone: string
  kind: StaffKind
  zones: readonly MunicipalitySlug[]
}
export type DemoCustomer = { email: string; name: string; lastname: string; phone: string; address: Address }

/** The password of everybody in the demo world. */
export const demoPassword = 'carga-en-casa'
/** The first is the ally's. */
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
/** Signed up, but the profile was never completed. */
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

/** Everybody who works in the demo world; no zones means all of them. */
export const demoStaff: readonly DemoStaff[] = [
  { email: 'gerente@demo.mx', name: 'Mariana', phone: '5555550110', kind: 'manager', zones: [] },
  { email: 'analista@demo.mx', name: 'Andrés', phone: '5555550111', kind: 'analyst', zones: [] },
  { email: 'tecnico@demo.mx', name: 'Tomás', phone: '5555550112', kind: 'tecnician', zones: [] },
  { email: 'tecnico2@demo.mx', name: 'Teresa', phone: '5555550113', kind: 'tecnician', zones: south },
  { email: 'gestor@demo.mx', name: 'Gerardo', phone: '5555550114', kind: 'gester', zones: [] },
  { email: 'aliado@demo.mx', name: 'Alicia', phone: '5555550115', kind: 'alliate', zones: [] },
]

/** Who can sign in to the demo world, as /signin shows it. */
export const demoSignIns: readonly SignIn[] = [
  { email: 'cliente@demo.mx', label: 'Cliente' },
  { email: 'cliente2@demo.mx', label: 'Cliente con visita apartada' },
  { email: 'cliente3@demo.mx', label: 'Cliente con instalación por agendar' },
  { email: 'cliente4@demo.mx', label: 'Cliente con cotización por aceptar' },
  { email: 'cliente5@demo.mx', label: 'Cliente con anticipo por pagar' },
  { email: newcomer, label: 'Cliente sin perfil completo' },
  ...demoStaff.map(({ email, kind }) => ({ email, label: kindLabels[kind] })),
]

/** Real postal codes, taken in turns; every second one lies in the south. No street of them exists. */
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
]

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const phoneOf = (n: number) => `5555550${String(200 + n)}`

/** An address that passes the form's own rules; a mistake here stops the demo at its start. */
const addressIn = ([postalCode, colonia]: readonly [string, string], n: number): Address =>
  addressInput.parse({
    postalCode,
    colonia,
    street: 'Calle Ejemplo',
    outerNumber: String(100 + n),
    references: n % 2 ? 'Portón gris, interfón 2' : 'Casa de dos pisos con jardinera al frente',
    dwelling: n % 3 ? 'house' : 'apartment',
    parking: n % 3 ? 'own_covered' : 'assigned',
  })

/** Lives in Coyoacán and has nothing booked, so that booking can be tried. */
export const bookingCustomer: DemoCustomer = {
  email: 'cliente@demo.mx',
  name: 'Camila',
  lastname: 'Demo',
  phone: phoneOf(0),
  address: addressIn(['04000', 'Villa Coyoacán'], 0),
}

/** Lives in Benito Juárez and waits for an assignment. */
export const waitingCustomer: DemoCustomer = {
  email: 'cliente2@demo.mx',
  name: 'Carlos',
  lastname: 'Demo',
  phone: phoneOf(1),
  address: addressIn(['03020', 'Narvarte Poniente'], 1),
}

/** Lives in Tlalpan; the quote is accepted and the deposit paid, so that booking an installation can be tried. */
export const readyCustomer: DemoCustomer = {
  email: 'cliente3@demo.mx',
  name: 'Carmen',
  lastname: 'Demo',
  phone: phoneOf(60),
  address: addressIn(['14090', 'Toriello Guerra'], 40),
}

/** Was sent a second version of the quote, which can be accepted. */
export const askedCustomer: DemoCustomer = {
  email: 'cliente4@demo.mx',
  name: 'Cecilia',
  lastname: 'Demo',
  phone: phoneOf(62),
  address: addressIn(['04310', 'Copilco Universidad'], 62),
}

/** Accepted a quote; its deposit is to be paid. */
export const owingCustomer: DemoCustomer = {
  email: 'cliente5@demo.mx',
  name: 'Cristóbal',
  lastname: 'Demo',
  phone: phoneOf(63),
  address: addressIn(['06100', 'Hipódromo'], 63),
}

/** Lives where nobody goes yet, and asks by video call. */
export const distantCustomer: DemoCustomer = {
  email: 'lejos@demo.mx',
  name: 'Graciela',
  lastname: 'Rivas Demo',
  phone: phoneOf(61),
  address: addressInput.parse({
    ...{ postalCode: '76000', colonia: 'Centro', municipality: 'Querétaro', state: 'queretaro' },
    ...{ street: 'Calle Ejemplo', outerNumber: '141', dwelling: 'house', parking: 'own_covered' },
  }),
}

/** The other customers, in the order in which visits are given to them. */
export const otherCustomers: readonly DemoCustomer[] = names.map(([name, lastname], n) => ({
  email: `${plain(name)}.${plain(lastname)}@demo.mx`,
  name,
  lastname: `${lastname} Demo`,
  phone: phoneOf(n + 2),
  address: addressIn(places[n % places.length]!, n + 2),
}))
