import { z } from 'zod'
import { addDays } from './calendar.ts'
import { minuteOfClock } from './clock.ts'
import { requiredEmail } from './email.ts'
import { isHoliday } from './holidays.ts'
import { requiredAmount } from './money.ts'
import { hoursInput } from './opening-hours.ts'
import { requiredPhone } from './phone.ts'
import { type Service, serviceFacts, services } from './services.ts'
import { divides1440, ranges, type Settings } from './settings.ts'
import type { Section } from './settings-parts.ts'
import { requiredText } from './text.ts'
import { tidy } from './tidy.ts'
import { wholeNumber } from './whole-number.ts'

/** What a form makes of the settings as they stand. */
export type Change = (current: Settings) => Settings

const wallTime = z.preprocess(
  tidy,
  z
    .string()
    .refine((typed) => minuteOfClock(typed) !== null, 'Escribe la hora como 18:00.')
    .transform((typed) => typed.padStart(5, '0').slice(0, 5)),
)
const amount = requiredAmount(...ranges.price, 'Usa como máximo $1,000,000.00.')
const merged =
  <Part extends Partial<Settings>>(part: Part): Change =>
  (current) => ({ ...current, ...part })

const serviceForm = (service: Service) =>
  z
    .object({
      minutes: wholeNumber(ranges.minutes),
      noticeHours: wholeNumber(ranges.noticeHours),
      horizonDays: wholeNumber(ranges.horizonDays),
      dailyMax: wholeNumber(ranges.dailyMax),
      freeChangeHours: wholeNumber(ranges.freeChangeHours),
    })
    .transform(
      (rules): Change =>
        (current) => ({ ...current, services: { ...current.services, [service]: rules } }),
    )

/** The form of each section that is filled in as a whole. Holidays come and go one by one. */
export const sectionForms = {
  hours: hoursInput.transform((hours) => merged({ hours })),
  slots: z
    .object({
      stepMinutes: wholeNumber(ranges.stepMinutes).refine(
        divides1440,
        'Los minutos deben dividir un día exacto.',
      ),
      bufferMinutes: wholeNumber(ranges.bufferMinutes),
      arrivalWindowMinutes: wholeNumber(ranges.arrivalWindowMinutes),
    })
    .transform(merged),
  technical_visit: serviceForm('technical_visit'),
  installation: serviceForm('installation'),
  videocall: serviceForm('videocall'),
  changes: z
    .object({
      freeChangeAfterBookingMinutes: wholeNumber(ranges.freeChangeAfterBookingMinutes),
      rescheduleLimit: wholeNumber(ranges.rescheduleLimit),
    })
    .transform(merged),
  confirmation: z
    .object({ autoConfirmAt: wallTime, autoConfirmAfterHours: wholeNumber(ranges.autoConfirmAfterHours) })
    .transform(merged),
  support: z
    .object({
      phone: requiredPhone,
      whatsapp: requiredPhone,
      email: requiredEmail,
      hours: requiredText('Escribe en qué horario atienden.', 120),
    })
    .transform((support) => merged({ support })),
  estimate: z
    .object({
      base: amount,
      baseMetres: wholeNumber(ranges.baseMetres),
      perMetre: amount,
      secondMeter: amount,
      charger: amount,
      rangePercent: wholeNumber(ranges.rangePercent),
    })
    .transform((estimate) => merged({ estimate })),
} satisfies Record<Exclude<Section, 'holidays'>, z.ZodType<Change>>

const mostHolidays = 200
const farthestDays = 3 * 366

/** The company's holidays with one more, in order, or why it can't be one. */
export function withHoliday(
  own: readonly string[],
  date: string,
  today: string,
): string[] | { error: string } {
  if (!z.iso.date().safeParse(date).success) return { error: 'Escribe la fecha como 2026-12-24.' }
  if (date < today) return { error: 'Elige un día de hoy en adelante.' }
  if (date > addDays(today, farthestDays)) return { error: 'Elige un día de los próximos tres años.' }
  if (own.includes(date)) return { error: 'Ese día ya está en la lista.' }
  if (isHoliday(date, [])) return { error: 'Ese día ya es festivo por ley.' }
  if (own.length >= mostHolidays)
    return { error: 'La lista está llena. Quita antes los días que ya pasaron.' }
  return [...own, date].sort()
}

/** What is wrong with settings as a whole, in words, and the field of the section at work that it belongs to, if any. */
export type Contradiction = { message: string; field?: string }

/** Numbers that are right each by itself and don't go together; null when all is well. `section` is the one being changed. */
export function contradictionIn(settings: Settings, section: Section): Contradiction | null {
  for (const service of services) {
    const { minutes, horizonDays, noticeHours } = settings.services[service]
    const name = serviceFacts[service].label
    if (!fitsSomewhere(settings, minutes))
      return {
        message: `Así no cabe ninguna ${name}: dura ${minutes} minutos y ningún día alcanza.`,
        ...(section === service && { field: 'minutes' }),
        ...(section === 'slots' && { field: 'stepMinutes' }),
      }
    if (horizonDays * 24 <= noticeHours)
      return {
        message: `${name}: debe poder agendarse más allá del aviso mínimo.`,
        ...(section === service && { field: 'horizonDays' }),
      }
  }
  return null
}

/** Whether some day of the week has a slot from which so many minutes end before closing. */
const fitsSomewhere = ({ hours, stepMinutes }: Settings, minutes: number) =>
  hours.some(
    (opening) => opening && Math.ceil(opening.from / stepMinutes) * stepMinutes + minutes <= opening.to,
  )
