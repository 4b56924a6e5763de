import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { codeMachine } from '../../domain/agencies/codes.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { countTry, newCode } from '../accounts/limits.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { inviteEnd, isGiven } from './register.ts'
import { isTypedBy } from './rows.ts'

/** What somebody's invitation is sent with. */
type SentInvitation = {
  id: string
  token: string
  name: string
  phone: string
  code: string | null
  letter: boolean
}

/** A new link for somebody who has not come yet, and a letter with it where their e-mail is known; the link before no longer serves. */
export async function renewInvitation(db: Db, actor: Actor, id: string, now: Date): Promise<SentInvitation> {
  const sent = await transaction(db, async (tx) => {
    const { client, code } = await holdInvited(tx, actor, id, now)
    const { code: token, hash } = newCode()
    await tx
      .update(clients)
      .set({ inviteHash: hash, inviteExpiresAt: inviteEnd(now), version: sql`${clients.version} + 1` })
      .where(eq(clients.id, id))
    await trace(tx, actor, id, 'invite_again')
    const letter = client.email !== null
    if (letter) {
      await countTry(tx, 'invitation letters by client', id, now)
      await enqueue(tx, 'letter', { letter: 'client_invitation', clientId: id, token, to: 'client' })
    }
    return { id, token, name: client.name ?? '', phone: client.phone ?? '', code, letter }
  })
  announce(db, { people: [actor.agencyId ?? actor.id], desk: false })
  return sent
}

/** Takes an invitation back: its link serves no more, and what was typed of the person is erased at once. */
export async function withdrawClientInvitation(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    await holdInvited(tx, actor, id, now)
    await tx
      .update(clients)
      .set({ ...forgotten, endedAt: now, endedReason: 'withdrawn', version: sql`${clients.version} + 1` })
      .where(eq(clients.id, id))
    await trace(tx, actor, id, 'withdraw')
  })
  announce(db, { people: [actor.agencyId ?? actor.id], desk: false })
}

/** What is left of somebody who never came: that there was somebody. */
const forgotten = {
  ...{ name: null, lastname: null, phone: null, email: null, vehicle: null },
  ...{ inviteHash: null, requestKey: null },
}

/** Ends the invitations whose days are over and erases what was typed of those people; answers how many. */
export async function forgetInvited(db: Db, now: Date): Promise<number> {
  const due = and(
    isNull(clients.customerId),
    isNull(clients.endedAt),
    sql`${clients.inviteExpiresAt} <= ${now}`,
  )
  const ended = await transaction(db, async (tx) => {
    const rows = await tx
      .update(clients)
      .set({ ...forgotten, endedAt: now, endedReason: 'expired', version: sql`${clients.version} + 1` })
      .where(due)
      .returning({ id: clients.id, agencyId: clients.agencyId })
    for (const { id } of rows)
      await record(tx, { entity: 'client', entityId: id, actorId: null, name: 'expire' })
    return rows
  })
  if (ended.length > 0)
    announce(db, { people: [...new Set(ended.map(({ agencyId }) => agencyId))], desk: false })
  return ended.length
}

/** Somebody's invitation, held, with its code where that still serves; for anybody but the ally whose client they are it does not exist. */
async function holdInvited(tx: Tx, actor: Actor, id: string, now: Date) {
  if (actor.kind !== 'alliate' || !actor.agencyId) return refuse('permission-denied')
  const mine = and(eq(clients.id, id), eq(clients.agencyId, actor.agencyId), isNull(clients.endedAt))
  const [row] = isId(id)
    ? await tx
        .select({ client: clients, mine: sql<boolean>`${isTypedBy(actor.id)}`, code: codes.code })
        .from(clients)
        .leftJoin(codes, and(eq(codes.id, clients.codeId), isGiven(now)))
        .where(mine)
        .for('update', { of: clients })
    : []
  if (!row) return refuse('not-found')
  if (row.client.customerId) return refuse('failed-precondition', 'Esta persona ya creó su cuenta.')
  if (!row.mine) return refuse('not-found')
  return row
}

const trace = (tx: Tx, actor: Actor, entityId: string, name: string) =>
  record(tx, { entity: 'client', entityId, actorId: actor.id, name })

/** Writes down that the last day of codes is over; answers how many. They stopped by the clock before. */
export async function expireCodes(db: Db, now: Date): Promise<number> {
  const { from, to } = codeMachine.transitions.expire
  const ended = await transaction(db, async (tx) => {
    const due = await tx
      .select({ id: codes.id, state: codes.state, code: codes.code, agencyId: codes.agencyId })
      .from(codes)
      .where(and(inArray(codes.state, [...from]), lt(codes.endsOn, localDate(toMinutes(now)))))
      .for('update', { skipLocked: true })
    if (due.length === 0) return due
    await tx
      .update(codes)
      .set({ state: to, version: sql`${codes.version} + 1` })
      .where(
        inArray(
          codes.id,
          due.map(({ id }) => id),
        ),
      )
    for (const { code, id, state } of due)
      await record(tx, {
        ...{ entity: 'code', entityId: id, actorId: null, name: 'expire', data: { code } },
        ...{ fromState: state, toState: to },
      })
    return due
  })
  if (ended.length > 0) announce(db, { people: ended.map(({ agencyId }) => agencyId) })
  return ended.length
}
