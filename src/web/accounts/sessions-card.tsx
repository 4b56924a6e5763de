import { dateTime, formatPhone, relative } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type OwnSession = {
  id: string
  device: string
  address: string | null
  since: Date
  lastUsed: Date
  here: boolean
}
type SessionsCardProps = { sessions: readonly OwnSession[]; now: Date }

/** Where somebody is signed in, and the way to end it there. */
export function SessionsCard({ sessions, now }: SessionsCardProps) {
  return (
    <Card id="sesiones" title="Sesiones abiertas">
      <ul className="grid divide-y divide-line">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0"
          >
            <Session session={session} now={now} />
            {!session.here && (
              <Form intent="close-session" target={{ sessionId: session.id }}>
                <Submit variant="ghost" aria-label={`Cerrar la sesión de ${session.device}`}>
                  Cerrar
                </Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form intent="close-others">
          <Submit variant="ghost">Cerrar las demás</Submit>
        </Form>
      )}
    </Card>
  )
}

function Session({ session, now }: { session: OwnSession; now: Date }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {session.device}
        {session.here && <Badge tone="ok">Esta sesión</Badge>}
      </p>
      <p className="text-sm text-mute">
        {session.here ? 'En uso ahora' : `Último uso ${relative(session.lastUsed, now)}`}
        {session.address && ` · ${session.address}`}
      </p>
      <p className="text-sm text-mute">Desde el {dateTime(session.since)}</p>
    </div>
  )
}

type Profile = {
  name: string | null
  lastname: string | null
  phone: string | null
  version: number
}

/** Name, last name and phone. */
export function ProfileCard({ user }: { user: Profile }) {
  return (
    <Card id="perfil" title="Tus datos">
      {/* A new version is a new form: what it shows is what is kept now. */}
      <Form intent="profile" key={user.version}>
        <input type="hidden" name="version" value={user.version} />
        <Field
          label="Nombre"
          name="name"
          autoComplete="given-name"
          enterKeyHint="next"
          defaultValue={user.name ?? ''}
        />
        <Field
          label="Apellidos"
          name="lastname"
          autoComplete="family-name"
          enterKeyHint="next"
          defaultValue={user.lastname ?? ''}
        />
        <Field
          label="Teléfono"
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          enterKeyHint="done"
          defaultValue={user.phone ? formatPhone(user.phone) : ''}
          help="10 dígitos, con o sin espacios."
        />
        <Submit>Guardar</Submit>
      </Form>
    </Card>
  )
}
