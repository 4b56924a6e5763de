import { toMinutes } from '../src/domain/shared/calendar.ts'
import { hashOf, newCode } from '../src/server/accounts/limits.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { apiKeys } from '../src/server/platform/database/schema/agencies.ts'
import { events } from '../src/server/platform/database/schema/projects.ts'
import { standClients, type Tied, writeClients } from './clients.ts'
import { writeCodes } from './codes.ts'
import { byTime, type Traced } from './paper.ts'
import { demoTies } from './ties.ts'

/** A customer by their position in the list, with the creation time of the account. */
export type Comer = { of: number; customerId: string; joined: Date }

type Writing = {
  agencyId: string
  allyIds: readonly string[]
  managerId: string
  consentVersion: string
  now: Date
}

/** The allies' data from before there were quotes: their clients, and the history so far. */
export type Allied = { tied: readonly Tied[]; trail: readonly Traced[] }

/** Writes the demo agency's codes and the customers who used them, so that quotes show a code's discount. */
export async function writeAllies(tx: Tx, comers: readonly Comer[], writing: Writing): Promise<Allied> {
  const ties = comers.flatMap((comer) => {
    const tie = demoTies.get(comer.of)
    return tie ? [{ ...tie, ...comer }] : []
  })
  const used = ties.flatMap(({ code: text, joined: at }) => (text ? [{ text, at }] : []))
  const codes = await writeCodes(tx, { ...writing, now: toMinutes(writing.now), used })
  return { tied: await writeClients(tx, ties, { ...writing, codeIds: codes.ids }), trail: codes.trail }
}

/** Writes the later data: how far clients have come, a key whose text was never shown, and the history. */
export async function writeStandings(tx: Tx, { tied, trail }: Allied, writing: Writing): Promise<void> {
  const whole = [...trail, ...(await standClients(tx, tied, writing)), await writeKey(tx, writing)]
  await tx.insert(events).values(whole.sort(byTime))
}

const day = 24 * 3_600_000

async function writeKey(tx: Tx, { agencyId, managerId, now }: Writing): Promise<Traced> {
  const name = 'Sistema de ventas'
  const scopes = ['clients:write', 'clients:read']
  const [made, asked] = [new Date(now.getTime() - 60 * day), new Date(now.getTime() - day)]
  const key = `cec_${newCode().code}`
  const [row] = await tx
    .insert(apiKeys)
    .values({
      agencyId,
      name,
      scopes,
      prefix: key.slice(0, 12),
      keyHash: hashOf(key),
      madeBy: managerId,
      createdAt: made,
      lastUsedAt: asked,
    })
    .returning({ id: apiKeys.id })
  const about = { entity: 'agency', entityId: agencyId, actorId: managerId, name: 'make_api_key', at: made }
  return { ...about, data: { keyId: row!.id, name, scopes } }
}
