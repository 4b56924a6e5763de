import type { appointments } from '../../../src/platform/database/schema/appointments.ts'

export type Row = Pick<
  typeof appointments.$inferSelect,
  'id' | 'folio' | 'customerId' | 'state' | 'assigneeId' | 'startsAt' | 'minutes' | 'version'
>

/** What the history keeps of one change. `tx` is the transaction that wrote it. */
export type Told = {
  id: number
  tx: string
  entityId: string
  name: string
  fromState: string | null
  toState: string | null
  data: { assigneeId?: string | null; startsAt?: string; minutes?: number } | null
}

/** An appointment as its events tell it. */
export type Life = {
  state: string
  assigneeId: string | null
  start: number
  end: number
  customerId: string
  count: number
}

const active = new Set(['requested', 'assigned', 'en_route', 'in_progress', 'paused'])
const aMinute = 60_000

/**
 * Tells the whole story again from its events, in their order, and answers what does not add up: a change of state
 * without its event, a row that is not what its events say, two active appointments of one person or customer at once at
 * any moment of it. Nothing of the product's own code decides here.
 */
export function contradictions(rows: readonly Row[], events: readonly Told[]): string[] {
  const wrong: string[] = []
  const lives = new Map<string, Life>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const left = countBy(events, ({ tx }) => tx)
  let pending: Told[] = []
  for (const event of events) {
    pending.push(event)
    left.set(event.tx, left.get(event.tx)! - 1)
    if (left.get(event.tx) !== 0) continue
    // What one transaction did shows at once, when the last of it is written.
    const own = pending.filter(({ tx }) => tx === event.tx)
    pending = pending.filter(({ tx }) => tx !== event.tx)
    for (const one of own) wrong.push(...live(lives, byId.get(one.entityId), one))
    for (const { entityId } of own) wrong.push(...clashes(lives, entityId, event))
  }
  for (const row of rows) wrong.push(...differences(row, lives.get(row.id)))
  return wrong
}

/** Applies one event to the life it belongs to. */
function live(lives: Map<string, Life>, row: Row | undefined, event: Told): string[] {
  const { data, entityId, fromState, id, name, toState } = event
  const told = `${name} (event ${id}) of ${row?.folio ?? entityId}`
  if (!row) return [`${told}: no such appointment`]
  const before = lives.get(entityId)
  if (!before === (name !== 'book')) return [`${told}: ${before ? 'booked twice' : 'before it was booked'}`]
  if (before && before.state !== fromState) return [`${told}: from ${fromState}, but it was ${before.state}`]
  if (!before && (!data?.startsAt || !data.minutes)) return [`${told}: does not say when and how long`]
  const start = data?.startsAt ? Date.parse(data.startsAt) : before!.start
  const length = data?.minutes ? data.minutes * aMinute : before!.end - before!.start
  lives.set(entityId, {
    state: toState ?? before!.state,
    assigneeId: data && 'assigneeId' in data ? (data.assigneeId ?? null) : (before?.assigneeId ?? null),
    start,
    end: start + length,
    customerId: row.customerId,
    count: (before?.count ?? 0) + 1,
  })
  return []
}

/** The other active appointments that overlap one, of its person's or its customer's. */
function clashes(lives: ReadonlyMap<string, Life>, id: string, { id: event, name }: Told): string[] {
  const one = lives.get(id)
  if (!one || !active.has(one.state)) return []
  return [...lives]
    .filter(
      ([otherId, other]) =>
        otherId !== id &&
        active.has(other.state) &&
        other.start < one.end &&
        one.start < other.end &&
        (other.customerId === one.customerId ||
          (one.assigneeId !== null && other.assigneeId === one.assigneeId)),
    )
    .map(([otherId]) => `after ${name} (event ${event}) ${id} and ${otherId} overlap`)
}

function differences(row: Row, life: Life | undefined): string[] {
  if (!life) return [`${row.folio}: no events`]
  const pairs = {
    state: [row.state, life.state],
    assigneeId: [row.assigneeId, life.assigneeId],
    start: [row.startsAt.getTime(), life.start],
    minutes: [row.minutes * aMinute, life.end - life.start],
    // Each change of a row is one event and one version.
    version: [row.version, life.count],
  }
  return Object.entries(pairs)
    .filter(([, [stored, told]]) => stored !== told)
    .map(([what, [stored, told]]) => `${row.folio}: ${what} is ${stored}, its events say ${told}`)
}

const countBy = <Item>(items: readonly Item[], key: (item: Item) => string) => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1)
  return counts
}
