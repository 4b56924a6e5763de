import { z } from 'zod'
import type { Service } from '../../appointments/rules/appointment.ts'
import type { Range } from '../../shared/schema.ts'

/** The limits of each number, in the stored document and in the forms that change it. */
export const ranges = {
  stepMinutes: [5, 240],
  bufferMinutes: [0, 240],
  arrivalWindowMinutes: [0, 240],
  minutes: [5, 720],
  noticeHours: [0, 720],
  horizonDays: [1, 180],
  dailyMax: [1, 50],
  freeChangeHours: [0, 720],
  freeChangeAfterBookingMinutes: [0, 1440],
  rescheduleLimit: [0, 20],
  /** A number of e-mails, or of acts of a customer. */
  outward: [1, 10_000],
  autoConfirmAfterHours: [0, 48],
  baseMetres: [0, 300],
  rangePercent: [0, 50],
  /** Percent, for new quotes. */
  depositPercent: [0, 100],
  validDays: [1, 90],
  warrantyMonths: [0, 120],
  /** Centavos. */
  visitFee: [0, 10_000_00],
  /** Centavos. */
  price: [0, 1_000_000_00],
} as const satisfies Record<string, Range>

const within = ([least, most]: Range) => z.int().min(least).max(most)

const minuteOfDay = z.int().min(0).max(1440)
const opening = z
  .object({ from: minuteOfDay, to: minuteOfDay })
  .refine((hours) => hours.from < hours.to, 'La hora de cierre va después de la de apertura')
const weekdayHours = { from: 9 * 60, to: 18 * 60 }
const saturdayHours = { from: 9 * 60, to: 14 * 60 }

type ServiceRules = Record<'minutes' | 'noticeHours' | 'horizonDays' | 'dailyMax' | 'freeChangeHours', number>

const serviceRules = (rules: ServiceRules) =>
  z
    .object({
      minutes: within(ranges.minutes).default(rules.minutes),
      noticeHours: within(ranges.noticeHours).default(rules.noticeHours),
      horizonDays: within(ranges.horizonDays).default(rules.horizonDays),
      dailyMax: within(ranges.dailyMax).default(rules.dailyMax),
      freeChangeHours: within(ranges.freeChangeHours).default(rules.freeChangeHours),
    })
    .prefault({})

/** Whether slots at this step fall on the same minutes every day. */
export const divides1440 = (step: number) => 1440 % step === 0
const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Escribe la hora como 6:00 p. m.')

/** The default refund terms of a quote. */
const refundTerms =
  'Te devolvemos el 100 % si cancelas dentro de los 5 días hábiles después de aceptar y antes de que empiece la instalación. Después, te devolvemos lo pagado menos los materiales ya comprados.'

/** The business numbers a manager may change. Each has its default, so a document stored before a number existed still parses. */
export const settingsSchema = z.object({
  /** Minutes after local midnight, Monday first; null is closed. */
  hours: z
    .array(opening.nullable())
    .length(7)
    .default([weekdayHours, weekdayHours, weekdayHours, weekdayHours, weekdayHours, saturdayHours, null]),
  stepMinutes: within(ranges.stepMinutes)
    .refine(divides1440, 'Los minutos deben caber un número exacto de veces en el día')
    .default(30),
  bufferMinutes: within(ranges.bufferMinutes).default(15),
  arrivalWindowMinutes: within(ranges.arrivalWindowMinutes).default(30),
  services: z
    .object({
      technical_visit: serviceRules({
        minutes: 60,
        noticeHours: 24,
        horizonDays: 30,
        dailyMax: 4,
        freeChangeHours: 24,
      }),
      installation: serviceRules({
        minutes: 240,
        noticeHours: 72,
        horizonDays: 45,
        dailyMax: 2,
        freeChangeHours: 48,
      }),
      videocall: serviceRules({
        minutes: 30,
        noticeHours: 2,
        horizonDays: 14,
        dailyMax: 12,
        freeChangeHours: 1,
      }),
    } satisfies Record<Service, unknown>)
    .prefault({}),
  freeChangeAfterBookingMinutes: within(ranges.freeChangeAfterBookingMinutes).default(30),
  /** How often a customer may move an appointment; changes that we cause do not count. */
  rescheduleLimit: within(ranges.rescheduleLimit).default(2),
  autoConfirmAt: wallTime.default('18:00'),
  autoConfirmAfterHours: within(ranges.autoConfirmAfterHours).default(2),
  /** What customers may make the company write: e-mails to one mailbox, and what one account, or one agency, does a day. */
  outward: z
    .object({
      emailsPerHour: within(ranges.outward).default(10),
      emailsPerDay: within(ranges.outward).default(20),
      bookingsPerDay: within(ranges.outward).default(6),
      movesPerDay: within(ranges.outward).default(6),
      invitationsPerDay: within(ranges.outward).default(300),
    })
    .prefault({}),
  /** The papers without which no technician is sent, also one of whom none was recorded. */
  papers: z
    .object({ ec0118: z.boolean().default(false), dc3_electric: z.boolean().default(false) })
    .prefault({}),
  /** The company's own holidays, besides the statutory ones. */
  holidays: z.array(z.iso.date('Escribe la fecha como 2026-12-24')).default([]),
  support: z
    .object({
      phone: z.string().default('5555550100'),
      whatsapp: z.string().default('5555550100'),
      email: z.email('Escribe un correo válido').default('ayuda@cargaencasa.mx'),
      hours: z
        .string()
        .default('Lunes a viernes de 9:00 a. m. a 6:00 p. m., sábado de 9:00 a. m. a 2:00 p. m.'),
    })
    .prefault({}),
  /** The figures of /approach; prices in centavos, IVA included. */
  estimate: z
    .object({
      base: within(ranges.price).default(12_900_00),
      /** Metres of cable that the base price covers. */
      baseMetres: within(ranges.baseMetres).default(10),
      perMetre: within(ranges.price).default(350_00),
      secondMeter: within(ranges.price).default(4_500_00),
      charger: within(ranges.price).default(11_000_00),
      /** The range below and above the estimate, in percent. */
      rangePercent: within(ranges.rangePercent).default(15),
    })
    .prefault({}),
  /** The defaults of a new quote. */
  quotes: z
    .object({
      depositPercent: within(ranges.depositPercent).default(50),
      validDays: within(ranges.validDays).default(15),
      warrantyMonths: within(ranges.warrantyMonths).default(12),
      refundTerms: z.string().min(1).max(1000).default(refundTerms),
      exclusions: z.string().max(2000).default(''),
    })
    .prefault({}),
  /** The account for transfers; without a CLABE, transfers are not offered. */
  spei: z
    .object({
      beneficiary: z.string().max(120).default(''),
      bank: z.string().max(60).default(''),
      clabe: z.union([z.literal(''), z.string().regex(/^\d{18}$/)]).default(''),
    })
    .prefault({}),
  /** The price of a visit, IVA included, in centavos, and when it is kept. */
  visitFee: z
    .object({
      amount: within(ranges.visitFee).default(0),
      keptOnLateCancel: z.boolean().default(true),
      keptOnNoShow: z.boolean().default(true),
      keptOnNotViable: z.boolean().default(true),
    })
    .prefault({}),
  /** The issuer of invoices, as the SAT has it registered; without an RFC no invoice can be requested. */
  issuer: z
    .object({
      rfc: z.string().max(13).default(''),
      name: z.string().max(254).default(''),
      regime: z.string().max(3).default(''),
      postalCode: z.union([z.literal(''), z.string().regex(/^\d{5}$/)]).default(''),
      /** Street, number, colonia and municipality: for documents, an invoice has the postal code only. */
      address: z.string().max(200).default(''),
    })
    .prefault({}),
})

export type Settings = z.output<typeof settingsSchema>

/** The settings stored as JSON, with the default of every missing number. Throws a ZodError when one is invalid. */
export const parseSettings = (stored: unknown): Settings => settingsSchema.parse(stored ?? {})

export const defaultSettings: Settings = parseSettings({})
