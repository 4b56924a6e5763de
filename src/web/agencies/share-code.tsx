import { MessageCircle, Printer } from 'lucide-react'
import { whatsappShare } from '../../domain/shared/format.ts'
import type { ListedCode } from '../../server/agencies/codes-queries.ts'
import { buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export type House = { agency: string; baseUrl: string; brand: string }

/** Ways to hand a code out: its link, a WhatsApp message, and the card for the counter. */
export function ShareCode({ code: { benefit, id, state, text }, house }: { code: ListedCode; house: House }) {
  const link = `${house.baseUrl}/approach?codigo=${text}`
  const gives = benefit === 'Sin beneficio' ? '' : ` y recibe: ${benefit}`
  const message = `Instala tu cargador con ${house.brand}. Con mi código ${text} te atendemos como cliente de ${house.agency}${gives}. ${link}`
  return (
    <Dialog
      trigger={
        <>
          Compartir<span className="sr-only"> {text}</span>
        </>
      }
      variant="ghost"
      title={`Compartir ${text}`}
      description={
        state === 'paused' ? 'Está en pausa: su enlace abre, pero nadie lo puede usar ahora.' : benefit
      }
    >
      <p className="rounded-control bg-hover px-3 py-2.5 text-[0.9375rem] wrap-anywhere select-all">{link}</p>
      <div className="grid gap-3">
        <CopyButton text={link} label="Copiar enlace" />
        <a className={buttonClass('ghost')} href={whatsappShare(message)} target="_blank" rel="noreferrer">
          <MessageCircle aria-hidden className="size-5 text-brand" />
          Enviar por WhatsApp
        </a>
        <a className={buttonClass('ghost')} href={`/papers/code/${id}.pdf`} target="_blank" rel="noreferrer">
          <Printer aria-hidden className="size-5 text-brand" />
          Tarjeta para el mostrador (PDF)
        </a>
      </div>
    </Dialog>
  )
}
