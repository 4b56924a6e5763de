import { leave, type Tx } from '../platform/database/database.ts'
import type { appointments } from '../platform/database/schema/appointment-schema.ts'
import { askToCallCustomer } from './call-customer.ts'

type Ended = Pick<typeof appointments.$inferSelect, 'id' | 'folio' | 'customerId' | 'projectId'>

/** Ends without what the appointment was for, each with the words of its task. */
const subjects = {
  not_possible: (folio: string) => `No fue posible ${folio}: acuerda con el cliente qué sigue`,
  half_done: (folio: string) => `Quedó a medias ${folio}: acuerda con el cliente cuándo se termina`,
  no_show: (folio: string) => `No se presentó a ${folio}: acuerda otro horario con el cliente`,
  called_off: (folio: string) => `Se suspendió ${folio}: acuerda otro horario con el cliente`,
}
type WithoutAim = keyof typeof subjects

/** An appointment ended without what it was for: somebody sees to it that it goes on. */
export const askForNextStep = (tx: Tx, ended: Ended, reason: WithoutAim) =>
  askToCallCustomer(tx, ended, { subject: subjects[reason](ended.folio), reason, urgent: false })

const close = {
  name: 'next_step_taken',
  text: `update tasks set done_at = $3, taken_by = $4, result = $5, version = version + 1, updated_at = now()
    where done_at is null and project_id = $1 and reason = any($6)
      and appointment_id in (select id from appointments where project_id = $1 and service = $2)`,
}

type Taken = { projectId: string; service: string; folio: string; actorId: string }

/** Another appointment of the same service was booked: what was asked after the one before is done. The commit waits for it. */
export function nextStepTaken(tx: Tx, { actorId, folio, projectId, service }: Taken, now: Date): void {
  const reasons = Object.keys(subjects)
  const values = [projectId, service, now, actorId, `Se agendó ${folio}.`, reasons]
  leave(tx, tx.$client.query({ ...close, values }))
}
