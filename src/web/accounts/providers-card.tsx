import { longDate } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type ProvidersCardProps = {
  label: string
  linked: readonly { id: string; since: Date }[]
  hasPassword: boolean
}

/** By which other services somebody comes in, and the way to end it. */
export function ProvidersCard({ label, linked, hasPassword }: ProvidersCardProps) {
  const isLast = !hasPassword && linked.length === 1
  return (
    <Card id="accesos" title="Otras formas de entrar">
      <ul className="grid divide-y divide-line">
        {linked.map(({ id, since }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0"
          >
            <div className="grid min-w-0 gap-0.5">
              <p className="font-semibold">{label}</p>
              <p className="text-sm text-mute">Desde el {longDate(since)}</p>
            </div>
            {!isLast && (
              <Form intent="unlink-provider" target={{ linkId: id }}>
                <Submit variant="ghost" aria-label={`Quitar ${label}`}>
                  Quitar
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm text-mute">
        {isLast
          ? 'Es tu única forma de entrar. Para quitarla, elige primero una contraseña.'
          : 'Si no la reconoces, quítala: también cerramos tus demás sesiones.'}
      </p>
    </Card>
  )
}
