import { longDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass } from '../ui/button.tsx'

/** A voucher was made, and the money is not here yet. */
export function VoucherNotice({ expiresAt, url }: { expiresAt: Date | null; url: string | null }) {
  return (
    <Alert
      tone="wait"
      title="Esperando tu pago en OXXO"
      actions={
        url && (
          <a className={buttonClass('ghost')} href={url} target="_blank" rel="noreferrer">
            Ver mi ficha de OXXO
          </a>
        )
      }
    >
      {expiresAt && `Tu ficha vence el ${longDate(expiresAt)}. `}
      Después de pagar, la confirmación puede tardar un día hábil. Te avisamos por correo.
    </Alert>
  )
}
