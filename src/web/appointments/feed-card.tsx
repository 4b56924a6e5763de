import { useState } from 'react'
import { relative } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { Submit } from '../ui/submit.tsx'

type FeedCardProps = {
  feed: { createdAt: Date; lastReadAt: Date | null } | null
  /** Just made: it is shown once. */
  link: string | undefined
  now: Date
}

/** The link by which a calendar program follows one's appointments: making it, changing it, taking it back. */
export function FeedCard({ feed, link, now }: FeedCardProps) {
  const shown = useKept(link, feed !== null)
  return (
    <Card id="calendario" title="Calendario">
      <p>Mira tus citas en el calendario de tu teléfono o tu computadora. Se actualizan solas.</p>
      {feed && !shown && <p className="text-[0.9375rem] text-mute">{standing(feed, now)}</p>}
      {shown && <NewLink link={shown} />}
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <Form intent="calendar-link">
          <Submit {...(feed && { variant: 'ghost' })}>{feed ? 'Cambiar enlace' : 'Crear enlace'}</Submit>
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
    </Card>
  )
}

/** The link that an answer brought. */
export const calendarLinkIn = (answer: object | undefined): string | undefined =>
  answer && 'calendarLink' in answer ? String(answer.calendarLink) : undefined

const standing = ({ createdAt, lastReadAt }: NonNullable<FeedCardProps['feed']>, now: Date) =>
  lastReadAt
    ? `Tienes un enlace. Un calendario lo leyó ${relative(lastReadAt, now)}.`
    : `Tienes un enlace desde ${relative(createdAt, now)}. Todavía no lo lee ningún calendario.`

/** The link stays on the page although it refreshes by itself meanwhile, until it is taken back. */
function useKept(link: string | undefined, serves: boolean) {
  const [kept, setKept] = useState(link)
  if (link && link !== kept) setKept(link)
  return serves ? (link ?? kept) : undefined
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
        <Copy link={link} />
      </div>
      <p className="text-sm text-mute">
        En Google Calendar: «Otros calendarios», «Desde URL», y pega el enlace.
      </p>
    </section>
  )
}

function Copy({ link }: { link: string }) {
  const [copied, setCopied] = useState(false)
  if (!useHydrated()) return null
  return (
    <Button variant="ghost" onClick={() => navigator.clipboard.writeText(link).then(() => setCopied(true))}>
      {copied ? 'Copiado' : 'Copiar'}
    </Button>
  )
}
