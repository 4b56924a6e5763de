import { z } from 'zod'
import { kindLabels } from '../../access/rules/actor.ts'
import { completionInput, email, personName } from '../../accounts/rules/schema.ts'
import type { MinuteSpan, Shift } from '../../scheduling/rules/roster.ts'
import { addDays, minuteAt } from '../../shared/calendar.ts'
import { clockText, minuteOfClock } from '../../shared/format.ts'
import { isMunicipality, type MunicipalitySlug, municipalities } from '../../shared/places.ts'
import {
  anyText,
  choice,
  optionalText,
  requiredEmail,
  requiredText,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { calendarUrl } from './busy-calendar.ts'
import { savedListNames, viewLimits, viewQuery } from './saved-view.ts'
import { type StaffPaperKind, staffPaperKinds, usualEnd } from './staff-paper.ts'
import { choicesIn, mostStretches, shiftStep } from './staffing-change.ts'
import { roleChoices } from './user.ts'

/** The code of an invitation's link; a malformed one is null. */
export const invitationCode = z
  .preprocess(tidy, z.string())
  .transform((code) => (code.length <= 100 && code) || null)

const agencyId = z.preprocess((sent) => tidy(sent) || null, z.uuid('Elige su concesionaria.').nullable())

/** The form of an invitation; an ally belongs to an agency. In parts, so that all that is wrong is shown at once. */
export const inviteInput = z.intersection(
  z.object({ email }),
  z
    .object({ kind: choice(kindLabels, 'Elige su rol.'), agencyId })
    .refine(({ kind, agencyId }) => kind !== 'alliate' || agencyId !== null, {
      path: ['agencyId'],
      message: 'Elige su concesionaria.',
    }),
)

/** The form that accepts an invitation from the home page of a user with an account. */
export const acceptInvitationInput = z.object({ invitacion: invitationCode })

/** The invitation to send again or withdraw. */
export const aboutInvitation = z.object({
  invitationId: z.uuid('Ese botón ya no sirve. Vuelve a abrir la página.'),
})

export type Invite = z.output<typeof inviteInput>

/** The form of /completion for a user who may have an invitation; only such users are asked for `role`. */
export const createInput = completionInput.extend({ role: anyText(20), invitacion: invitationCode })

export type NewUser = Omit<z.output<typeof createInput>, 'invitacion'>

/**
 * The manager's changes to a user, by their intent. Loose where the decision for each appointment has its own field
 * name.
 */
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
export type RoleInput = z.output<(typeof accessInput)['role']>

const plates = z
  .preprocess((sent) => tidy(sent).toUpperCase().replaceAll(' ', '-'), z.string())
  .refine(
    (text) => text === '' || /^[A-Z\d][A-Z\d-]{3,9}$/.test(text),
    'Escríbelas como en el auto: ABC-12-34.',
  )
  .transform((text) => text || null)

/** "Electricista certificado EC0118, folio D-0000123"; without a number nobody can look it up. */
const credential = optionalText(80).refine(
  (text) => text === null || /\d{3}/.test(text),
  'Escríbelo con su folio o número.',
)

/** By what a customer knows who comes. An empty box takes its answer away; the photo stays unless another one comes. */
export const visitCardInput = z.object({
  vehicle: optionalText(60),
  colour: optionalText(30),
  plates,
  credential,
  withoutPhoto: ticked,
})
export type VisitCardInput = z.output<typeof visitCardInput>

/** Where one's days begin; left blank, it is forgotten. */
export const dayStartInput = z.object({
  startsFrom: z
    .preprocess(tidy, z.string())
    .refine(
      (slug) => slug === '' || isMunicipality(slug),
      'No conocemos esa zona. Elige una alcaldía o un municipio de la lista.',
    )
    .transform((slug) => (isMunicipality(slug) ? slug : null)),
})

const calendarId = z.uuid(staleForm)

/** What a person does with a calendar of their own, by intent. */
export const busyCalendarInput = {
  'busy-add': z.object({
    address: requiredText('Pega la dirección de tu calendario.', 1_000).transform((typed, context) => {
      const url = calendarUrl(typed)
      if (!url) context.addIssue('Pega la dirección completa: empieza con https:// o webcal://.')
      return url ?? ''
    }),
    allDay: ticked,
  }),
  'busy-remove': z.object({ calendarId }),
  'busy-read': z.object({ calendarId, allDay: ticked }),
}

/** A form as sent: every field is text, and field names may contain ids. */
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

/** The weekly hours: fields `shift.<weekday>.<n>.from` and `.to` as 09:00; an empty pair is ignored. */
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
    const from = textOf(form, `${field}.from`)
    const to = textOf(form, `${field}.to`)
    if (!from && !to) continue
    const wrong = (part: string, message: string) => problem(`${field}.${part}`, message)
    const start = minutesOf(from)
    const end = minutesOf(to) || 1440
    if (start === null) wrong('from', from ? halves : 'Falta la hora de entrada.')
    else if (minutesOf(to) === null) wrong('to', to ? halves : 'Falta la hora de salida.')
    else if (end <= start) wrong('to', 'La salida va después de la entrada.')
    else if (found.some((other) => start < other.to && end > other.from))
      wrong('from', 'Se encima con otro horario del mismo día.')
    else found.push({ weekday, from: start, to: end, field })
  }
  return joined(found)
}

const halves = 'Escribe una hora en punto o y media, como 9:30 a. m.'

/** Minutes after midnight of a time such as 9:30; null when it is invalid, or not on the half hour. */
function minutesOf(text: string): number | null {
  const minute = minuteOfClock(text)
  return minute !== null && minute % shiftStep === 0 ? minute : null
}

/** In order, adjacent periods joined: an appointment may extend over both. */
function joined(stretches: readonly Shift[]): Shift[] {
  const list: Shift[] = []
  for (const { weekday, from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = list.at(-1)
    if (last?.to === from) list[list.length - 1] = { ...last, to }
    else list.push({ weekday, from, to })
  }
  return list
}

/** The municipalities served: a ticked field `zone.<slug>` each; none means all. */
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

const times = z.object({
  from: date('Elige desde qué día.'),
  fromTime: hour,
  to: date('Elige hasta qué día.'),
  toTime: hour,
})

// In parts, as the invitation.
const absence = z.intersection(
  times.transform(spanned),
  z.object({ reason: requiredText('Escribe el motivo.', 200) }),
)

/** An absence: from a day, or a time on it, to the end of a day, or a time on it. */
export const timeOffInput = z.intersection(sent.transform(common), absence)

function spanned({ from, fromTime, to, toTime }: z.output<typeof times>, ctx: z.RefinementCtx) {
  const start = minuteAt(from, fromTime ?? '00:00')
  const end = toTime ? minuteAt(to, toTime) : minuteAt(addDays(to, 1), '00:00')
  if (end <= start)
    ctx.addIssue({
      code: 'custom',
      path: [toTime ? 'toTime' : 'to'],
      message: 'El final va después del inicio.',
    })
  return { span: { start, end } satisfies MinuteSpan }
}

const paperNames = Object.fromEntries(
  Object.entries(staffPaperKinds).map(([kind, { label }]) => [kind, label]),
) as Record<StaffPaperKind, string>

/** A paper with its dates; left blank, its end is that of its kind. */
export const staffPaperInput = z
  .object({
    kind: choice(paperNames, 'Elige qué papel es.'),
    number: requiredText('Escribe su folio o número.', 60),
    issued: date('Elige el día en que se expidió.'),
    expires: z.union([z.literal(''), date('Elige el día en que vence.')]),
  })
  .transform(({ expires, ...paper }, ctx) => {
    const wrong = (message: string) => {
      ctx.addIssue({ code: 'custom', path: ['expires'], message })
      return z.NEVER
    }
    const end = expires || usualEnd(paper.kind, paper.issued)
    if (!end) return wrong('Elige el día en que vence: lo dice el papel.')
    if (end < paper.issued) return wrong('Vence antes de que se expidiera. Revisa las dos fechas.')
    return { ...paper, expires: end }
  })
export type StaffPaperInput = z.output<typeof staffPaperInput>

/** The paper to check or remove. */
export const aboutStaffPaper = z.object({ paperId: z.uuid(staleForm) })

/** The forms about one's own time off, by their intent. */
export const ownTimeOffInput = {
  'time-off-ask': absence,
  'time-off-withdraw': z.object({ timeOffId: z.uuid(staleForm) }),
}

/** The absence to remove. */
export const removalInput = z.intersection(sent.transform(common), z.object({ timeOffId: z.uuid(staleForm) }))

/** The request to refuse, and the reason. */
export const refusalInput = z.object({
  timeOffId: z.uuid(staleForm),
  refusal: requiredText('Escribe por qué, para que la persona lo lea.', 300),
})

const viewName = requiredText('Escribe un nombre para la vista.', viewLimits.name)
const tooManyFilters = 'Son demasiados filtros para guardarlos. Quita alguno.'
const ofView = { viewId: z.uuid(staleForm) }

/** The forms about one's own saved views, by their intent. */
export const savedViewInput = {
  'save-view': z.object({
    list: z.enum(savedListNames, staleForm),
    name: viewName,
    query: z
      .string(staleForm)
      .max(viewLimits.query * 4, tooManyFilters)
      .transform((address) => viewQuery(address))
      .refine((query) => query.length >= 1, staleForm)
      .refine((query) => query.length <= viewLimits.query, tooManyFilters),
  }),
  'rename-view': z.object({ ...ofView, name: viewName }),
  'remove-view': z.object(ofView),
}
export type ViewInput = z.output<(typeof savedViewInput)['save-view']>
