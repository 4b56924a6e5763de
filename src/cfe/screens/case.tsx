import type { ReactNode } from 'react'
import { undoText } from '../../appointments/rules/undo.ts'
import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { UndoNotice } from '../../kit/undo-notice.tsx'
import { lastSave } from '../../platform/database/versions.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, fullName, localDay, relative, shortDate, time } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { bySpanish } from '../../shared/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { gestersWithLoad } from '../open.ts'
import { caseFor, type ShownCase } from '../queries.ts'
import {
  type CaseMoveName,
  type CaseState,
  caseKindLabels,
  caseMoveLabels,
  caseStateFacts,
  casesPath,
  caseTurnSentence,
  correctorOptions,
  dayOfEvent,
  goesBack,
  isOverdue,
  managesCases,
  needsReason,
  stepDays,
  takesPapers,
} from '../rules/case.ts'
import { type CasePaperName, paperLabel } from '../rules/papers.ts'
import type { Route } from './+types/case.ts'
import { CaseFactsCard, CasePeople } from './case-facts.tsx'
import { CaseBadge, CaseLetters, dueWords } from './case-letters.tsx'
import { CasePapers } from './case-papers.tsx'
import { caseForms } from './forms.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'gesties')
    const { db, actor, now } = signedIn(context)
    const found = (await caseFor(db, actor, params.id)) ?? refuse('not-found')
    const { undo } = found.row
    // What the last step replaced stays on the server.
    const shown = { ...found, row: { ...found.row, undo: null } }
    const [wasSaved, gesters] = await Promise.all([
      lastSave(db, actor, { entity: 'cfe_case', id: params.id }),
      managesCases(actor) ? gestersWithLoad(db) : null,
    ])
    const undoable = undo?.by === actor.id ? (undo.until - now.getTime()) / 1000 : 0
    return { shown, wasSaved, gesters, now, today: localDate(toMinutes(now)), undoable }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) => {
  assertModule(context, 'gesties')
  return caseForms(context, id)
})

export default function Case({ loaderData }: Route.ComponentProps) {
  const { shown, gesters, now, today, undoable } = loaderData
  const { row } = shown
  useStepFocus(`${row.state} ${row.waitingOn}`)
  return (
    <>
      <PageHeader
        title={`${caseKindLabels[row.kind]} · ${fullName(shown.customer)}`}
        subtitle={
          <>
            {row.folio} <CaseBadge state={row.state} />
          </>
        }
        back={{ to: casesPath, label: 'Gestorías' }}
      />
      <OrphanedFormError />
      {undoable > 0 && (
        <UndoNotice
          changes={undoText([{ id: row.id, version: row.version, of: 'tramite' }])}
          seconds={undoable}
        />
      )}
      <p className="text-sm text-mute first-letter:uppercase">{stepDays(shown.history)}</p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-4 max-lg:contents">
          <TurnCard shown={shown} now={now} today={today} className="max-lg:order-1">
            <CaseMoves shown={shown} today={today} />
          </TurnCard>
          <CasePapers shown={shown} className="max-lg:order-2" />
          <CaseHistory shown={shown} className="max-lg:order-5" />
        </div>
        <div className="grid gap-4 max-lg:contents">
          <CasePeople shown={shown} gesters={gesters} className="max-lg:order-3" />
          <CaseFactsCard shown={shown} className="max-lg:order-4" />
          <CaseLetters shown={shown} className="max-lg:order-4" />
        </div>
      </div>
    </>
  )
}

type TurnCardProps = { shown: ShownCase; now: Date; today: string; className: string; children: ReactNode }

/** Whose turn it is, since when and until when, and what can be done about it. */
function TurnCard({ shown, now, today, className, children }: TurnCardProps) {
  const { dates, row } = shown
  const { dueOn, holdReason, reason, requestNumber, filedAt, waitingOn, waitingSince } = row
  const due = dueWords(waitingOn, dates)
  return (
    <Card
      title={turnTitle(shown)}
      aside={isOverdue(dueOn, today) && <Badge tone="bad">Atrasado</Badge>}
      className={className}
    >
      <div className="grid gap-1">
        <p>
          Desde el {shortDate(waitingSince)}, {relative(waitingSince, now)}.
        </p>
        {due && <p className="text-[0.9375rem] text-mute">{due}</p>}
        {(holdReason ?? reason) && (
          <p className="wrap-anywhere">
            <b className="font-semibold">Motivo:</b> {holdReason ?? reason}
          </p>
        )}
        {filedAt && (
          <p className="text-[0.9375rem] text-mute">
            Ingresado el {shortDate(filedAt)}
            {requestNumber && `, solicitud ${requestNumber}`}.
          </p>
        )}
      </div>
      {children}
    </Card>
  )
}

const turnTitle = ({ isMine, row: { waitingOn } }: ShownCase): string =>
  waitingOn === 'none' ? 'Este trámite terminó' : caseTurnSentence(waitingOn, isMine)

type CaseHistoryProps = { shown: ShownCase; className: string }

/** What happened to a case, the latest first, and the form to add a note. */
const CaseHistory = ({ shown: { history, row, works }, className }: CaseHistoryProps) => (
  <Card title="Notas e historial" className={className}>
    {works && !row.closedAt && (
      <Form intent="case.note">
        <TextArea
          label="Nota"
          name="note"
          maxLength={1000}
          help="Solo la leen quienes atienden el trámite."
        />
        <Submit variant="ghost" className="justify-self-start max-sm:w-full">
          Guardar nota
        </Submit>
      </Form>
    )}
    {byDay(history).map(([day, events]) => (
      <section key={day} className="grid gap-3">
        <h3 className="text-sm font-medium text-mute first-letter:uppercase">{shortDate(day)}</h3>
        <Timeline
          items={events.map((event) => ({
            key: event.id,
            title: titleOf(event),
            children: event.reason && <p className="whitespace-pre-line wrap-anywhere">{event.reason}</p>,
            note: `${localDay(event.at) === day ? time(event.at) : `Anotado ${dateTime(event.at)}`} · ${event.actor ?? 'El sistema'}`,
          }))}
        />
      </section>
    ))}
  </Card>
)

/** The days of a history with what happened on each, the latest first. */
const byDay = (history: ShownCase['history']) =>
  [...Map.groupBy(history, dayOfEvent)].toSorted(([one], [other]) => bySpanish(other, one))

const titles: Record<string, string> = {
  open: 'Se abrió el trámite',
  facts: 'Se corrigieron los datos',
  give: 'Cambió de gestor',
  undo: 'Se deshizo el paso',
  note: 'Nota',
}
const paperTitles: Record<string, string> = {
  paper: 'Llegó',
  paper_asked: 'CFE pidió',
  paper_validated: 'Se validó',
  paper_rejected: 'Se pidió corregir',
}

function titleOf({ data, name, toState }: ShownCase['history'][number]): string {
  const { label = null, paper } = (data ?? {}) as { label?: string; paper?: CasePaperName }
  const about = paper && paperTitles[name]
  if (about) return `${about}: ${paperLabel({ label, name: paper })}`
  return titles[name] ?? caseStateFacts[toState as CaseState].label
}

type MovesProps = { shown: ShownCase; today: string }

/** What a user who works on a case may do with it now: the next step as a button, what goes back or needs a reason folded. */
function CaseMoves({ shown, today }: MovesProps) {
  const { moves, row, unvalidated } = shown
  const onward = moves.filter((name) => !needsReason(name) && !goesBack(name))
  return (
    <>
      {takesPapers(row.state) && unvalidated > 0 && moves.length > 0 && (
        <p>
          {unvalidated === 1
            ? 'Falta 1 documento por validar.'
            : `Faltan ${unvalidated} documentos por validar.`}
        </p>
      )}
      {onward.map((name, at) => (
        <Form key={name} intent="case.move" target={{ move: name }} className="gap-3">
          <DayField row={row} today={today} />
          {name === 'file' && (
            <Field
              label="Número de solicitud que dio CFE"
              name="requestNumber"
              optional
              maxLength={40}
              autoComplete="off"
              defaultValue={row.requestNumber ?? ''}
            />
          )}
          {(name === 'approve' || name === 'installMeter') && row.kind !== 'name_change' && (
            <Field
              label="¿Cuántos kW aprobó CFE?"
              name="approvedKilowatts"
              inputMode="decimal"
              defaultValue={row.approvedKilowatts ?? ''}
              autoComplete="off"
              {...(row.requestedKilowatts !== null && { help: `Se pidieron ${row.requestedKilowatts} kW.` })}
            />
          )}
          {name === 'sign' && <Field label="Número del contrato" name="contractNumber" maxLength={40} />}
          {name === 'installMeter' && (
            <Field label="Número del medidor nuevo" name="newMeterNumber" maxLength={20} />
          )}
          <Submit variant={at === 0 ? 'primary' : 'ghost'} className="justify-self-start max-sm:w-full">
            {caseMoveLabels[name]}
          </Submit>
        </Form>
      ))}
      {moves
        .filter((name) => !onward.includes(name))
        .map((name) => (
          <FoldedMove key={name} name={name} shown={shown} today={today} />
        ))}
    </>
  )
}

/** The day of a step: today, or one since the step before. */
const DayField = ({ row, today }: { row: ShownCase['row']; today: string }) => (
  <>
    <input type="hidden" name="version" value={row.version} />
    <Field
      label="¿Qué día fue?"
      name="day"
      type="date"
      min={row.steppedOn ?? localDay(row.createdAt)}
      max={today}
      defaultValue={today}
    />
  </>
)

/** The papers of a case that CFE may observe. */
const observable = ({ needed, papers }: ShownCase) =>
  papers.flatMap(({ label, name }) => (needed.includes(name) ? { label, value: name as string } : []))

const FoldedMove = ({ name, shown, today }: MovesProps & { name: CaseMoveName }) => (
  <FormDetails summary={caseMoveLabels[name]} intent="case.move" target={{ move: name }}>
    <DayField row={shown.row} today={today} />
    {name === 'observe' && (
      <>
        <Select
          label="¿Qué documento observó?"
          name="asked"
          placeholder="Elige"
          options={[...observable(shown), { value: 'other', label: 'Otro' }]}
        />
        <Field label="Si es otro, cómo se llama" name="label" optional="unsaid" maxLength={80} />
      </>
    )}
    {needsReason(name) && (
      <TextArea
        label={name === 'observe' ? '¿Qué observó CFE?' : 'Motivo'}
        name="reason"
        maxLength={500}
        help="El cliente lo lee en su página y en su correo."
      />
    )}
    {name === 'observe' && (
      <Select label="¿Quién lo corrige?" name="correctedBy" placeholder="Elige" options={correctorOptions} />
    )}
    <Submit
      variant={name === 'cancel' || name === 'reject' ? 'destructive' : 'ghost'}
      className="justify-self-start max-sm:w-full"
    >
      {goesBack(name) ? 'Sí, volver' : caseMoveLabels[name]}
    </Submit>
  </FormDetails>
)
