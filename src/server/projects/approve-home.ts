import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { activeStates } from '../../domain/appointments/appointment.ts'
import { isSameHome } from '../../domain/projects/address.ts'
import type { Address } from '../../domain/projects/schema.ts'
import { openQuoteStates } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askDesk } from '../quotes/answers.ts'
import { type LockedQuote, lockQuote, quoteAffectedUserIds } from '../quotes/changes.ts'
import { bookedAtHome, nameOf } from './booked-visit.ts'

export type Approving = {
  version: number
  address: Address
  /** Whether the accepted quote is good for it, or it has to be quoted anew before anything is installed there. */
  stands: boolean
  reason: string
}

/**
 * The manager approves another home for a project whose quote was accepted: the only way to one. Its customer is told, and the
 * history keeps why. Where the quote does not stand there, the installation waits until the next version is accepted.
 */
export async function approveHome(
  db: Db,
  actor: Actor,
  quoteId: string,
  wish: Approving,
  now: Date,
): Promise<void> {
  const quote = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, quoteId)
    if (actor.kind !== 'manager') refuse('permission-denied')
    const { address, reason, stands } = wish
    const [before] = await tx.select().from(addresses).where(present(held.project.id))
    // The same form again.
    if (before?.approvedAt && isSameHome(before, address)) return held.quote
    await assertMovable(tx, held, wish)
    const set = { ...address, approvedAt: now }
    const [saved] = before
      ? await tx
          .update(addresses)
          .set({ ...set, version: before.version + 1 })
          .where(eq(addresses.id, before.id))
          .returning()
      : await tx
          .insert(addresses)
          .values({ ...set, projectId: held.project.id })
          .returning()
    if (!stands) await quoteAnew(tx, held)
    const by = { actorId: actor.id, reason, data: { stands } }
    await record(tx, { entity: 'address', entityId: saved!.id, name: 'approve', ...by })
    await record(tx, { entity: 'quote', entityId: quoteId, name: stands ? 'moveHome' : 'leaveHome', ...by })
    await enqueue(tx, 'letter', { letter: 'home_approved', quoteId, to: 'customer' })
    return held.quote
  })
  announce(db, { people: quoteAffectedUserIds(quote) })
}

const present = (projectId: string) => and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))

async function assertMovable(tx: Tx, { facts, project, quote }: LockedQuote, wish: Approving): Promise<void> {
  if (quote.state !== 'accepted' || quote.kind !== 'installation')
    refuse('failed-precondition', 'Solo el domicilio de una cotización aceptada necesita aprobarse.')
  if (quote.version !== wish.version) refuse('aborted')
  if (facts.installationStarted) refuse('failed-precondition', 'La instalación ya empezó en su domicilio.')
  if (wish.address.area !== 'served')
    refuse('failed-precondition', 'Todavía no llegamos a ese domicilio.', {
      errors: { postalCode: 'Todavía no llegamos a este código postal.' },
    })
  const [open] = await tx
    .select({ revision: quotes.revision })
    .from(quotes)
    .where(
      and(
        eq(quotes.projectId, project.id),
        eq(quotes.kind, 'installation'),
        inArray(quotes.state, openQuoteStates),
      ),
    )
  if (open)
    refuse(
      'failed-precondition',
      `Su cliente todavía puede aceptar la versión ${open.revision}. Retírala antes.`,
    )
  const [booked] = await tx
    .select({ folio: appointments.folio, service: appointments.service })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, project.id),
        inArray(appointments.service, bookedAtHome),
        inArray(appointments.state, [...activeStates]),
      ),
    )
  if (booked)
    refuse(
      'failed-precondition',
      `Tiene agendada la ${nameOf(booked)}. Cancélala antes: se agenda de nuevo en el otro domicilio.`,
    )
}

/** What was agreed and paid stays; nothing is installed by it there. */
async function quoteAnew(tx: Tx, { project, quote }: LockedQuote): Promise<void> {
  await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, project.id))
  await askDesk(tx, quote, {
    subject: `Cambió de domicilio: agenda otra visita y cotízalo de nuevo (${quote.folio})`,
    ...{ reason: 'quote_home', urgent: true },
  })
}

/** The home of a project as the manager may put another in its place: of an accepted quote whose installation has not begun. */
export async function movableHome(db: Db, actor: Actor, quoteId: string) {
  if (actor.kind !== 'manager') return null
  const [row] = await db
    .select({ address: addresses })
    .from(quotes)
    .leftJoin(addresses, and(eq(addresses.projectId, quotes.projectId), isNull(addresses.archivedAt)))
    .where(and(eq(quotes.id, quoteId), eq(quotes.state, 'accepted'), eq(quotes.kind, 'installation')))
  return row ?? null
}
