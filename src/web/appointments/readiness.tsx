import type { ReactNode } from 'react'
import type { ReadyPart } from '../../domain/projects/next-step.ts'
import type { NextStep } from '../../domain/projects/project.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import { Help } from '../app/help.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

type ReadinessProps = {
  parts: readonly ReadyPart[]
  /** What the permit's part holds: the paper that is in, or the way to hand it in. */
  permit: ReactNode
  /** Where the foot of the screen leads: that part needs no way of its own. */
  next: NextStep | null
  /** What the head of the screen says already. */
  said: string
}

/** What an installation needs before it can be booked: each part done, or whose turn it is and what to do. */
export const Readiness = ({ parts, permit, next, said }: ReadinessProps) => (
  <Card title="Antes de la instalación">
    <ul className="grid gap-5">
      {parts.map((part) => (
        <li key={part.part} className="grid gap-3">
          <span className="flex items-start justify-between gap-3">
            <span className="grid gap-0.5">
              <span>{part.label}</span>
              {part.line && part.line !== said && <span className="text-sm text-mute">{part.line}</span>}
            </span>
            <Turn part={part} />
          </span>
          {part.next && part.next.to !== next?.to && (
            <span>
              <LinkButton variant="ghost" to={part.next.to}>
                {part.next.label}
              </LinkButton>
            </span>
          )}
          {part.part === 'permit' && permit}
        </li>
      ))}
    </ul>
    {parts.some(({ done, waitingOn }) => !done && waitingOn === 'customer') && (
      <Help about="Hola, necesito ayuda para dejar lista mi instalación" />
    )}
  </Card>
)

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
