import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Form, Submit } from '../../kit/form/form.tsx'
import type { Draft } from '../../offline/draft.ts'
import { ActionBar } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Progress } from '../../ui/progress.tsx'
import { isAsked, sectionsOf } from '../rules/progress.ts'
import { isProposable, proposalsIn } from '../rules/proposals.ts'
import {
  type Answers,
  type Missing,
  type Question,
  type Section,
  type Sheet,
  sheetLabels,
} from '../rules/report.ts'
import { MissingList } from './missing-list.tsx'
import { AskedQuestion, ConfirmProposals } from './proposed.tsx'
import { SectionPictures } from './section-pictures.tsx'
import { CalculationLater } from './sheet-answers.tsx'
import { otherEndId, ReturnNotice, SavedWords, SectionList, UnsafeAlert } from './sheet-card.tsx'
import { sendValue } from './sheet-path.ts'
import {
  focusOn,
  goOnByEnter,
  leftWords,
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
  /** Whose home it is. */
  customer: string
  /** Who fills it in. */
  author: string
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

const missingId = 'faltantes'

/** One step of a report, for use with one thumb. */
export function SheetForm({ sheet, draft, section, here, customer, author, wait }: SheetFormProps) {
  useSectionFocus(section.id)
  const sections = sectionsOf[sheet.kind]
  const nth = sections.indexOf(section)
  const missing = stillMissing(sheet, draft)
  const send = () => (missing.length > 0 ? focusOn(missingId) : void draft.move({ move: 'submit' }))
  const isLast = nth === sections.length - 1
  const isReady = sheet.state === 'returned' && missing.length === 0
  const [said, say] = useState<string | null>(null)
  return (
    <>
      {/* Whatever is touched next, what the bar said was heard. */}
      <div
        data-sheet
        className="grid max-w-2xl grid-cols-1 gap-3 max-lg:-mt-3 lg:gap-4"
        onClickCapture={() => say(null)}
      >
        <div className="grid gap-1 lg:gap-3">
          <PageHeader title={section.title} back={{ to: here, label: customer || sheet.folio }} isTight />
          <SheetProgress sheet={sheet} draft={draft} missing={missing} />
        </div>
        <ReturnNotice sheet={sheet} isReady={isReady} section={section.id} />
        {sheet.kind === 'visit' && section.id === 'calculo' && <CalculationLater answers={draft.answers} />}
        <SectionForm key={section.id} sheet={sheet} draft={draft} section={section} onSend={send} say={say} />
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
      <SheetBar
        sheet={sheet}
        wait={wait}
        said={said}
        previous={sections[nth - 1]}
        next={isReady ? undefined : sections[nth + 1]}
      />
    </>
  )
}

type SheetProgressProps = { sheet: Sheet; draft: Draft; missing: readonly Missing[] }

/** How much of a report is missing, which opens to what, and whether all is kept. */
function SheetProgress({ sheet, draft, missing }: SheetProgressProps) {
  const words = leftWords(sheet, draft)
  return (
    <>
      <Progress label={`Avance: ${sheetLabels[sheet.kind]}`} value={progressIn(sheet, draft)} />
      <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 text-mute">
        {words === null ? (
          <span>Está completo</span>
        ) : (
          <details className="open:col-span-2 open:row-start-2">
            {/* As tall as a thumb, in the room around it. */}
            <summary className="-my-3 w-fit py-3 underline underline-offset-4">{words}</summary>
            <div className="pt-2">
              <MissingList missing={missing} />
            </div>
          </details>
        )}
        <SavedWords draft={draft} />
      </div>
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

/** The appointment of a returned report is over already. */
const sendWords = ({ kind, state }: Pick<Sheet, 'kind' | 'state'>) =>
  `Enviar ${things[kind]} ${state === 'returned' ? 'otra vez' : 'y terminar'}`

type SheetBarProps = {
  sheet: Pick<Sheet, 'kind' | 'state'>
  /** What has to be done before going on, after a press that could not. */
  said: string | null
  previous: Section | undefined
  /** Undefined where the report is sent from here. */
  next: Section | undefined
  /** Why it can't be sent yet, whatever its answers. */
  wait: string | null
}

/** Next and previous of a report, within the thumb's reach. Without JavaScript both save the section. */
function SheetBar({ sheet, said, previous, next, wait }: SheetBarProps) {
  return (
    <ActionBar className="lg:max-w-2xl">
      <div role="status" className="contents">
        {said && <p className="font-medium text-bad">{said}</p>}
      </div>
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

type SectionFormProps = {
  sheet: Sheet
  draft: Draft
  section: Section
  onSend: () => void
  say: (words: string | null) => void
}

/** The questions of one section, each kept as soon as it is answered. */
function SectionForm({ sheet, draft, section, onSend, say }: SectionFormProps) {
  const { problems, hear, ...rest } = useAnswers(draft, section)
  const goOn = useGoOn({ kind: sheet.kind, say, send: onSend, ...rest })
  const { answers } = draft
  const questions = section.questions.filter((question) => isAsked(question, answers))
  const proposals = openProposals(sheet, draft, section)
  const narrow = narrowOf(sheet, questions)
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
          <div className={classNames('grid grid-cols-2 gap-x-3', isList ? 'gap-y-2' : 'gap-y-3.5')}>
            {questions.map((question) => (
              <AskedQuestion
                key={question.name}
                sheet={sheet}
                draft={draft}
                question={question}
                proposal={proposals[question.name]}
                isNarrow={narrow.has(question.name)}
                problem={problems[question.name]}
                hear={(typed, left) => hear(question, typed, left)}
              />
            ))}
          </div>
          <ConfirmProposals kind={sheet.kind} section={section} proposals={proposals} write={draft.write} />
        </Card>
      )}
    </Form>
  )
}

/** What is proposed and neither answered nor being typed. */
function openProposals({ kind, redo }: Sheet, { answers, typed }: Draft, section: Section): Answers {
  const all = Object.entries(proposalsIn(kind, section, answers))
  return Object.fromEntries(all.filter(([name]) => !(name in typed) && !redo.includes(name)))
}

/** The questions that stand two in a row: short ones beside each other. */
function narrowOf({ kind }: Sheet, questions: readonly Question[]): ReadonlySet<string> {
  const isShort = (one: Question | undefined) =>
    one !== undefined &&
    !one.measured &&
    (one.kind === 'number' || (one.kind === 'text' && one.max <= 40 && !one.digits)) &&
    (one.help ?? '').length <= 40 &&
    !isProposable(kind, one.name)
  const narrow = new Set<string>()
  for (let nth = 0; nth < questions.length; nth++) {
    const one = questions[nth]
    const other = questions[nth + 1]
    if (!one || !other || !isShort(one) || !isShort(other)) continue
    narrow.add(one.name).add(other.name)
    nth++
  }
  return narrow
}
