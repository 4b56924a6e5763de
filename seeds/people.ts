import type { StaffKind } from '../src/domain/access/actor.ts'
import type { MunicipalitySlug } from '../src/domain/shared/places.ts'

type DemoStaff = {
  email: string
  name: string
  phone: string
  kind: StaffKind
  zones: readonly MunicipalitySlug[]
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
  { email: 'tecnico@demo.mx', name: 'Tomás', phone: '5555550112', kind: 'tecnician', zones: [] },
  { email: 'tecnico2@demo.mx', name: 'Teresa', phone: '5555550113', kind: 'tecnician', zones: south },
  { email: 'gestor@demo.mx', name: 'Gerardo', phone: '5555550114', kind: 'gester', zones: [] },
  { email: 'aliado@demo.mx', name: 'Alicia', phone: '5555550115', kind: 'alliate', zones: [] },
  { email: 'aliado2@demo.mx', name: 'Álvaro', phone: '5555550116', kind: 'alliate', zones: [] },
]
