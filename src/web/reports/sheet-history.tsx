import { answerInWords } from '../../domain/reports/answer-words.ts'
import { questionOf } from '../../domain/reports/progress.ts'
import type { AnswerValue, SheetKind } from '../../domain/reports/report.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { PastEvent } from '../../server/platform/database/lists.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'

type SheetHistoryProps = { kind: SheetKind; trail: readonly PastEvent[] }

/** What was done to a sheet, the latest first: sent, corrected, returned, approved. */
export function SheetHistory({ kind, trail }: SheetHistoryProps) {
  const known = trail.filter(({ name }) => name in titles)
  if (known.length === 0) return null
  return (
    <Card title="Historia">
      <Timeline
        items={known.map((event) => ({
          key: event.id,
          title: titles[event.name]?.(kind, event),
          children: event.reason && <p className="wrap-anywhere">{event.reason}</p>,
          note: `${dateTime(event.at)} · ${event.actor ?? 'El sistema'}`,
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
  correct: (kind, { data }) => corrected(kind, data as Correction | null),
}

/** Of answers that tell who somebody is, only that they changed is kept. */
type Correction = { name?: string; from?: AnswerValue; to?: AnswerValue }

function corrected(kind: SheetKind, correction: Correction | null): string {
  const question = correction?.name ? questionOf(kind, correction.name) : null
  if (!question || !correction) return 'Corregido'
  if (!('to' in correction)) return `Corregido: ${question.label}`
  const words = (value: AnswerValue | undefined) => answerInWords(question, value) ?? 'sin respuesta'
  return `${question.label}: de ${words(correction.from)} a ${words(correction.to)}`
}
