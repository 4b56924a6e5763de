import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { defaultTravel, travelBetween } from '../../domain/scheduling/roster.ts'
import { type MunicipalitySlug, municipalities } from '../../domain/shared/places.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { travelMinutes } from '../platform/database/schema/accounts.ts'
import { currentStaffing, zoneOf } from '../scheduling/roster.ts'
import { changeStaffing } from '../users/change.ts'
import { heldSettings, keepSettings, recordChange } from './changes.ts'

type Minutes = Readonly<Record<MunicipalitySlug, number>>
const usual = defaultTravel()

/** Minutes from a municipality to each of the 20, beside what they would be by distance. */
export async function travelFrom(db: Db, from: MunicipalitySlug) {
  const { travel } = await currentStaffing(db)
  return municipalities.map(({ slug, label }) => ({
    slug,
    label,
    minutes: travelBetween(travel, zoneOf(from), zoneOf(slug)),
    back: travelBetween(travel, zoneOf(slug), zoneOf(from)),
    usual: travelBetween(usual, zoneOf(from), zoneOf(slug)),
  }))
}

/** How many of the matrix's numbers are not the distance's own. */
export const editedTravelCount = (db: Db): Promise<number> => db.$count(travelMinutes)

export type TravelWish = {
  from: MunicipalitySlug
  version: number
  /** Null goes back to what the distance says. */
  minutes: Minutes | null
  /** The same minutes on the way back. */
  bothWays: boolean
}

/** Writes the minutes from one municipality to all. Only what differs from the distance's own is kept. */
export const editTravel = (db: Db, actor: Actor, wish: TravelWish, now: Date): Promise<void> =>
  changeStaffing(db, actor, { change: (tx) => write(tx, actor, wish), now })

async function write(tx: Tx, actor: Actor, { from, version, minutes, bothWays }: TravelWish): Promise<void> {
  const { current, next } = await heldSettings(tx, 'travel', version)
  const before = await storedPairs(tx, from)
  const wanted = pairsOf(from, minutes, bothWays)
  const differs = wanted.filter((pair) => (before.get(keyOf(pair)) ?? usualOf(pair)) !== pair.minutes)
  if (differs.length === 0) return
  const changes = Object.fromEntries(
    differs.map((pair) => [
      keyOf(pair),
      { from: before.get(keyOf(pair)) ?? usualOf(pair), to: pair.minutes },
    ]),
  )
  await forget(tx, differs)
  const kept = differs.filter((pair) => pair.minutes !== usualOf(pair))
  if (kept.length > 0)
    await tx
      .insert(travelMinutes)
      .values(kept.map(({ a, b, minutes: m }) => ({ fromMunicipality: a, toMunicipality: b, minutes: m })))
  await keepSettings(tx, actor, current)
  await recordChange(tx, actor, { section: 'travel', changes, version: next })
}

type Pair = { a: MunicipalitySlug; b: MunicipalitySlug; minutes: number }
const keyOf = ({ a, b }: Pick<Pair, 'a' | 'b'>) => `${a} ${b}`
const usualOf = ({ a, b }: Pick<Pair, 'a' | 'b'>) => travelBetween(usual, zoneOf(a), zoneOf(b))

function pairsOf(from: MunicipalitySlug, minutes: Minutes | null, bothWays: boolean): Pair[] {
  return municipalities.flatMap(({ slug }): Pair[] => {
    const there = { a: from, b: slug }
    const back = { a: slug, b: from }
    const one = { ...there, minutes: minutes?.[slug] ?? usualOf(there) }
    if (!bothWays || slug === from) return [one]
    return [one, { ...back, minutes: minutes?.[slug] ?? usualOf(back) }]
  })
}

async function storedPairs(tx: Tx, from: MunicipalitySlug) {
  const rows = await tx
    .select()
    .from(travelMinutes)
    .where(or(eq(travelMinutes.fromMunicipality, from), eq(travelMinutes.toMunicipality, from)))
  return new Map(rows.map((row) => [`${row.fromMunicipality} ${row.toMunicipality}`, row.minutes]))
}

const forget = (tx: Tx, pairs: readonly Pair[]) =>
  tx
    .delete(travelMinutes)
    .where(
      inArray(
        sql`${travelMinutes.fromMunicipality} || ' ' || ${travelMinutes.toMunicipality}`,
        pairs.map(keyOf),
      ),
    )
