import { redirect, useLocation } from 'react-router'
import { isCustomer, kindLabel } from '../../access/rules/actor.ts'
import { readsOf } from '../../accounts/privacy.ts'
import { stoppedNow } from '../../accounts/security-desk.ts'
import { activeAllies, attributionsOf, type HeldCode, heldBy } from '../../agencies/attributions.ts'
import { heldWords } from '../../agencies/rules/clients.ts'
import { casesHeldBy } from '../../cfe/open.ts'
import { Checkbox } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { dateTime, thousands } from '../../shared/format.ts'
import { unwrap } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type DayStart, dayStartOf } from '../day-start.ts'
import {
  type AgencyName,
  agencyNames,
  personHistory,
  personStatusOf,
  readAllies,
  readUser,
} from '../queries.ts'
import { calledBy, choiceOf, hasShifts, hasZones, type User } from '../rules/user.ts'
import { type Schedule, scheduleOf } from '../schedule.ts'
import { staffPapersOf } from '../staff-papers.ts'
import { visitCardOf } from '../visit-card.ts'
import type { Route } from './+types/user.ts'
import { TheirCalendars } from './busy-calendars.tsx'
import { DayStartCard } from './day-start-card.tsx'
import {
  ActiveForm,
  AttributionCard,
  CorrectionForm,
  DataReadsCard,
  type PersonEdit,
  personEditOf,
} from './person-cards.tsx'
import { personEvents } from './person-events.ts'
import { PersonFacts, RoleForm } from './role-form.tsx'
import { ShiftsCard, TimeOffCard, ZonesCard } from './schedule-cards.tsx'
import { SecurityCard } from './security-parts.tsx'
import { PapersCard } from './staff-papers.tsx'
import {
  accessForms,
  attributionForms,
  checkedPaperForms,
  dayStartForms,
  deskForms,
  staffingForms,
  visitCardForms,
} from './user-forms.ts'
import { VisitCard } from './visit-card.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, modules, now } = signedIn(context)
    const person = unwrap(await readUser(db, actor, params.id))
    const ofCustomer = isCustomer(person)
    const read = await Promise.all([
      agencyNames(db, actor),
      personStatusOf(db, actor, person.uid, now),
      scheduleOf(db, actor, person.uid, now),
      visitCardOf(db, actor, person.uid),
      dayStartOf(db, actor, person.uid),
      personHistory(db, actor, person.uid, Object.keys(personEvents)),
      person.agency === null ? [] : readAllies(db, actor, person.agency).then(unwrap),
      ofCustomer ? attributionsOf(db, actor, person.uid) : [],
      ofCustomer ? activeAllies(db, actor) : [],
      heldBy(db, actor, person.uid),
      ofCustomer ? readsOf(db, actor, person.uid) : [],
      modules.has('gesties') ? casesHeldBy(db, actor, person.uid) : 0,
      person.active ? staffPapersOf(db, actor, person.uid, person.kind) : null,
    ])
    // The account of a customer who was merged ended: its rights and its reads are those of the one that stands.
    if (read[1]?.mergedIntoId) throw redirect(`/admin/users/${read[1].mergedIntoId}`)
    const [
      agencies,
      standing,
      schedule,
      visitCard,
      dayStart,
      events,
      colleagues,
      attributions,
      allies,
      held,
      reads,
      cases,
      papers,
    ] = read
    return {
      person,
      agencies,
      agency: agencies.find(({ id }) => id === person.agency)?.name ?? null,
      colleagues: colleagues.filter(({ uid }) => uid !== person.uid),
      held,
      cases,
      filePath: ofCustomer ? customerPath(person.uid) : null,
      edit: standing && personEditOf(actor, person, standing),
      wasSaved: standing?.saved,
      stopped: standing && (await stoppedNow(db)),
      schedule,
      visitCard: person.active ? visitCard : null,
      papers: papers && { papers, now, name: person.name, ofCompany: false, checks: standing !== null },
      dayStart,
      attribution: standing && ofCustomer ? { attributions, allies } : null,
      reads: standing && ofCustomer ? reads : null,
      history: events.map(({ id, at, by, ...event }) => ({
        id,
        at,
        what: personEvents[event.name]!(event, agencies),
        who: by === null ? 'el sistema' : by.id === person.uid ? 'la propia persona' : by.name,
      })),
    }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) => ({
  ...accessForms(context, id),
  ...deskForms(context, `/admin/users/${id}`),
  ...staffingForms(context, id),
  ...visitCardForms(context, id, `/admin/users/${id}`),
  ...dayStartForms(context, id, `/admin/users/${id}`),
  ...checkedPaperForms(context, id, `/admin/users/${id}`),
  ...attributionForms(context, id),
}))

export default function UserScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { person, agency, agencies, attribution, cases, colleagues, edit, filePath, held, ...more } =
    loaderData
  const { dayStart, schedule, history, papers, reads, stopped, visitCard } = more
  return (
    <>
      <PageHeader
        title={calledBy(person)}
        subtitle={person.active ? kindLabel(person) : <Badge tone="neutral">Cuenta inactiva</Badge>}
        back={{ to: '/admin/users', label: 'Usuarios' }}
        actions={
          <>
            {filePath && <LinkButton to={filePath}>Ver su ficha</LinkButton>}
            {schedule && (
              <LinkButton variant="ghost" to={`/admin/assignations/ausencia?persona=${person.uid}`}>
                No puede venir hoy…
              </LinkButton>
            )}
          </>
        }
      />
      <OrphanedFormError />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <PersonFacts person={person} agency={agency} emailVerified={edit?.emailVerified ?? null} />
          {attribution && <AttributionCard key={attribution.attributions[0]?.id} {...attribution} />}
          {visitCard && <VisitCard card={visitCard} />}
          {papers && <PapersCard {...papers} />}
          {reads && <DataReadsCard reads={reads} />}
          {colleagues.length > 0 && <ColleaguesCard agency={agency} colleagues={colleagues} />}
        </div>
        {edit && (
          <div className="grid gap-4">
            <HeldNotice held={held} />
            <CasesNotice open={cases} />
            {!filePath && <CorrectionForm person={person} edit={edit} />}
            <AccessForms person={person} agencies={agencies} edit={edit} />
            {stopped && !edit.own && <SecurityCard person={person} stopped={stopped} />}
          </div>
        )}
      </div>
      {schedule && (
        <ScheduleCards schedule={schedule} dayStart={dayStart} isAnswered={actionData !== undefined} />
      )}
      {edit && <PersonHistory events={history} />}
    </>
  )
}

type AccessFormsProps = {
  person: User
  agencies: readonly AgencyName[]
  edit: PersonEdit
}

/** What the manager changes of a person. */
function AccessForms({ person, agencies, edit }: AccessFormsProps) {
  return (
    <>
      <RoleForm
        version={person.version}
        choice={choiceOf(person)}
        agency={person.agency}
        agencies={agencies}
        barred={edit.roleBarred}
        ownManager={edit.own}
      />
      <ActiveForm
        version={person.version}
        active={person.active}
        own={edit.own}
        performs={hasShifts(person.kind)}
        barred={edit.activeBarred}
      />
      {edit.twoFactor && !edit.own && <SecondFactorForm version={person.version} />}
    </>
  )
}

/**
 * What an ally leaves behind, said before they are removed: it stays with the agency, under their name, until
 * another ally gets it.
 */
function HeldNotice({ held }: { held: readonly HeldCode[] }) {
  return held.map(({ agency, agencyId, ...holding }) => (
    <Alert key={agencyId} tone="info" title={`Lleva ${heldWords(holding)} de ${agency}`}>
      Si se va, o cambia de rol o de concesionaria, se quedan ahí a su nombre y sus códigos dejan de servir.{' '}
      <Link to={`/admin/agency/${agencyId}/clientes`}>Pasarlos a otra persona</Link>
    </Alert>
  ))
}

/**
 * The cases with CFE that a gester leaves behind, said before they are removed: they stay under their name until
 * another gester gets them.
 */
const CasesNotice = ({ open }: { open: number }) =>
  open > 0 && (
    <Alert
      tone="info"
      title={
        open === 1
          ? 'Lleva 1 trámite ante CFE abierto'
          : `Lleva ${thousands(open)} trámites ante CFE abiertos`
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

/** The way back in for a user who lost their phone and their recovery codes. */
function SecondFactorForm({ version }: { version: number }) {
  return (
    <Card title="Segundo factor y llaves">
      <p className="text-mute">
        Lo tiene activado, o tiene llaves de acceso. Quítalo solo si perdió su teléfono y sus códigos de
        recuperación: se quitan también sus llaves, se cierran sus sesiones, entra con su contraseña y le
        avisamos por correo.
      </p>
      <Form intent="remove-second-factor">
        <input type="hidden" name="version" value={version} />
        <Checkbox label="Hablé con esa persona y me lo pidió" name="confirmed" value="yes" />
        <Submit variant="destructive" className="sm:justify-self-start">
          Quitar segundo factor y llaves
        </Submit>
      </Form>
    </Card>
  )
}

type ScheduleCardsProps = {
  schedule: Schedule
  dayStart: DayStart | null
  /** Whether a form of the screen comes back to be corrected. */
  isAnswered: boolean
}

/** When and where a person works, to be changed by the manager. */
function ScheduleCards({ schedule, dayStart, isAnswered }: ScheduleCardsProps) {
  const { key } = useLocation()
  // Another page, as after an accepted form, starts from the stored values; others' changes meanwhile empty no box.
  return (
    <div key={isAnswered ? 'answered' : key} className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid gap-4">
        <ShiftsCard schedule={schedule} />
        {dayStart && <DayStartCard start={dayStart} />}
      </div>
      <div className="grid gap-4">
        <TimeOffCard schedule={schedule} />
        <TheirCalendars calendars={schedule.calendars} now={schedule.now} />
        {hasZones(schedule.kind) && <ZonesCard schedule={schedule} />}
      </div>
    </div>
  )
}

type PersonHistoryProps = { events: readonly { id: number; at: Date; what: string; who: string }[] }

/** What happened to a person's account: when, what, and who did it. */
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
