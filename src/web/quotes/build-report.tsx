import { answerInWords } from '../../domain/reports/answer-words.ts'
import { calculationOf, questionOf } from '../../domain/reports/progress.ts'
import type { Answers } from '../../domain/reports/report.ts'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Details } from '../ui/details.tsx'

const shown = [
  ...['chargerDistance', 'route', 'walls', 'obstacles', 'conductor', 'supply', 'sparePoles', 'groundOk'],
  ...['vehicle', 'chargerSupplier', 'chargerBrand', 'chargerModel', 'meterChoice', 'loadIncrease'],
  ...['needsUvie', 'needsPermit', 'hours', 'materials', 'feasibilityReason', 'notes'],
]

/** What the visit's report says that a quote is made of. */
export function BuildReport({ answers }: { answers: Answers }) {
  const breaker = calculationOf(answers)?.circuit.breaker
  const items = shown.flatMap((name) => {
    const question = questionOf('visit', name)
    return question ? [{ term: question.label, value: wordsOf(name, answers) }] : []
  })
  const head = [wordsOf('chargerDistance', answers), wordsOf('conductor', answers), breaker && `${breaker} A`]
  return (
    <Details summary={`Reporte de la visita: ${head.filter(Boolean).join(', ')}`}>
      <DefinitionList items={items} />
    </Details>
  )
}

function wordsOf(name: string, answers: Answers): string | null {
  const question = questionOf('visit', name)
  return question && answerInWords(question, answers[name] ?? null)
}
