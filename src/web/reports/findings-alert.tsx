import { answerInWords } from '../../domain/reports/answer-words.ts'
import { deviations, failedTests, obstacles } from '../../domain/reports/limits.ts'
import { questionOf, unsafeWords } from '../../domain/reports/progress.ts'
import type { Answers, SheetView } from '../../domain/reports/report.ts'
import { Alert } from '../ui/alert.tsx'

type FindingsAlertProps = { sheet: Pick<SheetView, 'kind' | 'corrected'>; answers: Answers }

/** What a reviewer looks at before approving: tests that failed, what differs from what was agreed and why, what the office changed after it was signed. */
export function FindingsAlert({ sheet: { corrected, kind }, answers }: FindingsAlertProps) {
  const isRecord = kind === 'installation'
  const failed = isRecord ? failedTests(answers) : []
  const differs = isRecord ? deviations(answers) : []
  const against = isRecord ? [] : obstacles(answers)
  const reason = answers.deviationReason
  const lines = [
    ...failed.map(({ label, message }) => `${label}. ${message}`),
    ...differs.map(({ message }) => message),
    ...(differs.length > 0 ? [`Por qué: ${typeof reason === 'string' ? reason : 'sin respuesta'}`] : []),
    ...against.map((words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`),
    ...corrected.map((name) => correctedWords(kind, name, answers)),
  ]
  if (lines.length === 0) return null
  return (
    <Alert
      tone={failed.length + differs.length > 0 ? 'bad' : 'wait'}
      title={failed.length > 0 ? `${unsafeWords} Así no se aprueba.` : 'Revisa antes de aprobar'}
    >
      <ul className="grid list-disc gap-1 pl-5 whitespace-pre-line">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  )
}

function correctedWords(kind: SheetView['kind'], name: string, answers: Answers): string {
  const question = questionOf(kind, name)
  const words = question && answerInWords(question, answers[name])
  return `La oficina lo cambió después de las firmas. ${question?.label ?? name}: ${words ?? 'sin respuesta'}`
}
