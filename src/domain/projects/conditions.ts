/** What an approved visit may find that must be met before its charger is used; the permit stands in the project itself. */
export const conditionKinds = ['load_increase', 'second_meter', 'works', 'uvie'] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** What a visit's report finds; `limitAmps` is the current that the house bears meanwhile, null where it bears none. */
export type Finding = { kind: ConditionKind; limitAmps: number | null; why: string | null }

/** A condition of a project. */
export type Condition = Finding & {
  isMet: boolean
  /** Whether no installation may be booked before; computed by the database. */
  blocksBooking: boolean
  /** The current to which the charger was set and approved, in amperes, while the condition was open. */
  heldAmps: number | null
}

/** The conditions by which CFE is waited for. */
export const ofCfe = ['load_increase', 'second_meter'] as const satisfies readonly ConditionKind[]

/**
 * The conditions that keep an installation from being approved: not those that its record answers itself, nor one that a
 * charger set to less waits for.
 */
export const holding = (conditions: readonly Condition[], chargerSet: number | null): Condition[] =>
  conditions.filter(
    ({ isMet, kind, limitAmps }) =>
      !isMet && kind !== 'works' && (limitAmps === null || chargerSet === null || chargerSet > limitAmps),
  )

/** The current to which a charger may be set at most while the house waits for more load; null where nothing limits it. */
export const limitIn = (conditions: readonly Condition[]): number | null =>
  conditions.find(({ isMet, limitAmps }) => !isMet && limitAmps !== null)?.limitAmps ?? null
