import { answerInWords } from './answer-words.ts'
import { failedTests } from './limits.ts'
import { isAsked, measurementsOf, questionOf } from './progress.ts'
import type { Answers, SheetKind } from './report.ts'

/** A line of what is signed; `isGood` says of a test whether it was passed. */
type SummaryLine = { label: string; value: string; isGood?: boolean }

/** A part of what is signed: its lines, then sentences. */
export type SummaryPart = { title: string; lines: readonly SummaryLine[]; sentences: readonly string[] }

/** What customer and technician alike read before signing a report: what was found or done, the tests, and what stays to do. */
export const signedSummary = (kind: SheetKind, answers: Answers): SummaryPart[] =>
  (kind === 'visit' ? ofVisit(answers) : ofInstallation(answers)).filter(
    ({ lines, sentences }) => lines.length + sentences.length > 0,
  )

const foundNames = [
  'supply',
  'mainBreaker',
  'groundOk',
  'chargerDistance',
  'chargerKilowatts',
  'meterChoice',
  'feasibility',
]
const doneNames = [
  'chargerBrand',
  'chargerModel',
  'chargerSerial',
  'metres',
  'conductor',
  'breaker',
  'chargerSet',
]
const safetyNames = ['groundGauge', 'conduitSize']

const ofVisit = (answers: Answers): SummaryPart[] => [
  { title: 'Lo que encontramos', lines: linesOf('visit', foundNames, answers), sentences: [] },
  { title: 'Lo que sigue', lines: [], sentences: stepsAfterVisit(answers) },
]

function stepsAfterVisit({ feasibility, feasibilityReason, ...needs }: Answers): string[] {
  return [
    ...(typeof feasibilityReason === 'string' ? [feasibilityReason] : []),
    ...(needs.loadIncrease === true ? ['Aumentar la carga contratada con CFE.'] : []),
    ...(needs.needsUvie === true ? ['Conseguir el dictamen de una UVIE.'] : []),
    ...(needs.needsPermit === true ? ['Pedir el permiso del condominio.'] : []),
    feasibility === 'not_viable'
      ? 'Un analista busca otra manera.'
      : 'La oficina revisa este reporte y manda la cotización.',
  ]
}

function ofInstallation(answers: Answers): SummaryPart[] {
  const failed = failedTests(answers).map(({ name }) => name)
  const tests = measurementsOf('installation').flatMap(({ name }) =>
    linesOf('installation', [name], answers).map((line) => ({ ...line, isGood: !failed.includes(name) })),
  )
  const { deviationReason } = answers
  return [
    {
      title: 'Lo que instalamos',
      lines: linesOf('installation', [...doneNames, ...safetyNames], answers),
      sentences:
        typeof deviationReason === 'string' && isChanged(answers)
          ? [`Cambió de lo acordado: ${deviationReason}`]
          : [],
    },
    { title: 'Pruebas', lines: tests, sentences: [] },
    {
      title: 'Lo que sigue',
      lines: [],
      sentences: ['La oficina revisa este registro y manda la entrega, con la garantía.'],
    },
  ]
}

const isChanged = (answers: Answers) => {
  const question = questionOf('installation', 'deviationReason')
  return question !== null && isAsked(question, answers)
}

function linesOf(kind: SheetKind, names: readonly string[], answers: Answers): SummaryLine[] {
  return names.flatMap((name) => {
    const question = questionOf(kind, name)
    const value = question && answerInWords(question, answers[name])
    return question && value ? [{ label: question.label, value }] : []
  })
}
