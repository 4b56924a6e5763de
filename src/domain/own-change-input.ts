import { z } from 'zod'
import { start } from './appointment-input.ts'
import { closingInput } from './closing-input.ts'
import { customerReasons } from './reasons.ts'
import { seenVersion, staleForm } from './seen-version.ts'

/** A customer's other time for what they booked. */
export const ownTimeInput = z.object({ startsAt: start, version: seenVersion })

/** A customer lets an appointment go: in time, or knowing that it is late. */
const cancelling = closingInput.safeExtend({
  intent: z.enum(['cancel', 'cancel-late']),
  appointmentId: z.uuid(staleForm),
  version: seenVersion,
  reason: z.enum(customerReasons, 'Elige un motivo.'),
})

const waiting = z.object({ intent: z.enum(['ask-earlier', 'stop-waiting']) })
const complaining = z.object({ intent: z.literal('nobody-came'), appointmentId: z.uuid(staleForm) })
const leftWaiting = z.object({
  intent: z.enum(['keep-waiting', 'ask-call-back']),
  appointmentId: z.uuid(staleForm),
})
const answering = z.object({
  intent: z.enum(['claim', 'decline', 'accept-move', 'decline-move']),
  offerId: z.uuid(staleForm),
})

/** The forms of a customer's page of one service. */
export const ownChangeInput = z.discriminatedUnion(
  'intent',
  [cancelling, waiting, answering, complaining, leftWaiting],
  staleForm,
)
export type OwnChange = z.output<typeof ownChangeInput>
