import type { AppointmentState } from '../../domain/appointment.ts'
import { moves } from '../../domain/moves.ts'

/** The states in which an appointment can be given to somebody: those of the screen that does it. */
export const assignable: readonly AppointmentState[] = [...moves.assign.from, ...moves.reassign.from]
