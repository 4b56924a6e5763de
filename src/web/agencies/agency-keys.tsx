import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { useFormResult } from '../ui/form.tsx'
import { type ShownAgency, useSecret } from './agency-part.ts'
import { KeyRow } from './key-row.tsx'
import type { loadKeys } from './load-keys.ts'
import { NewKey } from './new-key.tsx'
import { ShownSecret } from './shown-secret.tsx'

type AgencyKeysProps = Awaited<ReturnType<typeof loadKeys>> & { agency: ShownAgency }

/** The keys of a dealership's own system: making one, seeing which serve and when they were used, revoking. */
export function AgencyKeys({ agency, serving, ended, now }: AgencyKeysProps) {
  const made = useSecret('keys.')
  const isMaking = useFormResult('keys.make') !== undefined
  return (
    <Card title="Llaves de la API" aside={<Documentation />}>
      <p className="text-[0.9375rem] text-mute">
        Con una llave, el sistema de la concesionaria registra a sus clientes y consulta en qué van. No abre
        nada más.
      </p>
      {made && (
        <ShownSecret title="Esta es su llave" secret={made}>
          Guárdala ahora donde se guardan las contraseñas: no la volvemos a mostrar.
        </ShownSecret>
      )}
      <Keys keys={serving} now={now} />
      {agency.active ? (
        <Details summary="Nueva llave" open={serving.length === 0 || isMaking}>
          {/* Emptied once its key is in the list. */}
          <NewKey key={serving.length} />
        </Details>
      ) : (
        <p>La concesionaria está inactiva: mientras tanto, sus llaves no abren nada.</p>
      )}
      {ended.length > 0 && (
        <Details summary={ended.length === 1 ? '1 que ya no sirve' : `${ended.length} que ya no sirven`}>
          <Keys keys={ended} now={now} />
        </Details>
      )}
    </Card>
  )
}

/** Outside the frame of the office's screens, and so a page of its own. */
const Documentation = () => (
  <Link
    to="/api/v1"
    reloadDocument
    className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-2"
  >
    Documentación
  </Link>
)

function Keys({ keys, now }: Pick<AgencyKeysProps, 'now'> & { keys: AgencyKeysProps['serving'] }) {
  if (keys.length === 0) return null
  return (
    <ul className="grid divide-y divide-line">
      {keys.map((key) => (
        <KeyRow key={key.id} listed={key} now={now} />
      ))}
    </ul>
  )
}
