import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import {
  expireIfOver,
  judge,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './changes.ts'
import { isRequoteAsked } from './project-money.ts'

/** What a customer says of a quote, in their own words; `version` is the one on the screen. */
type Answer = { version: number; reason: string }

/** A customer does not want a quote. The desk calls; the same form sent twice is one answer. */
export const rejectQuote = (db: Db, actor: Actor, id: string, wish: Answer, now: Date) =>
  answer(db, actor, id, 'reject', wish, now)

/** A customer would have something else in a quote. The desk makes another version; the same form sent twice is one answer. */
export const askChanges = (db: Db, actor: Actor, id: string, wish: Answer, now: Date) =>
  answer(db, actor, id, 'askChanges', wish, now)

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
    judge(name, actor, held, version, now)
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
 * A customer would have another quote in the place of one that ended. It is a task for the desk, once however often the
 * button is pressed.
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

type QuoteSubject = Pick<QuoteRow, 'id' | 'customerId' | 'projectId'>

/** A task of whoever writes quotes. */
export async function askDesk(
  tx: Tx,
  { customerId, id, projectId }: QuoteSubject,
  what: { subject: string; reason: string; urgent?: boolean },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  const phone = customer?.phone ?? null
  await tx.insert(tasks).values({ ...what, personId: customerId, projectId, quoteId: id, phone })
}

/** Another version answers what was asked of the ones before. */
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
