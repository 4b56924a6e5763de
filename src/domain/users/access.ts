import type { Role, StaffKind } from '../access/actor.ts'
import { Refusal } from '../shared/refusal.ts'

/** What decides which screens a user may open. */
export type Access = { role: Role; kind: StaffKind | null; agencyId: string | null; active: boolean }

/** Facts that a change of access is judged by. `own` marks a user who changes their own access. */
export type AccessFacts = {
  before: Access
  after: Access
  emailVerified: boolean
  openProject: boolean
  /** Active managers besides this person. */
  otherManagers: number
  /** Whether the target agency is active; true without an agency. */
  agencyActive: boolean
  own: boolean
  /** They confirmed the access that they give up. */
  confirmed: boolean
}

type Rule = { broken: (facts: AccessFacts) => boolean; field?: string; words: string }

const manages = ({ kind, active }: Access) => kind === 'manager' && active
const stopsManaging = ({ before, after }: AccessFacts) => manages(before) && !manages(after)
const becomesStaff = ({ before, after }: AccessFacts) => before.role === 'customer' && after.role === 'staff'
const isDeactivated = ({ before, after }: AccessFacts) => before.active && !after.active
const changesAgency = ({ before, after }: AccessFacts) => before.agencyId !== after.agencyId

const rules: readonly Rule[] = [
  {
    broken: ({ after }) => (after.kind === 'alliate') !== (after.agencyId !== null),
    field: 'agencyId',
    words: 'Elige su concesionaria.',
  },
  {
    broken: (facts) => changesAgency(facts) && !facts.agencyActive,
    field: 'agencyId',
    words: 'Esa concesionaria está inactiva. Elige otra, o actívala primero.',
  },
  {
    broken: (facts) => becomesStaff(facts) && !facts.emailVerified,
    words: 'Su correo todavía no está verificado, y nadie entra al equipo sin probar que el correo es suyo.',
  },
  {
    broken: (facts) => becomesStaff(facts) && facts.openProject,
    words: 'Tiene un proyecto abierto como cliente. Ciérralo antes de que entre al equipo.',
  },
  {
    broken: (facts) => facts.before.role === 'customer' && isDeactivated(facts) && facts.openProject,
    words: 'Tiene un proyecto abierto como cliente. Ciérralo antes de desactivar su cuenta.',
  },
  {
    broken: (facts) => stopsManaging(facts) && facts.otherManagers === 0,
    words: 'Es la única persona activa con el rol Manager. Dale ese rol a alguien más primero.',
  },
  {
    broken: (facts) => stopsManaging(facts) && facts.own && !facts.confirmed,
    field: 'confirmed',
    words: 'Marca la casilla: vas a perder el acceso a esta página.',
  },
]

/** Why a change of access can't be made, or null when it can. */
export function accessRefusal(facts: AccessFacts): Refusal | null {
  const rule = rules.find(({ broken }) => broken(facts))
  if (!rule) return null
  const details = rule.field && { errors: { [rule.field]: rule.words } }
  return new Refusal('failed-precondition', {
    description: rule.words,
    ...(details && { details }),
  })
}

/** Appointments are assigned to these kinds only; other kinds keep no shifts. */
export const hasShifts = (kind: StaffKind | null) => kind === 'tecnician' || kind === 'analyst'
/** Only who travels serves zones. */
export const hasZones = (kind: StaffKind | null) => kind === 'tecnician'
