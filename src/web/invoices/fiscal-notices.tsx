import { genericTerms, publicRfc } from '../../domain/invoices/taxpayer.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import type { ShownFiscal } from '../../server/invoices/queries.ts'
import { Alert } from '../ui/alert.tsx'

/** How a customer's fiscal data stand, and what is theirs to do about it. */
export function FiscalNotices({ fiscal }: { fiscal: ShownFiscal | null }) {
  if (!fiscal) return null
  const { tone, title, children } = noticeOf(fiscal)
  return (
    <div className="grid max-w-3xl gap-3">
      <Alert tone={tone} title={title}>
        {children}
      </Alert>
      {fiscal.warning && (
        <Alert tone="wait" title="Revisa tu RFC">
          {fiscal.warning}
        </Alert>
      )}
      {fiscal.rfc === publicRfc && <PublicNotice />}
    </div>
  )
}

/** That whoever is nobody in particular gets no invoice of their own. */
export const PublicNotice = () => (
  <Alert tone="info" title="Con este RFC no hay factura individual">
    {publicRfc} es el RFC del público en general: tu compra entra en nuestra factura global y no podrás
    deducirla. Si necesitas factura, escribe tu propio RFC.
  </Alert>
)

type Notice = { tone: Tone; title: string; children?: string }

function noticeOf({ constancia, rejectedReason, rfc, state, submittedAt }: ShownFiscal): Notice {
  const isMissing = !constancia && !genericTerms(rfc)
  switch (state) {
    case 'draft':
      return { tone: 'wait', title: 'Es un borrador', children: 'Envíalo para que lo revisemos.' }
    case 'submitted':
      return isMissing
        ? {
            ...{ tone: 'wait', title: 'Falta tu Constancia' },
            children: 'Recibimos tus datos. Sube tu Constancia para que podamos verificarlos.',
          }
        : {
            ...{ tone: 'info', title: 'Los estamos revisando' },
            children: `${submittedAt ? `Los enviaste el ${dateTime(submittedAt)} ` : ''}Te avisamos por correo.`,
          }
    case 'verified':
      return {
        ...{ tone: 'ok', title: 'Tus datos están verificados' },
        children: 'Si cambias algo, los revisamos otra vez.',
      }
    case 'rejected':
      return { tone: 'bad', title: 'Hay algo que corregir', children: rejectedReason ?? '' }
  }
}
