import type { Actor } from '../../domain/access/actor.ts'
import { addressOf, type Count, figuresFor } from '../../domain/appointments/list.ts'
import type { Db } from '../platform/database/database.ts'
import { countListed } from './lists.ts'

export type CountedFigure = Count & { label: string; to: string; urgent: boolean }

/** The figures of an actor's home, each counted by the condition of the list it leads to. */
export const figuresOf = (db: Db, actor: Actor, now: Date): Promise<CountedFigure[]> =>
  Promise.all(
    figuresFor(actor).map(async (figure) => ({
      label: figure.label,
      to: addressOf(figure),
      ...(await countListed(db, actor, figure.list, figure.filters, now)),
      urgent: figure.urgent ?? false,
    })),
  )
