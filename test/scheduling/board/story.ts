import type { BoardDay } from '../../../src/domain/scheduling/board.ts'
import type { BoardCounts } from '../../../src/server/scheduling/board-queries.ts'
import { loaded, type Visit } from '../../appointments/story.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

export const screen = '/admin/assignations'

type Shown = { board: BoardDay; counts: BoardCounts; queue: { id: string }[] }

/** What the manager's board of a day shows. */
export const boardOf = async (world: World, manager: Person, date: string, more = '') =>
  loaded<Shown>(await world.data(`${screen}?dia=${date}${more}`, manager), 'scheduling/assignations')

type Move = { to: Pick<Person, 'id'>; startsAt?: Date } & Record<string, unknown>

/** Drops a block, or sends the dialog of it: the same form. */
export const drop = (
  world: World,
  by: Person | undefined,
  { id, version }: Pick<Visit, 'id' | 'version'>,
  { to, startsAt, ...form }: Move,
) =>
  world.post(
    screen,
    {
      ...{ appointmentId: id, version: String(version), assigneeId: to.id },
      ...(startsAt && { startsAt: String(startsAt.getTime() / 60_000) }),
      ...(form as Record<string, string>),
    },
    by,
  )
