import { and, eq, ne } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { createDepositCharge } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { noteConditions } from '../projects/conditions.ts'
import { assertStillHome } from '../projects/quoted-home.ts'
import { answersOf, approvedVisit, findingsFor } from '../reports/prefilled.ts'
import { refuse } from '../shared/refusal.ts'
import { takeBenefit } from './benefit.ts'
import { optionNames, optionOf } from './rules/content.ts'
import { depositOf, totalsOfOption } from './rules/totals.ts'
import {
  assertNotBegun,
  assertOpenInstallation,
  factsOfQuote,
  judge,
  type LockedQuote,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './transition.ts'

/**
 * What a customer agrees to: the version and digest on the screen, one option, its add-ons, and the signer with their
 * address.
 */
export type Acceptance = {
  version: number
  digest: string
  option: string
  addOns: readonly string[]
  name: string
  ip: string
}

/**
 * A customer accepts one option of a quote. It makes the deposit due, and replaces an earlier acceptance; payments stay
 * with the project. The same form sent twice is one acceptance; of two at once the second is refused with the reason.
 */
export async function acceptQuote(
  db: Db,
  actor: Actor,
  id: string,
  input: Acceptance,
  now: Date,
): Promise<QuoteRow> {
  let installer: string | null = null
  const accepted = await transaction(db, async (tx) => {
    const held = await lockQuote(tx, actor, id)
    const { quote } = held
    if (isTheSame(held, actor, input)) return quote
    refuseOther(held, actor)
    await judge(tx, 'accept', actor, held, input.version, now)
    if (quote.digest !== input.digest) refuse('aborted')
    const agreed = agreedIn(quote, input)
    // The technician on site sees at once that the extra work may be done.
    if (quote.kind === 'extra_work') installer = await assertOpenInstallation(tx, quote)
    else {
      assertNotBegun(held)
      await assertStillHome(tx, quote)
      await replaceAccepted(tx, actor, held, now)
      await takeBenefit(tx, quote)
    }
    const moved = await transitionQuote(tx, actor, held, 'accept', now, {
      ...agreed,
      acceptedName: input.name,
      acceptedIp: input.ip,
      acceptedDigest: quote.digest,
      acceptedAt: now,
      answeredAt: now,
    })
    await follow(tx, moved, now)
    return moved
  })
  announce(db, { people: [...quoteAffectedUserIds(accepted), ...(installer ? [installer] : [])] })
  return accepted
}

const isTheSame = ({ quote }: LockedQuote, { id }: Actor, { addOns, digest, option, version }: Acceptance) =>
  quote.state === 'accepted' &&
  quote.customerId === id &&
  quote.version > version &&
  quote.acceptedOption === option &&
  quote.acceptedDigest === digest &&
  [...quote.acceptedAddOns].sort().join() === [...new Set(addOns)].sort().join()

/** Another tab was faster, with another choice. */
function refuseOther({ quote }: LockedQuote, { id }: Actor): void {
  if (quote.state !== 'accepted' || quote.customerId !== id) return
  const name = optionNames[quote.acceptedOption as keyof typeof optionNames] ?? quote.acceptedOption
  refuse(
    'failed-precondition',
    `Ya aceptaste la opción «${name}» de esta cotización. Si quieres otra, escríbenos.`,
  )
}

/** The choice, and its total by the figures that the customer was shown. */
function agreedIn({ content, kind }: QuoteRow, { addOns, option: id }: Acceptance) {
  const chosen = [...new Set(addOns)]
  const option = optionOf(content, id)
  if (!option) return refuse('invalid-argument', 'Elige una opción de esta cotización.', wrong('option'))
  if (!chosen.every((addOn) => option.addOns.some((one) => one.id === addOn)))
    return refuse('invalid-argument', 'Un adicional que marcaste no es de la opción que elegiste.')
  const { total } = totalsOfOption(option, chosen)
  const deposit = kind === 'extra_work' ? 0 : depositOf(total, content.depositPercent)
  return { acceptedOption: id, acceptedAddOns: chosen, acceptedTotal: total, depositAmount: deposit }
}

const wrong = (field: string) => ({ errors: { [field]: 'Elige una opción.' } })

/** A project has one accepted quote at a time. The former quote's demands end with the new one's deposit. */
async function replaceAccepted(
  tx: Tx,
  actor: Actor,
  { project, quote }: LockedQuote,
  now: Date,
): Promise<void> {
  const [former] = await tx
    .select()
    .from(quotes)
    .where(
      and(
        eq(quotes.projectId, project.id),
        eq(quotes.kind, 'installation'),
        eq(quotes.state, 'accepted'),
        ne(quotes.id, quote.id),
      ),
    )
    .for('update')
  if (!former) return
  const held = { quote: former, facts: await factsOfQuote(tx, former, project) }
  await transitionQuote(tx, actor, held, 'replace', now, { endedAt: now })
}

async function follow(tx: Tx, quote: QuoteRow, now: Date): Promise<void> {
  if (quote.kind === 'installation') {
    const answers = await answersOf(tx, quote.appointmentId)
    // Nothing changes where the approval of the visit kept its conditions.
    const visit = await approvedVisit(tx, quote.projectId)
    if (visit) {
      const found = await findingsFor(tx, quote.projectId, await answersOf(tx, visit.id))
      const about = { found, projectId: quote.projectId, visitId: visit.id, isMailed: true }
      await noteConditions(tx, { id: quote.customerId }, about, now)
    }
    await tx
      .update(projects)
      .set({ quoteAcceptedAt: now, permitNeeded: answers.needsPermit === true })
      .where(eq(projects.id, quote.projectId))
  }
  await createDepositCharge(tx, quote, now)
  await enqueue(tx, 'letter', { letter: 'quote_accepted', quoteId: quote.id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'quote_accepted', quoteId: quote.id, to: 'maker' })
}
