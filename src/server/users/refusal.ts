import type { Service } from '../../domain/appointments/appointment.ts'
import { isHard, rank, reasonWords } from '../../domain/scheduling/eligibility.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { placementOf } from '../appointments/assign.ts'
import type { Db } from '../platform/database/database.ts'
import { loadBusy } from '../scheduling/busy.ts'
import { askOnItsDay } from '../scheduling/choose.ts'
import type { Staffing } from '../scheduling/roster.ts'
import type { Standing, Touched } from './affected.ts'

/** An appointment that a change would leave without a lawful person, as the manager reads and settles it. */
export type Affected = {
  id: string
  folio: string
  service: Service
  startsAt: Date
  customer: string
  assignee: string
  /** The version seen, which comes back with the choice. */
  version: number
  reasons: string[]
  /** Who can take it under the new staffing, the best first. */
  able: { id: string; name: string }[]
  /** Whether the person may keep it, with a written reason: nothing that holds for everybody is against it. */
  canKeep: boolean
}

/** What ends the transaction of a change that is not settled; `errors` by the name of the form's field. */
export class Unsettled extends Error {
  readonly touched: readonly Touched[]
  readonly after: Staffing
  readonly errors: Readonly<Record<string, string>>
  constructor(touched: readonly Touched[], after: Staffing, errors: Readonly<Record<string, string>>) {
    super('unsettled')
    this.touched = touched
    this.after = after
    this.errors = errors
  }
}

/** How many people a list offers for one appointment. */
const offered = 12
const aDay = 1440

/** Refuses with the list. It is made after the rollback, so that nobody waits for it: by the staffing as it would have been. */
export async function refuseUnsettled(
  db: Db,
  { touched, after, errors }: Unsettled,
  now: Date,
): Promise<never> {
  const starts = touched.map(({ startsAt }) => toMinutes(startsAt))
  const range = { from: Math.min(...starts) - aDay, to: Math.max(...starts) + aDay }
  const busy = (await loadBusy(db.$client, range)).of(after)
  const affected = touched.map(({ against, ...row }): Affected => {
    const placement = placementOf(row)
    const able = rank(after.roster, busy, placement.start, askOnItsDay(after, placement, now))
    return {
      id: row.id,
      folio: row.folio,
      service: row.service,
      startsAt: row.startsAt,
      customer: row.customer,
      assignee: row.assignee,
      version: row.version,
      reasons: against.map(reasonWords),
      able: able.slice(0, offered).map(({ id, person }) => ({ id, name: after.people[person]?.name ?? '' })),
      canKeep: !against.some(isHard),
    }
  })
  throw new Refusal('failed-precondition', {
    title: 'Hay citas por resolver',
    description: wordsFor(affected.length),
    details: { affected, errors },
  })
}

const wordsFor = (count: number) =>
  count === 1
    ? 'Con este cambio una cita se queda sin quien pueda atenderla. Elige qué hacer con ella y vuelve a guardar.'
    : `Con este cambio ${count} citas se quedan sin quien pueda atenderlas. Elige qué hacer con cada una y vuelve a guardar.`

/** Refuses, in words, what would take somebody off an appointment that is being carried out. */
export function refuseUnderWay([one]: readonly Standing[]) {
  if (one)
    refuse(
      'failed-precondition',
      `${one.assignee} está en la cita ${one.folio} en este momento. Haz el cambio cuando la termine.`,
    )
}
