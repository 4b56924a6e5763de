import type { AbsencePlan, SettledAtOnce } from '../../src/dispatch/absence-plan.ts'
import type { BoardCounts } from '../../src/dispatch/board-queries.ts'
import type { TrackedOffer } from '../../src/dispatch/move-offers.ts'
import { choiceText } from '../../src/dispatch/rules/absence.ts'
import type { BoardDay } from '../../src/dispatch/rules/board.ts'
import type { Visit } from './appointments.ts'
import { fixture, post } from './open.ts'
import type { Person } from './people.ts'
import { loaded } from './reading.ts'

export const screen = '/admin/assignations'

type Shown = { board: BoardDay; counts: BoardCounts; queue: { id: string }[] }

/** What the manager's board of a day shows. */
export const boardOf = async (manager: Person, date: string, more = '') =>
  loaded<Shown>(await fixture.data(`${screen}?dia=${date}${more}`, manager), 'dispatch/screens/assignations')

type Move = { to: Pick<Person, 'id'>; startsAt?: Date } & Record<string, unknown>

/** Drops a block, or sends the dialog of it: the same form. */
export const drop = (
  by: Person | undefined,
  { id, version }: Pick<Visit, 'id' | 'version'>,
  { to, startsAt, ...form }: Move,
) =>
  post(
    screen,
    {
      appointmentId: id,
      version: String(version),
      assigneeId: to.id,
      ...(startsAt && { startsAt: String(startsAt.getTime() / 60_000) }),
      ...(form as Record<string, string>),
    },
    by,
  )

/** Of one day, or of several ("2026-11-24..2026-11-27"); with times, from or to ("2026-11-24&sale=13:00"). */
function path({ id }: Pick<Person, 'id'>, dates: string) {
  const [date, until] = dates.split('..')
  return `/admin/assignations/ausencia?persona=${id}&dia=${date}${until ? `&hasta=${until}` : ''}`
}

type ShownAbsence = { plan: AbsencePlan; offers: TrackedOffer[]; settled: SettledAtOnce[] }

/** What the manager's screen of an absence shows. */
export const absenceOf = async (manager: Person, person: Pick<Person, 'id'>, date: string) =>
  loaded<ShownAbsence>(await fixture.data(path(person, date), manager), 'dispatch/screens/absence')

/** The form as it stands: the best move of every appointment. */
export function bestOf({ person, visits }: AbsencePlan): Record<string, string> {
  const fields = visits.flatMap(({ id, options: [best], version }) => [
    [`seen.${id}`, String(version)] as const,
    [
      `choice.${id}`,
      best && !best.isOffShift
        ? choiceText(
            best.isOffer
              ? { kind: 'offer', personId: best.personId, start: best.start }
              : { kind: 'give', personId: best.personId, isException: best.exception !== null },
          )
        : 'release',
    ] as const,
  ])
  const keepReason = `Ausencia de ${person.name}`
  return { version: String(person.version), keepReason, ...Object.fromEntries(fields) }
}

export const confirms = (
  by: Person | undefined,
  person: Pick<Person, 'id'>,
  date: string,
  form: Record<string, string>,
) => post(path(person, date), form, by)

/** The customer's answer to an offer. */
export const answers = (by: Person | undefined, offerId: string, intent: 'accept-move' | 'decline-move') =>
  post('/technics-visit', { intent, offerId }, by)
