import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'

type TakeOverFormProps = {
  version: number
  /** Whom the manager may give it to; null for an analyst, who takes it. */
  free: readonly { id: string; name: string }[] | null
}

/** A call whose customer waits alone: somebody else takes it, the first who says so. */
export function TakeOverForm({ version, free }: TakeOverFormProps) {
  return (
    <Card title={free ? 'Dársela a alguien más' : 'Nadie ha entrado con el cliente'} className="border-wait">
      <Form intent="takeOver" by="move">
        <input type="hidden" name="version" value={version} />
        {free?.length === 0 && <p>Ningún otro analista está libre a esta hora. Llámale por teléfono.</p>}
        {free && free.length > 0 && (
          <Select
            label="¿Quién la toma?"
            name="assigneeId"
            placeholder="Elige a una persona"
            options={free.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {free?.length !== 0 && <Submit>{free ? 'Dar la llamada' : 'Tomar la llamada'}</Submit>}
      </Form>
    </Card>
  )
}
