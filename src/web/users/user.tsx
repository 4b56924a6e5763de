import { Link, type RouterContextProvider, useLocation } from 'react-router'
import { kindLabel } from '../../domain/access/actor.ts'
import { attributionInput } from '../../domain/agencies/referral-schema.ts'
import { loseIntent, reopenIntent } from '../../domain/projects/project.ts'
import { dateTime, thousands } from '../../domain/shared/format.ts'
import { orRefuse } from '../../domain/shared/refusal.ts'
import { calledBy, choiceOf, type User } from '../../domain/users/user.ts'
import { readsOf } from '../../server/accounts/reads.ts'
import { attributeByManager, endAttribution } from '../../server/agencies/attribute.ts'
import { activeAllies, attributionsOf, type Held, heldBy } from '../../server/agencies/hand-over.ts'
import { db, modules } from '../../server/app/context.ts'
import { casesHeldBy } from '../../server/cfe/open.ts'
import { endingOf } from '../../server/projects/ending.ts'
import { type AgencyName, agencyNames, historyOf, standingOf } from '../../server/users/history.ts'
import { readAllies, readUser } from '../../server/users/store.ts'
import { type Schedule, scheduleOf } from '../../server/users/time-off-requests.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { type Failure, submit } from '../lib/submit.ts'
import { endingAction, isEnding } from '../projects/ending-action.ts'
import { EndingCard } from '../projects/project-ending.tsx'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/user.ts'
import { accessAction, isStaffing, staffingAction } from './access-action.ts'
import { ActiveForm, DataReadsCard } from './active-form.tsx'
import { AttributionCard } from './attribution-card.tsx'
import { CorrectionForm, editOf, type PersonEdit } from './correction-form.tsx'
import { heldWords } from './held-words.ts'
import { personEvents } from './person-events.ts'
import { PersonFacts, RoleForm } from './role-form.tsx'
import { intents, ShiftsCard, ZonesCard } from './shifts-card.tsx'
import { TimeOffCard } from './time-off-card.tsx'

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

/** What an ally leaves behind, said before they are taken off: it stays with the agency, under their name, until somebody gets it. */
function HeldNotice({ held }: { held: readonly Held[] }) {
  return held.map(({ agency, agencyId, ...holding }) => (
    <Alert key={agencyId} tone="info" title={`Lleva ${heldWords(holding)} de ${agency}`}>
      Si se va, o cambia de rol o de concesionaria, se quedan ahí a su nombre y sus códigos dejan de servir.{' '}
      <Link to={`/admin/agency/${agencyId}?seccion=clientes`}>Pasarlos a otra persona</Link>
    </Alert>
  ))
}

/** The cases with CFE that a gester leaves behind, said before they are taken off: they stay under their name until somebody gets them. */
const CasesNotice = ({ open }: { open: number }) =>
  open > 0 && (
    <Alert
      tone="info"
      title={
        open === 1 ? 'Lleva 1 trámite con CFE abierto' : `Lleva ${thousands(open)} trámites con CFE abiertos`
      }
    >
      Cuando alguien se va, o cambia de rol, sus trámites se quedan a su nombre y nadie los sigue.{' '}
      <Link to="/admin/gesties">Pasarlos a otra persona</Link>
    </Alert>
  )

type ColleaguesCardProps = { agency: string | null; colleagues: readonly User[] }

/** The other allies of an ally's agency. */
function ColleaguesCard({ agency, colleagues }: ColleaguesCardProps) {
  return (
    <Card title={agency ? `También de ${agency}` : 'De la misma concesionaria'}>
      <ul className="grid gap-1">
        {colleagues.map((colleague) => (
          <li key={colleague.uid}>
            <Link to={`/admin/users/${colleague.uid}`} prefetch="intent">
              {calledBy(colleague)}
            </Link>
            {!colleague.active && <span className="text-mute"> (inactiva)</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Whether a form is about who brought a customer. */
async function isAttribution(request: Request): Promise<boolean> {
  const form = await formOf(request)
  return String(form.get('intent')).startsWith('attribution.')
}

/** Says who brought the customer `params.id`, or that nobody did. */
const attributionAction = ({ request, context, params: { id } }: Args) =>
  submit(request, attributionInput, async (wish) => {
    const [database, actor] = [context.get(db), someone(context)]
    const terms = { seen: wish.seen, reason: wish.reason, now: new Date() }
    if (wish.intent === 'attribution.end') {
      await endAttribution(database, actor, id, terms)
      return toast(`/admin/users/${id}`, 'Quitaste su concesionaria', 'Guardamos también tu motivo.')
    }
    await attributeByManager(database, actor, id, { ...terms, allyId: wish.allyId })
    return toast(`/admin/users/${id}`, 'Guardamos su concesionaria', 'Guardamos también tu motivo.')
  })

type SecondFactorFormProps = { version: number; result: Failure | undefined }

/** The way back in for somebody who lost their phone and their recovery codes. */
function SecondFactorForm({ version, result }: SecondFactorFormProps) {
  return (
    <Card title="Segundo factor">
      <p className="text-mute">
        Lo tiene activado. Quítalo solo si perdió su teléfono y sus códigos de recuperación: se cierran sus
        sesiones, entra con su contraseña y le avisamos por correo.
      </p>
      <Form result={result}>
        <input type="hidden" name="intent" value="remove-second-factor" />
        <input type="hidden" name="version" value={version} />
        <Checkbox label="Hablé con esa persona y me lo pidió" name="confirmed" value="yes" />
        <Submit variant="destructive" className="sm:justify-self-start">
          Quitar segundo factor
        </Submit>
      </Form>
    </Card>
  )
}

type ScheduleCardsProps = { schedule: Schedule; result: Failure | undefined }

/** When and where somebody works, to be changed by the manager; the screen's action is `staffingAction`. */
function ScheduleCards({ schedule, result }: ScheduleCardsProps) {
  const heard = (intent: string) => (result?.values.intent === intent ? result : undefined)
  const { key } = useLocation()
  // Another page, as after what was accepted, starts from what is stored; what others do meanwhile empties no box.
  return (
    <div key={result ? 'answered' : key} className="grid items-start gap-4 lg:grid-cols-2">
      <ShiftsCard schedule={schedule} result={heard(intents.shifts)} />
      <div className="grid gap-4">
        <TimeOffCard
          schedule={schedule}
          result={heard(intents.timeOff)}
          removal={heard(intents.removeTimeOff)}
          approval={heard(intents.approveTimeOff)}
          refusal={heard(intents.refuseTimeOff)}
        />
        {schedule.kind === 'tecnician' && <ZonesCard schedule={schedule} result={heard(intents.zones)} />}
      </div>
    </div>
  )
}

type PersonHistoryProps = { events: readonly { id: number; at: Date; what: string; who: string }[] }

/** What happened to somebody's account: when, what, and who did it. */
function PersonHistory({ events }: PersonHistoryProps) {
  return (
    <Card title="Historial de cambios">
      {events.length === 0 ? (
        <p className="text-mute">Todavía no hay cambios.</p>
      ) : (
        <ol className="grid gap-3">
          {events.map(({ id, at, what, who }) => (
            <li key={id} className="grid gap-0.5">
              <span>{what}</span>
              <span className="text-sm text-mute">
                {dateTime(at)} · {who}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
