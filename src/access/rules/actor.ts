import { refuse } from '../../shared/refusal.ts'
/** The five kinds of staff, in the specification's own spelling. */
export const staffKinds = ['manager', 'analyst', 'tecnician', 'gester', 'alliate'] as const
export type StaffKind = (typeof staffKinds)[number]
export type Role = 'customer' | 'staff'

type Person = {
  id: string
  email: string
  emailVerified: boolean
  name: string | null
  lastname: string | null
  /** Whether signing in asks for a second factor. */
  twoFactor: boolean
  /** A customer's open project that the request is about, where it names one (`meantProject`). */
  projectId?: string | null | undefined
}
export type Customer = Person & { role: 'customer'; kind: null; agencyId: null }
export type Staff = Person & { role: 'staff'; kind: StaffKind; agencyId: string | null }

/** The author of an operation: always a signed-in, active user. */
export type Actor = Customer | Staff
/** The reader of a page: an actor, or null when signed out. */
export type Viewer = Actor | null
/** The author of a change: an actor, or the system itself. */
export type Mover = Actor | 'system'

type Someone = { kind: unknown } | 'system' | null | undefined
const kindOf = (who: Someone) => (who === 'system' ? null : who?.kind)
export const isSystem = (who: Someone) => who === 'system'
export const isManager = (who: Someone) => kindOf(who) === 'manager'
export const isAnalyst = (who: Someone) => kindOf(who) === 'analyst'
export const isTechnician = (who: Someone) => kindOf(who) === 'tecnician'
export const isGester = (who: Someone) => kindOf(who) === 'gester'
export const isAlly = (who: Someone) => kindOf(who) === 'alliate'
/** The manager and the analysts: the office, which reviews customers' matters. */
export const isOffice = (who: Someone) => isManager(who) || isAnalyst(who)
/** Who exports whole lists as files, of what they see in them. */
export const exportsLists = (who: Someone) => isOffice(who)
/** Who has more in such a file than the list shows: mailboxes, notes, what was paid. */
export const exportsMore = (who: Someone) => isManager(who)
/** Who still sees the projects and refunds of a customer who deleted their account. */
export const seesDeleted = (who: Someone) => isManager(who)
/** The agency of an ally; null for all other users. */
export const allyAgencyOf = (who: Pick<Actor, 'kind' | 'agencyId'>) => (isAlly(who) ? who.agencyId : null)

type WithRole = { role?: unknown }
export const isCustomer = <Who extends WithRole>(
  who: Who | null | undefined,
): who is Who & { role: 'customer' } => who?.role === 'customer'
export const isStaff = <Who extends WithRole>(who: Who | null | undefined): who is Who & { role: 'staff' } =>
  who?.role === 'staff'
/** Refuses everybody but customers. */
export function assertCustomer<Who extends WithRole>(who: Who): asserts who is Who & { role: 'customer' } {
  if (!isCustomer(who)) refuse('permission-denied')
}
/** Whether the mover is the customer that a record belongs to. */
export const isItsCustomer = (who: Mover, { customerId }: { customerId: string }) =>
  who !== 'system' && isCustomer(who) && who.id === customerId

/** The label of each kind on the screen (specification §2, sidebar). */
export const kindLabels: Record<StaffKind, string> = {
  manager: 'Manager',
  analyst: 'Analista',
  tecnician: 'Técnico instalador',
  gester: 'Gestor ante CFE',
  alliate: 'Aliado consecionaria',
}

export const kindLabel = (actor: Pick<Actor, 'role' | 'kind'>) =>
  actor.kind ? kindLabels[actor.kind] : 'Cliente'

/** A profile is complete once it has a name (specification §4). */
export const hasName = (actor: Pick<Actor, 'name'>) => Boolean(actor.name?.trim())
