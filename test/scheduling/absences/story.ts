import { choiceText } from '../../../src/domain/scheduling/absence.ts'
import type { AbsencePlan } from '../../../src/server/scheduling/absence.ts'
import type { TrackedOffer } from '../../../src/server/scheduling/move-offers.ts'
import { loaded } from '../../appointments/story.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'

const path = ({ id }: Pick<Person, 'id'>, date: string) =>
  `/admin/assignations/ausencia?persona=${id}&dia=${date}`

type Shown = { plan: AbsencePlan; offers: TrackedOffer[] }

/** What the manager's screen of an absence shows. */
export const absenceOf = async (world: World, manager: Person, person: Pick<Person, 'id'>, date: string) =>
  loaded<Shown>(await world.data(path(person, date), manager), 'scheduling/absence')

/** The form as it stands: the best move of every appointment. */
export function bestOf({ person, visits }: AbsencePlan): Record<string, string> {
  const fields = visits.flatMap(({ id, options: [best], version }) => [
    [`seen.${id}`, String(version)] as const,
    [
      `choice.${id}`,
      best
        ? choiceText(
            best.isOffer
              ? { kind: 'offer', personId: best.personId, start: best.start }
              : { kind: 'give', personId: best.personId },
          )
        : 'release',
    ] as const,
  ])
  return { version: String(person.version), ...Object.fromEntries(fields) }
}

export const confirms = (
  world: World,
  by: Person | undefined,
  person: Pick<Person, 'id'>,
  date: string,
  form: Record<string, string>,
) => world.post(path(person, date), form, by)

/** The customer's answer to an offer. */
export const answers = (
  world: World,
  by: Person | undefined,
  offerId: string,
  intent: 'accept-move' | 'decline-move',
) => world.post('/technics-visit', { intent, offerId }, by)
