import { randomUUID } from 'node:crypto'
import type { Benefit, CodeState } from '../src/domain/agencies/codes.ts'
import { localDate, toDate, toMinutes } from '../src/domain/shared/calendar.ts'
import type { Tx } from '../src/server/platform/database/client.ts'
import { codes } from '../src/server/platform/database/schema/agencies.ts'
import type { Traced } from './paper.ts'

/** A step without a day happens with the last use. */
type Step = { name: string; at: number | null; by: 'owner' | 'manager' | null; to: CodeState }

/** A code of the demo agency: its owner's position among the allies, and its life in days before today. */
type DemoCode = {
  text: string
  label: string | null
  owner: 0 | 1
  benefit: Benefit
  maxUses: number
  ends: number | null
  life: readonly Step[]
}

const made = (at: number): Step => ({ name: 'create', at, by: 'owner', to: 'draft' })
const opened = (at: number): Step[] => [made(at), { name: 'activate', at, by: 'owner', to: 'active' }]
const asked = (at: number): Step[] => [made(at), { name: 'ask', at, by: 'owner', to: 'draft' }]

const percent = (value: number): Benefit => ({ kind: 'percent', value })

/**
 * One code in each state, and two active ones. Of the codes above the agency's limit one was approved, and one waits
 * for the manager.
 */
const demoCodes: readonly DemoCode[] = [
  {
    text: 'PRUEBA22',
    label: 'Piso de ventas',
    owner: 0,
    benefit: percent(10_00),
    maxUses: 50,
    ends: null,
    life: opened(-200),
  },
  {
    text: 'VENTAS33',
    label: 'Entrega de autos',
    owner: 1,
    maxUses: 20,
    ends: 60,

    benefit: { kind: 'free_visit' },
    life: [...asked(-40), { name: 'approve', at: -39, by: 'manager', to: 'active' }],
  },
  {
    text: 'FERZA25',
    label: 'Feria del auto',
    owner: 0,
    benefit: percent(15_00),
    maxUses: 100,
    ends: 90,
    life: asked(-1),
  },
  {
    text: 'PAUSA44',
    label: 'Flotillas',
    owner: 1,
    benefit: { kind: 'none' },
    maxUses: 10,
    ends: null,
    life: [...opened(-330), { name: 'pause', at: -60, by: 'owner', to: 'paused' }],
  },
  {
    text: 'PRE25AUT',
    label: 'Preventa',
    owner: 0,
    benefit: percent(5_00),
    maxUses: 2,
    ends: null,
    life: [...opened(-300), { name: 'exhaust', at: null, by: null, to: 'exhausted' }],
  },
  {
    text: 'VERANA24',
    label: 'Campaña de verano',
    owner: 1,
    benefit: { kind: 'none' },
    maxUses: 30,
    ends: -8,
    life: [...opened(-120), { name: 'expire', at: -7, by: null, to: 'expired' }],
  },
  {
    text: 'ERRATA99',
    label: null,
    owner: 0,
    benefit: percent(2_00),
    maxUses: 5,
    ends: null,
    life: [...opened(-90), { name: 'revoke', at: -89, by: 'owner', to: 'revoked' }],
  },
]

/** A use of a code, by the code's text. */
export type DemoUse = { text: string; at: Date }

type Writing = {
  agencyId: string
  allyIds: readonly string[]
  managerId: string
  now: number
  used: readonly DemoUse[]
}
export type WrittenCodes = { ids: ReadonlyMap<string, string>; trail: Traced[] }

/**
 * Writes the codes, each with as many uses as customers who used it; `now` is an epoch minute. Returns ids by their
 * text.
 */
export async function writeCodes(tx: Tx, writing: Writing): Promise<WrittenCodes> {
  const rows = demoCodes.map((code) => rowOf(code, writing))
  await tx.insert(codes).values(rows)
  const ids = new Map(rows.map(({ code, id }) => [code, id]))
  return { ids, trail: demoCodes.flatMap((code) => trailOf(code, ids.get(code.text)!, writing)) }
}

const day = 1440

/** The times of a code's steps. */
function timesOf({ life, text }: DemoCode, { now, used }: Writing): Date[] {
  const last = used.filter((use) => use.text === text).map(({ at }) => at.getTime())
  return life.map(({ at }) => (at === null ? new Date(Math.max(...last)) : toDate(now + at * day)))
}

function rowOf(code: DemoCode, writing: Writing) {
  const { benefit, ends, label, life, maxUses, owner, text } = code
  const { agencyId, allyIds, managerId, now, used } = writing
  const times = timesOf(code, writing)
  const at = (name: string) => times[life.findIndex((step) => step.name === name)] ?? null
  const approvedAt = at('approve')
  return {
    id: randomUUID(),
    code: text,
    agencyId,
    ownerId: allyIds[owner]!,
    label,
    maxUses,
    benefitKind: benefit.kind,
    benefitValue: 'value' in benefit ? benefit.value : 0,
    startsOn: localDate(toMinutes(times[0]!)),
    endsOn: ends === null ? null : localDate(now + ends * day),
    uses: used.filter((use) => use.text === text).length,
    state: life.at(-1)!.to,
    askedAt: at('ask'),
    approvedAt,
    approvedBy: approvedAt && managerId,
    createdAt: times[0]!,
    updatedAt: times.at(-1)!,
    version: life.length,
  }
}

function trailOf(code: DemoCode, entityId: string, writing: Writing): Traced[] {
  const { life, owner, text } = code
  const times = timesOf(code, writing)
  const people = { owner: writing.allyIds[owner]!, manager: writing.managerId }
  return life.map(({ by, name, to }, n) => ({
    entity: 'code',
    entityId,
    name,
    fromState: life[n - 1]?.to ?? null,
    toState: to,
    actorId: by && people[by],
    data: { code: text },
    at: times[n]!,
  }))
}
