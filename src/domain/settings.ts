import { z } from 'zod'
import type { Service } from './services.ts'

const minuteOfDay = z.int().min(0).max(1440)
const opening = z
  .object({ from: minuteOfDay, to: minuteOfDay })
  .refine((hours) => hours.from < hours.to, 'La hora de cierre va después de la de apertura')
const weekdayHours = { from: 9 * 60, to: 18 * 60 }
const saturdayHours = { from: 9 * 60, to: 14 * 60 }

const serviceRules = (
  minutes: number,
  noticeHours: number,
  horizonDays: number,
  dailyMax: number,
  freeChangeHours: number,
) =>
  z
    .object({
      minutes: z.int().min(5).max(720).default(minutes),
      noticeHours: z.int().min(0).max(720).default(noticeHours),
      horizonDays: z.int().min(1).max(180).default(horizonDays),
      dailyMax: z.int().min(1).max(50).default(dailyMax),
      freeChangeHours: z.int().min(0).max(720).default(freeChangeHours),
    })
    .prefault({})

const divides1440 = (step: number) => 1440 % step === 0
const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Escribe la hora como 18:00')

/** The business numbers a manager may change. Each has its default, so a document stored before a number existed still parses. */
export const settingsSchema = z.object({
  /** Minutes after local midnight, Monday first; null is closed. */
  hours: z
    .array(opening.nullable())
    .length(7)
    .default([weekdayHours, weekdayHours, weekdayHours, weekdayHours, weekdayHours, saturdayHours, null]),
  stepMinutes: z
    .int()
    .min(5)
    .max(240)
    .refine(divides1440, 'Los minutos deben dividir un día exacto')
    .default(30),
  bufferMinutes: z.int().min(0).max(240).default(15),
  arrivalWindowMinutes: z.int().min(0).max(240).default(30),
  services: z
    .object({
      technical_visit: serviceRules(60, 24, 30, 4, 24),
      installation: serviceRules(240, 72, 45, 2, 48),
      videocall: serviceRules(30, 2, 14, 12, 1),
    } satisfies Record<Service, unknown>)
    .prefault({}),
  freeChangeAfterBookingMinutes: z.int().min(0).max(1440).default(30),
  autoConfirmAt: wallTime.default('18:00'),
  autoConfirmAfterHours: z.int().min(0).max(48).default(2),
  /** The company's own holidays, besides the statutory ones. */
  holidays: z.array(z.iso.date('Escribe la fecha como 2026-12-24')).default([]),
  support: z
    .object({
      phone: z.string().default('5555550100'),
      whatsapp: z.string().default('5555550100'),
      email: z.email('Escribe un correo válido').default('ayuda@cargaencasa.mx'),
      hours: z.string().default('Lunes a viernes de 9:00 a 18:00, sábado de 9:00 a 14:00'),
    })
    .prefault({}),
})

export type Settings = z.output<typeof settingsSchema>

/** The settings stored as JSON, with the default of every number that is missing. Throws a ZodError when one is wrong. */
export const parseSettings = (stored: unknown): Settings => settingsSchema.parse(stored ?? {})

export const defaultSettings: Settings = parseSettings({})
