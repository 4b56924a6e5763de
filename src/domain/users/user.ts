import { type Actor, kindLabels, type Role, type StaffKind } from '../access/actor.ts'
import { fullName } from '../shared/format.ts'

/** A user as the specification's collection has it (§3), keyed by `uid`; `version` is the row's optimistic lock. */
export type User = {
  uid: string
  name: string | null
  lastname: string | null
  email: string
  role: Role
  kind: StaffKind | null
  /** The agency's id; of allies only. */
  agency: string | null
  phone: string | null
  active: boolean
  createdAt: Date
  version: number
}

/** What a role choice offers (specification §4): customer, or one of the kinds of staff. */
export const roleChoices = { customer: 'Cliente', ...kindLabels } as const
export type RoleChoice = keyof typeof roleChoices

/** Customer is role customer without a kind; any other value is role staff and that kind. */
export const roleOf = (choice: RoleChoice): { role: Role; kind: StaffKind | null } =>
  choice === 'customer' ? { role: 'customer', kind: null } : { role: 'staff', kind: choice }

/** The choice that corresponds to a role and kind. */
export const choiceOf = ({ kind }: { kind: StaffKind | null }): RoleChoice => kind ?? 'customer'

/** Name and last name, or the e-mail of somebody who has not given any. */
export const calledBy = ({ name, lastname, email }: Pick<User, 'name' | 'lastname' | 'email'>) =>
  fullName({ name, lastname }) || email

/** Only the manager sees customers and inactive people, invites, and changes what others may do. */
export const managesPeople = ({ kind }: Pick<Actor, 'kind'>) => kind === 'manager'
