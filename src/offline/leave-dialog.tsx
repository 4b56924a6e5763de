import { type ReactNode, useEffect, useState } from 'react'
import { counted } from '../shared/format.ts'
import { Button } from '../ui/button.tsx'
import { DialogWindow } from '../ui/dialog-window.tsx'
import type { OfflineStore } from './outbox/offline-store.ts'
import type { OutboxItem } from './outbox/outbox-items.ts'

type LeaveDialogProps = {
  phone: OfflineStore
  items: readonly OutboxItem[]
  /** Whether the server can be asked now. */
  canSend: boolean
  leave: () => void
  stay: () => void
}

/** Before a sign-out with unsent work: how much it is, and what is to become of it. */
export default function LeaveDialog({ phone, items, canSend, leave, stay }: LeaveDialogProps): ReactNode {
  const [isSending, setSending] = useState(false)
  const stuck = items.filter(({ status }) => status === 'refused' || status === 'choose').length
  const goes = items.length > stuck && canSend
  useEffect(() => {
    if (!isSending || items.length > 0) return
    stay()
    leave()
  }, [isSending, items.length, leave, stay])
  return (
    <DialogWindow
      title={items.length === 0 ? 'Todo está enviado' : `${items.length} por enviar`}
      {...(items.length > 0 && {
        description:
          'Lo que falta se queda guardado en este teléfono y solo tú lo envías: al volver a entrar.',
      })}
      onClose={stay}
    >
      <p role="status" className="empty:hidden">
        {isSending && goes
          ? 'Enviando…'
          : !canSend && items.length > 0
            ? 'Sin señal no se puede enviar ahora.'
            : stuck > 0 && `${counted(stuck, 'necesita', 'necesitan')} que decidas: míralo en «Por enviar».`}
      </p>
      <div className="grid gap-3">
        {goes && (
          <Button
            aria-disabled={isSending}
            onClick={() => {
              setSending(true)
              phone.inputs.dispatchEvent(new Event('send'))
            }}
          >
            Enviar y salir
          </Button>
        )}
        <Button
          variant={goes ? 'ghost' : 'primary'}
          onClick={() => {
            stay()
            leave()
          }}
        >
          {leaveWords(items.length)}
        </Button>
        <Button variant="ghost" onClick={stay}>
          Quedarme
        </Button>
      </div>
    </DialogWindow>
  )
}

const leaveWords = (count: number) =>
  count === 0 ? 'Salir' : count === 1 ? 'Salir; se queda guardada' : 'Salir; se quedan guardadas'
