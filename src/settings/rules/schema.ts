import { z } from 'zod'
import { type Service, serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { clabeDigits, isClabe } from '../../payments/rules/banks.ts'
import { faultOfCode } from '../../projects/rules/postal-codes.ts'
import { travelRange } from '../../scheduling/rules/roster.ts'
import { hoursInput } from '../../scheduling/rules/schema.ts'
import { addDays, isHoliday } from '../../shared/calendar.ts'
import { clockText, minuteOfClock } from '../../shared/format.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../../shared/places.ts'
import {
  anyText,
  requiredAmount,
  requiredEmail,
  requiredPhone,
  requiredText,
  seenVersion,
  ticked,
  wholeNumber,
} from '../../shared/schema.ts'
import { tidy, tidyLines } from '../../shared/text.ts'
import type { SettingsSection } from './settings.ts'
import { divides1440, ranges, type Settings } from './settings-schema.ts'

/** The change that a form makes to the current settings. */
export type Change = (current: Settings) => Settings

const wallTime = z.preprocess(
  tidy,
  z
    .string()
    .transform((typed) => minuteOfClock(typed))
    .refine((minute) => minute !== null, 'Escribe la hora como 6:00 p. m.')
    .transform(clockText),
)
const amount = requiredAmount(...ranges.price, 'Usa como máximo $1,000,000.00.')
const yesNo = z.preprocess(
  tidy,
  z.enum(['true', 'false'], 'Elige sí o no.').transform((answer) => answer === 'true'),
)
const lines = (max: number) =>
  z.preprocess(tidyLines, z.string().max(max, `Usa como máximo ${max} caracteres.`))
/** Blank, or of this pattern. */
const blankOr = (shape: RegExp, message: string) =>
  anyText(254).refine((typed) => typed === '' || shape.test(typed), message)
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

/** The form of each section that is submitted as a whole. Holidays are added and removed one by one. */
export const sectionForms = {
  hours: hoursInput.transform((hours) => merged({ hours })),
  slots: z
    .object({
      stepMinutes: wholeNumber(ranges.stepMinutes).refine(
        divides1440,
        'Los minutos deben caber un número exacto de veces en el día.',
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
  outward: z
    .object({
      emailsPerHour: wholeNumber(ranges.outward),
      emailsPerDay: wholeNumber(ranges.outward),
      bookingsPerDay: wholeNumber(ranges.outward),
      movesPerDay: wholeNumber(ranges.outward),
      invitationsPerDay: wholeNumber(ranges.outward),
    })
    .transform((outward) => merged({ outward })),
  papers: z.object({ ec0118: yesNo, dc3_electric: yesNo }).transform((papers) => merged({ papers })),
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
  quotes: z
    .object({
      depositPercent: wholeNumber(ranges.depositPercent),
      validDays: wholeNumber(ranges.validDays),
      warrantyMonths: wholeNumber(ranges.warrantyMonths),
      refundTerms: lines(1000).refine((text) => text !== '', 'Escribe qué se devuelve, y cuándo.'),
      exclusions: lines(2000),
    })
    .transform((quotes) => merged({ quotes })),
  spei: z
    .object({
      beneficiary: anyText(120),
      bank: anyText(60),
      clabe: anyText(40)
        .transform(clabeDigits)
        .refine(
          (digits) => digits === '' || isClabe(digits),
          'Esa CLABE no es correcta. Revisa sus 18 dígitos.',
        ),
    })
    .superRefine(({ bank, beneficiary, clabe }, ctx) => {
      if (clabe === '') return
      if (beneficiary === '')
        ctx.addIssue({ code: 'custom', path: ['beneficiary'], message: 'Escribe de quién es la cuenta.' })
      if (bank === '') ctx.addIssue({ code: 'custom', path: ['bank'], message: 'Escribe el banco.' })
    })
    .transform((spei) => merged({ spei })),
  visitFee: z
    .object({
      amount: requiredAmount(...ranges.visitFee, 'Usa como máximo $10,000.00.'),
      keptOnLateCancel: yesNo,
      keptOnNoShow: yesNo,
      keptOnNotViable: yesNo,
    })
    .transform((visitFee) => merged({ visitFee })),
  issuer: z
    .object({
      rfc: blankOr(/^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/, 'Escribe el RFC en mayúsculas, como ABC010203AB9.'),
      name: anyText(254),
      regime: blankOr(/^\d{3}$/, 'Escribe la clave de tres dígitos, como 601.'),
      postalCode: anyText(254).superRefine((typed, ctx) => {
        const message = typed && faultOfCode(typed)
        if (message) ctx.addIssue({ code: 'custom', message })
      }),
      address: anyText(200),
    })
    .transform((issuer) => merged({ issuer })),
} satisfies Record<Exclude<SettingsSection, 'holidays'>, z.ZodType<Change>>
export type FormSection = keyof typeof sectionForms

const shown = z.object({ version: seenVersion })

/** The form of a section, with the version of the settings that it showed. */
export function sectionInput(section: FormSection) {
  const typed: z.ZodType<Change, Record<string, unknown>> = sectionForms[section]
  return z.intersection(
    shown,
    typed.transform((change) => ({ change })),
  )
}

/** A holiday to add or remove; `withHoliday` validates its date. */
export const holidayInput = shown.extend({ date: anyText(10) })

const origin = shown.extend({
  from: z.string().refine(isMunicipality, 'Elige un municipio de la lista.'),
  bothWays: ticked,
})
const minutesTo = z.object(
  Object.fromEntries(municipalities.map(({ slug }) => [slug, wholeNumber(travelRange)])) as Record<
    MunicipalitySlug,
    ReturnType<typeof wholeNumber>
  >,
)

/** The travel minutes from one municipality: as typed, or computed by distance. */
export const travelInput = {
  'settings.travel': z.intersection(
    origin,
    minutesTo.transform((minutes) => ({ minutes })),
  ),
  'settings.travel.reset': origin,
}

/** The queue of stopped jobs that the form is about. */
export const stoppedJobsInput = z.object({ queue: anyText(100) })

const mostHolidays = 200
const farthestDays = 3 * 366

/** The company's holidays with one more, in order, or why it cannot be added. */
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

/** A contradiction between settings, in words, and the field of the section being edited, if any. */
export type Contradiction = { message: string; field?: string }

/**
 * Numbers that are valid alone and contradict each other; null when all is well. `section` is the one being changed.
 */
export function contradictionIn(settings: Settings, section: SettingsSection): Contradiction | null {
  for (const service of services) {
    const { minutes, horizonDays, noticeHours } = settings.services[service]
    const name = serviceFacts[service].label
    if (!fitsSomewhere(settings, minutes))
      return {
        message: `Con ${minutes} minutos no cabe ninguna ${name.toLowerCase()} en el día.`,
        ...(section === service && { field: 'minutes' }),
        ...(section === 'slots' && { field: 'stepMinutes' }),
      }
    if (horizonDays * 24 <= noticeHours)
      return {
        message: `${name}: debe poder agendarse más allá de la anticipación mínima.`,
        ...(section === service && { field: 'horizonDays' }),
      }
  }
  return null
}

/** Whether on some weekday a slot leaves this many minutes before closing. */
const fitsSomewhere = ({ hours, stepMinutes }: Settings, minutes: number) =>
  hours.some(
    (opening) => opening && Math.ceil(opening.from / stepMinutes) * stepMinutes + minutes <= opening.to,
  )
