import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { stages } from '../src/domain/projects/stages.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import { newCode } from '../src/server/accounts/limits.ts'
import { inviteEnd } from '../src/server/agencies/client-invitations.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { clients } from '../src/server/platform/database/schema/agencies.ts'
import {
  lockProjectStatuses,
  type ProjectStatusSummary,
  projectStatusesOf,
  saveProjectStatuses,
} from '../src/server/projects/overview.ts'
import type { Traced } from './paper.ts'
import { type DemoInvited, type DemoTie, demoInvited } from './ties.ts'

/** A customer who is a client, with the ids of related rows. */
export type RootedTie = DemoTie & { customerId: string; joined: Date }

type Writing = {
  agencyId: string
  allyIds: readonly string[]
  managerId: string
  consentVersion: string
  now: Date
}
type Row = typeof clients.$inferInsert & { id: string; createdAt: Date }
/** A client as written when they joined. */
export type Tied = RootedTie & { row: Row }

/** Writes an agency's clients as of their attribution. */
export async function writeClients(
  tx: Tx,
  ties: readonly RootedTie[],
  writing: Writing & { codeIds: ReadonlyMap<string, string> },
): Promise<Tied[]> {
  const tied = ties.map((tie) => ({ ...tie, row: rowOf(tie, writing) }))
  await tx.insert(clients).values(tied.map(({ row }) => row))
  return tied
}

/**
 * Writes how far clients have come, so that no stage triggers a notification, and the invited ones; returns the
 * history.
 */
export async function standClients(tx: Tx, tied: readonly Tied[], writing: Writing): Promise<Traced[]> {
  const newcomers = demoInvited.map((one) => invited(one, writing))
  await tx.insert(clients).values(newcomers.map(({ row }) => row))
  // Refreshes the stages of all customers now, as the rows' triggers request.
  const { rows } = await tx.execute<{ id: string }>(sql`select distinct customer_id as id from projects`)
  const everybody = rows.map((row) => row.id)
  await lockProjectStatuses(tx, everybody)
  const standings = await projectStatusesOf(tx, everybody, writing.now)
  saveProjectStatuses(tx, standings, writing.now)
  for (const { customerId, joined, row } of tied) {
    const { since, stage, waitingOn } = standings.get(customerId)!
    const stands = { stage, waitingOn, standingSince: since, updatedAt: since ?? joined }
    await tx.update(clients).set(stands).where(eq(clients.id, row.id))
  }
  await tx.execute(sql`delete from stage_checks`)
  return [
    ...tied.flatMap((tie) => trailOf(tie, standings.get(tie.customerId)!, writing)),
    ...newcomers.flatMap(({ trail }) => trail),
  ]
}

const hour = 3_600_000
const later = (time: Date, hours: number) => new Date(time.getTime() + hours * hour)

function rowOf(
  { ally, code, customerId, joined: joinedAt, reason, source }: RootedTie,
  {
    agencyId,
    allyIds,
    codeIds,
    consentVersion,
    managerId,
  }: Writing & { codeIds: ReadonlyMap<string, string> },
): Row {
  const wasRegistered = source === 'counter' || source === 'api'
  const createdAt = wasRegistered ? later(joinedAt, -30) : joinedAt
  const whose = { agencyId, allyId: allyIds[ally]!, customerId, codeId: code ? codeIds.get(code)! : null }
  return {
    ...whose,
    id: randomUUID(),
    source,
    reason: reason ?? null,
    joinedAt,
    stage: 'intake',
    registeredBy: { counter: allyIds[ally]!, manager: managerId }[source as string] ?? null,
    createdAt,
    updatedAt: joinedAt,
    ...(wasRegistered && { consentAt: createdAt, consentVersion }),
  }
}

function trailOf(
  { code, customerId, joined: at, reason, row, source }: Tied,
  { since, stage }: ProjectStatusSummary,
  { managerId }: Writing,
): Traced[] {
  const about = { entity: 'client', entityId: row.id }
  const became =
    source === 'manager'
      ? { ...about, actorId: managerId, name: 'attribute', reason: reason ?? null, data: { source } }
      : { ...about, actorId: customerId, name: 'join', data: { source, ...(code && { code }) } }
  return [
    ...(row.consentAt ? [registered(about, row.registeredBy ?? null, row.createdAt)] : []),
    { ...became, at },
    ...(stage === 'intake' ? [] : [moved(about, stage, since ?? at)]),
  ]
}

type Told = { row: Row; trail: Traced[] }

function invited({ ally, days, source, ...person }: DemoInvited, writing: Writing): Told {
  const { agencyId, allyIds, consentVersion, now } = writing
  const id = randomUUID()
  const at = later(toDate(Math.floor(now.getTime() / 60_000)), days * 24)
  const by = source === 'counter' ? allyIds[ally]! : null
  const { vehicle, ...told } = person
  return {
    row: {
      ...told,
      id,
      agencyId,
      allyId: allyIds[ally]!,
      source,
      registeredBy: by,
      vehicle: vehicle && { ...vehicle, deliveredOn: null },
      consentAt: at,
      consentVersion,
      inviteHash: newCode().hash,
      inviteExpiresAt: inviteEnd(at),
      waitingOn: 'customer',
      standingSince: at,
      createdAt: at,
      updatedAt: at,
    },
    trail: [registered({ entity: 'client', entityId: id }, by, at)],
  }
}

type About = { entity: string; entityId: string }

const registered = (about: About, actorId: string | null, at: Date): Traced => ({
  ...about,
  actorId,
  name: 'register',
  toState: 'invited',
  at,
})

/** Only the latest stage: visits, quotes and payments document the earlier ones. */
const moved = (about: About, stage: (typeof stages)[number], at: Date): Traced => ({
  ...about,
  actorId: null,
  name: 'stage',
  toState: stage,
  at,
  fromState: stages[stages.indexOf(stage) - 1] ?? null,
})
