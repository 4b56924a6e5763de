import { Card } from '../ui/card.tsx'

type SaidCardProps = { summary: string | null; nextSteps: string | null }

/** What a call left its customer to read. Nothing when there is nothing of it. */
export function SaidCard({ summary, nextSteps }: SaidCardProps) {
  if (!summary && !nextSteps) return null
  return (
    <Card title="Resumen">
      {summary && <p className="whitespace-pre-line wrap-anywhere">{summary}</p>}
      {nextSteps && (
        <div className="grid gap-1">
          <h3 className="font-semibold">Qué sigue</h3>
          <p className="whitespace-pre-line wrap-anywhere">{nextSteps}</p>
        </div>
      )}
    </Card>
  )
}
