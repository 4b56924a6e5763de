import { letterName } from '../../notifications/screens/email-names.ts'
import type { StoppedQueue } from '../../platform/jobs/dead-letters.ts'
import type { Jobs } from '../../platform/jobs/queues.ts'
import type { RoundFigures } from '../../platform/jobs/rounds.ts'
import { counted } from '../../shared/format.ts'
import { settingsPath } from '../rules/pages.ts'

/** Where the jobs that the app gave up are shown. */
export const jobsId = 'tareas-detenidas'
export const jobsPath = `${settingsPath()}#${jobsId}`

const names: Partial<Record<keyof Jobs, string>> = {
  letter: 'Correos',
  'account-letter': 'Correos de cuentas',
  'confirm-provisional': 'Confirmación automática de citas',
  'expire-moves': 'Cambios de horario sin respuesta',
  'let-unverified-go': 'Citas con correo sin confirmar',
  'end-missed-calls': 'Asesorías sin analista',
  'look-for-earlier': 'Avisos de lugares antes',
  remind: 'Recordatorios de citas',
  'end-quotes': 'Vencimiento de cotizaciones',
  'end-payments': 'Vencimiento y recordatorio de pagos',
  'follow-invoices': 'Seguimiento de facturas',
  'offer-freed-slot': 'Aviso de un horario que se abrió',
  'end-fee': 'Cobro de una visita cancelada',
  'stamp-invoice': 'Timbrado de facturas',
  'clean-up': 'Limpieza de datos vencidos',
  'follow-grant': 'Lo que sigue a un medidor instalado por CFE',
  'erase-accounts': 'Eliminación de cuentas',
  'forget-old': 'Eliminación de datos que ya no se conservan',
  'sweep-files': 'Limpieza de archivos',
  'refund-card': 'Reembolso a una tarjeta',
  'reconcile-cards': 'Conciliación de pagos con tarjeta',
  'end-codes': 'Vencimiento de códigos',
  'follow-clients': 'Avance de los clientes de concesionarias',
  'follow-commissions': 'Comisiones',
  'open-cases': 'Apertura de trámites ante CFE',
  'send-webhook': 'Avisos al sistema de una concesionaria',
  'read-calendars': 'Lectura de los calendarios del equipo',
}

/** What a queue does, in words. */
export const jobName = (queue: string) => names[queue as keyof Jobs] ?? (queue || 'Otro trabajo')

export const isMail = (queue: string) => queue === 'letter' || queue === 'account-letter'

/** How many e-mails or rounds a line names. */
const namedAtOnce = 2

const namedOf = <One>(all: readonly One[], name: (one: One) => string, count = all.length) => {
  const named = all.slice(0, namedAtOnce).map(name)
  return [...named, count > named.length && named.length > 0 && `y ${count - named.length} más`]
}

/** The jobs of a queue that the app gave up, as work of who configures it. */
export const stoppedWork = ({ count, letters, queue, since }: StoppedQueue) => ({
  kind: isMail(queue) ? ('unsent' as const) : ('stopped' as const),
  id: queue || 'otras',
  at: since,
  title: isMail(queue)
    ? counted(count, 'correo sin enviar', 'correos sin enviar')
    : counted(count, 'tarea automática detenida', 'tareas automáticas detenidas'),
  facts: namedOf(
    letters,
    ({ email, letter, name }) =>
      [letterName(letter), (name ?? email) && `a ${name ?? email}`].filter(Boolean).join(' '),
    count,
  ),
  to: jobsPath,
  act: { how: 'open' as const, label: 'Ver', to: jobsPath },
})

/** The rounds that are late, as one line: they have one cause as a rule. */
export const lateWork = (rounds: readonly RoundFigures[], now: Date) =>
  rounds.slice(0, 1).map(({ seconds }) => ({
    kind: 'stopped' as const,
    id: 'rondas',
    at: new Date(now.getTime() - seconds * 1000),
    title: counted(rounds.length, 'tarea automática atrasada', 'tareas automáticas atrasadas'),
    facts: [...namedOf(rounds, ({ queue }) => jobName(queue)), 'Avisa a quien opera el sistema'],
    to: null,
    act: null,
  }))
