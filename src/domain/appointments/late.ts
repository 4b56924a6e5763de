import { counted, duration } from '../shared/format.ts'
import { type AppointmentState, upcomingStates } from './appointment.ts'

/** Its assignee has not begun it: past its time it is late. */
export const notBegunStates = [...upcomingStates, 'en_route'] as const

/** How many minutes an appointment is past its start (epoch minutes) without having begun; 0 when it is not late. */
export const lateMinutes = ({ state, start }: { state: AppointmentState; start: number }, now: number) =>
  notBegunStates.some((one) => one === state) ? Math.max(0, now - start) : 0

/** "38 min tarde", "2 días tarde". */
export const lateWords = (minutes: number) =>
  `${minutes < 1440 ? duration(minutes) : counted(Math.floor(minutes / 1440), 'día', 'días')} tarde`
