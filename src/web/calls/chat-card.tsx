import { time } from '../../domain/shared/format.ts'
import type { CallRecord } from '../../server/calls/record.ts'
import { Card } from '../ui/card.tsx'

/** What was written in the room of a call, by whom and when. */
export const ChatCard = ({ lines }: { lines: CallRecord['chat'] }) => (
  <Card title="Chat">
    {lines.length === 0 ? (
      <p className="text-mute">Nadie escribió en el chat.</p>
    ) : (
      <ol className="grid gap-3">
        {lines.map(({ at, id, name, side, text }) => (
          <li key={id} className="grid gap-0.5">
            <p className="text-sm text-mute">
              <span className="font-semibold text-ink">{name}</span> ·{' '}
              {side === 'customer' ? 'Cliente' : 'Analista'} · {time(at)}
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
          </li>
        ))}
      </ol>
    )}
  </Card>
)
