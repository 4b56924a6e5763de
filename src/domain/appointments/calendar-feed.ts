import type { Role, StaffKind } from '../access/actor.ts'
import { performers } from './services.ts'

type Somebody = { role: Role; kind: StaffKind | null }

/** Whether a user has appointments of their own to export to a calendar: customers and field staff. */
export const hasOwnAppointments = ({ role, kind }: Somebody) =>
  role === 'customer' || performers.some((performer) => performer === kind)

/** How many days of the past and of what is to come a subscribed calendar holds. */
export const feedDays = { past: 30, ahead: 60 } as const
