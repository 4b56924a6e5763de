import { eq } from 'drizzle-orm'
import { isCustomer } from '../access/rules/actor.ts'
import { isBraked } from '../accounts/limits.ts'
import { mailboxOf } from '../agencies/rules/clients.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { hashOf } from '../platform/http/sealing.ts'
import type { AccountEmailJob, EmailJob } from '../platform/jobs/emails.ts'
import { enqueue, jobIdFor } from '../platform/jobs/jobs.ts'
import { countOutward, type HeldBack, heldIn } from '../platform/outward.ts'
import { currentContext, log } from '../platform/telemetry/log.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { areSameDay } from '../shared/calendar.ts'
import { type Email, type Recipient, recipient } from './email.ts'
import { notices } from './rules/push.ts'

/** Receipts, and what concerns a visit that is under way or about to be. */
const neverHeld: readonly EmailJob['letter'][] = [
  'on_the_way',
  'running_late',
  'way_undone',
  'called_off',
  'left_unsafe',
  'late_cancel',
  'payment_received',
  'refund_paid',
  'invoice_issued',
]

/** Sent at once where they are about a visit of today, or one that was to be today. */
const aboutTheVisit: readonly EmailJob['letter'][] = [
  'booked',
  'assigned',
  'changed',
  'cancelled',
  'let_go',
  'no_person',
  'nobody_came',
  'slot_offer',
]

type Asked = { job: EmailJob; jobId: string; facts: unknown }

/**
 * The recipients of an e-mail whose mailboxes are within their budget. What the others do not get is summed up in one
 * e-mail later. An e-mail that no customer caused, and one about a visit of today, is never held back. The rest of
 * what a braked account causes to others is, from the first.
 */
export async function withinBudget(
  db: Db,
  { facts, job, jobId }: Asked,
  recipients: readonly Recipient[],
): Promise<Recipient[]> {
  const { by: causedBy } = currentContext()
  if (!causedBy || neverHeld.includes(job.letter) || isForToday(facts, job)) return [...recipients]
  const { settings } = await currentStaffing(db)
  const { emailsPerDay: perDay, emailsPerHour: perHour } = settings.outward
  const isHeld = await isBraked(db, causedBy)
  const budgetOf = ({ id }: Recipient) =>
    isHeld && id !== causedBy ? { perDay: 0, perHour: 0 } : { perDay, perHour }
  // Customers type any mailbox as theirs, never one of the staff: there each customer has a budget of their own.
  const receiverOf = ({ to }: EmailJob, { email }: Recipient) =>
    hashOf(to === 'customer' ? mailboxOf(email) : `${mailboxOf(email)} ${causedBy}`)
  const within: Recipient[] = []
  for (const reader of recipients) {
    const about = { id: jobIdFor(jobId, reader.id), readerId: reader.id, causedBy, kind: kindOf(job) }
    const held =
      reader.id === ''
        ? null
        : await countOutward(db, { ...about, receiver: receiverOf(job, reader) }, budgetOf(reader))
    if (held) await gather(db, reader.id, held)
    else within.push(reader)
  }
  return within
}

/** The key of a kind of e-mail, as in `notices`. */
const kindOf = ({ letter, to }: EmailJob) => `${to}.${letter}`

function isForToday(facts: unknown, job: EmailJob): boolean {
  if (!aboutTheVisit.includes(job.letter)) return false
  const { startsAt } = facts as { startsAt?: unknown }
  const was = 'was' in job && job.was?.startsAt
  const times = [...(startsAt instanceof Date ? [startsAt] : []), ...(was ? [new Date(was)] : [])]
  return times.some((at) => areSameDay(at, new Date()))
}

/** One e-mail for all that is held back from a reader in a window. */
async function gather(db: Db, userId: string, { minutes, since }: HeldBack): Promise<void> {
  const job = { letter: 'gathered', userId, since: since.toISOString(), minutes } as const
  const id = jobIdFor(`gathered ${job.since} ${minutes}`, userId)
  const due = new Date(since.getTime() + minutes * 60_000)
  await transaction(db, (tx) => enqueue(tx, 'account-letter', job, due, id))
  log.info({ reader: userId }, 'e-mail held back: over its budget')
}

type Held = { reader: Recipient; role: 'customer' | 'staff'; kinds: [kind: string, count: number][] }

/** What was held back from a reader, by its titles; without names, as on the screen of a locked phone. */
export const gatheredEmail: Email<AccountEmailJob, Held> = {
  async load(db, { minutes = 0, since = '', userId = '' }) {
    const [owner] = await db
      .select({ reader: recipient, role: users.role })
      .from(users)
      .where(eq(users.id, userId))
    return owner?.reader.active
      ? { ...owner, kinds: await heldIn(db, userId, { since: new Date(since), minutes }) }
      : null
  },
  isRelevant: ({ kinds }) => kinds.length > 0,
  recipients: (_db, { reader }) => [reader],
  compose: (held, _reader, { baseUrl }) => ({
    heading: 'Juntamos tus avisos',
    paragraphs: [
      'Hubo muchos cambios seguidos y no quisimos llenarte de correos. Esto pasó mientras tanto:',
      'Lo que vale es lo que ves al entrar.',
    ],
    facts: held.kinds.map(([kind, count]) => [titleOf(kind), count === 1 ? 'una vez' : `${count} veces`]),
    link: { label: 'Ver cómo va todo', href: `${baseUrl}${isCustomer(held) ? '/' : '/admin'}` },
  }),
}

const titles: [string, string | undefined][] = Object.entries(notices).flatMap(([to, ofReader]) =>
  Object.entries(ofReader).map(([letter, notice]) => [`${to}.${letter}`, notice?.[1]]),
)
const titleOf = (kind: string) => new Map(titles).get(kind) ?? 'Otro aviso'
