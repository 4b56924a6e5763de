import { RotateCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Draft } from '../../offline/draft.ts'
import { moveWords } from '../../offline/outbox/outbox-items.ts'
import { CallOffice, TypedNote } from '../../offline/outbox/refused.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { MissingList } from './missing-list.tsx'

type HeldUpProps = { draft: Pick<Draft, 'delivery' | 'refusedMoves' | 'retry' | 'discard'> }

/** What was done here and is blocked: the submission that waits for its author, and steps that were refused. */
export default function HeldUp({ draft }: HeldUpProps): ReactNode {
  return (
    <>
      {draft.delivery && (
        <Alert tone="bad" title="Tu entrega espera por ti" className="mb-4">
          <p>Corrige esto y se envía sola:</p>
          <MissingList missing={draft.delivery.heldBy} />
        </Alert>
      )}
      <RefusedMoves draft={draft} />
    </>
  )
}

/** The steps made here that the server refused: why, and what can be done. What was written and saved is not lost. */
const RefusedMoves = ({ draft: { discard, refusedMoves, retry } }: HeldUpProps) =>
  refusedMoves.map(({ id, title, description, ...refused }) => (
    <Alert
      key={id}
      tone="bad"
      title={`No se aceptó: ${moveWords(refused)}`}
      className="mb-4"
      actions={
        <>
          <Button variant="ghost" onClick={() => retry(id)}>
            <RotateCw aria-hidden className="size-5" />
            Reintentar
          </Button>
          <Button
            variant="ghost"
            onClick={() =>
              confirm(`¿Quitar «${moveWords(refused)}» de tu teléfono? No se enviará.`) && discard(id)
            }
          >
            <Trash2 aria-hidden className="size-5" />
            Quitar
          </Button>
          <CallOffice />
        </>
      }
    >
      {title}. {description}
      <TypedNote form={refused.form} />
    </Alert>
  ))
