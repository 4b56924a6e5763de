import { FileText, Pencil, Undo2 } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { Checkbox, Field, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { correctParam } from '../../kit/section-change.ts'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import type { PastEvent } from '../../platform/database/lists.ts'
import { counted, dateTime, doneAndArrived, duration, longDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { singleKeysAct, useSingleKeys } from '../../ui/single-keys.ts'
import { Timeline } from '../../ui/timeline.tsx'
import { calculationOf } from '../rules/passport.ts'
import { isSignature, slotFacts } from '../rules/photos.ts'
import { questionOf } from '../rules/progress.ts'
import {
  type Answers,
  type Correction,
  type Question,
  type Sheet,
  type SheetKind,
  type SheetView,
  sheetLabels,
  sheetStateFacts,
} from '../rules/report.ts'
import { correctionWords, isUnconfirmed, type Review } from '../rules/review.ts'
import { QuestionField } from './question-field.tsx'
import { RedoBoxes, SheetAnswers, VisitReading } from './sheet-answers.tsx'
import { ScopeCard } from './sheet-card.tsx'
import { focusOn } from './use-answers.ts'

type SheetViewProps = {
  sheet: SheetView
  review: Review
  trail: readonly PastEvent[]
  /** The name of the answer being corrected. */
  correcting: string | null
}

/** How far a report is, and what its reviewer looks at first; the decision stands after the evidence. */
export const SheetSummary = ({ review, sheet, trail }: Omit<SheetViewProps, 'correcting'>) => (
  <>
    <SheetHead sheet={sheet} />
    {sheet.mayReview && (
      <>
        <FindingsAlert review={review} />
        <LinkButton
          variant="ghost"
          to={`#${decisionAnchor}`}
          preventScrollReset
          className="justify-self-start"
        >
          Ir a la decisión
        </LinkButton>
      </>
    )}
    <SheetHistory kind={sheet.kind} trail={trail} />
  </>
)

const decisionAnchor = 'decision'
const evidenceAnchor = 'evidencia'

/** What j and k go through: sections and photos, and at the end the first button of the decision. */
const decisionStart = `:is(#${decisionAnchor} button, #${decisionAnchor} summary)`
const stops = `#${evidenceAnchor} h2, #${evidenceAnchor} a[href^="/files/"]`

function goTo(stop: HTMLElement | null | undefined) {
  if (!stop) return
  if (stop.tabIndex < 0) stop.tabIndex = -1
  stop.focus({ preventScroll: true })
  stop.scrollIntoView({ block: 'center' })
}

function step(by: 'next' | 'before') {
  const from = document.activeElement ?? document.body
  const all = [...document.querySelectorAll<HTMLElement>(stops)]
  const decision = document.querySelector<HTMLElement>(decisionStart)
  if (decision) all.push(decision)
  const lies = (where: number) => (stop: HTMLElement) => (from.compareDocumentPosition(stop) & where) !== 0
  goTo(
    by === 'next'
      ? all.find(lies(Node.DOCUMENT_POSITION_FOLLOWING))
      : all.findLast(lies(Node.DOCUMENT_POSITION_PRECEDING)),
  )
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded-md border border-line px-1.5 font-sans">{children}</kbd>
)

/** Goes through a report by its keys, and says them where there is a keyboard. */
function ReviewKeys() {
  useSingleKeys({
    j: () => step('next'),
    k: () => step('before'),
    d: () => goTo(document.querySelector<HTMLElement>(decisionStart)),
  })
  const isShown = useHydrated() && singleKeysAct()
  if (!isShown) return null
  return (
    <p className="hidden text-sm text-mute lg:block">
      <Key>j</Key> y <Key>k</Key> recorren secciones y fotos · <Key>Enter</Key> abre la foto · <Key>d</Key> va
      a la decisión
    </p>
  )
}

/** The answers and pictures of a report, for the office and its technician; the office corrects single answers. */
export function SheetReading({ sheet, correcting, review }: Omit<SheetViewProps, 'trail'>) {
  const { files, kind, mayCorrect, scope, visit } = sheet
  const answers = answersOf(sheet)
  return (
    <div id={evidenceAnchor} className="grid gap-6">
      <section className="grid gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <h2 className="text-lg font-semibold">Respuestas y fotos</h2>
          {sheet.mayReview && <ReviewKeys />}
        </div>
        <SheetAnswers
          kind={kind}
          answers={answers}
          files={files}
          flags={review.flags}
          beside={(question, shown) => {
            if (!mayCorrect) return shown
            if (question.measured || question.name !== correcting)
              return (
                <Correctable question={question} sheet={sheet}>
                  {shown}
                </Correctable>
              )
            return <CorrectAnswer question={question} sheet={sheet} answers={answers} />
          }}
        />
      </section>
      {scope && <ScopeCard scope={scope} />}
      {visit && <VisitReading visit={visit} />}
    </div>
  )
}

/** The current answers, without their revisions. */
const answersOf = ({ answers }: SheetView): Answers =>
  Object.fromEntries(Object.entries(answers).map(([name, { value }]) => [name, value]))

/** Minutes between sending and arriving from which it is shown. */
const lateAfter = 10

/** How far a report is: who sent it when, who reviewed it, what is asked for again. */
function SheetHead({ sheet }: { sheet: SheetView }) {
  const { capturedAt, kind, redo, redone, reviewedAt, reviewedBy, state, submittedAt, submittedBy } = sheet
  const { label, tone } = sheetStateFacts[state]
  const isLate =
    capturedAt && submittedAt && submittedAt.getTime() - capturedAt.getTime() > lateAfter * 60_000
  const named = (names: readonly string[]) =>
    names.map((name) => questionOf(kind, name)?.label ?? slotFacts(kind, name)?.label ?? name).join(', ')
  return (
    <Card title={sheetLabels[kind]} aside={<Badge tone={tone}>{label}</Badge>}>
      <DefinitionList
        items={[
          { term: 'Lo envió', value: submittedBy },
          { term: 'Lo envió el', value: capturedAt && dateTime(capturedAt) },
          { term: 'Nos llegó el', value: isLate ? dateTime(submittedAt) : null },
          { term: 'Duró', value: spanWords(sheet) },
          { term: 'Lo revisó', value: reviewedBy },
          { term: 'Lo revisó el', value: reviewedAt && dateTime(reviewedAt) },
          { term: 'Por qué se devolvió', value: sheet.returnReason },
          { term: 'Falta rehacer', value: named(redo) },
          { term: 'Ya se rehízo', value: named(redone) },
          { term: 'Garantía hasta', value: sheet.warrantyUntil && longDate(sheet.warrantyUntil) },
        ]}
      />
      {hasDocument(sheet) && (
        <a className={buttonClass('ghost')} href={`/handover/${sheet.appointmentId}.pdf`}>
          <FileText aria-hidden className="size-5" />
          Documento de entrega
        </a>
      )}
    </Card>
  )
}

/** How long the work took, and within what time its photos were taken: "1 h 20 min; 9 fotos en 45 min". */
function spanWords({ capturedAt, files, startedAt }: SheetView): string | null {
  const taken = files.filter(({ slot }) => !isSignature(slot)).map((photo) => photo.capturedAt.getTime())
  if (!capturedAt || !startedAt) return null
  const photos = `${counted(taken.length, 'foto', 'fotos')} en ${elapsed(Math.max(...taken) - Math.min(...taken))}`
  return `${elapsed(capturedAt.getTime() - startedAt.getTime())}${taken.length > 1 ? `; ${photos}` : ''}`
}

/** Below a minute in seconds. */
const elapsed = (milliseconds: number) =>
  milliseconds < 60_000
    ? `${Math.max(0, Math.round(milliseconds / 1000))}\u00a0s`
    : duration(Math.round(milliseconds / 60_000))

const hasDocument = ({ kind, state }: SheetView) => kind === 'installation' && state === 'approved'

/** The form replaces the link that opened it, and the link the form: the focus moves to the new one. */
function useFocusGoesOn(name: string) {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === `#${name}` && document.activeElement === document.body) focusOn(name)
  }, [hash, name])
}

type CorrectableProps = { question: Question; sheet: SheetView; children: ReactNode }

/** An answer with the link to correct it; a measurement with the one that returns the report to ask for it again. */
function Correctable({ question: { name, label, measured }, sheet, children }: CorrectableProps) {
  useFocusGoesOn(name)
  if (measured && !(sheet.mayReview && sheet.state === 'submitted')) return children
  const Icon = measured ? Undo2 : Pencil
  return (
    <span className="flex items-start justify-between gap-3" id={name}>
      <span className="min-w-0 self-center">{children}</span>
      <Link
        to={`?${correctParam}=${name}#${measured ? decisionAnchor : name}`}
        preventScrollReset={!measured}
        className="-my-2.5 grid size-11 shrink-0 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
        aria-label={`${measured ? 'Pedir otra vez' : 'Corregir'} ${label}`}
      >
        <Icon aria-hidden className="size-4" />
      </Link>
    </span>
  )
}

type CorrectAnswerProps = { question: Question; sheet: Sheet; answers: Answers }

const nobodyHears = () => undefined

/** The form that corrects one answer in place; it sends its revision, so that nothing is overwritten unseen. */
function CorrectAnswer({ question, sheet, answers }: CorrectAnswerProps) {
  const { name } = question
  useFocusGoesOn(name)
  const result = useFormResult('correct-answer', { name })
  const stored = sheet.answers[name]
  const told = result?.refusal?.details as { base?: number } | null | undefined
  return (
    <Form intent="correct-answer" target={{ name }} id={name} className="gap-3">
      <input type="hidden" name="base" value={told?.base ?? result?.values.base ?? stored?.revision ?? 0} />
      <QuestionField
        question={question}
        value={stored?.value}
        circuit={calculationOf(answers)?.circuit ?? null}
        error={undefined}
        optional={question.optional?.(answers) ?? false}
        hear={nobodyHears}
      />
      <div className="flex flex-wrap gap-3">
        <Submit>Guardar</Submit>
        <LinkButton variant="ghost" to={`.#${name}`} preventScrollReset>
          Dejarlo igual
        </LinkButton>
      </div>
    </Form>
  )
}

type DecisionProps = {
  sheet: SheetView
  mayQuote: boolean
  /** The name of the answer that is to be corrected: a measurement is asked for again. */
  correcting: string | null
}

/**
 * The office's decision about a sent report: approves it, at once to its quote where there will be one, or returns it
 * with what is to be done again.
 */
export function SheetDecision({ correcting, mayQuote, sheet }: DecisionProps) {
  const asked = correcting && questionOf(sheet.kind, correcting)?.measured ? correcting : null
  const isStopped =
    sheet.corrections.some(isUnconfirmed) ||
    sheet.held.some(({ isStateable }) => !isStateable) ||
    sheet.missing.some(({ unsafe }) => unsafe)
  return (
    <Card title="Decisión" id={decisionAnchor} className="scroll-mt-4 lg:max-w-3xl">
      {!isStopped && <ApproveForm sheet={sheet} mayQuote={mayQuote} />}
      <FormDetails summary="Devolver a su técnico" intent="return-sheet" open={asked !== null}>
        <Version version={sheet.version} />
        <TextArea
          label="¿Qué falta o qué está mal?"
          name="reason"
          maxLength={1000}
          help="El técnico lo lee tal como lo escribes."
        />
        <div className="grid gap-4">
          <p className="font-semibold">Pídele otra vez</p>
          <RedoBoxes sheet={sheet} answers={answersOf(sheet)} asked={asked} />
        </div>
        <NoWayBack to="a su técnico" />
        <Submit variant="destructive">Devolver</Submit>
      </FormDetails>
    </Card>
  )
}

function ApproveForm({ mayQuote, sheet }: Pick<DecisionProps, 'mayQuote' | 'sheet'>) {
  return (
    <Form intent="approve-sheet" className="gap-3 sm:grid-cols-[auto_auto] sm:justify-start">
      <Version version={sheet.version} />
      <p className="text-sm text-mute sm:col-span-full">
        Aprobarlo no se puede deshacer; lo que le toca al cliente sale de inmediato.
      </p>
      {sheet.held.some(({ kind }) => kind === 'load_increase') && (
        <Field
          label="¿Cuántos kW contrató CFE?"
          name="approvedKilowatts"
          help="Como viene en el contrato o en el recibo."
          inputMode="decimal"
        />
      )}
      {sheet.held.some(({ kind }) => kind !== 'load_increase') && (
        <Checkbox
          name="proven"
          className="sm:col-span-full"
          label="Vi el dictamen o el contrato que lo resuelve."
          required
        />
      )}
      {mayQuote && (
        <Submit name="next" value="quote">
          Aprobar y cotizar
        </Submit>
      )}
      <Submit variant={mayQuote ? 'ghost' : 'primary'}>Aprobar</Submit>
    </Form>
  )
}

const Version = ({ version }: { version: number }) => <input type="hidden" name="version" value={version} />

/** What a reviewer checks before approving. */
const FindingsAlert = ({ review: { isBad, lines, title } }: { review: Review }) =>
  lines.length > 0 && (
    <Alert tone={isBad ? 'bad' : 'wait'} title={title}>
      <ul className="grid list-disc gap-1 pl-5 whitespace-pre-line">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  )

type SheetHistoryProps = { kind: SheetKind; trail: readonly PastEvent[] }

/** What was done to a report, the latest first: sent, corrected, returned, approved. */
export function SheetHistory({ kind, trail }: SheetHistoryProps) {
  const known = trail.filter(({ name }) => name in titles)
  if (known.length === 0) return null
  return (
    <Card title="Historial">
      <Timeline
        items={known.map((event) => ({
          key: event.id,
          title: titles[event.name]?.(kind, event),
          children: event.reason && <p className="wrap-anywhere">{event.reason}</p>,
          note: `${doneAndArrived(event.madeAt, event.at)} · ${event.actor ?? 'El sistema'}`,
        }))}
      />
    </Card>
  )
}

const titles: Record<string, (kind: SheetKind, event: PastEvent) => string> = {
  submit: () => 'Enviado',
  claim: () => 'Entregado después de que la cita cambió',
  reopen: () => 'La gerencia reabrió la cita',
  decline: () => 'La gerencia no reabrió la cita',
  approve: () => 'Aprobado',
  return: () => 'Devuelto',
  ask: () => 'Pedido',
  correct: (kind, { data }) => (data ? correctionWords(kind, data as Correction) : 'Corregido'),
}
