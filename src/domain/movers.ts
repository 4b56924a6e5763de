import type { Facts, Mover } from './appointment.ts'

/** Who makes a move, told by what they are to an appointment. */

export const isSystem = (mover: Mover) => mover === 'system'
export const isManager = (mover: Mover) => mover !== 'system' && mover.kind === 'manager'
export const isAnalyst = (mover: Mover) => mover !== 'system' && mover.kind === 'analyst'
export const itsAssignee = (mover: Mover, { assigneeId, provisional }: Facts) =>
  mover !== 'system' && mover.role === 'staff' && !provisional && mover.id === assigneeId
export const itsCustomer = (mover: Mover, { customerId }: Facts) =>
  mover !== 'system' && mover.role === 'customer' && mover.id === customerId
export const itsAssigneeOrManager = (mover: Mover, facts: Facts) =>
  itsAssignee(mover, facts) || isManager(mover)
export const isCall = ({ service }: Facts) => service === 'videocall'
export const itsCallersOwn = (mover: Mover, facts: Facts) => isCall(facts) && itsCustomer(mover, facts)
export const itsCustomerOrManager = (mover: Mover, facts: Facts) =>
  itsCustomer(mover, facts) || isManager(mover)
