import type { ReactNode } from 'react'
import {
  type CaseKind,
  type CaseMoveName,
  type CaseState,
  caseKindLabels,
  caseLine,
  caseMoveLabels,
  caseStateFacts,
  caseTurnSentence,
  correctorOptions,
  goesBack,
  isOpenCase,
  isOverdue,
  managesCases,
  needsReason,
} from '../../domain/cfe/case.ts'
import { type CasePaperName, paperLabel } from '../../domain/cfe/papers.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateTime, relative, shortDate } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { gestersWithLoad } from '../../server/cfe/open.ts'
import { caseFor, type ShownCase } from '../../server/cfe/queries.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { assertModule, requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { forms } from '../lib/submit.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Field, Select, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Timeline } from '../ui/timeline.tsx'
import type { Route } from './+types/case.ts'
import { CaseFactsCard, CasePeople } from './case-facts.tsx'
import { CaseBadge, CaseLetters, dueWords } from './case-letters.tsx'
import { CasePapers } from './case-papers.tsx'
import { caseForms } from './forms.ts'
import { casesPath } from './list-query.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'gesties')
    const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
    const shown = (await caseFor(database, actor, params.id)) ?? refuse('not-found')
    const gesters = managesCases(actor) ? await gestersWithLoad(database) : null
    return { shown, gesters, now, today: localDate(toMinutes(now)) }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) => {
  assertModule(context, 'gesties')
  return caseForms(context, id)
})

export default function Case({ loaderData }: Route.ComponentProps) {
  const { shown, gesters, now, today } = loaderData
  const { row } = shown
  useStepFocus(`${row.state} ${row.waitingOn}`)
  return (
    <>
      <PageHeader
        title={`${caseKindLabels[row.kind]} ${row.folio}`}
        subtitle={<CaseBadge state={row.state} />}
        back={{ to: casesPath, label: 'Gestorías' }}
      />
      <OrphanedFormError />
      <CaseLine state={row.state} heldFrom={row.heldFrom} kind={row.kind} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-4 max-lg:contents">
          <TurnCard shown={shown} now={now} today={today} className="max-lg:order-1">
            <CaseMoves shown={shown} />
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

/** The main state at whose place on the line a side state is shown. */
const beside: Partial<Record<CaseState, CaseState>> = { observed: 'inspection', corrected: 'inspection' }

type CaseLineProps = { state: CaseState; heldFrom: CaseState | null; kind: CaseKind }

/**
 * How far a case is: a bar per state, past ones filled, the present one half; rejected and cancelled show where they
 * ended nowhere.
 */
function CaseLine({ state, heldFrom, kind }: CaseLineProps) {
  const line = caseLine.filter((one) => kind !== 'name_change' || one !== 'meter_installed')
  const place = heldFrom ?? state
  const at = line.indexOf(beside[place] ?? place)
  if (at < 0) return null
  const behind = isOpenCase(state) ? at : line.length
  return (
    <div className="grid gap-1.5">
      <div
        aria-hidden
        className="grid gap-1"
        style={{ gridTemplateColumns: `repeat(${line.length}, minmax(0, 1fr))` }}
      >
        {line.map((one, index) => (
          <span
            key={one}
            title={caseStateFacts[one].label}
            className="h-1.5 overflow-hidden rounded-full bg-track"
          >
            <span
              className={classNames(
                'block h-full bg-brand',
                index < behind && 'w-full',
                index === at && index >= behind && 'w-1/2',
                index > at && index >= behind && 'w-0',
              )}
            />
          </span>
        ))}
      </div>
      <p className="text-sm text-mute">
        Paso {at + 1} de {line.length}: {caseStateFacts[line[at]!].label}
      </p>
    </div>
  )
}

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
    <Timeline
      items={history.map((event) => ({
        key: event.id,
        title: titleOf(event),
        children: event.reason && <p className="whitespace-pre-line wrap-anywhere">{event.reason}</p>,
        note: `${dateTime(event.at)} · ${event.actor ?? 'El sistema'}`,
      }))}
    />
  </Card>
)

const moveTitles: Record<CaseMoveName, string> = {
  complete: 'El expediente quedó completo',
  reopen: 'Se volvieron a reunir documentos',
  file: 'Se ingresó en CFE',
  inspect: 'CFE empezó a revisarlo',
  observe: 'CFE hizo observaciones',
  correct: 'Se corrigió lo que CFE observó',
  approve: 'CFE lo aprobó',
  sign: 'El contrato quedó firmado',
  installMeter: 'CFE instaló el medidor',
  close: 'Se concluyó',
  hold: 'Se puso en pausa',
  resume: 'Se reanudó',
  reject: 'CFE lo rechazó',
  cancel: 'Se canceló',
}
const titles: Record<string, string> = {
  ...moveTitles,
  open: 'Se abrió el trámite',
  facts: 'Se corrigieron los datos',
  give: 'Cambió de gestor',
  note: 'Nota',
}
const paperTitles: Record<string, string> = {
  paper: 'Llegó',
  paper_asked: 'CFE pidió',
  paper_validated: 'Se validó',
  paper_rejected: 'Se pidió corregir',
}

function titleOf({ data, name }: ShownCase['history'][number]): string {
  const { label = null, paper } = (data ?? {}) as { label?: string; paper?: CasePaperName }
  const about = paper && paperTitles[name]
  return about ? `${about}: ${paperLabel({ label, name: paper })}` : (titles[name] ?? name)
}

/** What a user who works on a case may do with it now: the next step as a button, what goes back or needs a reason folded. */
function CaseMoves({ shown: { moves, row, unvalidated } }: { shown: ShownCase }) {
  const onward = moves.filter((name) => !needsReason(name) && !goesBack(name))
  return (
    <>
      {row.state === 'gathering' && unvalidated > 0 && moves.length > 0 && (
        <p>
          {unvalidated === 1
            ? 'Falta 1 documento por validar.'
            : `Faltan ${unvalidated} documentos por validar.`}
        </p>
      )}
      {onward.map((name, at) => (
        <Form key={name} intent="case.move" target={{ move: name }} className="gap-3">
          <input type="hidden" name="version" value={row.version} />
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
          <Submit variant={at === 0 ? 'primary' : 'ghost'} className="justify-self-start max-sm:w-full">
            {caseMoveLabels[name]}
          </Submit>
        </Form>
      ))}
      {moves.filter(needsReason).map((name) => (
        <Reasoned key={name} name={name} version={row.version} />
      ))}
      {moves.filter(goesBack).map((name) => (
        <FormDetails key={name} summary={caseMoveLabels[name]} intent="case.move" target={{ move: name }}>
          <input type="hidden" name="version" value={row.version} />
          <Submit variant="ghost" className="justify-self-start max-sm:w-full">
            Sí, volver
          </Submit>
        </FormDetails>
      ))}
    </>
  )
}

const Reasoned = ({ name, version }: { name: CaseMoveName; version: number }) => (
  <FormDetails summary={caseMoveLabels[name]} intent="case.move" target={{ move: name }}>
    <input type="hidden" name="version" value={version} />
    <TextArea
      label={name === 'observe' ? '¿Qué observó CFE?' : 'Motivo'}
      name="reason"
      maxLength={500}
      help="El cliente lo lee en su página y en su correo."
    />
    {name === 'observe' && (
      <Select label="¿Quién lo corrige?" name="correctedBy" placeholder="Elige" options={correctorOptions} />
    )}
    <Submit
      variant={name === 'cancel' || name === 'reject' ? 'destructive' : 'ghost'}
      className="justify-self-start max-sm:w-full"
    >
      {caseMoveLabels[name]}
    </Submit>
  </FormDetails>
)
