import { figure } from '../../shared/format.ts'
import {
  type Answers,
  type AnswerValue,
  type HouseLoad,
  loadKinds,
  type Question,
  type SheetKind,
} from './report.ts'
import { feasibilities, gaugeLabels } from './visit-report.ts'

/** An answer in words, with its unit; null where it is not answered. */
export function answerInWords(question: Question, value: AnswerValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  switch (question.kind) {
    case 'choice':
      return question.options[String(value)] ?? String(value)
    case 'choices':
      return String(value)
        .split(',')
        .map((one) => question.options[one] ?? one)
        .join(', ')
    case 'conductor':
      return gaugeLabels[String(value)] ?? String(value)
    case 'number':
      return typeof value === 'number' ? `${figure(value, question.decimals)}\u00a0${question.unit}` : null
    case 'yesNo':
      return value === true ? 'Sí' : 'No'
    case 'tick':
      return value === true ? 'Hecho' : 'Sin hacer'
    case 'loads':
      return Array.isArray(value) ? value.map(loadInWords).join('; ') || 'Ninguno' : null
    case 'text':
    case 'lines':
      return String(value)
  }
}

const loadInWords = ({ kind = 'other', name, quantity, watts }: HouseLoad) =>
  `${name}: ${quantity} × ${figure(watts, 0)}\u00a0W${kind === 'other' ? '' : ` (${loadKinds[kind].toLowerCase()})`}`

const cableOf = ({ breaker, conductor, metres }: Answers) =>
  [
    typeof conductor === 'string' && `cable ${gaugeLabels[conductor] ?? conductor}`,
    typeof breaker === 'number' && `interruptor de ${breaker}\u00a0A`,
    typeof metres === 'number' && `${figure(metres, 1)}\u00a0m de recorrido`,
  ]
    .filter(Boolean)
    .join(', ')

const foundOf = ({ chargerDistance, chargerKilowatts, feasibility }: Answers) =>
  [
    typeof chargerKilowatts === 'number' && `cargador de ${figure(chargerKilowatts, 1)}\u00a0kW`,
    typeof chargerDistance === 'number' && `a ${figure(chargerDistance, 1)}\u00a0m`,
    typeof feasibility === 'string' &&
      answerInWords(
        { name: '', label: '', kind: 'choice', options: feasibilities },
        feasibility,
      )?.toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ')

const about = (words: string) => (words === '' ? '.' : `: ${words}.`)

const sentences: Record<SheetKind, Record<string, (answers: Answers) => string>> = {
  visit: {
    signature_technician: (answers) =>
      `Firmo que hice esta visita y que el reporte dice lo que vi y medí${about(foundOf(answers))}`,
    signature_customer: (answers) =>
      `Firmo que me visitaron y me explicaron lo que encontraron${about(foundOf(answers))}`,
  },
  installation: {
    signature_technician: (answers) =>
      `Firmo que instalé y probé lo que dice este registro${about(cableOf(answers))}`,
    signature_customer: (answers) =>
      `Firmo que recibo mi cargador instalado y probado, y que me enseñaron a usarlo y a cortar la energía${about(cableOf(answers))}`,
  },
}

/** The statement that is signed in a slot, with the report's current figures. */
export const signedWords = (kind: SheetKind, slot: string, answers: Answers): string =>
  sentences[kind][slot]?.(answers) ?? ''

/** A signature: when it was made, and when the server received it. */
type Signature = { slot: string; capturedAt: Date; arrivedAt: Date }

/** A change of an answer: when it was made and received, and whether the signer made it. */
type Changed = { at: Date; arrivedAt: Date; isOwn: boolean }

/**
 * The signatures that later changes invalidate. Those of a sent report stand until another change arrives; its author's
 * changes are compared with the time of signing; the office's, before it was first sent, with the time the signature
 * arrived. `sent`: when it was sent last, and when that arrived.
 */
export function fallenSignatures(
  signatures: readonly Signature[],
  changes: readonly Changed[],
  sent: { at: Date; arrivedAt: Date } | null,
): string[] {
  const falls = ({ arrivedAt, capturedAt }: Signature, change: Changed) => {
    if (!change.isOwn) return sent === null && change.at > arrivedAt
    const wasSent = sent !== null && change.arrivedAt <= sent.arrivedAt
    return +change.at > Math.max(Math.min(+capturedAt, +arrivedAt), wasSent ? +sent.at : 0)
  }
  return signatures.filter((one) => changes.some((change) => falls(one, change))).map(({ slot }) => slot)
}
