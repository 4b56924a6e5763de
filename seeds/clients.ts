import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { toDate } from '../src/domain/calendar.ts'
import { stages } from '../src/domain/project.ts'
import { newCode } from '../src/server/accounts/code.ts'
import { inviteEnd } from '../src/server/clients/register.ts'
import { clients } from '../src/server/database/ally-schema.ts'
import type { Tx } from '../src/server/database/database.ts'
import { holdStandings, writeStandings } from '../src/server/projects/keep-standings.ts'
import { type BriefStanding, standingsOf } from '../src/server/projects/standings.ts'
import type { Traced } from './paper.ts'
import { type DemoInvited, type DemoTie, demoInvited } from './ties.ts'

/** A customer who is a client, with the rows they belong to; the project is named where its accepted quote took the benefit. */
export type RootedTie = DemoTie & { customerId: string; joined: Date; benefitProjectId: string | null }

type Writing = {
  agencyId: string
  allyIds: readonly string[]
  managerId: string
  codeIds: ReadonlyMap<string, string>
  consentVersion: string
  now: Date
}
type Row = typeof clients.$inferInsert & { id: string; createdAt: Date }
type Told = { row: Row; trail: Traced[] }

/** Writes an agency's clients as they stand, so that nobody's stage is news; answers their history. */
export async function writeClients(tx: Tx, ties: readonly RootedTie[], writing: Writing): Promise<Traced[]> {
  const ids = ties.map(({ customerId }) => customerId)
  const standings = await standingsOf(tx, ids, writing.now)
  const told = [
    ...ties.map((tie) => joined(tie, standings.get(tie.customerId)!, writing)),
    ...demoInvited.map((one) => invited(one, writing)),
  ]
  await tx.insert(clients).values(told.map(({ row }) => row))
  // What the rows' triggers ask to be looked at is looked at now, of everybody.
  const { rows } = await tx.execute<{ id: string }>(sql`select distinct customer_id as id from projects`)
  const everybody = rows.map((row) => row.id)
  await holdStandings(tx, everybody)
  writeStandings(tx, await standingsOf(tx, everybody, writing.now), writing.now)
  await tx.execute(sql`delete from stage_checks`)
  return told.flatMap(({ trail }) => trail)
}

const hour = 3_600_000
const later = (time: Date, hours: number) => new Date(time.getTime() + hours * hour)

function joined(tie: RootedTie, { since, stage, waitingOn }: BriefStanding, writing: Writing): Told {
  const { agencyId, allyIds, codeIds, consentVersion, managerId } = writing
  const { customerId, joined: joinedAt, reason, source } = tie
  const id = randomUUID()
  const wasRegistered = source === 'counter' || source === 'api'
  const createdAt = wasRegistered ? later(joinedAt, -30) : joinedAt
  const registeredBy = { counter: allyIds[tie.ally]!, manager: managerId }[source as string] ?? null
  const row = {
    ...{ id, agencyId, allyId: allyIds[tie.ally]!, source, customerId, joinedAt, reason: reason ?? null },
    ...{ codeId: tie.code ? codeIds.get(tie.code)! : null, benefitProjectId: tie.benefitProjectId },
    ...{ stage, waitingOn, standingSince: since, registeredBy, createdAt, updatedAt: since ?? joinedAt },
    ...(wasRegistered && { consentAt: createdAt, consentVersion }),
  }
  const about = { entity: 'client', entityId: id }
  const became =
    source === 'manager'
      ? { ...about, actorId: managerId, name: 'attribute', reason: reason ?? null, data: { source } }
      : { ...about, actorId: customerId, name: 'join', data: { source, ...(tie.code && { code: tie.code }) } }
  return {
    row,
    trail: [
      ...(wasRegistered ? [registered(about, registeredBy, createdAt)] : []),
      { ...became, at: joinedAt },
      ...(stage === 'intake' ? [] : [moved(about, stage, since ?? joinedAt)]),
    ],
  }
}

function invited({ ally, days, source, ...person }: DemoInvited, writing: Writing): Told {
  const { agencyId, allyIds, consentVersion, now } = writing
  const id = randomUUID()
  const at = later(toDate(Math.floor(now.getTime() / 60_000)), days * 24)
  const by = source === 'counter' ? allyIds[ally]! : null
  const { vehicle, ...told } = person
  return {
    row: {
      ...{ ...told, id, agencyId, allyId: allyIds[ally]!, source, registeredBy: by },
      vehicle: vehicle && { ...vehicle, deliveredOn: null },
      ...{ consentAt: at, consentVersion, inviteHash: newCode().hash, inviteExpiresAt: inviteEnd(at) },
      ...{ waitingOn: 'customer', standingSince: at, createdAt: at, updatedAt: at },
    },
    trail: [registered({ entity: 'client', entityId: id }, by, at)],
  }
}

type About = { entity: string; entityId: string }

const registered = (about: About, actorId: string | null, at: Date): Traced => ({
  ...{ ...about, actorId, name: 'register', toState: 'invited', at },
})

/** Only the last step of the way: what came before it is told by visits, quotes and payments. */
const moved = (about: About, stage: (typeof stages)[number], at: Date): Traced => ({
  ...{ ...about, actorId: null, name: 'stage', toState: stage, at },
  fromState: stages[stages.indexOf(stage) - 1] ?? null,
})
