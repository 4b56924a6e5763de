import { kindLabel } from '../../domain/access/actor.ts'
import { loseIntent, reopenIntent } from '../../domain/projects/project.ts'
import { orRefuse } from '../../domain/shared/refusal.ts'
import { calledBy, choiceOf, type User } from '../../domain/users/user.ts'
import { readsOf } from '../../server/accounts/reads.ts'
import { activeAllies, attributionsOf } from '../../server/agencies/attribution.ts'
import { heldBy } from '../../server/agencies/hand-over.ts'
import { db, modules } from '../../server/app/context.ts'
import { casesHeldBy } from '../../server/cfe/gesters.ts'
import { endingOf } from '../../server/projects/ending.ts'
import { type AgencyName, agencyNames } from '../../server/users/agency-names.ts'
import { historyOf } from '../../server/users/history.ts'
import { scheduleOf } from '../../server/users/schedule.ts'
import { standingOf } from '../../server/users/standing.ts'
import { readAllies, readUser } from '../../server/users/store.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import type { Failure } from '../lib/submit.ts'
import { endingAction, isEnding } from '../projects/ending-action.ts'
import { EndingCard } from '../projects/project-ending.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/user.ts'
import { accessAction } from './access-action.ts'
import { isStaffing, staffingAction } from './action.ts'
import { ActiveForm } from './active-form.tsx'
import { attributionAction, isAttribution } from './attribution-action.ts'
import { AttributionCard } from './attribution-card.tsx'
import { CasesNotice } from './cases-notice.tsx'
import { ColleaguesCard } from './colleagues-card.tsx'
import { CorrectionForm } from './correction-form.tsx'
import { DataReadsCard } from './data-reads-card.tsx'
import { HeldNotice } from './held-notice.tsx'
import { editOf, type PersonEdit } from './person-edit.ts'
import { personEvents } from './person-events.ts'
import { PersonFacts } from './person-facts.tsx'
import { PersonHistory } from './person-history.tsx'
import { RoleForm } from './role-form.tsx'
import { ScheduleCards } from './schedule-cards.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const person = orRefuse(await readUser(database, actor, params.id))
    const isCustomer = person.role === 'customer'
    const read = await Promise.all([
      agencyNames(database, actor),
      standingOf(database, actor, person.uid, new Date()),
      scheduleOf(database, actor, person.uid),
      historyOf(database, actor, person.uid, Object.keys(personEvents)),
      person.agency === null ? [] : readAllies(database, actor, person.agency).then(orRefuse),
      isCustomer ? attributionsOf(database, actor, person.uid) : [],
      isCustomer ? activeAllies(database, actor) : [],
      heldBy(database, actor, person.uid),
      isCustomer ? readsOf(database, actor, person.uid) : [],
      context.get(modules).has('gesties') ? casesHeldBy(database, actor, person.uid) : 0,
      isCustomer ? endingOf(database, actor, person.uid, new Date()) : null,
    ])
    const [
      agencies,
      standing,
      schedule,
      events,
      colleagues,
      attributions,
      allies,
      held,
      reads,
      cases,
      ending,
    ] = read
    return {
      person,
      agencies,
      agency: agencies.find(({ id }) => id === person.agency)?.name ?? null,
      colleagues: colleagues.filter(({ uid }) => uid !== person.uid),
      held,
      cases,
      ending,
      edit: standing && editOf(actor, person, standing),
      schedule,
      attribution: standing && isCustomer ? { attributions, allies } : null,
      reads: standing && isCustomer ? reads : null,
      history: events.map(({ id, at, by, ...event }) => ({
        ...{ id, at, what: personEvents[event.name]!(event, agencies) },
        who: by === null ? 'el sistema' : by.id === person.uid ? 'la propia persona' : by.name,
      })),
    }
  })

export async function action(args: Route.ActionArgs) {
  if (await isStaffing(args.request)) return staffingAction(args)
  if (await isEnding(args.request))
    return endingAction(args.request, args.context, `/admin/users/${args.params.id}`)
  return (await isAttribution(args.request)) ? attributionAction(args) : accessAction(args)
}

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { person, agency, agencies, attribution, cases, colleagues, edit, ending, held, ...more } = loaderData
  const { schedule, history, reads } = more
  return (
    <>
      <PageHeader
        title={calledBy(person)}
        subtitle={person.active ? kindLabel(person) : <Badge tone="neutral">Cuenta inactiva</Badge>}
        back={{ to: '/admin/users', label: 'Usuarios' }}
        actions={
          schedule && (
            <LinkButton variant="ghost" to={`/admin/assignations/ausencia?persona=${person.uid}`}>
              No puede venir hoy…
            </LinkButton>
          )
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <PersonFacts person={person} agency={agency} emailVerified={edit?.emailVerified ?? null} />
          {attribution && (
            <AttributionCard
              key={attribution.attributions[0]?.id}
              {...attribution}
              result={(intent) => heard(actionData, intent)}
            />
          )}
          {ending && (
            <EndingCard
              ending={ending}
              result={heard(actionData, loseIntent) ?? heard(actionData, reopenIntent)}
            />
          )}
          {reads && <DataReadsCard reads={reads} />}
          {colleagues.length > 0 && <ColleaguesCard agency={agency} colleagues={colleagues} />}
        </div>
        {edit && (
          <div key={actionData ? 'answered' : person.version} className="grid gap-4">
            <HeldNotice held={held} />
            <CasesNotice open={cases} />
            <CorrectionForm person={person} edit={edit} heard={(intent) => heard(actionData, intent)} />
            <AccessForms person={person} agencies={agencies} edit={edit} result={actionData} />
          </div>
        )}
      </div>
      {schedule && <ScheduleCards schedule={schedule} result={actionData} />}
      {edit && <PersonHistory events={history} />}
    </>
  )
}

/** What came back, for the form that sent it. */
const heard = (result: Failure | undefined, intent: string) =>
  result?.values.intent === intent ? result : undefined

type AccessFormsProps = {
  person: User
  agencies: readonly AgencyName[]
  edit: PersonEdit
  result: Failure | undefined
}

/** What the manager changes of somebody. */
function AccessForms({ person, agencies, edit, result }: AccessFormsProps) {
  return (
    <>
      <RoleForm
        version={person.version}
        choice={choiceOf(person)}
        agency={person.agency}
        agencies={agencies}
        barred={edit.roleBarred}
        ownManager={edit.own}
        result={heard(result, 'role')}
      />
      <ActiveForm
        version={person.version}
        active={person.active}
        own={edit.own}
        barred={edit.activeBarred}
        result={heard(result, 'active')}
      />
      {edit.twoFactor && !edit.own && (
        <SecondFactorForm version={person.version} result={heard(result, 'remove-second-factor')} />
      )}
    </>
  )
}
