import { dateTime } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'

type PersonHistoryProps = { events: readonly { id: number; at: Date; what: string; who: string }[] }

/** What happened to somebody's account: when, what, and who did it. */
export function PersonHistory({ events }: PersonHistoryProps) {
  return (
    <Card title="Historial de cambios">
      {events.length === 0 ? (
        <p className="text-mute">Todavía no hay cambios.</p>
      ) : (
        <ol className="grid gap-3">
          {events.map(({ id, at, what, who }) => (
            <li key={id} className="grid gap-0.5">
              <span>{what}</span>
              <span className="text-sm text-mute">
                {dateTime(at)} · {who}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
