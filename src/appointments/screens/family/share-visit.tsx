import { ExternalLink, MessageCircle, Share2, Users } from 'lucide-react'
import { useActionData } from 'react-router'
import { Form, Submit } from '../../../kit/form/form.tsx'
import { useLastActionData } from '../../../kit/form/use-action-data.ts'
import { relative, whatsappShare } from '../../../shared/format.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useHydrated } from '../../../ui/hydrated.ts'

type ShareVisitProps = {
  appointmentId: string
  /** Since when there is a link; null without one. */
  since: Date | null
  now: Date
}

/** The link by which a customer's family sees who comes: making it, passing it on, and ending it. */
export function ShareVisit({ appointmentId, since, now }: ShareVisitProps) {
  const answer = useLastActionData<object>(useActionData())
  const link = since && answer && 'sharedLink' in answer ? String(answer.sharedLink) : null
  return (
    <section aria-label="Compartir con tu familia" className="grid gap-4 border-t border-line pt-4">
      <p className="text-[0.9375rem] text-mute">
        {since && !link
          ? `Compartes esta visita con un enlace desde ${relative(since, now)}. `
          : 'Comparte esta visita con un enlace. '}
        Quien lo tenga ve el día, la hora, cómo va y quién llega. No ve tu domicilio, tu nombre, tu teléfono
        ni lo que pagas. Termina con la visita.
      </p>
      {link && <MadeLink link={link} />}
      <div className="grid gap-3 sm:flex">
        {!link && (
          <Form intent="share-visit" target={{ appointmentId }}>
            <Submit variant="ghost">
              {!since && <Users aria-hidden className="size-5 shrink-0" />}
              {since ? 'Cambiar enlace' : 'Compartir con tu familia'}
            </Submit>
          </Form>
        )}
        {since && (
          <Form intent="stop-sharing" target={{ appointmentId }}>
            <Submit variant="ghost">Dejar de compartir</Submit>
          </Form>
        )}
      </div>
    </section>
  )
}

/** A link that was just made, which is shown once, and the ways to pass it on. */
function MadeLink({ link }: { link: string }) {
  const text = 'Aquí puedes ver quién llega a la casa y a qué hora:'
  const share = { title: 'Visita a la casa', text, url: link }
  const canShare = useHydrated() && navigator.canShare?.(share)
  return (
    <div className="grid gap-3" role="status">
      <p className="font-medium">Listo. Manda este enlace ahora: no lo volvemos a mostrar.</p>
      <p className="rounded-card bg-hover p-4 font-mono text-[0.9375rem] break-all">{link}</p>
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        {canShare && (
          // Whoever closes the phone's sheet has not failed at anything.
          <Button className="max-sm:col-span-2" onClick={() => navigator.share(share).catch(() => undefined)}>
            <Share2 aria-hidden className="size-5" />
            Compartir
          </Button>
        )}
        <a
          className={buttonClass('ghost')}
          href={whatsappShare(`${text} ${link}`)}
          target="_blank"
          rel="noreferrer"
        >
          <MessageCircle aria-hidden className="size-5 shrink-0 text-brand" />
          WhatsApp
        </a>
        <CopyButton text={link} label="Copiar" />
        <a className={buttonClass('ghost', 'max-sm:col-span-2')} href={link} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden className="size-5 shrink-0 text-brand" />
          Ver lo que ve tu familia
        </a>
      </div>
    </div>
  )
}
