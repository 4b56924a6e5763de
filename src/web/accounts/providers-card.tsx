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

type Section = { id: string; label: string }

/** The way to each section of a long page, which a phone shows one below the other. */
export function Sections({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="En esta página" className="xl:hidden">
      <ul className="flex flex-wrap gap-2">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-[0.9375rem] hover:bg-hover"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
