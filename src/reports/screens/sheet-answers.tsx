import { Fragment, type ReactNode } from 'react'
import { Checkbox } from '../../kit/form/field.tsx'
import { later } from '../../kit/later.tsx'
import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { answerInWords } from '../rules/answer-words.ts'
import { redoBox } from '../rules/answers.ts'
import { slotFacts } from '../rules/photos.ts'
import { isAsked, sectionsOf, slotsIn } from '../rules/progress.ts'
import type { Answers, Question, Section, SheetFile, SheetKind, SheetView } from '../rules/report.ts'
import type { Review } from '../rules/review.ts'

/** The preliminary calculation, whose code comes after the screen: nothing in it is pressed. */
export const CalculationLater = later(() =>
  import('./calculation-card.tsx').then((part) => part.CalculationCard),
)

type SheetAnswersProps = {
  kind: SheetKind
  answers: Answers
  files: readonly SheetFile[]
  /** What is said beside answers outside their limits, different from what was agreed, or contradicted. */
  flags?: Review['flags']
  /** What is shown beside an answer, or instead of it. */
  beside?: (question: Question, shown: ReactNode) => ReactNode
}

/**
 * The answers of a report, section by section, each beside the photo that proves it; the calculation follows the answers
 * it depends on. A photo opened whole leads to all the others.
 */
export const SheetAnswers = (props: SheetAnswersProps) => (
  <div className="lg:columns-2 lg:gap-4 *:break-inside-avoid *:not-last:mb-4">
    {sectionsOf[props.kind].map((section) => (
      <Fragment key={section.id}>
        {section.id === 'calculo' && <CalculationLater answers={props.answers} />}
        <SectionCard {...props} section={section} />
      </Fragment>
    ))}
  </div>
)

type SectionCardProps = SheetAnswersProps & { section: Section }

/** A section: its photos with what they prove, then what no photo proves, then the other photos. */
function SectionCard({ section, ...props }: SectionCardProps) {
  const { answers, files, kind } = props
  const asked = section.questions.filter((question) => isAsked(question, answers))
  const aboutOf = ({ proves }: SheetFile) => asked.filter(({ name }) => proves?.includes(name))
  const photos = files.filter(({ slot }) => [...section.slots, ...(section.extra ?? [])].includes(slot))
  const beside = photos.filter((file) => aboutOf(file).length > 0)
  const alone = photos.filter((file) => !beside.includes(file))
  const rest = asked.filter((question) => !beside.some((file) => aboutOf(file).includes(question)))
  if (asked.length + photos.length === 0) return null
  const grid = (some: readonly SheetFile[]) => (
    <PhotoGrid kind={kind} files={some} through={files} reader="office" />
  )
  return (
    <Card title={section.title}>
      {beside.map((file) => (
        <div
          key={file.id}
          className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3 sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-4"
        >
          {grid([file])}
          <AnswerList
            {...props}
            questions={aboutOf(file)}
            className="content-start sm:grid-cols-1! sm:gap-y-0.5! sm:[&_dd]:mb-2"
          />
        </div>
      ))}
      {rest.length > 0 && (
        <AnswerList {...props} questions={rest} className="sm:grid-cols-[minmax(0,9fr)_minmax(0,11fr)]!" />
      )}
      {alone.length > 0 && grid(alone)}
    </Card>
  )
}

type AnswerListProps = SheetAnswersProps & { questions: readonly Question[]; className: string }

const AnswerList = ({
  answers,
  beside = (_, shown) => shown,
  className,
  flags,
  questions,
}: AnswerListProps) => (
  <DefinitionList
    className={className}
    items={questions.map((question) => ({
      term: question.label,
      value: beside(
        question,
        <Answer
          question={question}
          answers={answers}
          finding={flags?.find(({ name }) => name === question.name)?.message}
        />,
      ),
    }))}
  />
)

type AnswerProps = { question: Question; answers: Answers; finding: string | undefined }

function Answer({ question, answers, finding }: AnswerProps) {
  const words = answerInWords(question, answers[question.name])
  if (words === null) return <span className="text-mute">Sin respuesta</span>
  if (finding === undefined)
    return <span className="whitespace-pre-line">{words.replaceAll('; ', '\n')}</span>
  return (
    <span className="grid text-bad">
      <span className="font-semibold">{words}</span>
      <span className="text-sm">{finding}</span>
    </span>
  )
}

/** The approved report of the visit before an installation, for the installer and for the office. */
export const VisitReading = ({ visit }: { visit: NonNullable<SheetView['visit']> }) => (
  <Details
    summary={
      <span>
        Reporte de la visita <span className="whitespace-nowrap">{visit.folio}</span>
      </span>
    }
  >
    <SheetAnswers kind="visit" answers={visit.answers} files={visit.files} />
  </Details>
)

type RedoProps = { sheet: SheetView; answers: Answers; asked: string | null }

/** A box for each answer and photo, by section. */
export const RedoBoxes = ({ sheet: { kind, files }, answers, asked }: RedoProps) =>
  sectionsOf[kind].map((section) => {
    const { extra = [], id, questions, title } = section
    const taken = extra.filter((slot) => files.some((file) => file.slot === slot))
    const boxes = [
      ...questions.filter((question) => isAsked(question, answers)),
      ...[...slotsIn(section, answers), ...taken].map((slot) => ({
        name: slot,
        label: slotWords(kind, slot),
      })),
    ]
    return (
      <fieldset key={id} className="grid sm:grid-cols-2 sm:gap-x-6">
        <legend className="mb-1 text-sm text-mute">{title}</legend>
        {boxes.map(({ name, label }) => (
          <Checkbox
            // Another one, where it is asked for only now.
            key={`${name} ${name === asked}`}
            name={redoBox(name)}
            label={label}
            defaultChecked={name === asked}
          />
        ))}
      </fieldset>
    )
  })

const slotWords = (kind: SheetView['kind'], slot: string) => {
  const label = slotFacts(kind, slot)?.label ?? slot
  return slot.startsWith('signature_') ? label : `Foto: ${label}`
}
