import { ChevronLeft, ChevronRight } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { deviations } from '../../domain/reports/limits.ts'
import { isSignature } from '../../domain/reports/photos.ts'
import { calculationOf, contradictions, isAsked, sectionsOf } from '../../domain/reports/progress.ts'
import {
  type Missing,
  type Question,
  type Section,
  type Sheet,
  sheetLabels,
} from '../../domain/reports/report.ts'
import type { Draft } from '../offline/draft.ts'
import { PhotoField, SignatureField } from '../photos/photo-field.tsx'
import { Badge } from '../ui/badge.tsx'
import { ActionBar, Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { Form, Submit } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Progress } from '../ui/progress.tsx'
import { CalculationCard } from './calculation-card.tsx'
import { MissingList } from './missing-list.tsx'
import { QuestionField } from './question-field.tsx'
import { otherEndId, ReturnNotice, SavedWords, SectionList, UnsafeAlert } from './sheet-card.tsx'
import { sendValue } from './sheet-path.ts'
import {
  filledSlots,
  focusOn,
  goOnByEnter,
  progressIn,
  sectionFormId,
  stillMissing,
  useAnswers,
  useGoOn,
} from './use-answers.ts'

type SheetFormProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  /** The screen of the appointment. */
  here: string
  /** Who fills it in. */
  author: string
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

const missingId = 'faltantes'

/** One step of a sheet, for use with one thumb. */
export function SheetForm({ sheet, draft, section, here, author, wait }: SheetFormProps) {
  useSectionFocus(section.id)
  const sections = sectionsOf[sheet.kind]
  const nth = sections.indexOf(section)
  const missing = stillMissing(sheet, draft)
  const send = () => (missing.length > 0 ? focusOn(missingId) : void draft.move({ move: 'submit' }))
  const isLast = nth === sections.length - 1
  const progress = progressIn(sheet, draft)
  return (
    <>
      <div className="grid max-w-2xl grid-cols-1 gap-4">
        <div className="grid gap-3">
          <PageHeader
            title={section.title}
            subtitle={`${sheetLabels[sheet.kind]}, ${nth + 1} de ${sections.length}`}
            back={{ to: here, label: sheet.folio }}
          />
          <Progress label={`Avance: ${sheetLabels[sheet.kind]}`} value={progress} />
          <div className="flex justify-between gap-4 text-sm text-mute">
            <span>{progress} %</span>
            <SavedWords draft={draft} />
          </div>
        </div>
        <ReturnNotice sheet={sheet} />
        {sheet.kind === 'visit' && section.id === 'calculo' && <CalculationCard answers={draft.answers} />}
        <SectionForm key={section.id} sheet={sheet} draft={draft} section={section} onSend={send} />
        <SectionPictures
          key={`${section.id} pictures`}
          sheet={sheet}
          draft={draft}
          section={section}
          author={author}
        />
        {(isLast || section.id === 'pruebas') && (
          <UnsafeAlert
            missing={missing}
            otherEnd={sheet.state === 'draft' ? `${here}#${otherEndId}` : null}
          />
        )}
        {isLast && missing.length > 0 && (
          <Card
            title={`Para enviarlo falta${missing.length === 1 ? '' : 'n'} ${missing.length}`}
            id={missingId}
          >
            <MissingList missing={missing} />
          </Card>
        )}
        <SectionList kind={sheet.kind} draft={draft} current={section.id} />
      </div>
      <SheetBar sheet={sheet} wait={wait} previous={sections[nth - 1]} next={sections[nth + 1]} />
    </>
  )
}

/** A section begins at its heading, or at the field that a link named; a user who types already keeps the focus. */
function useSectionFocus(section: string) {
  const { hash, key } = useLocation()
  const asked = useRef<string>(null)
  const place = `${section} ${hash} ${key}`
  useEffect(() => {
    if (asked.current === place) return
    const begins = asked.current === null
    asked.current = place
    if (hash) return focusOn(decodeURIComponent(hash.slice(1)))
    if (begins && document.activeElement?.closest('form')) return
    const heading = document.querySelector<HTMLElement>('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.classList.add('outline-none')
    heading.focus({ preventScroll: true })
  }, [place, hash])
}

const things = { visit: 'reporte', installation: 'registro' }

/** The appointment of a returned sheet is over already. */
const sendWords = ({ kind, state }: Pick<Sheet, 'kind' | 'state'>) =>
  `Enviar ${things[kind]} ${state === 'returned' ? 'otra vez' : 'y terminar'}`

type SheetBarProps = {
  sheet: Pick<Sheet, 'kind' | 'state'>
  previous: Section | undefined
  next: Section | undefined
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

/** Next and previous of a sheet, within the thumb's reach. Without JavaScript both save the section. */
function SheetBar({ sheet, previous, next, wait }: SheetBarProps) {
  return (
    <ActionBar className="lg:max-w-2xl">
      {!next && wait && <p className="text-[0.9375rem] text-mute">{wait}</p>}
      {/* The next button is first: Enter presses it. */}
      <div className="flex w-full flex-row-reverse gap-3">
        {(next || !wait) && (
          <Submit form={sectionFormId} name="next" value={next?.id ?? sendValue} className="flex-1">
            {next ? 'Siguiente' : sendWords(sheet)}
            {next && <ChevronRight aria-hidden className="size-5" />}
          </Submit>
        )}
        {previous && (
          <Submit
            form={sectionFormId}
            name="next"
            value={previous.id}
            variant="ghost"
            className={next || wait ? 'flex-1' : undefined}
          >
            <ChevronLeft aria-hidden className="size-5" />
            <span className={next || wait ? undefined : 'max-sm:sr-only'}>Anterior</span>
          </Submit>
        )}
      </div>
    </ActionBar>
  )
}

type SectionPicturesProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  /** Who fills the sheet in. */
  author: string
}

/** The photos and signatures of a section; of the optional ones, those taken and room for one more. */
function SectionPictures({ sheet, draft, section, author }: SectionPicturesProps) {
  const { slots, extra = [] } = section
  const taken = filledSlots(draft)
  const free = extra.find((slot) => !taken.has(slot))
  const { customerName } = draft.answers
  const signers: Record<string, string | null> = {
    signature_technician: author,
    signature_customer: typeof customerName === 'string' ? customerName : null,
  }
  return (
    <>
      {slots.map((slot) =>
        isSignature(slot) ? (
          <SignatureField key={slot} sheet={sheet} draft={draft} slot={slot} signer={signers[slot] ?? null} />
        ) : (
          <PhotoField key={slot} sheet={sheet} draft={draft} slot={slot} />
        ),
      )}
      {extra
        .filter((slot) => taken.has(slot) || slot === free)
        .map((slot) => (
          <PhotoField key={slot} sheet={sheet} draft={draft} slot={slot} optional />
        ))}
    </>
  )
}

/** Rarely needed; without it the answer waits, and the cloud above says why. */
const ConflictNotice = lazy(() => import('./conflict-notice.tsx').catch(() => ({ default: () => null })))

type SectionFormProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  onSend: () => void
}

/** The questions of one section, each kept as soon as it is answered. */
function SectionForm({ sheet, draft, section, onSend }: SectionFormProps) {
  const { problems, hear } = useAnswers(draft, section)
  const goOn = useGoOn(problems, onSend)
  const { answers } = draft
  const circuit = calculationOf(answers)?.circuit ?? null
  const against = contradictions(sheet.kind, answers)
  const changed = sheet.kind === 'installation' ? deviations(answers) : []
  const questions = section.questions.filter((question) => isAsked(question, answers))
  const isList = questions.every(({ kind }) => kind === 'tick')
  return (
    <Form
      intent="section"
      target={{ section: section.id }}
      id={sectionFormId}
      data-kept-apart=""
      onSubmit={goOn}
      onKeyDown={goOnByEnter}
    >
      {questions.length > 0 && (
        <Card>
          <div className={classNames('grid grid-cols-1', isList ? 'gap-2' : 'gap-7')}>
            {questions.map((question) => (
              <Asked
                key={question.name}
                sheet={sheet}
                draft={draft}
                question={question}
                changed={changed.find((one) => one.name === question.name)?.message ?? null}
              >
                <QuestionField
                  question={question}
                  circuit={circuit}
                  value={answers[question.name]}
                  typed={draft.typed[question.name]}
                  error={
                    problems[question.name] ?? draft.refused[question.name] ?? messageIn(against, question)
                  }
                  optional={(question.optional?.(answers) ?? false) && !messageIn(against, question)}
                  hear={(typed, left) => hear(question, typed, left)}
                />
              </Asked>
            ))}
          </div>
        </Card>
      )}
    </Form>
  )
}

const messageIn = (against: readonly Omit<Missing, 'section'>[], { name }: Question) =>
  against.find((one) => one.name === name)?.message

type AskedProps = {
  sheet: Sheet
  draft: Draft
  question: Question
  /** How the answer differs from what was agreed. */
  changed: string | null
  children: React.ReactNode
}

/** A question with its notices, and the revision that its answer was made on. */
function Asked({ sheet, draft, question, changed, children }: AskedProps) {
  const { name } = question
  const conflict = draft.conflicts.find((one) => one.name === name)
  return (
    <div id={name} className="grid grid-cols-1 gap-3">
      <input type="hidden" name={`revision.${name}`} value={sheet.answers[name]?.revision ?? 0} />
      {sheet.redo.includes(name) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Badge tone="wait">Te lo piden de nuevo</Badge>
          {draft.answers[name] != null && (
            <Button
              variant="ghost"
              className="noscript:hidden"
              onClick={() => draft.write(name, draft.answers[name] ?? null)}
            >
              Así está bien
            </Button>
          )}
        </div>
      )}
      {conflict && (
        <Suspense>
          <ConflictNotice conflict={conflict} question={question} settle={draft.settle} />
        </Suspense>
      )}
      {children}
      <div role="status" className="contents">
        {changed && <p className="text-[0.9375rem] font-medium text-bad">{changed} Di por qué abajo.</p>}
      </div>
    </div>
  )
}
