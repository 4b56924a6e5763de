import { chargedKinds, ivaLabels } from '../../quotes/rules/content.ts'
import {
  clockWords,
  duration,
  formatPhone,
  longDate,
  minuteOfClock,
  money,
  theClock,
  thousands,
  unitPrice,
} from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import type { SettingsPage } from '../rules/pages.ts'
import type { SettingsSection } from '../rules/settings.ts'
import type { Settings } from '../rules/settings-schema.ts'

/** A section that is filled in as a list of single fields. */
export type FieldsSection = Exclude<SettingsSection, 'hours' | 'holidays'>
type FieldKind = 'number' | 'money' | 'time' | 'phone' | 'email' | 'text' | 'lines' | 'yesNo'
export type FieldFacts = { name: string; label: string; kind: FieldKind; help?: string; optional?: boolean }

const service: readonly FieldFacts[] = [
  { name: 'minutes', label: 'Duración (min)', kind: 'number' },
  {
    name: 'noticeHours',
    label: 'Anticipación mínima (horas)',
    kind: 'number',
    help: 'Con menos, nadie puede agendar.',
  },
  { name: 'horizonDays', label: 'Se agenda hasta (días)', kind: 'number' },
  { name: 'dailyMax', label: 'Máximo al día por persona', kind: 'number' },
  {
    name: 'freeChangeHours',
    label: 'El cliente puede cambiarla hasta (horas antes)',
    kind: 'number',
    help: 'Después, nos pide ayuda.',
  },
]

/** The fields of each section, in order; the history calls them by the same labels. */
export const sectionFields: Record<FieldsSection, readonly FieldFacts[]> = {
  slots: [
    {
      name: 'stepMinutes',
      label: 'Intervalo entre horarios (min)',
      kind: 'number',
      help: 'Debe caber un número exacto de veces en el día: 15, 20, 30, 45, 60…',
    },
    {
      name: 'bufferMinutes',
      label: 'Tiempo entre dos citas (min)',
      kind: 'number',
      help: 'Además del traslado.',
    },
    {
      name: 'arrivalWindowMinutes',
      label: 'Ventana de llegada (min)',
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
    { name: 'autoConfirmAt', label: 'Hora del día anterior', kind: 'time' },
    {
      name: 'autoConfirmAfterHours',
      label: 'Si esa hora ya pasó (horas después de agendar)',
      kind: 'number',
      help: 'A más tardar una hora antes de la cita.',
    },
  ],
  outward: [
    {
      name: 'emailsPerHour',
      label: 'Correos por hora a un mismo buzón',
      kind: 'number',
      help: 'Los que causan los clientes. Los que pasan de ahí se juntan en uno; lo de hoy y los códigos no esperan.',
    },
    { name: 'emailsPerDay', label: 'Correos al día a un mismo buzón', kind: 'number' },
    { name: 'bookingsPerDay', label: 'Citas que agenda un cliente al día', kind: 'number' },
    { name: 'movesPerDay', label: 'Cambios de hora de un cliente al día', kind: 'number' },
    {
      name: 'invitationsPerDay',
      label: 'Invitaciones de una concesionaria al día',
      kind: 'number',
      help: 'Desde el mostrador y desde su sistema, juntas.',
    },
  ],
  papers: [
    {
      name: 'ec0118',
      label: '¿EC0118 a todos, para instalar?',
      kind: 'yesNo',
      help: 'Cuenta desde que revises el primero. Quien no lo tenga deja de recibir instalaciones nuevas; las que ya tiene se quedan.',
    },
    {
      name: 'dc3_electric',
      label: '¿DC-3 eléctrico a todos, para visitar e instalar?',
      kind: 'yesNo',
      help: 'Igual, con visitas técnicas e instalaciones.',
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
    { name: 'perMetre', label: 'Metro adicional', kind: 'money' },
    { name: 'secondMeter', label: 'Obra para un segundo medidor', kind: 'money' },
    { name: 'charger', label: 'Cargador nuestro', kind: 'money' },
    {
      name: 'rangePercent',
      label: 'Rango (%)',
      kind: 'number',
      help: 'Con 15 mostramos de 15\u00a0% menos a 15\u00a0% más.',
    },
  ],
  quotes: [
    { name: 'depositPercent', label: 'Anticipo (%)', kind: 'number' },
    { name: 'validDays', label: 'Vigencia (días)', kind: 'number' },
    { name: 'warrantyMonths', label: 'Garantía (meses)', kind: 'number' },
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
    {
      name: 'address',
      optional: true,
      label: 'Domicilio fiscal',
      kind: 'text',
      help: 'Calle, número, colonia y municipio. Va en cotizaciones, recibos y entregas.',
    },
  ],
}

/** Monday first, as the settings count. */
export const weekdays = ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'] as const

const wordsOf: Record<FieldFacts['kind'], (value: unknown) => string> = {
  number: (value) => thousands(Number(value)),
  money: (value) => money(Number(value)),
  time: (value) => clockWords(minuteOfClock(String(value)) ?? 0),
  phone: (value) => formatPhone(String(value)),
  email: String,
  text: String,
  lines: String,
  yesNo: (value) => (value ? 'Sí' : 'No'),
}

/** A value as its field takes it; a box for times shows its own clock. */
export const typedValue = ({ kind }: FieldFacts, value: unknown) =>
  kind === 'time' ? String(value) : wordsOf[kind](value)

const openingWords = (opening: Settings['hours'][number] | undefined) =>
  opening ? `${clockWords(opening.from)} a ${clockWords(opening.to)}` : 'cerrado'

/** What one line of the history is about, and how its values read. */
export function changeWords(
  page: SettingsPage,
  field: string,
  value: unknown,
): { label: string; words: string } {
  if (page === 'hours')
    return {
      label: weekdays[Number(field)] ?? field,
      words: openingWords(value as Settings['hours'][number]),
    }
  if (page === 'holidays') return { label: 'Días', words: daysWords(value as readonly string[]) }
  if (page === 'travel') {
    const [from = '', to = ''] = field.split(' ')
    return { label: `${municipalityLabel(from)} – ${municipalityLabel(to)}`, words: `${value}\u00a0min` }
  }
  if (page === 'catalogue') return itemChange(field, value)
  const facts = sectionFields[page].find(({ name }) => name === field)
  return facts
    ? { label: facts.label, words: wordsOf[facts.kind](value) }
    : { label: field, words: String(value) }
}

const daysWords = (days: readonly string[]) => days.map((day) => longDate(day)).join(', ') || 'ninguno'

const serviceSummary = ({ minutes, noticeHours, horizonDays, dailyMax }: Settings['services']['videocall']) =>
  `${duration(minutes)}, con ${noticeHours}\u00a0h de anticipación, hasta ${horizonDays} días, ${dailyMax} al día`

/** Each page in one line, with its current values. */
export const summaries: Record<SettingsPage, (settings: Settings, travelEdited: number) => string> = {
  hours: ({ hours }) => hoursSummary(hours),
  slots: ({ stepMinutes, bufferMinutes, arrivalWindowMinutes }) =>
    `Cada ${stepMinutes}\u00a0min, ${bufferMinutes}\u00a0min entre citas, llegada en ${arrivalWindowMinutes}\u00a0min`,
  holidays: ({ holidays }) =>
    holidays.length === 0 ? 'Solo los de ley' : `Los de ley y ${holidays.length} más`,
  travel: (_, edited) => (edited === 0 ? 'Calculados por distancia' : `${edited} cambiados de 400`),
  technical_visit: ({ services }) => serviceSummary(services.technical_visit),
  installation: ({ services }) => serviceSummary(services.installation),
  videocall: ({ services }) => serviceSummary(services.videocall),
  changes: ({ rescheduleLimit, freeChangeAfterBookingMinutes }) =>
    `${rescheduleLimit} cambios; sin límite los primeros ${duration(freeChangeAfterBookingMinutes)}`,
  confirmation: ({ autoConfirmAt, autoConfirmAfterHours }) =>
    `A ${theClock(minuteOfClock(autoConfirmAt) ?? 0)} del día anterior, o ${autoConfirmAfterHours}\u00a0h después de agendar`,
  outward: ({ outward }) =>
    `${outward.emailsPerHour} correos por hora y ${outward.emailsPerDay} al día a un buzón; ${outward.bookingsPerDay} citas al día`,
  papers: ({ papers }) => {
    const asked = [papers.ec0118 && 'EC0118', papers.dc3_electric && 'DC-3 eléctrico'].filter(Boolean)
    return asked.length > 0 ? `${asked.join(' y ')} a todos` : 'Solo a quien ya los tiene revisados'
  },
  support: ({ support }) => `${formatPhone(support.phone)}, ${support.email}`,
  estimate: ({ estimate }) =>
    `${money(estimate.base)} con ${estimate.baseMetres}\u00a0m, ±${estimate.rangePercent}\u00a0%`,
  quotes: ({ quotes }) =>
    `Anticipo de ${quotes.depositPercent}\u00a0%, vigencia de ${quotes.validDays} días, garantía de ${quotes.warrantyMonths} meses`,
  catalogue: () => 'Materiales, mano de obra y trámites, sin IVA',
  spei: ({ spei }) => (spei.clabe ? `${spei.bank}, CLABE ${spei.clabe}` : 'Sin cuenta: no se ofrece'),
  visitFee: ({ visitFee }) => (visitFee.amount === 0 ? 'Gratis' : `${money(visitFee.amount)} con IVA`),
  issuer: ({ issuer }) => (issuer.rfc ? `${issuer.name}, ${issuer.rfc}` : 'Sin datos: no se puede facturar'),
}

/** "Lunes a viernes 9:00 a. m. a 6:00 p. m.; sábado 9:00 a. m. a 2:00 p. m.; domingo cerrado". */
function hoursSummary(hours: Settings['hours']): string {
  const runs: { first: number; last: number; words: string }[] = []
  for (const [day, opening] of hours.entries()) {
    const words = openingWords(opening)
    const run = runs.at(-1)
    if (run?.words === words) run.last = day
    else runs.push({ first: day, last: day, words })
  }
  const name = (day: number) => weekdays[day] ?? ''
  const text = runs
    .map(({ first, last, words }) => `${name(first)}${last > first ? ` a ${name(last)}` : ''} ${words}`)
    .join('; ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type Words = { label: string; words?: (value: unknown) => string }
const fields: Record<string, Words> = {
  description: { label: 'descripción' },
  kind: { label: 'tipo', words: (value) => chargedKinds[value as keyof typeof chargedKinds] },
  unit: { label: 'unidad' },
  unitPrice: { label: 'precio', words: (value) => unitPrice(Number(value)) },
  unitCost: { label: 'costo', words: (value) => (value === null ? '' : unitPrice(Number(value))) },
  iva: { label: 'IVA', words: (value) => ivaLabels[value as keyof typeof ivaLabels] },
  satProduct: { label: 'clave del SAT' },
  satUnit: { label: 'clave de unidad' },
  active: { label: 'en uso', words: (value) => (value ? 'sí' : 'no') },
}

/** How the history describes a change of an item: `field` is its code and what was changed of it. */
function itemChange(field: string, value: unknown): { label: string; words: string } {
  const [code = '', name = ''] = field.split(' ')
  const { label, words = String } = fields[name] ?? { label: name }
  return { label: `${code}, ${label}`, words: words(value) || 'nada' }
}
