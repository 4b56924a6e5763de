import { createHash } from 'node:crypto'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, type StaffKind } from '../access/rules/actor.ts'
import { isNotDeleted, noteRead } from '../accounts/privacy.ts'
import { attachInstead, keepPapers, type Taken, takeDocument } from '../documents/documents.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { documents, fiscalData, quotes } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { refuse } from '../shared/refusal.ts'
import type { FiscalData, FiscalForm } from './rules/schema.ts'
import { type FiscalState, fiscalMachine, warningOfRfc } from './rules/taxpayer.ts'

type Input = Pick<FiscalForm, 'data' | 'intent' | 'version'> & { constancia: File | null }
type Row = typeof fiscalData.$inferSelect

/** Saves a customer's fiscal data, and sends them to be looked over unless they are only kept. Sent twice, it is one change. Answers how they stand. */
export async function saveFiscal(
  db: Db,
  drive: Drive,
  actor: Actor,
  input: Input,
  now: Date,
): Promise<FiscalState> {
  const customerId = actor.id
  const { constancia: file } = input
  if (file) await assertCurrent(db, actor, { ...input, constancia: file })
  const taken = file
    ? await takeDocument(db, drive, actor, {
        file,
        purpose: 'constancia',
        customerId,
        projectId: null,
        field: 'constancia',
      })
    : null
  const change = () => transaction(db, (tx) => save(tx, actor, input, taken, now))
  const state = await keepPapers({ db, drive }, taken ? [taken] : [], now, change)
  announce(db, { people: [customerId] })
  return state
}

async function save(
  tx: Tx,
  actor: Actor,
  input: Input,
  taken: Taken | null,
  now: Date,
): Promise<FiscalState> {
  const { data, version } = input
  const before = await hold(tx, actor.id)
  const { name, state } = moveOf(actor, input, before)
  const constanciaId = taken ? await attachInstead(tx, taken, now) : (before?.constanciaId ?? null)
  const changed = before ? changedIn(before, { ...data, constanciaId }) : Object.keys(data)
  const isSame = before && changed.length === 0
  if (isSame && (before.state === state || before.state === 'verified')) return before.state
  await assertVersion(tx, actor, 'fiscal', { id: actor.id, version: before?.version ?? null }, version)
  const sent = state === 'submitted' ? { submittedAt: now, rejectedReason: null } : {}
  await write(tx, before, { ...data, ...sent, customerId: actor.id, constanciaId, state })
  await record(tx, {
    entity: 'fiscal',
    entityId: actor.id,
    actorId: actor.id,
    name,
    data: { changed },
    fromState: before?.state ?? null,
    toState: state,
  })
  // The reviewers were notified already, and read the current state.
  if (state === 'submitted' && before?.state !== 'submitted')
    await enqueue(tx, 'letter', { letter: 'fiscal_submitted', fiscalOf: actor.id, to: 'managers' })
  return state
}

function moveOf(actor: Actor, { data, intent }: Input, before: Row | undefined) {
  const name = intent === 'keep-fiscal' ? ('keep' as const) : ('submit' as const)
  const facts = { customerId: actor.id, rfc: data.rfc, hasConstancia: before?.constanciaId != null }
  return { name, state: fiscalMachine.next(name, actor, { ...facts, state: before?.state ?? 'draft' }) }
}

/** Asked before the Constancia's bytes are kept, and again with the row held: an older form is taken again only with the very same file. */
async function assertCurrent(db: Db, actor: Actor, input: Input & { constancia: File }) {
  const mine = eq(fiscalData.customerId, actor.id)
  const [before] = await db.select().from(fiscalData).where(mine)
  moveOf(actor, input, before)
  if ((before?.version ?? null) === input.version) return
  const sha256 = createHash('sha256')
    .update(await input.constancia.bytes())
    .digest('hex')
  const [same] = before?.constanciaId
    ? await db
        .select({ id: documents.id })
        .from(documents)
        .where(and(eq(documents.id, before.constanciaId), eq(documents.sha256, sha256)))
    : []
  if (!same) refuse('aborted')
}

async function write(tx: Tx, before: Row | undefined, row: typeof fiscalData.$inferInsert) {
  if (before) {
    const reviewed = { reviewedBy: null, reviewedAt: null, version: before.version + 1 }
    await tx
      .update(fiscalData)
      .set({ ...row, ...reviewed })
      .where(eq(fiscalData.customerId, row.customerId))
    return
  }
  const [made] = await tx.insert(fiscalData).values(row).onConflictDoNothing().returning()
  if (!made) refuse('aborted')
}

/** The names of what is new, which is all that the history keeps: what it says is the customer's own. */
const changedIn = (before: Row, after: FiscalData & Pick<Row, 'constanciaId'>) =>
  Object.entries(after).flatMap(([name, value]) => (before[name as keyof Row] === value ? [] : [name]))

async function hold(tx: Tx, customerId: string): Promise<Row | undefined> {
  const [row] = await tx.select().from(fiscalData).where(eq(fiscalData.customerId, customerId)).for('update')
  return row
}

type Review = { customerId: string; version: number } & (
  | { move: 'verify' }
  | { move: 'reject'; reason: string }
)

/** The office verifies a customer's fiscal data, or states the correction needed; the customer gets a letter. */
export async function reviewFiscal(db: Db, actor: Actor, input: Review, now: Date): Promise<void> {
  const { customerId, move, version } = input
  await transaction(db, async (tx) => {
    const row = (await hold(tx, customerId)) ?? refuse('not-found')
    const hasConstancia = await isThere(tx, row.constanciaId)
    const state = fiscalMachine.next(move, actor, { ...row, hasConstancia })
    await assertVersion(tx, actor, 'fiscal', { ...row, id: customerId }, version)
    const rejectedReason = input.move === 'reject' ? input.reason : null
    await tx
      .update(fiscalData)
      .set({ state, rejectedReason, reviewedBy: actor.id, reviewedAt: now, version: version + 1 })
      .where(eq(fiscalData.customerId, customerId))
    await record(tx, {
      entity: 'fiscal',
      entityId: customerId,
      actorId: actor.id,
      name: move,
      fromState: row.state,
      toState: state,
      reason: rejectedReason,
    })
    const letter = move === 'verify' ? 'fiscal_verified' : 'fiscal_rejected'
    await enqueue(tx, 'letter', { letter, fiscalOf: customerId, to: 'customer' })
  })
  announce(db, { people: [customerId] })
}

async function isThere(tx: Tx, constanciaId: string | null): Promise<boolean> {
  if (constanciaId === null) return false
  const [row] = await tx
    .select({ replacedAt: documents.replacedAt })
    .from(documents)
    .where(eq(documents.id, constanciaId))
  return row?.replacedAt === null
}

const none = sql`false`

/** Only its author sees a draft. */
const wasSent = ne(fiscalData.state, 'draft')
const seenByStaff: Record<StaffKind, SQL> = {
  manager: wasSent,
  analyst: sql`${wasSent} and ${isNotDeleted(fiscalData.customerId)}`,
  tecnician: none,
  gester: none,
  alliate: none,
}

/** The fiscal data an actor may see. For all other actors they do not exist. */
const visible = (actor: Actor) =>
  isCustomer(actor) ? eq(fiscalData.customerId, actor.id) : seenByStaff[actor.kind]

/**
 * A customer's fiscal data with their Constancia, for actors who may see them; null where there are none to see. A read
 * by staff is recorded.
 */
export async function fiscalFor(db: Queryable, actor: Actor, customerId: string) {
  const [row] = await db
    .select({
      fiscal: fiscalData,
      constancia: { id: documents.id, name: documents.name, bytes: documents.bytes },
    })
    .from(fiscalData)
    .leftJoin(documents, eq(documents.id, fiscalData.constanciaId))
    .where(and(eq(fiscalData.customerId, customerId), visible(actor)))
  if (!row) return null
  await noteRead(db, actor, { customerId, what: 'fiscal' })
  return { ...row.fiscal, constancia: row.constancia, warning: warningOfRfc(row.fiscal.rfc) }
}
export type ShownFiscal = NonNullable<Awaited<ReturnType<typeof fiscalFor>>>

/** The same of whom a quote is for. */
export async function fiscalOfQuote(db: Queryable, actor: Actor, quoteId: string) {
  if (!isId(quoteId)) return null
  const [quote] = await db
    .select({ customerId: quotes.customerId })
    .from(quotes)
    .where(eq(quotes.id, quoteId))
  return quote ? fiscalFor(db, actor, quote.customerId) : null
}
