import type { holdersOf } from '../../server/agencies/hand-over.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { heldWords } from '../users/held-words.ts'

type Holder = Awaited<ReturnType<typeof holdersOf>>[number]
type HandOverProps = {
  holders: readonly Holder[]
  /** The active allies of the agency. */
  takers: readonly { id: string; name: string }[]
}

/** Whose clients and codes they are; what somebody holds who leaves goes to another ally of the agency, all at once. */
export function HandOver({ holders, takers }: HandOverProps) {
  if (holders.length === 0) return null
  return (
    <Card title="Quién los lleva">
      <ul className="grid gap-5">
        {holders.map((holder) => (
          <li
            key={holder.id}
            className="grid items-start gap-3 border-line not-first:border-t not-first:pt-5 lg:grid-cols-2"
          >
            <div className="grid justify-items-start gap-1">
              <p className="font-semibold">{holder.name}</p>
              <p className="text-sm text-mute">{heldWords(holder)}</p>
              {!holder.isAlly && <Badge tone="wait">Ya no está en esta concesionaria</Badge>}
            </div>
            <Taker holder={holder} takers={takers.filter(({ id }) => id !== holder.id)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type TakerProps = Pick<HandOverProps, 'takers'> & { holder: Holder }

function Taker({ holder, takers }: TakerProps) {
  if (takers.length === 0)
    return <p className="text-sm text-mute">No hay otra persona activa a quien pasárselos.</p>
  return (
    <Form
      intent="clients.hand_over"
      target={{ from: holder.id }}
      className="gap-3 sm:grid-cols-[1fr_auto] sm:items-end"
    >
      <Select
        label="Pasar todo a"
        name="to"
        placeholder="Elige a alguien"
        options={takers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Submit variant={holder.isAlly ? 'ghost' : 'primary'} aria-label={`Pasar todo lo de ${holder.name}`}>
        Pasar
      </Submit>
    </Form>
  )
}
