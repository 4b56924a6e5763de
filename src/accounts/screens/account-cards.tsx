import { type ReactNode, useState } from 'react'
import { Checkbox, Field } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Part, SaveChanges } from '../../kit/part-rows.tsx'
import { useHasContrast } from '../../kit/site.ts'
import { counted, dateTime, formatPhone, longDate, relative } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { OwnSession } from '../providers.ts'
import { OwnPassword } from './password-card.tsx'

type SessionsCardProps = { sessions: readonly OwnSession[]; now: Date }

type KeysCardProps = { isOn: boolean; children: ReactNode }

/** Switches the shortcuts of one key off, or on again, for this device; `children` say which there are. */
export const KeysCard = ({ children, isOn }: KeysCardProps) => (
  <Part id="teclas" title="Teclas" value={isOn ? 'Atajos encendidos' : 'Atajos apagados'}>
    <Form intent="keys" key={String(isOn)}>
      <Checkbox
        label="Usar atajos de una sola tecla en este equipo"
        name="singleKeys"
        defaultChecked={isOn}
        help={children}
      />
      <Submit variant="ghost" className="sm:justify-self-start">
        Guardar teclas
      </Submit>
    </Form>
  </Part>
)

/** Switches high contrast on, or off again, for this device. */
export const ContrastCard = () => {
  const isOn = useHasContrast()
  return (
    <Part id="pantalla" title="Pantalla" value={isOn ? 'Alto contraste' : 'Contraste normal'}>
      <Form intent="contrast" key={String(isOn)}>
        <Checkbox
          label="Alto contraste en este equipo"
          name="high"
          defaultChecked={isOn}
          help="Letras y bordes más marcados, para leer bajo el sol o sin esfuerzo."
        />
        <Submit variant="ghost" className="sm:justify-self-start">
          Guardar pantalla
        </Submit>
      </Form>
    </Part>
  )
}

/** Where the user is signed in, with a button to end each session. */
export function SessionsCard({ sessions, now }: SessionsCardProps) {
  return (
    <Part
      id="sesiones"
      title="Sesiones abiertas"
      value={counted(sessions.length, 'dispositivo', 'dispositivos')}
    >
      <ul className="grid divide-y divide-line">
        {sessions.map((session) => (
          <Entry key={session.id}>
            <Session session={session} now={now} />
            {!session.here && (
              <Form intent="close-session" target={{ sessionId: session.id }}>
                <Submit variant="ghost" aria-label={`Cerrar la sesión de ${session.device}`}>
                  Cerrar
                </Submit>
              </Form>
            )}
          </Entry>
        ))}
      </ul>
      {sessions.length > 1 && (
        <>
          <Form intent="close-others">
            <Submit variant="ghost">Cerrar las demás</Submit>
          </Form>
          <p className="text-sm text-mute">
            Si una no es tuya, ciérrala y cambia tu contraseña: así ya no puede volver a entrar.
          </p>
        </>
      )}
    </Part>
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

/** One of a card's list: what it is, and how to end it. */
const Entry = ({ children }: { children: ReactNode }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">{children}</li>
)

type Profile = {
  name: string | null
  lastname: string | null
  phone: string | null
  version: number
}

/** Name, last name and phone. */
export function ProfileCard({ user }: { user: Profile }) {
  return (
    <Part
      id="perfil"
      title="Tus datos"
      value={[user.name, user.lastname].filter(Boolean).join(' ')}
      isOpen={useFormResult('profile') !== undefined}
    >
      <Form intent="profile" version={user.version}>
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
        <SaveChanges>Guardar</SaveChanges>
      </Form>
    </Part>
  )
}

type ProvidersCardProps = {
  label: string
  linked: readonly { id: string; since: Date }[]
  hasPassword: boolean
}

/** The other services the user signs in with, with a button to unlink each. */
export function ProvidersCard({ label, linked, hasPassword }: ProvidersCardProps) {
  const isLast = !hasPassword && linked.length === 1
  return (
    <Part
      id="accesos"
      title="Otras formas de entrar"
      value={label}
      isOpen={useFormResult('unlink-provider') !== undefined}
    >
      <ul className="grid divide-y divide-line">
        {linked.map(({ id, since }) => (
          <li key={id} className="grid gap-2 py-3 first:pt-0">
            <p className="font-semibold">{label}</p>
            <p className="text-sm text-mute">Desde el {longDate(since)}</p>
            {!isLast && (
              <FormDetails summary="Quitar" intent="unlink-provider" target={{ linkId: id }}>
                {hasPassword && <OwnPassword />}
                <Submit variant="destructive">Quitar {label}</Submit>
              </FormDetails>
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm text-mute">
        {isLast
          ? 'Es tu única forma de entrar. Para quitarla, elige primero una contraseña.'
          : 'Si no la reconoces, quítala: también cerramos tus demás sesiones.'}
      </p>
    </Part>
  )
}

type Section = { id: string; label: string }

/** Links to the sections of a long page, which a phone shows one below the other. */
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

type FeedCardProps = {
  feed: { createdAt: Date; lastReadAt: Date | null } | null
  /** Just made: it is shown once. */
  link: string | undefined
  now: Date
}

/** The link by which a calendar program follows the user's appointments: creating, replacing and revoking it. */
export function FeedCard({ feed, link, now }: FeedCardProps) {
  const shown = useKept(link, feed !== null)
  return (
    <Part
      id="calendario"
      title="Calendario"
      value={feed ? 'Con enlace' : 'Sin enlace'}
      isOpen={shown !== undefined}
    >
      <p>Mira tus citas en el calendario de tu teléfono o tu computadora. Se actualizan solas.</p>
      {feed && !shown && <p className="text-[0.9375rem] text-mute">{standing(feed, now)}</p>}
      {shown && <NewLink link={shown} />}
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <Form intent="calendar-link">
          <Submit variant="ghost">{feed ? 'Cambiar enlace' : 'Crear enlace'}</Submit>
        </Form>
        {feed && (
          <Form intent="calendar-unlink">
            <Submit variant="ghost">Quitar enlace</Submit>
          </Form>
        )}
      </div>
      {feed && (
        <p className="text-sm text-mute">
          El enlace deja de servir si lo cambias o lo quitas, y también si cambias tu contraseña o cierras tus
          demás sesiones.
        </p>
      )}
    </Part>
  )
}

/** The link that an answer carried. */
export const calendarLinkIn = (answer: object | undefined): string | undefined =>
  answer && 'calendarLink' in answer ? String(answer.calendarLink) : undefined

const standing = ({ createdAt, lastReadAt }: NonNullable<FeedCardProps['feed']>, now: Date) =>
  lastReadAt
    ? `Tienes un enlace. Un calendario lo leyó ${relative(lastReadAt, now)}.`
    : `Tienes un enlace desde ${relative(createdAt, now)}. Todavía no lo lee ningún calendario.`

/** What is shown once stays on the page, although the page refreshes by itself meanwhile, as long as it is in force. */
export function useKept<Shown>(shown: Shown | undefined, serves = true) {
  const [kept, setKept] = useState(shown)
  if (shown && shown !== kept) setKept(shown)
  return serves ? (shown ?? kept) : undefined
}

function NewLink({ link }: { link: string }) {
  return (
    <section aria-label="Enlace de tu calendario" className="grid gap-3">
      <Alert tone="wait" title="Copia este enlace ahora">
        No lo volvemos a mostrar. Quien lo tenga ve tus horarios, sin direcciones ni teléfonos: no lo
        compartas.
      </Alert>
      <p className="rounded-card bg-hover p-4 font-mono text-[0.9375rem] break-all">{link}</p>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a className={buttonClass('ghost')} href={link.replace(/^https?:/, 'webcal:')}>
          Abrir en mi calendario
        </a>
        <CopyButton text={link} label="Copiar" />
      </div>
      <p className="text-sm text-mute">
        En Google Calendar: «Otros calendarios», «Desde URL», y pega el enlace.
      </p>
    </section>
  )
}
