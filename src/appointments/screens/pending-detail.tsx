import { type FormEvent, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { later, lazyOr } from '../../kit/later.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { afterSheet } from '../../kit/section-change.ts'
import { forms } from '../../kit/submit.ts'
import { useClock } from '../../kit/use-now.ts'
import type { Draft } from '../../offline/draft.ts'
import { movesAfter } from '../../offline/use-draft.ts'
import { QuotesFromCard } from '../../quotes/screens/quotes-from-card.tsx'
import { riskChecklist } from '../../reports/rules/installation-record.ts'
import type { Sheet, SheetView } from '../../reports/rules/report.ts'
import { TickField } from '../../reports/screens/loads/loads-field.tsx'
import { Claimed, OwnSheet } from '../../reports/screens/own-sheet.tsx'
import { VisitReading } from '../../reports/screens/sheet-answers.tsx'
import { otherEndId, type ProgressDraft, ScopeCard, SheetCard } from '../../reports/screens/sheet-card.tsx'
import { sectionIn } from '../../reports/screens/sheet-path.ts'
import { arrivalHours, duration, fullName } from '../../shared/format.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { activeStates } from '../rules/appointment.ts'
import { stateAfter } from '../rules/field-steps.ts'
import { atWorkWords, stopWhen, wayWords } from '../rules/next-stop.ts'
import { visitedAppointment } from '../rules/paths.ts'
import { hasArrived } from '../rules/rules.ts'
import { asksIfLate } from '../rules/running-late.ts'
import { type MoveName, stepsAt } from '../rules/transitions.ts'
import type { Route } from './+types/pending-detail.ts'
import { AppointmentFacts, AppointmentHeader } from './appointment-facts.tsx'
import { sheetForms } from './day/sheet-forms.ts'
import { fieldForms, leadToCall, loadPending, type Pending } from './pending-server.ts'
import { StateBadge } from './state-badge.tsx'

// For the office only: a technician's phone does without.
const officePart = () => import('./office-notices.tsx')
const OfficeNotices = later(() => officePart().then((part) => part.OfficeNotices))
const OfficeActions = later(() => officePart().then((part) => part.OfficeActions))
const AppointmentHistory = later(() => officePart().then((part) => part.AppointmentHistory))
const CancelForm = later(() => import('./day/appointment-ends.tsx').then((part) => part.CancelForm))

// Folded, or rare: it works as it comes from the server.
const rarePart = () => import('./more-actions.tsx')
const MoreActions = later(() => rarePart().then((part) => part.MoreActions))
const NobodyCameNotice = later(() => rarePart().then((part) => part.NobodyCameNotice))
const FinishForm = later(() => rarePart().then((part) => part.FinishForm))
const OtherEnd = later(() => rarePart().then((part) => part.OtherEnd))

// Before the work begins.
const LateForm = later(() => import('./day/late-form.tsx').then((part) => part.LateForm))
const StopReach = later(() => import('./day/stop-reach.tsx').then((part) => part.StopReach))

/** The form of an installation's start, by which its button at the foot of the screen sends it. */
const startFormId = 'empezar'

// On the way only.
const SharePosition = lazyOr(
  () => import('../../scheduling/screens/share-position.tsx').then((part) => part.SharePosition),
  () => null,
)

type PendingScreenProps = {
  shown: Pending
  sheet: Sheet | null
  /** The sheet as this phone has it; null for those who don't write it. */
  draft: Draft | null
  /** What an installation follows from: the approved report of its visit, and what was agreed to be done. */
  before: Pick<SheetView, 'visit' | 'scope'>
}

/** An appointment to be carried out: what it is about, how far its sheet has come, and what can be done now. */
function PendingScreen({ shown, sheet, draft, before }: PendingScreenProps) {
  const { appointment } = shown
  const { service } = appointment
  const isEnding = useOtherEnd()
  const hasClock = useHydrated() && draft !== null
  const byNow = hasClock ? stepsAt(appointment, new Date()) : []
  const offered = [...new Set([...shown.moves, ...byNow])]
  const waiting = draft?.moves ?? []
  const last = waiting.at(-1)
  const state = last ? stateAfter[last.move] : appointment.state
  const now = useClock(shown.readAt)
  const possible = movesAfter(offered, waiting)
  const isAbsent =
    hasClock && shown.absentFrom !== null && hasArrived({ service, state }) && shown.absentFrom <= new Date()
  const moves = isAbsent ? [...new Set([...possible, 'noShow' as const])] : possible
  const wait = moves.includes('start') ? null : shown.wait
  const withChecklist = service === 'installation' && draft !== null
  // A pause is over before the sheet goes on.
  const isWorking = moves.includes('finish') && !moves.includes('resume')
  return (
    <>
      <PendingHeader shown={shown} waiting={last} now={now} />
      {shown.isOwn && <StopReach stop={stopOf(appointment)} />}
      {shown.isOwn && asksIfLate({ ...appointment, state }, now) && (
        <LateForm stop={appointment} now={shown.readAt} personId={appointment.assignee?.id ?? null} />
      )}
      <OrphanedFormError />
      {shown.isOffice && <OfficeNotices {...shown} now={shown.readAt} />}
      {appointment.missed && (
        <NobodyCameNotice appointment={appointment} mayAnswer={moves.includes('answerNobodyCame')} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {withChecklist && moves.includes('start') && <StartForm draft={draft} />}
        {sheet && <SheetCard sheet={sheet} draft={draft ?? storedDraft(sheet)} isNext={isWorking} />}
        {before.scope && <ScopeCard scope={before.scope} />}
        <QuotesFromCard quotes={shown.extraWork} />
        {hasClock && appointment.state === 'en_route' && appointment.assignee && (
          <Suspense>
            <SharePosition appointmentId={appointment.id} personId={appointment.assignee.id} />
          </Suspense>
        )}
        <AppointmentFacts appointment={appointment} isOwn={shown.isOwn} />
        {moves.includes('finish') && !sheet && (
          <Card title="Terminar la cita" className="max-lg:order-first">
            <FinishForm service={service} withSheet={false} />
          </Card>
        )}
        {/* Links lead to it before its code is there. */}
        <div id={otherEndId} className="empty:hidden">
          <MoreActions
            {...shown}
            waits={isAbsent ? shown.otherWaits : shown.waits}
            service={service}
            moves={moves}
            phone={appointment.customer.phone}
            open={isEnding}
          >
            {moves.includes('finish') && sheet && <OtherEnd service={service} open={isEnding} />}
            {!shown.isOwn && moves.includes('runLate') && (
              <LateForm stop={appointment} now={shown.readAt} personId={null} />
            )}
          </MoreActions>
        </div>
        {shown.mayCancel && (
          <CancelForm appointment={appointment} at={`/admin/assignations/${appointment.id}`} />
        )}
      </div>
      {before.visit && <VisitReading visit={before.visit} />}
      {shown.history.length > 0 && <AppointmentHistory events={shown.history} />}
      <FieldBar moves={moves} wait={wait} withChecklist={withChecklist} />
    </>
  )
}

type Waiting = Draft['moves'][number] | undefined

type PendingHeaderProps = { shown: Pending; waiting: Waiting; now: Date }

function PendingHeader({ shown, shown: { appointment, way }, waiting, now }: PendingHeaderProps) {
  const state = waiting ? stateAfter[waiting.move] : appointment.state
  const atWork = atWorkWords({ ...appointment, state }, now)
  const when = way && [
    stopWhen({ ...appointment, state }, now),
    duration(appointment.minutes),
    `le dijimos ${arrivalHours(appointment.startsAt, way.window)}`,
    wayWords({ ...appointment, ...way, state }, now),
  ]
  return (
    <AppointmentHeader
      appointment={appointment}
      badge={
        <>
          <StateBadge state={state} isUnsent={waiting?.state === 'waiting'} />
          {atWork && <span className="text-ink">{atWork}</span>}
        </>
      }
      when={when?.filter(Boolean).join(' · ')}
      back={{ to: '/admin/appointments-pending', label: 'Próximas citas' }}
      actions={shown.isOffice && <OfficeActions {...shown} />}
    />
  )
}

const stopOf = ({ address, customer, folio, pin }: Pending['appointment']) => ({
  address,
  pin,
  folio,
  customer: fullName(customer),
  phone: customer.phone,
})

/** Whether the other end is asked for: its form came back, or a link led to it. */
function useOtherEnd(): boolean {
  const isAnswered = useFormResult('finish') !== undefined
  const { hash } = useLocation()
  const isHydrated = useHydrated()
  return isAnswered || (isHydrated && hash === `#${otherEndId}`)
}

/** The moves of a button each, in the order of the day; the first that can be made is the next one. */
const barMoves = ['setOut', 'start', 'resume'] as const

const labels = { setOut: 'Voy en camino', start: 'Iniciar', resume: 'Continuar' }

type FieldBarProps = {
  moves: readonly MoveName[]
  wait: string | null
  /** The checks before the start have a form of their own. */
  withChecklist: boolean
}

/** The next step of the assignee, always in sight. */
function FieldBar({ moves, wait, withChecklist }: FieldBarProps) {
  const shown = barMoves.filter((name) => moves.includes(name))
  const result = useFormResult(shown.filter((name) => !(withChecklist && name === 'start')))
  if (shown.length === 0 && !wait) return null
  return (
    <ActionBar>
      {wait && <p className="text-[0.9375rem] text-mute">{wait}</p>}
      {shown.length > 0 && (
        <Form result={result} className="auto-cols-fr grid-flow-col">
          {shown.map((name) => (
            <Submit
              key={name}
              name="move"
              value={name}
              form={withChecklist && name === 'start' ? startFormId : undefined}
              variant={name === shown[0] ? 'primary' : 'ghost'}
            >
              {name === 'start' && name === shown[0] ? 'Ya llegué: iniciar' : labels[name]}
            </Submit>
          ))}
        </Form>
      )}
    </ActionBar>
  )
}

/** The checks before an installation begins. */
function StartForm({ draft }: { draft: Draft }) {
  const [tried, setTried] = useState(false)
  const { answers } = draft
  const send = (event: FormEvent<HTMLFormElement>) => {
    const unticked = event.currentTarget.querySelector<HTMLElement>('input[type=checkbox]:not(:checked)')
    if (!unticked) return
    event.preventDefault()
    setTried(true)
    unticked.focus()
  }
  return (
    <Card title={riskChecklist.title} className="max-lg:order-first">
      <Form intent="start" by="move" id={startFormId} onSubmit={send}>
        <div className="grid gap-2">
          {riskChecklist.questions.map(({ name, label }) => (
            <TickField
              key={name}
              name={name}
              label={label}
              value={answers[name] === true}
              error={tried && answers[name] !== true ? 'Falta marcarlo.' : undefined}
              hear={(ticked) => draft.write(name, ticked === true ? true : null)}
            />
          ))}
        </div>
      </Form>
    </Card>
  )
}

/** A sheet as the server has it, for users who only read its progress. */
const storedDraft = ({ answers, files }: Sheet): ProgressDraft => ({
  answers: Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value])),
  files: files.map(stored),
  typed: {},
  unkept: new Set<string>(),
  isRead: true,
  waiting: 0,
})

const stored = (file: Sheet['files'][number]) => ({
  ...file,
  url: `/files/${file.id}/list`,
  fullUrl: `/files/${file.id}/full`,
  status: 'stored' as const,
  progress: 100,
  problem: null,
})

export const handle = { announcesUpdates: true, visited: visitedAppointment }
export const shouldRevalidate = afterSheet

export const loader = (asked: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { shown } = await loadPending(asked)
    leadToCall('pending', shown.appointment, signedIn(asked.context).actor)
    return { ...shown, section: sectionIn(asked.request) }
  })

const pathOf = (id: string) => `/admin/appointments-pending/${id}`

/** What is done with the appointment says `move`, what is written in its sheet `intent`. */
export const action = forms(
  ({ context, params: { id } }: Route.ActionArgs) => ({
    ...fieldForms(context, id),
    ...sheetForms(context, id, { here: pathOf(id), states: activeStates }),
  }),
  ({ move, intent }) => move ?? intent,
)

export default function PendingDetail({ loaderData }: Route.ComponentProps) {
  const { sheet, section, ...shown } = loaderData
  const before = { visit: sheet?.visit ?? null, scope: sheet?.scope ?? null }
  if (!sheet?.mayWrite)
    return (
      <>
        <Claimed claim={sheet?.claim ?? null} />
        <PendingScreen shown={shown} sheet={sheet} before={before} draft={null} />
      </>
    )
  return (
    <OwnSheet
      sheet={sheet}
      section={section}
      here={pathOf(sheet.appointmentId)}
      author={shown.appointment.assignee?.name ?? ''}
      moves={shown.moves}
      appointment={shown.appointment}
    >
      {(own) => (
        <>
          <Claimed claim={sheet.claim} />
          <PendingScreen shown={shown} before={before} {...own} />
        </>
      )}
    </OwnSheet>
  )
}
