import { toMinutes } from '../src/domain/calendar.ts'
import { hashOf, newCode } from '../src/server/accounts/code.ts'
import { apiKeys } from '../src/server/database/ally-schema.ts'
import type { Tx } from '../src/server/database/database.ts'
import { events } from '../src/server/database/office-schema.ts'
import type { Drive } from '../src/server/files/drive.ts'
import { writeClients } from './clients.ts'
import { givenBy, writeCodes } from './codes.ts'
import { writeCommissions } from './commissions.ts'
import type { Traced } from './paper.ts'
import { demoAgencies } from './people.ts'
import { byTime, type WrittenDeal } from './quotes.ts'
import { demoTies } from './ties.ts'

/** A customer by their place in the list, with when the account was made. */
export type Comer = { of: number; customerId: string; joined: Date }

type Writing = {
  agencyId: string
  allyIds: readonly string[]
  managerId: string
  consentVersion: string
  now: Date
}

/** What the code of the customer at a place in the list takes off a quote. */
export const benefitFor = (of: number) => givenBy(demoTies.get(of)?.code)

/** Writes what the demo agency's allies did: codes, clients, what they earned, and a key whose text nobody knows. */
export async function writeAllies(
  tx: Tx,
  { comers, deals }: { comers: readonly Comer[]; deals: readonly WrittenDeal[] },
  writing: Writing,
  drive?: Drive,
): Promise<void> {
  const { allyIds, now } = writing
  const [{ commissionKind: kind, commissionValue: value }] = demoAgencies
  const ties = comers.flatMap((comer) => {
    const tie = demoTies.get(comer.of)
    return tie ? [{ ...tie, ...comer, benefitProjectId: benefitProject(comer, deals) }] : []
  })
  const used = ties.flatMap(({ code: text, joined: at }) => (text ? [{ text, at }] : []))
  const codes = await writeCodes(tx, { ...writing, now: toMinutes(now), used })
  const earned = deals.flatMap((deal) => {
    const tie = demoTies.get(deal.of)
    return tie ? [{ ...deal, allyId: allyIds[tie.ally]! }] : []
  })
  const trail = [
    ...codes.trail,
    ...(await writeClients(tx, ties, { ...writing, codeIds: codes.ids })),
    ...(await writeCommissions(tx, earned, { ...writing, terms: { kind, value } }, drive)),
    await writeKey(tx, writing),
  ]
  await tx.insert(events).values(trail.sort(byTime))
}

/** The project whose accepted quote says what the customer's code takes off. */
function benefitProject({ of }: Comer, deals: readonly WrittenDeal[]): string | null {
  const deal = deals.find((one) => one.of === of)
  return deal?.quote.acceptedAt && deal.benefit ? deal.projectId : null
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
      ...{ agencyId, name, scopes, prefix: key.slice(0, 12), keyHash: hashOf(key), madeBy: managerId },
      ...{ createdAt: made, lastUsedAt: asked },
    })
    .returning({ id: apiKeys.id })
  const about = { entity: 'agency', entityId: agencyId, actorId: managerId, name: 'make_api_key', at: made }
  return { ...about, data: { keyId: row!.id, name, scopes } }
}
