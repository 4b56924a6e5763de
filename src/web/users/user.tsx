import { z } from 'zod'
import { accessRefusal } from '../../domain/access.ts'
import { type Actor, kindLabel } from '../../domain/actor.ts'
import { refuse } from '../../domain/refusal.ts'
import { orRefuse } from '../../domain/result.ts'
import { choicesIn } from '../../domain/staffing-change.ts'
import { choice, ticked } from '../../domain/text.ts'
import { calledBy, choiceOf, managesPeople, roleChoices, type User } from '../../domain/user.ts'
import { db } from '../../server/context.ts'
import { scheduleOf } from '../../server/staffing/schedule.ts'
import { agencyNames } from '../../server/users/agency-names.ts'
import { updateActive, updateAgency, updateRoleAndKind } from '../../server/users/changes.ts'
import { historyOf } from '../../server/users/history.ts'
import { type Standing, standingOf } from '../../server/users/standing.ts'
import { readAllies, readUser } from '../../server/users/store.ts'
import { afterRefusal } from '../after-refusal.ts'
import { toast } from '../flash.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { isStaffing, staffingAction } from '../staffing/action.ts'
import { ScheduleCards } from '../staffing/schedule-cards.tsx'
import { submit } from '../submit.ts'
import { Badge } from '../ui/badge.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/user.ts'
import { ActiveForm } from './active-form.tsx'
import { ColleaguesCard } from './colleagues-card.tsx'
import { personEvents } from './person-events.ts'
import { PersonFacts } from './person-facts.tsx'
import { PersonHistory } from './person-history.tsx'
import { RoleForm } from './role-form.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const person = orRefuse(await readUser(database, actor, params.id))
    const [agencies, standing, schedule, events, colleagues] = await Promise.all([
      agencyNames(database, actor),
      standingOf(database, actor, person.uid),
      scheduleOf(database, actor, person.uid),
      historyOf(database, actor, person.uid, Object.keys(personEvents)),
      person.agency === null ? [] : readAllies(database, actor, person.agency).then(orRefuse),
    ])
    return {
      person,
      agencies,
      agency: agencies.find(({ id }) => id === person.agency)?.name ?? null,
      colleagues: colleagues.filter(({ uid }) => uid !== person.uid),
      edit: standing && editOf(actor, person, standing),
      schedule,
      history: events.map(({ id, at, by, ...event }) => ({
        ...{ id, at, what: personEvents[event.name]!(event, agencies) },
        who: by === null ? 'el sistema' : by.id === person.uid ? 'la propia persona' : by.name,
      })),
    }
  })

/** What the manager may change of somebody now, and why not what they may not. */
function editOf(actor: Actor, person: User, standing: Standing) {
  const { role, kind, agency: agencyId, active } = person
  const before = { role, kind, agencyId, active }
  const facts = { ...standing, before, agencyActive: true, own: person.uid === actor.id, confirmed: true }
  const otherRole =
    role === 'customer'
      ? { ...before, role: 'staff' as const, kind: 'analyst' as const }
      : { ...before, role: 'customer' as const, kind: null, agencyId: null }
  const whyNot = (after: typeof before) => accessRefusal({ ...facts, after })?.description ?? null
  return {
    own: facts.own,
    emailVerified: standing.emailVerified,
    roleBarred: whyNot(otherRole),
    activeBarred: whyNot({ ...before, active: false }),
  }
}

const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'
const version = z.coerce.number(staleForm).int(staleForm)
const confirmed = ticked
const formInput = z.discriminatedUnion(
  'intent',
  [
    z.looseObject({
      ...{ intent: z.literal('role'), version, confirmed },
      role: choice(roleChoices, 'Elige su rol.'),
      agencyId: z.preprocess((sent) => sent || null, z.uuid('Elige su concesionaria.').nullable()),
    }),
    z.looseObject({
      intent: z.literal('active'),
      version,
      confirmed,
      active: z.enum(['yes', 'no'], staleForm),
    }),
  ],
  staleForm,
)

export const action = async (args: Route.ActionArgs) =>
  (await isStaffing(args.request)) ? staffingAction(args) : accessAction(args)

const accessAction = ({ request, context, params: { id } }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    const [database, actor] = [context.get(db), someone(context)]
    if (!managesPeople(actor)) refuse('permission-denied')
    const { version, confirmed } = input
    const terms = { version, confirmed, decisions: choicesIn(Object.entries(input)), now: new Date() }
    const here = `/admin/users/${id}`
    if (input.intent === 'active') {
      const active = input.active === 'yes'
      orRefuse(await updateActive(database, actor, id, active, terms))
      return toast(here, active ? 'Activaste la cuenta' : 'Desactivaste la cuenta')
    }
    const { role, agencyId } = input
    const known = orRefuse(await readUser(database, actor, id))
    const sameRole = choiceOf(known) === role
    const change =
      sameRole && role === 'alliate' && agencyId
        ? updateAgency(database, actor, id, agencyId, terms)
        : updateRoleAndKind(database, actor, id, { choice: role, agencyId }, terms)
    orRefuse(await change)
    return toast(here, sameRole ? 'Guardamos su concesionaria' : `Ahora es ${roleChoices[role]}`)
  })

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { person, agency, agencies, colleagues, edit, schedule, history } = loaderData
  const heard = (intent: string) => (actionData?.values.intent === intent ? actionData : undefined)
  return (
    <>
      <PageHeader
        title={calledBy(person)}
        subtitle={person.active ? kindLabel(person) : <Badge tone="neutral">Cuenta inactiva</Badge>}
        back={{ to: '/admin/users', label: 'Usuarios' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div key={actionData ? 'answered' : person.version} className="grid gap-4">
          <PersonFacts person={person} agency={agency} emailVerified={edit?.emailVerified ?? null} />
          {edit && (
            <>
              <RoleForm
                version={person.version}
                choice={choiceOf(person)}
                agency={person.agency}
                agencies={agencies}
                barred={edit.roleBarred}
                ownManager={edit.own}
                result={heard('role')}
              />
              <ActiveForm
                version={person.version}
                active={person.active}
                own={edit.own}
                barred={edit.activeBarred}
                result={heard('active')}
              />
            </>
          )}
        </div>
        <div className="grid gap-4">
          {colleagues.length > 0 && <ColleaguesCard agency={agency} colleagues={colleagues} />}
          {edit && <PersonHistory events={history} />}
        </div>
      </div>
      {schedule && <ScheduleCards schedule={schedule} result={actionData} />}
    </>
  )
}
