import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { travelMinutes } from '../platform/database/schema/accounts.ts'
import { events, settings } from '../platform/database/schema/projects.ts'
import { refuseVersion } from '../platform/database/versions.ts'
import { changeStaffing } from '../scheduling/change-staffing.ts'
import { currentStaffing, settingsKey, zoneOf } from '../scheduling/roster.ts'
import { defaultTravel, travelBetween } from '../scheduling/rules/roster.ts'
import { localDate, toMinutes } from '../shared/calendar.ts'
import { type MunicipalitySlug, municipalities } from '../shared/places.ts'
import { refuse } from '../shared/refusal.ts'
import type { Decisions } from '../users/rules/staffing-change.ts'
import { isSection, settingsEntity } from './queries.ts'
import { type Change, contradictionIn, withHoliday } from './rules/schema.ts'
import { type SettingsSection, settingsPartOf } from './rules/settings.ts'
import { parseSettings, type Settings } from './rules/settings-schema.ts'

/** A change of one section; `version` is that of the settings the form was shown with. */
type SettingsInput = { section: SettingsSection; version: number; change: Change }

/** Saves the manager's change, and settles the future appointments that it leaves without a lawful assignee. */
export const changeSettings = (
  db: Db,
  actor: Actor,
  input: SettingsInput,
  decisions: Decisions,
  now: Date,
): Promise<void> => changeStaffing(db, actor, { change: (tx) => write(tx, actor, input), now, ...decisions })

/** Adds one of the company's own holidays. */
export const addHoliday = (
  db: Db,
  actor: Actor,
  { date, version }: { date: string; version: number },
  decisions: Decisions,
  now: Date,
): Promise<void> => {
  const change: Change = (current) => {
    const holidays = withHoliday(current.holidays, date, localDate(toMinutes(now)))
    if ('error' in holidays)
      return refuse('invalid-argument', holidays.error, { errors: { date: holidays.error } })
    return { ...current, holidays }
  }
  return changeSettings(db, actor, { section: 'holidays', version, change }, decisions, now)
}

/** Removes one of the company's own holidays. */
export const removeHoliday = (
  db: Db,
  actor: Actor,
  { date, version }: { date: string; version: number },
  now: Date,
): Promise<void> => {
  const change: Change = (current) => ({
    ...current,
    holidays: current.holidays.filter((own) => own !== date),
  })
  return changeSettings(db, actor, { section: 'holidays', version, change }, { choices: {} }, now)
}

async function write(tx: Tx, actor: Actor, { section, version, change }: SettingsInput): Promise<void> {
  const { current, next: nextVersion } = await heldSettings(tx, actor, section, version)
  const next = parseSettings(change(current))
  const wrong = contradictionIn(next, section)
  if (wrong) {
    const errors = wrong.field ? { [wrong.field]: wrong.message } : {}
    refuse('invalid-argument', wrong.message, { errors })
  }
  const changes = differences(settingsPartOf[section](current), settingsPartOf[section](next))
  if (Object.keys(changes).length === 0) return
  await keepSettings(tx, actor, next)
  await recordChange(tx, actor, { section, changes, version: nextVersion })
}

/** A part of the settings that conflicts only with changes of itself. */
type Part = SettingsSection | 'travel'

/**
 * The current settings, their row locked, and the version that a change creates. A form is stale when its own part was
 * changed after the version it was shown with; changes of other parts do not matter.
 */
async function heldSettings(tx: Tx, actor: Actor, part: Part, version: number) {
  await tx.insert(settings).values({ key: settingsKey, value: {} }).onConflictDoNothing()
  const [row] = await tx.select().from(settings).where(eq(settings.key, settingsKey)).for('update')
  if (!row || version > row.version) refuse('aborted')
  if (version < row.version && (await changedSince(tx, part, version)))
    await refuseVersion(tx, actor, { entity: 'settings', id: settingsEntity, within: isSection(part) })
  return { current: parseSettings(row.value), next: row.version + 1 }
}

async function changedSince(tx: Tx, part: Part, version: number): Promise<boolean> {
  const later = await tx
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.entity, 'settings'),
        eq(events.entityId, settingsEntity),
        isSection(part),
        sql`(${events.data} ->> 'version')::int > ${version}`,
      ),
    )
    .limit(1)
  return later.length > 0
}

/** Stores the settings under the next version. */
async function keepSettings(tx: Tx, actor: Actor, next: Settings): Promise<void> {
  await tx
    .update(settings)
    .set({ value: next, updatedBy: actor.id, version: sql`${settings.version} + 1` })
    .where(eq(settings.key, settingsKey))
}

type Trace = { section: Part; changes: unknown; version: number }

/** Records the change, before and after, in the history. */
const recordChange = (tx: Tx, actor: Actor, data: Trace) =>
  record(tx, { entity: 'settings', entityId: settingsEntity, actorId: actor.id, name: 'update', data })

function differences(before: Record<string, unknown>, after: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(after)
      .map(([field, to]) => [field, { from: before[field], to }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  )
}

type Minutes = Readonly<Record<MunicipalitySlug, number>>
const usual = defaultTravel()

/** Minutes from a municipality to each of the 20, beside the values by distance. */
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

/** How many of the matrix's numbers differ from those by distance. */
export const editedTravelCount = (db: Db): Promise<number> => db.$count(travelMinutes)

type TravelInput = {
  from: MunicipalitySlug
  version: number
  /** Null restores the value by distance. */
  minutes: Minutes | null
  /** The same minutes on the way back. */
  bothWays: boolean
}

/** Saves the minutes from one municipality to all. Only values that differ from those by distance are stored. */
export const editTravel = (db: Db, actor: Actor, input: TravelInput, now: Date): Promise<void> =>
  changeStaffing(db, actor, { change: (tx) => writeTravel(tx, actor, input), now })

async function writeTravel(
  tx: Tx,
  actor: Actor,
  { from, version, minutes, bothWays }: TravelInput,
): Promise<void> {
  const { current, next } = await heldSettings(tx, actor, 'travel', version)
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
