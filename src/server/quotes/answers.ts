import type { Actor } from '../../domain/access/actor.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { concernedByQuote, holdQuote, judge, type QuoteRow, writeQuote } from './changes.ts'
import { askDesk } from './desk.ts'
import { expireIfOver } from './expire.ts'
import { wasAskedAnew } from './renewal.ts'

/** What a customer says of a quote, in their own words; `version` is the one on the screen. */
export type Answer = { version: number; reason: string }

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
    const held = await holdQuote(tx, actor, id)
    const { quote } = held
    const isTheSame = quote.state === state && quote.version > version && quote.reason === reason
    if (isTheSame && quote.customerId === actor.id) return quote
    judge(name, actor, held, version, now)
    const moved = await writeQuote(
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
  announce(db, { people: concernedByQuote(answered) })
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
    const held = await expireIfOver(tx, await holdQuote(tx, actor, id), now)
    const { quote } = held
    if (quote.customerId === actor.id && wasAskedAnew(quote)) return quote
    const moved = await writeQuote(tx, actor, held, 'askAnew', now, { answeredAt: now })
    await askDesk(tx, quote, { subject: about('Pide otra cotización', quote), reason: 'quote_renewal' })
    await enqueue(tx, 'letter', { letter: 'quote_renewal_asked', quoteId: id, to: 'maker' })
    return moved
  })
  announce(db, { people: concernedByQuote(asked) })
  return asked
}
