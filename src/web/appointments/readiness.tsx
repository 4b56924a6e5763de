import type { ReadyPart } from '../../domain/installation-ready.ts'
import { Help } from '../help.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import type { Tone } from '../ui/tone.ts'

/** What an installation needs before it can be booked: each part done, or whose turn it is. */
export function Readiness({ parts }: { parts: readonly ReadyPart[] }) {
  const ask = parts.find((part) => part.ask)?.ask
  return (
    <Card title="Antes de la instalación">
      <ul className="grid gap-4">
        {parts.map((part) => (
          <li key={part.part} className="flex items-start justify-between gap-3">
            <span className="grid gap-0.5">
              <span>{part.label}</span>
              {part.line && <span className="text-sm text-mute">{part.line}</span>}
            </span>
            <Turn part={part} />
          </li>
        ))}
      </ul>
      {ask && <Help about={ask} />}
    </Card>
  )
}

function Turn({ part: { done, waitingOn } }: { part: ReadyPart }) {
  const [tone, word]: [Tone, string] = done
    ? ['ok', 'Listo']
    : waitingOn === 'customer'
      ? ['wait', 'Te toca']
      : waitingOn === 'none'
        ? ['neutral', 'Después']
        : ['info', 'Nos toca']
  return <Badge tone={tone}>{word}</Badge>
}
