import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { calculationOf } from '../../domain/reports/progress.ts'
import type { Answers, Question, Sheet } from '../../domain/reports/report.ts'
import type { Failure } from '../lib/submit.ts'
import { LinkButton } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { QuestionField } from './question-field.tsx'
import { correctParam } from './section-param.ts'
import { focusOn } from './use-hearing.ts'

/** The form takes the place of the link that opened it, and the link that of the form: the focus goes on to what came. */
function useFocusGoesOn(name: string) {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === `#${name}` && document.activeElement === document.body) focusOn(name)
  }, [hash, name])
}

type CorrectableProps = { question: Question; children: ReactNode }

/** An answer with the way to put it right. */
export function Correctable({ question: { name, label }, children }: CorrectableProps) {
  useFocusGoesOn(name)
  return (
    <span className="flex items-start justify-between gap-3" id={name}>
      <span className="min-w-0 self-center">{children}</span>
      <Link
        to={`?${correctParam}=${name}#${name}`}
        preventScrollReset
        className="-my-2.5 grid size-11 shrink-0 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
        aria-label={`Corregir ${label}`}
      >
        <Pencil aria-hidden className="size-4" />
      </Link>
    </span>
  )
}

type CorrectAnswerProps = { question: Question; sheet: Sheet; answers: Answers; result: Failure | undefined }

const nobodyHears = () => undefined

/** One answer put right where it stands; it says on which revision, so that nothing is overwritten unseen. */
export function CorrectAnswer({ question, sheet, answers, result }: CorrectAnswerProps) {
  const { name } = question
  useFocusGoesOn(name)
  const stored = sheet.answers[name]
  const told = result?.refusal?.details as { base?: number } | null | undefined
  return (
    <Form result={result} id={name} className="gap-3">
      <input type="hidden" name="intent" value="correct-answer" />
      <input type="hidden" name="name" value={name} />
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
