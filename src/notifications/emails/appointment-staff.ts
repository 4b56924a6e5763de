import { eq, sql } from 'drizzle-orm'
import { closingReasons } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import type { ListName } from '../../appointments/rules/list.ts'
import type { Db } from '../../platform/database/client.ts'
import { timeOff, users } from '../../platform/database/schema/accounts.ts'
import type { AppointmentEmailJob, PaperEmailJob, TimeOffEmailJob } from '../../platform/jobs/emails.ts'
import { toMinutes, wallMinute } from '../../shared/calendar.ts'
import { longDate, longDateTime, time } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { endingWords, staffPaperKinds } from '../../users/rules/staff-paper.ts'
import { staffPaper } from '../../users/staff-papers.ts'
import {
  activeManagers,
  activeStaff,
  type CalendarAttachment,
  type Email,
  type EmailBody,
  type Fact,
  performersCalendar,
} from '../email.ts'
import {
  type AppointmentRule,
  addressFact,
  dayFact,
  formerTimeFact,
  isCancelled,
  isConfirmed,
  isDone,
  isMissed,
  isUnassigned,
  performerFact,
  serviceName,
  waits,
  withFolio,
} from './appointment.ts'
import { type AppointmentEmailData, loadAppointment } from './appointment-data.ts'

type ManagersKind = Extract<AppointmentEmailJob, { to: 'managers' }>['letter']
type PersonsJob = Extract<AppointmentEmailJob, { to: 'person' }>
type Compose = (appointment: AppointmentEmailData) => EmailBody

const isLateCancel: AppointmentRule = ({ late, state }) => state === 'cancelled' && late

const inList = (list: ListName) => (appointment: AppointmentEmailData) => appointmentPath(list, appointment)

const toTheManagers: Record<ManagersKind, Email<AppointmentEmailJob, AppointmentEmailData>> = {
  no_person: toManagers(
    isUnassigned,
    ({ id }) => `/admin/assignations/${id}`,
    (appointment) => ({
      subject: `Cita sin persona: ${moment(appointment)}`,
      heading: 'Una cita se quedó sin persona',
      paragraphs: ['Nadie puede tomarla a su hora. Elige a alguien o acuerda otro horario con el cliente.'],
      facts: [dayFact(appointment), minuteFact(appointment), zoneFact(appointment)],
    }),
  ),
  late_cancel: toManagers(isLateCancel, inList('done'), (appointment) => ({
    subject: `Cancelación tardía: ${moment(appointment)}`,
    heading: `El cliente canceló tarde su ${serviceName(appointment)}`,
    paragraphs: ['Ya había pasado el límite para cancelar. El lugar quedó libre.'],
    facts: [
      dayFact(appointment),
      minuteFact(appointment),
      zoneFact(appointment),
      performerFact(appointment),
      reasonFact(appointment),
    ],
  })),
  nobody_came: toManagers(isMissed, inList('pending'), (appointment) => ({
    subject: `Nadie llegó: ${moment(appointment)}`,
    heading: `Un cliente dice que nadie llegó a su ${serviceName(appointment)}`,
    paragraphs: ['Llámale ahora y averigua qué pasó. Hay un pendiente urgente en tu inicio.'],
    facts: [dayFact(appointment), minuteFact(appointment), zoneFact(appointment), performerFact(appointment)],
  })),
  analyst_missed: toManagers(isCancelled, inList('done'), (appointment) => ({
    subject: `Nadie atendió una videollamada: ${moment(appointment)}`,
    heading: 'Un cliente esperó en su videollamada y nadie llegó',
    paragraphs: [
      'La cancelamos, le pedimos una disculpa y le propusimos otros horarios. Llámale: hay un pendiente urgente en tu inicio.',
    ],
    facts: [dayFact(appointment), minuteFact(appointment), performerFact(appointment)],
  })),
}

function toManagers(
  isRelevant: AppointmentRule,
  pageOf: (appointment: AppointmentEmailData) => string,
  compose: Compose,
): Email<AppointmentEmailJob, AppointmentEmailData> {
  return {
    load: loadAppointment,
    isRelevant,
    recipients: activeManagers,
    compose: (appointment, _reader, { baseUrl }) => ({
      ...withFolio(compose(appointment), appointment),
      link: { label: 'Abrir la cita', href: baseUrl + pageOf(appointment) },
    }),
  }
}

/** The recipient, and whether the appointment is still theirs: not for a removed assignee. */
type PersonsData = AppointmentEmailData & { personId: string | null; isTheirs: boolean }
type PersonsRule = (appointment: PersonsData, now: Date, job: PersonsJob) => boolean

const names = (job: PersonsJob) => 'personId' in job && job.personId !== undefined
const isStillTheirs: PersonsRule = (appointment, now, job) =>
  isConfirmed(appointment, now, job) && (appointment.isTheirs || !names(job))
/** Not sent where it was reassigned to the same person meanwhile. */
const isNoLongerTheirs: PersonsRule = ({ isTheirs }, _now, job) => names(job) && !isTheirs
const isReturned: PersonsRule = ({ sheetState }) => sheetState === 'returned'
const isDeclined: PersonsRule = ({ claimRefusal }) => claimRefusal !== null

const takenOff: Compose = (appointment) => ({
  subject: `Ya no es tuya la cita del ${moment(appointment)}`,
  heading: `Esta ${serviceName(appointment)} ya no es tuya`,
  paragraphs: ['Quedó libre ese rato de tu agenda. No tienes que hacer nada.'],
  facts: [dayFact(appointment), minuteFact(appointment)],
})

const toThePerson: Record<PersonsJob['letter'], Email<PersonsJob, PersonsData>> = {
  assigned: toPerson(isStillTheirs, { list: 'pending', calendar: 'REQUEST' }, (appointment) => ({
    subject: `Tienes una cita: ${moment(appointment)}`,
    heading: `Tienes una ${serviceName(appointment)}`,
    paragraphs: ['Ya está en tu agenda.'],
    facts: [dayFact(appointment), minuteFact(appointment), addressFact(appointment)],
  })),
  changed: toPerson(
    waits,
    { list: 'pending', calendar: 'REQUEST', isTakenOff: ({ isTheirs }) => !isTheirs },
    (appointment) => ({
      subject: `Cambió tu cita: ${moment(appointment)}`,
      heading: `Cambió una ${serviceName(appointment)} tuya`,
      paragraphs: ['Así queda ahora:'],
      facts: [
        dayFact(appointment),
        minuteFact(appointment),
        addressFact(appointment),
        formerTimeFact(appointment, null),
        formerZoneFact(appointment),
      ],
    }),
  ),
  cancelled: toPerson(isCancelled, { list: 'done', calendar: 'CANCEL' }, (appointment) => ({
    subject: `Se canceló tu cita del ${moment(appointment)}`,
    heading: `Se canceló una ${serviceName(appointment)} tuya`,
    paragraphs: ['Quedó libre ese rato de tu agenda.'],
    facts: [dayFact(appointment), minuteFact(appointment), reasonFact(appointment)],
  })),
  no_person: toPerson(isNoLongerTheirs, { isTakenOff: () => true }, takenOff),
  called_off: toPerson(isCancelled, { list: 'done', calendar: 'CANCEL' }, (appointment) => ({
    subject: `Se canceló tu cita del ${moment(appointment)}`,
    heading: `Se canceló la ${serviceName(appointment)} que llevabas`,
    paragraphs: ['Ya no vayas.'],
    facts: [dayFact(appointment), minuteFact(appointment), reasonFact(appointment)],
  })),
  sheet_returned: toPerson(isReturned, { list: 'done' }, (appointment) => ({
    subject: `Completa tu reporte del ${moment(appointment)}`,
    heading: 'Completa tu reporte',
    paragraphs: ['Completa lo que te pedimos y envíalo: hasta entonces su cliente espera.'],
    facts: [
      dayFact(appointment),
      appointment.returnReason === null ? null : ['Motivo', appointment.returnReason],
    ],
  })),
  claim_reopened: toPerson(isDone, { list: 'done' }, (appointment) => ({
    subject: `Se reabrió tu cita del ${moment(appointment)}`,
    heading: `La ${serviceName(appointment)} que hiciste quedó registrada`,
    paragraphs: ['La gerencia la reabrió con lo que entregaste. Ahora revisan tu reporte.'],
    facts: [dayFact(appointment), minuteFact(appointment)],
  })),
  claim_declined: toPerson(isDeclined, {}, (appointment) => ({
    subject: `No se reabrió tu cita del ${moment(appointment)}`,
    heading: `No se reabrió la ${serviceName(appointment)} que hiciste`,
    paragraphs: [
      'Lo que entregaste sigue guardado con la cita. Si crees que hay un error, llama a la oficina.',
    ],
    facts: [
      dayFact(appointment),
      appointment.claimRefusal === null ? null : ['Motivo', appointment.claimRefusal],
    ],
  })),
}

type Options = {
  /** The list that shows the appointment; absent where it is no longer theirs. */
  list?: ListName
  calendar?: CalendarAttachment['method']
  /** Whether the e-mail says that it is no longer theirs. */
  isTakenOff?: (appointment: PersonsData) => boolean
}

/** To a current or former assignee. A former one reads only the time when it was theirs. */
function toPerson(
  isRelevant: PersonsRule,
  { calendar, isTakenOff, list }: Options,
  compose: Compose,
): Email<PersonsJob, PersonsData> {
  return {
    load: loadForPerson,
    isRelevant,
    recipients: (db, { personId }) => (personId ? activeStaff(db, personId) : []),
    compose(appointment, reader, context) {
      const isGone = isTakenOff?.(appointment) ?? false
      const { startsAt, was } = appointment
      const shown = isGone ? { ...appointment, startsAt: was.startsAt ?? startsAt } : appointment
      const page = list && !isGone ? appointmentPath(list, appointment) : null
      const method = isGone ? 'CANCEL' : calendar
      return {
        ...withFolio((isGone ? takenOff : compose)(shown), shown),
        link: {
          label: page ? 'Abrir la cita' : 'Ver mi agenda',
          href: context.baseUrl + (page ?? '/admin/appointments-pending'),
        },
        ...(method && { calendar: performersCalendar(method, appointment, reader, context) }),
      }
    },
  }
}

async function loadForPerson(db: Db, job: PersonsJob, now: Date): Promise<PersonsData | null> {
  const appointment = await loadAppointment(db, job, now)
  if (!appointment) return null
  const { assigneeId, confirmed } = appointment
  const personId = job.personId ?? (confirmed ? assigneeId : null)
  return { ...appointment, personId, isTheirs: confirmed && assigneeId === personId }
}

const moment = ({ startsAt }: AppointmentEmailData) => longDateTime(startsAt)
/** The exact minute, for staff. */
const minuteFact = ({ startsAt }: AppointmentEmailData): Fact => ['Hora', time(startsAt)]
const zoneFact = ({ municipality }: AppointmentEmailData): Fact | null =>
  municipality === null ? null : ['Zona', municipalityLabel(municipality)]
const formerZoneFact = ({ was, municipality }: AppointmentEmailData): Fact | null =>
  was.municipality === null || was.municipality === municipality
    ? null
    : ['Zona anterior', municipalityLabel(was.municipality)]
const reasonFact = ({ closingReason }: AppointmentEmailData): Fact | null =>
  closingReason === null ? null : ['Motivo', closingReasons[closingReason]]

type TimeOffEmail = Email<TimeOffEmailJob, TimeOffFacts>
type TimeOffFacts = NonNullable<Awaited<ReturnType<typeof loadTimeOff>>>

const isAnswered = ({ approvedAt, refusedAt }: TimeOffFacts) => approvedAt !== null || refusedAt !== null

const timeOffAsked: TimeOffEmail = {
  load: loadTimeOff,
  isRelevant: (asked) => !asked.withdrawnAt && !isAnswered(asked),
  recipients: activeManagers,
  compose: (asked, _reader, { baseUrl }) => ({
    heading: `${asked.person} solicita un permiso`,
    paragraphs: ['Mientras no respondas, se le pueden dar citas esos días.'],
    facts: [...span(asked), asked.reason ? ['Motivo', asked.reason] : null],
    link: { label: 'Responder', href: `${baseUrl}/admin/users/${asked.personId}` },
  }),
}

const timeOffAnswered: TimeOffEmail = {
  load: loadTimeOff,
  isRelevant: (asked) => !asked.withdrawnAt && isAnswered(asked),
  recipients: (db, { personId }) => activeStaff(db, personId),
  compose: (asked, _reader, { baseUrl }) => ({
    heading: asked.approvedAt ? 'Tu permiso quedó aprobado' : 'Tu permiso no se aprobó',
    paragraphs: [
      asked.approvedAt ? 'Esos días no te llegan citas.' : 'Si lo necesitas, habla con la gerencia.',
    ],
    facts: [...span(asked), asked.refusedReason ? ['Motivo', asked.refusedReason] : null],
    link: { label: 'Ver mis permisos', href: `${baseUrl}/admin/account#permisos` },
  }),
}

type EndingPaper = NonNullable<Awaited<ReturnType<typeof loadPaper>>>

async function loadPaper(db: Db, { paperId }: PaperEmailJob, now: Date) {
  const paper = await staffPaper(db, paperId)
  return paper && { ...paper, words: endingWords(paper, now, 'te') }
}

const paperEnds: Email<PaperEmailJob, EndingPaper> = {
  load: loadPaper,
  // Another one took its place.
  isRelevant: ({ isLatest }) => isLatest,
  recipients: (db, { personId }) => (personId ? activeStaff(db, personId) : []),
  compose: ({ kind, words }, _reader, { baseUrl }) => ({
    heading: `Renueva ${staffPaperKinds[kind].the}`,
    paragraphs: [capitalized(words), 'Cuando tengas el nuevo, súbelo en tu cuenta y la gerencia lo revisa.'],
    facts: [],
    link: { label: 'Subir el nuevo', href: `${baseUrl}/admin/account#papeles` },
  }),
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** The e-mails to staff about appointments, their time off and their papers. */
export const appointmentStaffEmails = {
  managers: { ...toTheManagers, time_off_asked: timeOffAsked },
  person: { ...toThePerson, time_off_answered: timeOffAnswered, paper_ends: paperEnds },
}

/** Whole days by name, the last one included; otherwise with the time. */
function span({ from, to }: TimeOffFacts): Fact[] {
  const whole = wallMinute(toMinutes(from)) === 0 && wallMinute(toMinutes(to)) === 0
  const last = new Date(to.getTime() - 60_000)
  return whole
    ? [
        ['Desde', longDate(from)],
        ['Hasta', longDate(last)],
      ]
    : [
        ['Desde', longDateTime(from)],
        ['Hasta', longDateTime(to)],
      ]
}

async function loadTimeOff(db: Db, { timeOffId: id }: TimeOffEmailJob) {
  const [row] = await db
    .select({
      personId: timeOff.personId,
      person: users.fullName,
      from: sql`lower(${timeOff.during})`.mapWith(timeOff.createdAt),
      to: sql`upper(${timeOff.during})`.mapWith(timeOff.createdAt),
      reason: timeOff.reason,
      approvedAt: timeOff.approvedAt,
      refusedAt: timeOff.refusedAt,
      refusedReason: timeOff.refusedReason,
      withdrawnAt: timeOff.withdrawnAt,
    })
    .from(timeOff)
    .innerJoin(users, eq(users.id, timeOff.personId))
    .where(eq(timeOff.id, id))
  return row as (typeof row & { from: Date; to: Date }) | undefined
}
