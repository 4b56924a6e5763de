import { eq } from 'drizzle-orm'
import { isActive } from '../../domain/appointments/appointment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import type { HeldQuote, QuoteRow } from './changes.ts'

/** What comes up on site is agreed before it is done, and never after: refuses once the installation is over. Answers who carries it out. */
export async function demandOpenInstallation(tx: Tx, { appointmentId }: QuoteRow): Promise<string | null> {
  const [installation] = await tx
    .select({ state: appointments.state, assigneeId: appointments.assigneeId })
    .from(appointments)
    .where(eq(appointments.id, appointmentId))
    .for('share')
  if (!installation || !isActive(installation.state))
    return refuse('failed-precondition', 'La instalación ya terminó: ya no se le puede agregar trabajo.')
  return installation.assigneeId
}

/** Of what is being installed nothing is agreed anew: its balance would be asked for by nobody, or what was paid given back. */
export function demandNotBegun({ facts }: Pick<HeldQuote, 'facts'>): void {
  if (facts.installationStarted)
    refuse(
      'failed-precondition',
      'La instalación ya empezó: su cotización ya no cambia. Lo que falte se cotiza como trabajo adicional.',
    )
}
