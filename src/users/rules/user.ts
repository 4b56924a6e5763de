import { type Actor, isManager, kindLabels, type Role, type StaffKind } from '../../access/rules/actor.ts'
import { fullName } from '../../shared/format.ts'
import { shownEmail } from '../../shared/mailbox.ts'
import { Refusal } from '../../shared/refusal.ts'

/** A user as in the specification's collection (§3), keyed by `uid`; `version` is the row's optimistic lock. */
export type User = {
  uid: string
  name: string | null
  lastname: string | null
  email: string
  role: Role
  kind: StaffKind | null
  /** The agency's id; only allies have one. */
  agency: string | null
  phone: string | null
  active: boolean
  createdAt: Date
  version: number
}

/** The options of a role choice (specification §4): customer, or one of the kinds of staff. */
export const roleChoices = { customer: 'Cliente', ...kindLabels } as const
export type RoleChoice = keyof typeof roleChoices

/** Customer is role customer without a kind; any other value is role staff and that kind. */
export const roleOf = (choice: RoleChoice): { role: Role; kind: StaffKind | null } =>
  choice === 'customer' ? { role: 'customer', kind: null } : { role: 'staff', kind: choice }

/** The choice that corresponds to a role and kind. */
export const choiceOf = ({ kind }: { kind: StaffKind | null }): RoleChoice => kind ?? 'customer'

/** Name and last name, or the e-mail of a user without a name. */
export const calledBy = ({ name, lastname, email }: Pick<User, 'name' | 'lastname' | 'email'>) =>
  fullName({ name, lastname }) || shownEmail(email)

/** Only the manager sees customers and inactive users, invites, and changes the access of others. */
export const managesPeople = isManager

/** The facts that decide which screens a user may open. */
export type AccessProfile = { role: Role; kind: StaffKind | null; agencyId: string | null; active: boolean }

/** The facts that a change of access is judged by. `own` marks a user who changes their own access. */
export type AccessFacts = {
  before: AccessProfile
  after: AccessProfile
  emailVerified: boolean
  openProject: boolean
  /** Active managers besides this person. */
  otherManagers: number
  /** Whether the target agency is active; true without an agency. */
  agencyActive: boolean
  own: boolean
  /** The user confirmed the access that they give up. */
  confirmed: boolean
}

type Rule = { broken: (facts: AccessFacts) => boolean; field?: string; words: string }

const manages = ({ kind, active }: AccessProfile) => kind === 'manager' && active
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
    words: 'Su correo todavía no está confirmado, y nadie entra al equipo sin probar que el correo es suyo.',
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

/** Only those who travel have zones. */
export const hasZones = (kind: StaffKind | null) => kind === 'tecnician'

/** Whose portrait and vehicle the customers whom they visit are shown. */
export const hasVisitCard = (kind: StaffKind | null) => hasZones(kind)

/** Who keeps what is known of a person for their way to customers: themselves and the manager. */
export const keepsFieldFacts = (actor: Actor, userId: string): boolean =>
  actor.id === userId || managesPeople(actor)

/** What a person comes in. */
type Car = { vehicle: string | null; colour: string | null; plates: string | null }

/** "Nissan Versa, gris, placas ABC-12-34"; null where nothing is known. */
export function carWords({ colour, plates, vehicle }: Car): string | null {
  const parts = [vehicle, colour?.toLowerCase(), plates && `placas ${plates}`].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : null
}

/** How long an invitation is valid, in days. */
export const invitationDays = 7

export type InvitationState = 'open' | 'expired' | 'accepted' | 'withdrawn'

type Life = { acceptedAt: Date | null; withdrawnAt: Date | null; expiresAt: Date }

/** State of an invitation at a moment. */
export function invitationState({ acceptedAt, withdrawnAt, expiresAt }: Life, now: Date): InvitationState {
  if (acceptedAt) return 'accepted'
  if (withdrawnAt) return 'withdrawn'
  return expiresAt <= now ? 'expired' : 'open'
}

type Words = { title: string; description: string }

/** The message of an invitation that cannot be accepted. */
export const closedInvitation: Record<Exclude<InvitationState, 'open'> | 'unknown', Words> = {
  expired: {
    title: 'Esta invitación venció',
    description: `Sirve durante ${invitationDays} días. Pide a quien te invitó que te la reenvíe.`,
  },
  accepted: {
    title: 'Esta invitación ya se usó',
    description: 'Cada una sirve una sola vez. Si la aceptaste tú, inicia sesión.',
  },
  withdrawn: {
    title: 'Esta invitación se retiró',
    description: 'Si crees que es un error, habla con quien te invitó.',
  },
  unknown: {
    title: 'No encontramos esta invitación',
    description:
      'Revisa que el enlace esté completo. Si te enviaron otra después, solo sirve la más reciente.',
  },
}
