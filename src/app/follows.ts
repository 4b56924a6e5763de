import { accountDisowned, contactChanged, customerBecameStaff, sessionsEnded } from '../accounts/changes.ts'
import { endAttributionOfStaff, endOwnReferral } from '../agencies/attributions.ts'
import { commissionFor } from '../agencies/commission-commands.ts'
import {
  appointmentBegun,
  appointmentMoved,
  appointmentUnfinished,
  customerAbsent,
} from '../appointments/changes.ts'
import { cancelDisowned, endLinks } from '../appointments/follows.ts'
import { settleAppointments } from '../appointments/staffing-change.ts'
import { resetRoom } from '../calls/participation.ts'
import { endUnfiledCases } from '../cfe/commands.ts'
import { clientStageChanged } from '../customers/clients.ts'
import { stageChanged } from '../integrations/webhooks/events.ts'
import { dropComplements } from '../invoices/follows.ts'
import { paymentReversed } from '../payments/correct.ts'
import type { Followed } from '../platform/follows.ts'
import { installationCancelled } from '../quotes/answers.ts'
import { askFacade, notifyUnfinished } from '../reports/follows.ts'
import { assertRisks } from '../reports/rows.ts'
import { installationFinished } from '../reports/submit.ts'
import { staffingChanged } from '../scheduling/change-staffing.ts'

function when<Change, On>(change: Followed<Change, On>, ...follows: Followed<Change, On>['follows']) {
  change.follows = follows
  return { when: change.name, follows: follows.map(({ name }) => name) }
}

/** What follows from what, in this order; loaded with the application. */
export const registered = [
  when(sessionsEnded, endLinks),
  when(accountDisowned, cancelDisowned),
  when(contactChanged, endOwnReferral),
  when(customerBecameStaff, endAttributionOfStaff),
  when(staffingChanged, settleAppointments),
  when(appointmentMoved, resetRoom),
  when(appointmentBegun, assertRisks),
  when(appointmentUnfinished, notifyUnfinished),
  when(customerAbsent, askFacade),
  when(installationFinished, commissionFor),
  when(installationCancelled, endUnfiledCases),
  when(paymentReversed, dropComplements),
  when(clientStageChanged, stageChanged),
]
