import type { SettingsSection } from '../../domain/settings/settings.ts'

/** A section that is filled in as a list of single fields. */
export type FieldsSection = Exclude<SettingsSection, 'hours' | 'holidays'>
type FieldKind = 'number' | 'money' | 'time' | 'phone' | 'email' | 'text' | 'lines' | 'yesNo'
export type FieldFacts = { name: string; label: string; kind: FieldKind; help?: string; optional?: boolean }

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
  quotes: [
    { name: 'depositPercent', label: 'Anticipo, en por ciento', kind: 'number' },
    { name: 'validDays', label: 'Vigencia, en días', kind: 'number' },
    { name: 'warrantyMonths', label: 'Garantía, en meses', kind: 'number' },
    {
      name: 'refundTerms',
      label: 'Qué se devuelve si cancelan',
      kind: 'lines',
      help: 'El cliente lo lee antes de aceptar.',
    },
    { name: 'exclusions', optional: true, label: 'Qué no incluye', kind: 'lines' },
  ],
  spei: [
    { name: 'beneficiary', optional: true, label: 'Beneficiario', kind: 'text' },
    { name: 'bank', optional: true, label: 'Banco', kind: 'text' },
    {
      name: 'clabe',
      optional: true,
      label: 'CLABE',
      kind: 'text',
      help: '18 dígitos. Sin ella no ofrecemos transferencia.',
    },
  ],
  visitFee: [
    {
      name: 'amount',
      label: 'Precio de la visita, con IVA',
      kind: 'money',
      help: 'Con $0 decimos que es gratis.',
    },
    { name: 'keptOnLateCancel', label: '¿Se cobra si cancelan tarde?', kind: 'yesNo' },
    { name: 'keptOnNoShow', label: '¿Se cobra si no hay nadie?', kind: 'yesNo' },
    { name: 'keptOnNotViable', label: '¿Se cobra si no es viable?', kind: 'yesNo' },
  ],
  issuer: [
    { name: 'rfc', optional: true, label: 'RFC', kind: 'text' },
    {
      name: 'name',
      optional: true,
      label: 'Nombre, como en su Constancia',
      kind: 'text',
      help: 'Sin el régimen de capital (SA DE CV…).',
    },
    { name: 'regime', optional: true, label: 'Clave del régimen fiscal', kind: 'text' },
    { name: 'postalCode', optional: true, label: 'Código postal fiscal', kind: 'text' },
  ],
}
