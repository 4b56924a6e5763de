import { counted } from '../../domain/shared/format.ts'
import type { EmailKind } from '../../server/notifications/jobs.ts'
import type { StoppedQueue } from '../../server/platform/jobs/dead-letters.ts'
import type { Jobs } from '../../server/platform/jobs/queues.ts'
import { Card, Details } from '../ui/card.tsx'
import { Form, Submit } from '../ui/form.tsx'

const labels: Partial<Record<keyof Jobs, string>> = {
  letter: 'Correos',
  'account-letter': 'Correos de cuentas',
  'confirm-provisional': 'Confirmación automática de citas',
  'expire-moves': 'Cambios de horario sin respuesta',
  'let-unverified-go': 'Citas de correos sin verificar',
  'offer-freed-slot': 'Aviso de un horario que se abrió',
  'stamp-invoice': 'Timbrado de facturas',
  'clean-up': 'Limpieza de datos vencidos',
  'erase-accounts': 'Eliminación de cuentas',
  'refund-card': 'Devolución a una tarjeta',
  'send-webhook': 'Avisos al sistema de una concesionaria',
}

const labelOf = (queue: string) => labels[queue as keyof Jobs] ?? (queue || 'Otro trabajo')
const countOf = (count: number) => counted(count, 'tarea', 'tareas')

const intents = ['settings.jobs.retry', 'settings.jobs.discard']

type Shown = Omit<StoppedQueue, 'since'> & { since: string }

/** The automatic tasks that the app gave up; nothing where there are none. */
export function StoppedJobs({ queues }: { queues: readonly Shown[] }) {
  if (queues.length === 0) return null
  return (
    <Card title="Tareas automáticas detenidas" id="tareas-detenidas" className="scroll-mt-4">
      <p className="text-mute">
        El sistema no pudo hacerlas. Cuando lo que fallaba ya funcione, inténtalas otra vez.
      </p>
      <ul className="grid gap-4">
        {queues.map(({ queue, count, letters, since }) => (
          <li key={queue} className="grid gap-3 border-t border-line pt-4">
            <p>
              <span className="font-medium">{labelOf(queue)}</span>
              <span className="text-mute">
                {' · '}
                {countOf(count)}, la primera {since}
              </span>
            </p>
            <Letters letters={letters} count={count} />
            <Form intent={intents} target={{ queue }} className="gap-3">
              <div>
                <Submit name="intent" value="settings.jobs.retry">
                  Intentar otra vez
                </Submit>
              </div>
              <Details summary="Descartar">
                <p>Ya no se hará, y no se puede deshacer.</p>
                <div>
                  <Submit name="intent" value="settings.jobs.discard" variant="destructive">
                    Descartar {countOf(count)}
                  </Submit>
                </div>
              </Details>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type LettersProps = Pick<Shown, 'letters' | 'count'>

/** Which e-mails, to whom, and what is to be done where only a person can. */
function Letters({ letters, count }: LettersProps) {
  if (letters.length === 0) return null
  return (
    <ul className="grid gap-2">
      {letters.map(({ email, letter, name, refused }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and none moves.
        <li key={place} className="wrap-anywhere">
          {letterName(letter)}
          {email && `, a ${[name, email].filter(Boolean).join(', ')}`}
          {refused && (
            <span className="block text-sm text-mute">
              Su correo no existe o no recibe mensajes. Avísale de otra forma y corrige su correo.
            </span>
          )}
        </li>
      ))}
      {count > letters.length && <li className="text-mute">Y {count - letters.length} más.</li>}
    </ul>
  )
}

/** What the office calls each e-mail. */
const names: Record<EmailKind, string> = {
  booked: 'Cita apartada',
  assigned: 'Quién atiende la cita',
  changed: 'Cambio de horario',
  cancelled: 'Cita cancelada',
  on_the_way: 'Va en camino',
  no_person: 'Cita sin persona',
  let_go: 'Cita liberada por no confirmar el correo',
  called_off: 'Cita cancelada por la oficina',
  analyst_missed: 'Nadie llegó a la asesoría',
  reminder_24h: 'Recordatorio de un día antes',
  reminder_2h: 'Recordatorio de dos horas antes',
  finished: 'Cita terminada',
  not_possible: 'Cita que no fue posible',
  half_done: 'Cita que quedó a medias',
  no_show: 'Cliente no encontrado',
  claim_reopened: 'Cita reabierta',
  claim_declined: 'Cita que no se reabrió',
  fault_received: 'Reporte de falla recibido',
  late_cancel: 'Cancelación de última hora',
  nobody_came: 'Nadie llegó a la cita',
  sheet_returned: 'Reporte devuelto',
  slot_offer: 'Horario más temprano',
  move_offer: 'Propuesta de otro horario',
  time_off_asked: 'Días libres pedidos',
  time_off_answered: 'Días libres respondidos',
  quote_sent: 'Cotización enviada',
  quote_reminder_3d: 'Cotización por vencer en tres días',
  quote_reminder_1d: 'Cotización por vencer mañana',
  quote_accepted: 'Cotización aceptada',
  quote_expired: 'Cotización vencida',
  quote_withdrawn: 'Cotización retirada',
  quote_cancelled: 'Cotización cancelada',
  quote_lapsed: 'Cotización sin anticipo',
  home_approved: 'Otro domicilio aprobado',
  quote_rejected: 'Cotización rechazada',
  quote_changes_requested: 'Cambios pedidos a una cotización',
  quote_renewal_asked: 'Renovación de cotización pedida',
  quote_code_used: 'Código usado en una cotización',
  payment_due: 'Pago por hacer',
  payment_reminder: 'Recordatorio de pago',
  payment_received: 'Pago recibido',
  payment_corrected: 'Pago corregido',
  proof_rejected: 'Comprobante rechazado',
  payment_expired: 'Pago vencido',
  voucher_made: 'Ficha de pago',
  card_failed: 'Pago con tarjeta no realizado',
  proof_received: 'Comprobante por revisar',
  installation_ready: 'Instalación lista para agendar',
  area_served: 'Sí llegamos al domicilio',
  area_outside: 'Todavía no llegamos al domicilio',
  refund_requested: 'Devolución pedida',
  refund_account: 'Devolución a otra cuenta',
  refund_approved: 'Devolución aprobada',
  refund_paid: 'Devolución pagada',
  refund_refused: 'Devolución rechazada',
  fiscal_verified: 'Datos fiscales verificados',
  fiscal_rejected: 'Datos fiscales por corregir',
  fiscal_submitted: 'Datos fiscales por revisar',
  invoice_issued: 'Factura emitida',
  invoice_cancelled: 'Factura cancelada',
  invoice_requested: 'Factura pedida',
  case_turn: 'Turno en un trámite con CFE',
  case_given: 'Trámite encargado',
  cases_handed: 'Trámites encargados',
  client_invitation: 'Invitación de una concesionaria',
  code_to_approve: 'Código por aprobar',
  code_approved: 'Código aprobado',
  code_refused: 'Código rechazado',
  commission_paid: 'Comisión pagada',
  webhook_off: 'Avisos automáticos apagados',
  reset_password: 'Cambio de contraseña',
  verify_email: 'Confirmación de correo',
  claim_account: 'Cuenta abierta por teléfono',
  password_changed: 'Contraseña cambiada',
  invitation: 'Invitación al equipo',
  second_factor_on: 'Verificación en dos pasos activada',
  second_factor_off: 'Verificación en dos pasos desactivada',
  recovery_codes_renewed: 'Códigos de recuperación nuevos',
  provider_linked: 'Otra forma de entrar agregada',
  change_email: 'Correo nuevo por confirmar',
  email_change_asked: 'Aviso de un cambio de correo pedido',
  email_changed: 'Correo cambiado',
  email_left: 'Aviso de que el correo cambió',
  deletion_asked: 'Eliminación de cuenta pedida',
  deletion_taken_back: 'Eliminación de cuenta cancelada',
  deletion_put_off: 'Eliminación de cuenta aplazada',
  account_deleted: 'Cuenta eliminada',
}

/** The name of an e-mail; one of a kind of an earlier version is a plain e-mail. */
const letterName = (letter: string) => (Object.hasOwn(names, letter) ? names[letter as EmailKind] : 'Correo')
