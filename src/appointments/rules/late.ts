import { counted, duration } from '../../shared/format.ts'
import { type AppointmentState, upcomingStates } from './appointment.ts'

/** Its assignee has not begun it: past its time it is late. */
export const notBegunStates = [...upcomingStates, 'en_route'] as const

/** Whether an appointment is still to be begun. */
export const isNotBegun = (state: AppointmentState) => notBegunStates.some((one) => one === state)

type Begun = { state: AppointmentState; start: number; told?: number | null | undefined }

/**
 * How many minutes an appointment is late without having begun: past its start (epoch minutes), or as its assignee told;
 * 0 when it is not.
 */
export const lateMinutes = ({ state, start, told }: Begun, now: number) =>
  isNotBegun(state) ? Math.max(0, now - start, told ?? 0) : 0

/** "38 min tarde", "2 días tarde". */
export const lateWords = (minutes: number) =>
  `${minutes < 1440 ? duration(minutes) : counted(Math.floor(minutes / 1440), 'día', 'días')} tarde`
