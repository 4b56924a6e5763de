import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { cancelHeld } from '../appointments/cancel.ts'
import { affectedUserIds, isActive } from '../appointments/rules/appointment.ts'
import { appointmentMachine } from '../appointments/rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment } from '../appointments/transition.ts'
import { cancelCharges } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects, tasks } from '../platform/database/schema/projects.ts'
import { followed, happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { isRequoteAsked } from '../projects/project-money.ts'
import { editedSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { refuse } from '../shared/refusal.ts'
import { freeBenefit } from './benefit.ts'
import {
  askDesk,
  expireIfOver,
  factsOfQuote,
  judge,
  type LockedQuote,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './transition.ts'

/** A customer's answer to a quote, in their own words; `version` is the one on the screen. */
type Answer = { version: number; reason: string }

/** A customer rejects a quote. The desk calls; the same form sent twice is one answer. */
export const rejectQuote = (db: Db, actor: Actor, id: string, input: Answer, now: Date) =>
  answer(db, actor, id, 'reject', input, now)

/** A customer requests changes to a quote. The desk makes another version; the same form sent twice is one answer. */
export const askChanges = (db: Db, actor: Actor, id: string, input: Answer, now: Date) =>
  answer(db, actor, id, 'askChanges', input, now)

const answers = {
  reject: {
    state: 'rejected',
    letter: 'quote_rejected',
    task: 'quote_rejected',
    subject: 'Rechazó su cotización. Llámale y averigua qué le conviene',
  },
  askChanges: {
    state: 'changes_requested',
    letter: 'quote_changes_requested',
    task: 'quote_changes',
    subject: 'Pidió cambios a su cotización',
  },
} as const

async function answer(
  db: Db,
  actor: Actor,
  id: string,
  name: keyof typeof answers,
  { reason, version }: Answer,
  now: Date,
): Promise<QuoteRow> {
  const { letter, state, subject, task } = answers[name]
  const answered = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    const isTheSame = quote.state === state && quote.version > version && quote.reason === reason
    if (isTheSame && quote.customerId === actor.id) return quote
    await judge(tx, name, actor, held, version, now)
    const moved = await transitionQuote(
      tx,
      actor,
      held,
      name,
      now,
      { answeredAt: now, endedAt: now, reason },
      { reason },
    )
    await askDesk(tx, quote, { subject: about(subject, quote, reason), reason: task })
    await enqueue(tx, 'letter', { letter, quoteId: id, to: 'maker' })
    return moved
  })
  announce(db, { people: quoteAffectedUserIds(answered) })
  return answered
}

/** A task says what it is about in its subject: nothing else of it is shown. */
const about = (subject: string, { folio, revision }: QuoteRow, said = '') =>
  `${subject} (${folio}, versión ${revision})${said && `: «${said}»`}`

/**
 * A customer requests a new quote for one that ended. It is one task for the desk, however often the button is pressed.
 */
export async function askAnew(db: Db, actor: Actor, id: string, now: Date): Promise<QuoteRow> {
  const asked = await transaction(db, async (tx) => {
    const held = await expireIfOver(tx, await lockQuote(tx, actor, id), now)
    const { quote } = held
    if (quote.customerId === actor.id && isRequoteAsked(quote)) return quote
    const moved = await transitionQuote(tx, actor, held, 'askAnew', now, { answeredAt: now })
    await askDesk(tx, quote, { subject: about('Pide otra cotización', quote), reason: 'quote_renewal' })
    await enqueue(tx, 'letter', { letter: 'quote_renewal_asked', quoteId: id, to: 'maker' })
    return moved
  })
  announce(db, { people: quoteAffectedUserIds(asked) })
  return asked
}

/** A new version closes the tasks about the earlier ones. */
export async function closeTasks(
  tx: Tx,
  { id: takenBy }: Actor,
  { projectId, revision }: QuoteRow,
  now: Date,
): Promise<void> {
  const open = and(eq(tasks.projectId, projectId), isNull(tasks.doneAt), sql`${tasks.quoteId} is not null`)
  const result = `Se envió la versión ${revision}.`
  await tx
    .update(tasks)
    .set({ doneAt: now, takenBy, result, version: sql`${tasks.version} + 1` })
    .where(and(open, sql`${tasks.reason} like 'quote\\_%'`))
}

/** Opens again what the sending of a quote closed, which was taken back. */
export async function reopenTasks(tx: Tx, { id }: Actor, { projectId, sentAt }: QuoteRow): Promise<void> {
  await tx
    .update(tasks)
    .set({ doneAt: null, takenBy: null, result: null, version: sql`${tasks.version} + 1` })
    .where(
      and(
        eq(tasks.projectId, projectId),
        eq(tasks.takenBy, id),
        eq(tasks.doneAt, sentAt!),
        sql`${tasks.reason} like 'quote\\_%'`,
      ),
    )
}

type CancellingQuote = { version: number; reason: string }

/** The accepted quote of an installation was cancelled, before that began. */
export const installationCancelled = followed<{ projectId: string; reason: string; now: Date }>(
  'installation cancelled',
)

/**
 * Cancels an accepted quote before its installation begins: by its customer or a manager. A booked installation is
 * cancelled with it, and so is its extra work; open demands end, and payments are proposed for a refund. The same form
 * sent twice is one change.
 */
export async function cancelQuote(
  db: Db,
  actor: Actor,
  id: string,
  { reason, version }: CancellingQuote,
  now: Date,
): Promise<QuoteRow> {
  const { settings } = await editedSettings(db)
  const [cancelled, freed] = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    if (quote.state === 'cancelled' && quote.version > version && quote.reason === reason)
      return [quote, []] as const
    await judge(tx, 'cancel', actor, held, version, now)
    const freed =
      quote.kind === 'installation' ? await cancelInstallation(tx, actor, quote, reason, now, settings) : []
    const moved = await transitionQuote(tx, actor, held, 'cancel', now, { endedAt: now, reason }, { reason })
    const extra = quote.kind === 'installation' ? await cancelExtraWork(tx, actor, held, reason, now) : []
    if (quote.kind === 'installation') {
      await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, quote.projectId))
      await freeBenefit(tx, quote.projectId)
      await happened(tx, installationCancelled, {
        projectId: quote.projectId,
        reason: `Se canceló la cotización: ${reason}`,
        now,
      })
    }
    // Its own first: a refund is judged by the terms of the quote that it names.
    for (const ended of [id, ...extra])
      await cancelCharges(tx, ended, `Se canceló la cotización: ${reason}`, now)
    await enqueue(tx, 'letter', { letter: 'quote_cancelled', quoteId: id, to: 'customer' })
    await enqueue(tx, 'letter', { letter: 'quote_cancelled', quoteId: id, to: 'maker' })
    return [moved, freed] as const
  })
  announce(db, { people: [...quoteAffectedUserIds(cancelled), ...freed.flatMap(affectedUserIds)] })
  return cancelled
}

/**
 * Cancels its booked installation. Past the limit it counts as cancelled late; an assignee who is on the way already
 * has to be called.
 */
async function cancelInstallation(
  tx: Tx,
  actor: Actor,
  { projectId }: QuoteRow,
  reason: string,
  now: Date,
  settings: Settings,
): Promise<AppointmentRow[]> {
  const booked = await tx
    .select({ id: appointments.id, state: appointments.state })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), eq(appointments.service, 'installation')))
  const cancelled: AppointmentRow[] = []
  for (const { id } of booked.filter(({ state }) => isActive(state))) {
    const held = await lockAppointment(tx, actor, id)
    if (held.state === 'en_route') refuse('failed-precondition', onTheWay)
    const late = isCustomer(actor) && !appointmentMachine.can('cancel', actor, factsOf(held, settings), now)
    const why = isCustomer(actor) ? ('cliente_se_arrepiente' as const) : ('otro' as const)
    const input = { reason: why, note: `Se canceló la cotización: ${reason}`, late }
    cancelled.push(held, await cancelHeld(tx, actor, held, input, now, settings))
  }
  return cancelled
}

/** Cancels the extra work of an installation that will not be made. Returns the ids. */
async function cancelExtraWork(
  tx: Tx,
  actor: Actor,
  { project }: LockedQuote,
  reason: string,
  now: Date,
): Promise<string[]> {
  const ofProject = and(eq(quotes.projectId, project.id), eq(quotes.kind, 'extra_work'))
  const agreed = await tx
    .select()
    .from(quotes)
    .where(and(ofProject, eq(quotes.state, 'accepted')))
    .orderBy(asc(quotes.acceptedAt))
    .for('update')
  for (const quote of agreed) {
    const held = { quote, facts: await factsOfQuote(tx, quote, project) }
    await transitionQuote(tx, actor, held, 'cancel', now, { endedAt: now, reason }, { reason })
  }
  return agreed.map(({ id }) => id)
}

const onTheWay = 'El técnico ya va en camino a instalar. Llámanos y lo vemos contigo.'
