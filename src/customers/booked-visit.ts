import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { placementAt } from '../appointments/reschedule.ts'
import {
  activeStates,
  type Service,
  serviceFacts,
  services,
  upcomingStates,
} from '../appointments/rules/appointment.ts'
import { changeRights } from '../appointments/rules/transitions.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { addresses, projects } from '../platform/database/schema/projects.ts'
import { assertVersion, lastSave } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { openProjectOf, type ProjectOwner } from '../projects/open-project.ts'
import { coloniasOf } from '../projects/postal-list.ts'
import { quotedHome } from '../projects/quoted-home.ts'
import { isSameHome } from '../projects/rules/address.ts'
import { pinAfter } from '../projects/rules/pin.ts'
import { approvesHomes } from '../projects/rules/project.ts'
import type { Address } from '../projects/rules/schema.ts'
import { homeEvents, openQuoteStates } from '../quotes/rules/quote.ts'
import { askDesk, type LockedQuote, lockQuote, quoteAffectedUserIds } from '../quotes/transition.ts'
import { candidates, nearestSlots, questionFor, type SlotQuestion } from '../scheduling/choose.ts'
import { toDate, toMinutes } from '../shared/calendar.ts'
import { Refusal, refuse } from '../shared/refusal.ts'

/** How a booked visit follows its customer to another address: with its assignee, a new one, or at another time. */
export type VisitMove = {
  visit: AppointmentRow
  /** Null when the municipality stays and nothing about the itinerary changes. */
  check: { question: SlotQuestion; start: number; personId: string } | null
}

/** The services carried out at the customer's address. */
export const bookedAtHome = services.filter((service) => serviceFacts[service].needsTravel)
const names: Partial<Record<Service, string>> = { technical_visit: 'visita', installation: 'instalación' }
export const nameOf = ({ folio, service }: Pick<AppointmentRow, 'folio' | 'service'>) =>
  `${names[service]} ${folio}`

/** The movable appointments at a customer's address; the soonest first. The caller has checked access. */
export async function bookedVisitsOf(db: Db, customer: ProjectOwner): Promise<AppointmentRow[]> {
  const project = await openProjectOf(db, customer)
  if (!project) return []
  return db
    .select()
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, project.id),
        inArray(appointments.service, bookedAtHome),
        inArray(appointments.state, upcomingStates),
      ),
    )
    .orderBy(asc(appointments.startsAt))
}

/**
 * Decides who visits a customer's new address: at the promised time, or where no assignee can then, at `newStart`, which
 * the actor chose among the free times. A Refusal, with the nearest free times, when neither is possible.
 */
export async function visitMovesFor(
  db: Db,
  actor: Actor,
  customer: ProjectOwner,
  address: Address,
  newStart: Date | null,
  now: Date,
): Promise<VisitMove[]> {
  const moves: VisitMove[] = []
  for (const visit of await bookedVisitsOf(db, customer)) {
    if (address.area !== 'served')
      refuse(
        'failed-precondition',
        `La ${nameOf(visit)} está agendada y todavía no llegamos a ese código postal. ${orElse(actor)}`,
      )
    moves.push(await moveOf(db, actor, visit, address, newStart, now))
  }
  return moves
}

const orElse = (actor: Actor) =>
  isCustomer(actor) ? 'Guarda sin moverla o pide ayuda.' : 'Guarda sin moverla, o cancélala antes.'

async function moveOf(
  db: Db,
  actor: Actor,
  visit: AppointmentRow,
  address: Address,
  newStart: Date | null,
  now: Date,
): Promise<VisitMove> {
  if (visit.municipality === address.municipality) return { visit, check: null }
  const place = { municipality: address.municipality, address: null }
  const held = await choiceFor(db, visit, { start: toMinutes(visit.startsAt), promised: true, place }, now)
  if (held.personId === visit.assigneeId && held.personId)
    return { visit, check: { ...held, personId: held.personId } }
  if (isCustomer(actor)) refuseLate(visit, held.question, now)
  if (held.personId) return { visit, check: { ...held, personId: held.personId } }
  if (!newStart) return offerTimes(db, actor, visit, place, now)
  const other = await choiceFor(db, visit, { start: toMinutes(newStart), place }, now)
  if (!other.personId) return offerTimes(db, actor, visit, place, now)
  return { visit, check: { ...other, personId: other.personId } }
}

type At = Parameters<typeof placementAt>[1]

/** Its own assignee if available, else the best available one; null when none is. */
async function choiceFor(db: Db, visit: AppointmentRow, at: At, now: Date) {
  const question = await questionFor(db, placementAt(visit, at), now)
  const able = candidates(question, at.start)
  const best = able.find((one) => one.id === visit.assigneeId) ?? able[0]
  return { question, start: at.start, personId: best?.id ?? null }
}

/** After the cut-off a promised assignee or time is changed by a call, not by a form. */
function refuseLate(visit: AppointmentRow, { staffing }: SlotQuestion, now: Date) {
  if (now <= changeRights(visit, staffing.settings).until) return
  throw notReached(
    `Quien hará tu ${nameOf(visit)} no alcanza a llegar a la nueva dirección, y ya pasó el plazo para cambiarla en línea. Pide ayuda, o guarda sin moverla.`,
    { offers: 'help' },
  )
}

async function offerTimes(
  db: Db,
  actor: Actor,
  visit: AppointmentRow,
  place: At['place'],
  now: Date,
): Promise<never> {
  const at = { start: toMinutes(visit.startsAt), ...(place && { place }) }
  const nearest = await nearestSlots(db, placementAt(visit, at), now)
  if (nearest.length === 0)
    throw notReached(
      `A la hora de la ${nameOf(visit)} nadie alcanza a llegar a la nueva dirección, y ahí no hay horarios libres. ${orElse(actor)}`,
      { offers: 'help' },
    )
  throw notReached(
    `A la hora de la ${nameOf(visit)} nadie alcanza a llegar a la nueva dirección. Elige otro horario aquí mismo; no cuenta entre ${isCustomer(actor) ? 'tus' : 'sus'} cambios.`,
    { times: nearest.map((start) => toDate(start).toISOString()) },
  )
}

const notReached = (description: string, details: unknown) =>
  new Refusal('failed-precondition', { title: 'A esa hora no alcanzamos a llegar', description, details })

type Approving = {
  version: number
  address: Address
  /** Whether the accepted quote is valid for it, or a new one is needed before the installation. */
  stands: boolean
  reason: string
}

/**
 * The manager approves another home for a project whose quote was accepted, which is the only way to change it. Its
 * customer is notified, and the history keeps the reason. Where the quote does not stand there, the installation waits
 * until the next version is accepted.
 */
export async function approveHome(
  db: Db,
  actor: Actor,
  quoteId: string,
  input: Approving,
  now: Date,
): Promise<void> {
  const quote = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, quoteId)
    if (!approvesHomes(actor)) refuse('permission-denied')
    const { address, reason, stands } = input
    const [before] = await tx.select().from(addresses).where(present(held.project.id))
    // The same form again.
    if (before?.approvedAt && isSameHome(before, address)) return held.quote
    await assertMovable(tx, actor, held, input)
    const set = { ...address, ...pinAfter(before ?? null, address), approvedAt: now }
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
    await record(tx, {
      entity: 'quote',
      entityId: quoteId,
      name: homeEvents[stands ? 'stands' : 'anew'],
      ...by,
    })
    await enqueue(tx, 'letter', { letter: 'home_approved', quoteId, to: 'customer' })
    return held.quote
  })
  announce(db, { people: quoteAffectedUserIds(quote) })
}

const present = (projectId: string) => and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))

async function assertMovable(tx: Tx, actor: Actor, { facts, project, quote }: LockedQuote, input: Approving) {
  await assertVersion(tx, actor, 'quote', quote, input.version)
  if (quote.state !== 'accepted' || quote.kind !== 'installation')
    refuse('failed-precondition', 'Solo el domicilio de una cotización aceptada necesita aprobarse.')
  if (facts.installationStarted) refuse('failed-precondition', 'La instalación ya empezó en su domicilio.')
  if (input.address.area !== 'served')
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
      `El cliente todavía puede aceptar la versión ${open.revision}. Retírala antes.`,
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

/** What was agreed and paid stays; it is not valid for an installation there. */
async function quoteAnew(tx: Tx, { project, quote }: LockedQuote): Promise<void> {
  await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, project.id))
  await askDesk(tx, quote, {
    subject: `Cambió de domicilio: agenda otra visita y cotízalo de nuevo (${quote.folio})`,
    reason: 'quote_home',
    urgent: true,
  })
}

/** The home of a project that the manager may replace: of an accepted quote whose installation has not begun. */
export async function movableHome(db: Db, actor: Actor, quoteId: string) {
  if (!approvesHomes(actor)) return null
  const [row] = await db
    .select({ address: addresses })
    .from(quotes)
    .leftJoin(addresses, and(eq(addresses.projectId, quotes.projectId), isNull(addresses.archivedAt)))
    .where(and(eq(quotes.id, quoteId), eq(quotes.state, 'accepted'), eq(quotes.kind, 'installation')))
  return row ?? null
}

/** What the form of a customer's home shows: the home, its visits, and the colonias of its postal code or of one that was typed. */
export async function homeToChange(db: Db, actor: Actor, customer: ProjectOwner, typed: string | null) {
  const [project, booked] = await Promise.all([openProjectOf(db, customer), bookedVisitsOf(db, customer)])
  const address = project?.address ?? null
  const postalCode = /^\d{5}$/.test(typed ?? '') ? typed : address?.postalCode
  const [wasSaved, colonias, home] = await Promise.all([
    address ? lastSave(db, actor, { entity: 'address', id: address.id }) : undefined,
    postalCode ? coloniasOf(db, postalCode) : [],
    project ? quotedHome(db, project.id) : null,
  ])
  return {
    address,
    wasSaved,
    colonias,
    home,
    booked: booked.map(({ id, folio, service, startsAt }) => ({ id, folio, service, startsAt })),
  }
}
