import { z } from 'zod'
import { kindLabels } from '../access/actor.ts'
import { completionInput, email, personName } from '../accounts/schema.ts'
import type { MinuteSpan, Shift } from '../scheduling/roster.ts'
import { addDays, minuteAt } from '../shared/calendar.ts'
import { clockText, minuteOfClock } from '../shared/format.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../shared/places.ts'
import {
  anyText,
  choice,
  requiredEmail,
  requiredText,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../shared/schema.ts'
import { tidy } from '../shared/text.ts'
import { choicesIn, mostStretches, shiftStep } from './staffing-change.ts'
import { roleChoices } from './user.ts'

/** The code of an invitation's link; a malformed one is null. */
export const invitationCode = z.preprocess(tidy, z.string().max(100)).transform((code) => code || null)

const agencyId = z.preprocess((sent) => tidy(sent) || null, z.uuid('Elige su concesionaria.').nullable())

/** The form of an invitation; an ally belongs to an agency. */
export const inviteInput = z
  .object({ email, kind: choice(kindLabels, 'Elige su rol.'), agencyId })
  .refine(({ kind, agencyId }) => kind !== 'alliate' || agencyId !== null, {
    path: ['agencyId'],
    message: 'Elige su concesionaria.',
  })

/** The form of an invitation on the home of whoever has an account. */
export const acceptInvitationInput = z.object({ invitacion: invitationCode })

/** Which invitation is sent again or withdrawn. */
export const aboutInvitation = z.object({
  invitationId: z.uuid('Ese botón ya no sirve. Vuelve a abrir la página.'),
})

export type Invite = z.output<typeof inviteInput>

/** The form of /completion for a user who may have an invitation; `role` is asked of these only. */
export const createInput = completionInput.extend({ role: anyText(20), invitacion: invitationCode })

export type NewUser = Omit<z.output<typeof createInput>, 'invitacion'>

/** What the manager changes of somebody, by its intent. Loose where what is decided of each appointment has names of its own. */
export const accessInput = {
  role: z.looseObject({
    version: seenVersion,
    confirmed: ticked,
    role: choice(roleChoices, 'Elige su rol.'),
    agencyId,
  }),
  active: z.looseObject({
    version: seenVersion,
    confirmed: ticked,
    active: z.enum(['yes', 'no'], staleForm),
  }),
  'remove-second-factor': z.object({ version: seenVersion, confirmed: ticked }),
  'correct-profile': z.object({
    version: seenVersion,
    name: personName('Escribe su nombre.'),
    lastname: personName('Escribe sus apellidos.'),
    phone: theirPhone,
  }),
  'correct-email': z.object({ version: seenVersion, email: requiredEmail }),
}
export type RoleWish = z.output<(typeof accessInput)['role']>

/** A form as it is sent: every field a text, so that fields may be named by what they are about. */
const sent = z.record(z.string(), z.unknown())
type Sent = z.output<typeof sent>

const textOf = (form: Sent, name: string) => {
  const value = form[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Fields that all forms of a person's working time share. */
const common = (form: Sent) => ({
  version: seenVersion.safeParse(form.version).data ?? null,
  decisions: choicesIn(Object.entries(form)),
})

type Problems = (field: string, message: string) => void

/** The weekly hours: fields `shift.<weekday>.<n>.from` and `.to` as 09:00; an empty pair is no stretch. */
export const shiftsInput = sent.transform((form, ctx) => {
  const problem: Problems = (field, message) => {
    ctx.addIssue({ code: 'custom', path: [field], message })
  }
  const shifts = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => stretchesOf(form, weekday, problem))
  return { ...common(form), shifts }
})

function stretchesOf(form: Sent, weekday: number, problem: Problems): Shift[] {
  const found: (Shift & { field: string })[] = []
  for (let n = 0; n < mostStretches; n++) {
    const field = `shift.${weekday}.${n}`
    const [from, to] = [textOf(form, `${field}.from`), textOf(form, `${field}.to`)]
    if (!from && !to) continue
    const wrong = (part: string, message: string) => problem(`${field}.${part}`, message)
    const [start, end] = [minutesOf(from), minutesOf(to) || 1440]
    if (start === null) wrong('from', from ? halves : 'Falta la hora de entrada.')
    else if (minutesOf(to) === null) wrong('to', to ? halves : 'Falta la hora de salida.')
    else if (end <= start) wrong('to', 'La salida va después de la entrada.')
    else if (found.some((other) => start < other.to && end > other.from))
      wrong('from', 'Se encima con otro tramo del mismo día.')
    else found.push({ weekday, from: start, to: end, field })
  }
  return joined(found)
}

const halves = 'Escribe una hora en punto o y media, como 9:30 a. m.'

/** Minutes after midnight of an hour such as 9:30; null when it is none, or not a half. */
function minutesOf(text: string): number | null {
  const minute = minuteOfClock(text)
  return minute !== null && minute % shiftStep === 0 ? minute : null
}

/** In order, and what touches in one piece: an appointment may lie across both. */
function joined(stretches: readonly Shift[]): Shift[] {
  const list: Shift[] = []
  for (const { weekday, from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1)
    if (last?.to === from) list[list.length - 1] = { ...last, to }
    else list.push({ weekday, from, to })
  }
  return list
}

/** The municipalities served: a ticked field `zone.<slug>` each; none is all of them. */
export const zonesInput = sent.transform((form) => ({
  ...common(form),
  zones: municipalities
    .map(({ slug }) => slug)
    .filter((slug): slug is MunicipalitySlug => isMunicipality(slug) && textOf(form, `zone.${slug}`) !== ''),
}))

const date = (missing: string) => z.iso.date(missing)
const hour = z.preprocess(
  (typed) => (typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : null),
  z
    .string()
    .transform((typed) => minuteOfClock(typed))
    .refine((minute) => minute !== null, 'Escribe la hora como 9:30 a. m.')
    .transform(clockText)
    .nullable(),
)

const absence = z.object({
  from: date('Elige desde qué día.'),
  fromTime: hour,
  to: date('Elige hasta qué día.'),
  toTime: hour,
  reason: requiredText('Escribe el motivo.', 200),
})

/** An absence: from a day, or an hour of it, to the end of a day, or an hour of it. */
export const timeOffInput = z.intersection(sent.transform(common), absence.transform(spanned))

function spanned({ from, fromTime, reason, to, toTime }: z.output<typeof absence>, ctx: z.RefinementCtx) {
  const start = minuteAt(from, fromTime ?? '00:00')
  const end = toTime ? minuteAt(to, toTime) : minuteAt(addDays(to, 1), '00:00')
  if (end <= start)
    ctx.addIssue({
      code: 'custom',
      path: [toTime ? 'toTime' : 'to'],
      message: 'El final va después del inicio.',
    })
  return { span: { start, end } satisfies MinuteSpan, reason }
}

/** What is asked about time off of one's own, by its intent. */
export const ownTimeOffInput = {
  'time-off-ask': absence.transform(spanned),
  'time-off-withdraw': z.object({ timeOffId: z.uuid(staleForm) }),
}

/** Which absence is taken back. */
export const removalInput = z.intersection(sent.transform(common), z.object({ timeOffId: z.uuid(staleForm) }))

/** Which request is refused, and why. */
export const refusalInput = z.object({
  timeOffId: z.uuid(staleForm),
  refusal: requiredText('Escribe por qué, para que la persona lo lea.', 300),
})
