import { chargedKinds, ivaLabels } from '../../domain/quotes/content.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
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
} from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { SettingsPage } from './pages.ts'
import { type FieldFacts, sectionFields } from './section-fields.ts'

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
    return { label: `${municipalityLabel(from)} – ${municipalityLabel(to)}`, words: `${value} min` }
  }
  if (page === 'catalogue') return itemChange(field, value)
  const facts = sectionFields[page].find(({ name }) => name === field)
  return facts
    ? { label: facts.label, words: wordsOf[facts.kind](value) }
    : { label: field, words: String(value) }
}

const daysWords = (days: readonly string[]) => days.map((day) => longDate(day)).join(', ') || 'ninguno'

const serviceSummary = ({ minutes, noticeHours, horizonDays, dailyMax }: Settings['services']['videocall']) =>
  `${duration(minutes)}, con ${noticeHours} h de aviso, hasta ${horizonDays} días, ${dailyMax} al día`

/** Each page in one line, as it stands. */
export const summaries: Record<SettingsPage, (settings: Settings, travelEdited: number) => string> = {
  hours: ({ hours }) => hoursSummary(hours),
  slots: ({ stepMinutes, bufferMinutes, arrivalWindowMinutes }) =>
    `Cada ${stepMinutes} min, ${bufferMinutes} min entre citas, llegada en ${arrivalWindowMinutes} min`,
  holidays: ({ holidays }) =>
    holidays.length === 0 ? 'Solo los de ley' : `Los de ley y ${holidays.length} más`,
  travel: (_, edited) => (edited === 0 ? 'Calculados por distancia' : `${edited} cambiados de 400`),
  technical_visit: ({ services }) => serviceSummary(services.technical_visit),
  installation: ({ services }) => serviceSummary(services.installation),
  videocall: ({ services }) => serviceSummary(services.videocall),
  changes: ({ rescheduleLimit, freeChangeAfterBookingMinutes }) =>
    `${rescheduleLimit} cambios; libres ${duration(freeChangeAfterBookingMinutes)} después de agendar`,
  confirmation: ({ autoConfirmAt, autoConfirmAfterHours }) =>
    `A ${theClock(minuteOfClock(autoConfirmAt) ?? 0)} de la víspera, o ${autoConfirmAfterHours} h después de agendar`,
  support: ({ support }) => `${formatPhone(support.phone)}, ${support.email}`,
  estimate: ({ estimate }) =>
    `${money(estimate.base)} con ${estimate.baseMetres} m, ±${estimate.rangePercent} %`,
  quotes: ({ quotes }) =>
    `Anticipo de ${quotes.depositPercent} %, vigencia de ${quotes.validDays} días, garantía de ${quotes.warrantyMonths} meses`,
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

/** How the history tells a change of an item: `field` is its code and what was changed of it. */
function itemChange(field: string, value: unknown): { label: string; words: string } {
  const [code = '', name = ''] = field.split(' ')
  const { label, words = String } = fields[name] ?? { label: name }
  return { label: `${code}, ${label}`, words: words(value) || 'nada' }
}
