import { z } from 'zod'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { start } from './appointment-input.ts'
import { closingInput } from './closing-input.ts'
import { customerReasons } from './reasons.ts'

/** A customer's other time for what they booked. */
export const ownTimeInput = z.object({ startsAt: start, version: seenVersion })

/** A customer lets an appointment go: in time, or knowing that it is late. */
const cancelling = closingInput.safeExtend({
  appointmentId: z.uuid(staleForm),
  version: seenVersion,
  reason: z.enum(customerReasons, 'Elige un motivo.'),
})
const waiting = z.object({})
const aboutAppointment = z.object({ appointmentId: z.uuid(staleForm) })
const aboutOffer = z.object({ offerId: z.uuid(staleForm) })

/** The forms of a customer's page of one service, by their intent. */
export const ownChangeInput = {
  cancel: cancelling,
  'cancel-late': cancelling,
  'ask-earlier': waiting,
  'stop-waiting': waiting,
  'nobody-came': aboutAppointment,
  'keep-waiting': aboutAppointment,
  'ask-call-back': aboutAppointment,
  claim: aboutOffer,
  decline: aboutOffer,
  'accept-move': aboutOffer,
  'decline-move': aboutOffer,
}
