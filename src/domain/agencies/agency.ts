import type { Actor, StaffKind } from '../access/actor.ts'

/** How much of a sale goes to the agency; the values are stored. */
export const commissionLabels = { percent: 'Porcentaje', amount: 'Cantidad fija' } as const
/** The most a code of the agency's allies may give; the values are stored. */
export const benefitLabels = {
  none: 'Ninguno',
  percent: 'Porcentaje de descuento',
  amount: 'Descuento en pesos',
  free_visit: 'Visita gratis',
} as const

export type CommissionKind = keyof typeof commissionLabels
export type BenefitKind = keyof typeof benefitLabels

type Right = 'edit' | 'read' | 'own'
/** What each kind of staff may do with agencies (product.md, "People and access"). */
const rights: Record<StaffKind, Right> = {
  manager: 'edit',
  analyst: 'read',
  tecnician: 'read',
  gester: 'read',
  alliate: 'own',
}

/** Whether a user adds, edits and switches agencies on and off, and reads their terms and internal notes. */
export const editsAgencies = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && rights[kind] === 'edit'
/** Whether a user sees all agencies, not only their own. */
export const seesAllAgencies = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && rights[kind] !== 'own'
