import type { ComponentProps } from 'react'
import { type Actor, isOffice } from '../../access/rules/actor.ts'
import { type PermitAfterVisit, permitAfterVisit } from '../../cfe/permit.ts'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { later } from '../../kit/later.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { afterSheet, correctParam } from '../../kit/section-change.ts'
import { forms } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { historyOf, type PastEvent } from '../../platform/database/lists.ts'
import { projectParam } from '../../projects/rules/homes.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { type QuotesFrom, quotesFrom } from '../../quotes/detail.ts'
import { quoteBlockedReason, writesQuotes } from '../../quotes/rules/quote.ts'
import { QuotesFromCard } from '../../quotes/screens/quotes-from-card.tsx'
import { facadeOf } from '../../reports/photo-addresses.ts'
import { givenForVisit } from '../../reports/prefilled.ts'
import { nextToReview, sheetFor } from '../../reports/queries.ts'
import type { Answers, Sheet, SheetView } from '../../reports/rules/report.ts'
import { isUnconfirmed, type Review, reviewOf, unconfirmedWords } from '../../reports/rules/review.ts'
import { Claimed, OwnSheet } from '../../reports/screens/own-sheet.tsx'
import { SheetCard } from '../../reports/screens/sheet-card.tsx'
import { sectionIn } from '../../reports/screens/sheet-path.ts'
import { currentStaffing } from '../../scheduling/roster.ts'
import { managesSchedule } from '../../scheduling/rules/roster.ts'
import { forCaller } from '../../scheduling/screens/board-query.ts'
import { dateTime } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type AppointmentDetail, appointmentFor } from '../project-appointments.ts'
import { doneStates } from '../rules/appointment.ts'
import { appointmentPath } from '../rules/appointment-path.ts'
import { visitedAppointment } from '../rules/paths.ts'
import { undoText } from '../rules/undo.ts'
import { nearestFreeSlotsAfter } from '../transition.ts'
import { undoableFor } from '../undo.ts'
import type { Route } from './+types/done-detail.ts'
import { AppointmentFacts, AppointmentHeader } from './appointment-facts.tsx'
import { permitForms, reviewForms, sheetForms } from './day/sheet-forms.ts'
import { leadToCall } from './pending-server.ts'
import { StateBadge } from './state-badge.tsx'

// It works as it comes from the server, and some of it only after what did not take place.
const readingPart = () => import('../../reports/screens/sheet-view.tsx')
const SheetDecision = later(() => readingPart().then((part) => part.SheetDecision))
const SheetHistory = later(() => readingPart().then((part) => part.SheetHistory))
const SheetReading = later(() => readingPart().then((part) => part.SheetReading))
const SheetSummary = later(() => readingPart().then((part) => part.SheetSummary))
const endingPart = () => import('./ending-card.tsx')
const EndingCard = later(() => endingPart().then((part) => part.EndingCard))
const UndoNotice = later(() => import('../../kit/undo-notice.tsx').then((part) => part.UndoNotice))
const Proposals = later(() => endingPart().then((part) => part.Proposals))

export const handle = { announcesUpdates: true, visited: visitedAppointment }
export const shouldRevalidate = afterSheet

const pathOf = (id: string) => `/admin/appointments-done/${id}`

export const loader = ({ context, params, request, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, calendarSource } = signedIn(context)
    if (!isId(params.id)) refuse('not-found')
    const [found, proposals, facade, sheet, trail, permit, quotes, undoable, given] = await Promise.all([
      appointmentFor(db, actor, params.id, doneStates),
      nearestFreeSlotsAfter(db, actor, params.id, new Date()),
      facadeOf(db, actor, params.id),
      sheetFor(db, actor, params.id),
      historyOf(db, 'sheet', params.id),
      permitAfterVisit(db, actor, params.id),
      quotesFrom(db, actor, params.id, new Date()),
      undoableFor(db, actor, params.id),
      isOffice(actor) ? givenForVisit(db, params.id) : {},
      currentStaffing(db),
    ])
    const appointment = found ?? refuse('not-found')
    leadToCall('done', appointment, actor)
    return {
      appointment,
      baseUrl: calendarSource.baseUrl,
      proposals,
      window: (await currentStaffing(db)).settings.arrivalWindowMinutes,
      facade,
      permit,
      sheet,
      quotes,
      undoable,
      section: sectionIn(request),
      // A user who may not read the sheet does not see its changes.
      trail: sheet ? trail : [],
      correcting: url.searchParams.get(correctParam),
      // The versions after the first begin from the one before.
      mayQuote: writesQuotes(actor) && quotes?.length === 0 && isQuoted(appointment, sheet),
      unreported: quotes?.length === 0 && isUnreported(actor, appointment, sheet),
      quotesNext: writesQuotes(actor) && quotes?.length === 0 && isQuoted(appointment, sheet, 'approved'),
      review: sheet && reviewFor(sheet, appointment, given),
      nextReview: sheet?.state === 'approved' ? await nextToReview(db, actor, params.id) : null,
    }
  })

/** What a sheet's readers see beside its answers; what speaks against a report is its reviewers' to see. */
function reviewFor(
  { answers, attempts, corrections, files, held, kind, mayReview }: SheetView,
  { address }: AppointmentDetail,
  given: Answers,
): Review {
  const values = Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value]))
  const known = mayReview && kind === 'visit' ? given : {}
  const review = reviewOf({
    kind,
    answers: values,
    attempts,
    corrections,
    home: address,
    known,
    files,
    held:
      [...held.map(({ why }) => why), ...(corrections.some(isUnconfirmed) ? [unconfirmedWords] : [])].join(
        ' ',
      ) || null,
  })
  return mayReview ? review : { ...review, lines: [], flags: kind === 'visit' ? [] : review.flags }
}

/** Whether a visit was carried out, and its report is missing. */
const isUnreported = (actor: Actor, { ending, service, state }: AppointmentDetail, sheet: SheetView | null) =>
  isOffice(actor) &&
  service === 'technical_visit' &&
  state === 'done' &&
  (ending?.outcome ?? 'completed') === 'completed' &&
  (sheet?.state ?? 'draft') === 'draft' && { booksVisits: managesSchedule(actor) }

/** Whether a quote may be made of a visit, with its report as it is or in another state. */
const isQuoted = (
  { service, state }: AppointmentDetail,
  sheet: SheetView | null,
  report = sheet?.state ?? null,
) =>
  service === 'technical_visit' &&
  quoteBlockedReason({
    service,
    state,
    report,
    isProjectClosed: false,
    isViable: sheet?.answers.feasibility?.value !== 'not_viable',
  }) === null

/** The technician corrects a returned sheet here; the office reviews it. */
export const action = forms(({ context, params: { id } }: Route.ActionArgs) => ({
  ...sheetForms(context, id, { here: pathOf(id), states: doneStates }),
  ...reviewForms(context, id),
  ...permitForms(context, id),
}))

export default function DoneDetail({ loaderData }: Route.ComponentProps) {
  const { section, ...shown } = loaderData
  const { appointment, sheet } = shown
  if (!sheet?.mayWrite)
    return (
      <>
        <Claimed claim={sheet?.claim ?? null} />
        <DoneScreen shown={shown} own={null} />
      </>
    )
  return (
    <OwnSheet
      sheet={sheet}
      section={section}
      here={pathOf(sheet.appointmentId)}
      author={appointment.assignee?.name ?? ''}
      moves={[]}
      appointment={appointment}
    >
      {(own) => <DoneScreen shown={shown} own={own} />}
    </OwnSheet>
  )
}

type DoneScreenProps = {
  shown: {
    appointment: AppointmentDetail
    baseUrl: string
    proposals: readonly Date[]
    window: number
    facade: Exclude<ComponentProps<typeof EndingCard>['facade'], undefined>
    permit: PermitAfterVisit
    sheet: SheetView | null
    quotes: QuotesFrom
    /** For how many seconds a cancellation can still be undone by who reads it. */
    undoable: number
    trail: readonly PastEvent[]
    correcting: string | null
    mayQuote: boolean
    /** It was carried out, and its report is missing; whether its reader books another visit. */
    unreported: { booksVisits: boolean } | false
    /** Once its report is approved. */
    quotesNext: boolean
    review: Review | null
    /** The next report to review, once this one is approved. */
    nextReview: { id: string; customer: string } | null
  }
  /** The sheet as its technician has it, where it was returned. */
  own: { sheet: Sheet; draft: ComponentProps<typeof SheetCard>['draft'] } | null
}

const quotePath = (id: string) => `/admin/cotizations/add-quote/${id}`

/** An appointment that is over: how it ended, and what was written on site. */
function DoneScreen({ shown, own }: DoneScreenProps) {
  const { appointment, correcting, facade, permit, proposals, quotes, sheet, trail } = shown
  const { nextReview, review, undoable } = shown
  const { closingNote, ending, state } = appointment
  const about = (
    <>
      {ending && <EndingCard ending={ending} facade={facade} note={closingNote} />}
      <QuotesFromCard quotes={quotes} />
      {shown.unreported && <MissingReport appointment={appointment} {...shown.unreported} />}
      {proposals.length > 0 && <Proposals {...shown} starts={proposals} />}
      <AppointmentFacts appointment={appointment} />
      {permit && <PermitCard {...permit} />}
    </>
  )
  return (
    <>
      <AppointmentHeader
        appointment={appointment}
        badge={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
        actions={
          (shown.mayQuote || nextReview) && (
            <>
              {shown.mayQuote && <LinkButton to={quotePath(appointment.id)}>Cotizar</LinkButton>}
              {nextReview && (
                <LinkButton variant="ghost" to={pathOf(nextReview.id)}>
                  Siguiente por revisar<span className="sr-only">: {nextReview.customer}</span>
                </LinkButton>
              )}
            </>
          )
        }
      />
      <OrphanedFormError />
      {undoable > 0 && (
        <UndoNotice
          changes={undoText([appointment])}
          seconds={undoable}
          back={appointmentPath('pending', appointment)}
        />
      )}
      {sheet && review ? (
        <div className="grid gap-6">
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="grid gap-4">
              {own ? (
                <>
                  <SheetCard {...own} isNext />
                  <SheetHistory kind={sheet.kind} trail={trail} />
                </>
              ) : (
                <SheetSummary sheet={sheet} trail={trail} review={review} />
              )}
            </div>
            <div className="grid gap-4">{about}</div>
          </div>
          <SheetReading sheet={sheet} correcting={correcting} review={review} />
          {sheet.mayReview && (
            <SheetDecision sheet={sheet} mayQuote={shown.quotesNext} correcting={correcting} />
          )}
        </div>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">{about}</div>
      )}
    </>
  )
}

type MissingReportProps = { appointment: AppointmentDetail; booksVisits: boolean }

/** What the office does about a visit without the report that its quote is made of. */
const MissingReport = ({
  appointment: { assignee, customer, projectId },
  booksVisits,
}: MissingReportProps) => (
  <Card title="Visita sin reporte">
    <p>
      La cotización sale del reporte. Pídelo a su técnico, {booksVisits && 'agenda otra visita '}o cierra el
      proyecto.
    </p>
    {assignee && (
      <Form intent="ask-for-report">
        <Submit>Pedir el reporte a {assignee.name}</Submit>
      </Form>
    )}
    <div className="flex flex-wrap gap-3">
      {booksVisits && (
        <LinkButton
          variant="ghost"
          to={forCaller(customer.id, 'technical_visit', projectId ? { [projectParam]: projectId } : {})}
        >
          Agendar otra visita
        </LinkButton>
      )}
      <LinkButton variant="ghost" to={customerPath(customer.id, projectId)}>
        Cerrar el proyecto
      </LinkButton>
    </div>
  </Card>
)

/** The condominium's permit that an installation needs, for the office. */
function PermitCard({ document, returned, validAt }: NonNullable<PermitAfterVisit>) {
  const isWaiting = document !== null && validAt === null && returned === null
  const standing = validAt ? 'Validado' : isWaiting ? 'Por revisar' : returned ? 'Se pidió otro' : 'Falta'
  return (
    <Card title="Permiso del condominio" aside={<Badge tone={validAt ? 'ok' : 'wait'}>{standing}</Badge>}>
      {document && (
        <>
          <p>Lo entregó el {dateTime(document.createdAt)}</p>
          <DocumentLink document={document} />
        </>
      )}
      {returned && <p>Se pidió otro: {returned}</p>}
      {!isWaiting && !validAt && <p>Le toca al cliente: lo sube en su página de instalación.</p>}
      {isWaiting && <PermitReview seen={document.id} />}
    </Card>
  )
}

const PermitReview = ({ seen }: { seen: string }) => (
  <>
    <Form intent="validate-permit">
      <input type="hidden" name="seen" value={seen} />
      <Submit>Es el permiso</Submit>
    </Form>
    <FormDetails summary="Pedir otro" intent="return-permit">
      <input type="hidden" name="seen" value={seen} />
      <TextArea label="¿Qué le falta?" name="reason" maxLength={300} help="El cliente lo lee en su página." />
      <Submit variant="ghost">Pedir otro permiso</Submit>
    </FormDetails>
  </>
)
