import type { Section } from '../../domain/settings-parts.ts'

/** A section that is filled in as a list of single fields. */
export type FieldsSection = Exclude<Section, 'hours' | 'holidays'>
type FieldKind = 'number' | 'money' | 'time' | 'phone' | 'email' | 'text'
export type FieldFacts = { name: string; label: string; kind: FieldKind; help?: string }

const service: readonly FieldFacts[] = [
  { name: 'minutes', label: 'Duración, en minutos', kind: 'number' },
  {
    name: 'noticeHours',
    label: 'Aviso mínimo, en horas',
    kind: 'number',
    help: 'Nadie agenda con menos anticipación.',
  },
  { name: 'horizonDays', label: 'Se agenda hasta, en días', kind: 'number' },
  { name: 'dailyMax', label: 'Máximo al día por persona', kind: 'number' },
  {
    name: 'freeChangeHours',
    label: 'Se cambia sola hasta, en horas antes',
    kind: 'number',
    help: 'Después, el cliente pide ayuda.',
  },
]

/** The fields of each section, in order; the history calls them by the same labels. */
export const sectionFields: Record<FieldsSection, readonly FieldFacts[]> = {
  slots: [
    {
      name: 'stepMinutes',
      label: 'Un horario cada, en minutos',
      kind: 'number',
      help: 'Debe dividir un día exacto: 15, 20, 30, 45, 60…',
    },
    {
      name: 'bufferMinutes',
      label: 'Entre dos citas, en minutos',
      kind: 'number',
      help: 'Además del traslado.',
    },
    {
      name: 'arrivalWindowMinutes',
      label: 'Ventana de llegada, en minutos',
      kind: 'number',
      help: 'Con 30 decimos “llega entre 10:00 y 10:30”. Con 0, la hora exacta.',
    },
  ],
  technical_visit: service,
  installation: service,
  videocall: service,
  changes: [
    {
      name: 'freeChangeAfterBookingMinutes',
      label: 'Minutos libres después de agendar',
      kind: 'number',
      help: 'En ese tiempo la cita se cambia aunque ya esté cerca.',
    },
    {
      name: 'rescheduleLimit',
      label: 'Cambios que puede hacer el cliente',
      kind: 'number',
      help: 'Los que causamos nosotros no cuentan.',
    },
  ],
  confirmation: [
    { name: 'autoConfirmAt', label: 'Hora de la víspera', kind: 'time' },
    {
      name: 'autoConfirmAfterHours',
      label: 'Si ya pasó, horas después de agendar',
      kind: 'number',
      help: 'A más tardar una hora antes de la cita.',
    },
  ],
  support: [
    { name: 'phone', label: 'Teléfono', kind: 'phone' },
    { name: 'whatsapp', label: 'WhatsApp', kind: 'phone' },
    { name: 'email', label: 'Correo electrónico', kind: 'email' },
    { name: 'hours', label: 'Horario, en palabras', kind: 'text' },
  ],
  estimate: [
    { name: 'base', label: 'Precio base', kind: 'money' },
    { name: 'baseMetres', label: 'Metros incluidos en el precio base', kind: 'number' },
    { name: 'perMetre', label: 'Cada metro más', kind: 'money' },
    { name: 'secondMeter', label: 'Obra para un segundo medidor', kind: 'money' },
    { name: 'charger', label: 'Cargador nuestro', kind: 'money' },
    {
      name: 'rangePercent',
      label: 'Rango, en por ciento',
      kind: 'number',
      help: 'Con 15 mostramos de 15 % menos a 15 % más.',
    },
  ],
}
