import { Phone, RotateCw, Trash2 } from 'lucide-react'
import { telLink } from '../format.ts'
import { useSite } from '../site.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import type { Draft } from './draft.ts'
import { moveWords } from './outbox-items.ts'

type RefusedMovesProps = { draft: Pick<Draft, 'refusedMoves' | 'retry' | 'discard'> }

/** The steps made here that the server would not take: why, and what can be done. What was written and taken is not lost. */
export const RefusedMoves = ({ draft: { discard, refusedMoves, retry } }: RefusedMovesProps) =>
  refusedMoves.map(({ id, move, title, description }) => (
    <Alert
      key={id}
      tone="bad"
      title={`No se aceptó: ${moveWords[move]}`}
      className="mb-4"
      actions={
        <>
          <Button variant="ghost" onClick={() => retry(id)}>
            <RotateCw aria-hidden className="size-5" />
            Reintentar
          </Button>
          <Button variant="ghost" onClick={() => discard(id)}>
            <Trash2 aria-hidden className="size-5" />
            Quitar
          </Button>
          <CallOffice />
        </>
      }
    >
      {title}. {description}
    </Alert>
  ))

/** The way to somebody at the office, for whoever stands at a door. */
export function CallOffice() {
  const support = useSite()?.support
  if (!support) return null
  return (
    <a className={buttonClass('ghost')} href={telLink(support.phone)}>
      <Phone aria-hidden className="size-5 text-brand" />
      Llamar a la oficina
    </a>
  )
}
