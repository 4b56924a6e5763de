import { kindLabels } from '../../access/rules/actor.ts'
import { servicePages } from '../../appointments/calendar.ts'
import {
  type Outcome,
  reasonToCustomer,
  type Service,
  serviceFacts,
} from '../../appointments/rules/appointment.ts'
import { isSettling, settledWords } from '../../appointments/rules/nobody-came.ts'
import { longMomentFor, type ReaderWindow } from '../../appointments/rules/promise.ts'
import { runningLateWords } from '../../appointments/rules/running-late.ts'
import type { AppointmentEmailJob } from '../../platform/jobs/emails.ts'
import { addressLine } from '../../projects/rules/address.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { centralZone, formatPhone, longDate, longDateTime } from '../../shared/format.ts'
import {
  activeCustomer,
  type CalendarAttachment,
  chargesFacts,
  customersCalendar,
  type Email,
  type EmailBody,
  type EmailContext,
  type Fact,
  payLinks,
  withFollowing,
} from '../email.ts'
import {
  type AppointmentEmailData,
  arrivalFact,
  carFact,
  loadAppointment,
  loadFinished,
  loadOnTheWay,
  loadWithFee,
  loadWithSlots,
  timeFact,
  withheldBecause,
} from './appointment-data.ts'

type AppointmentEmail = Email<AppointmentEmailJob, AppointmentEmailData>
type CustomersKind = Extract<AppointmentEmailJob, { to: 'customer' }>['letter']
export type AppointmentRule = (
  appointment: AppointmentEmailData,
  now: Date,
  job: AppointmentEmailJob,
) => boolean

export const waits: AppointmentRule = ({ state, startsAt }, now) =>
  startsAt > now && (state === 'requested' || state === 'assigned')
export const isConfirmed: AppointmentRule = (appointment, now, job) =>
  waits(appointment, now, job) && appointment.state === 'assigned' && appointment.performer !== null
export const isCancelled: AppointmentRule = ({ state }) => state === 'cancelled'
export const isDone: AppointmentRule = ({ state }) => state === 'done'
export const isUnassigned: AppointmentRule = ({ assigneeId, state }) =>
  state === 'requested' && assigneeId === null
/** The customer reported that no one came, and the work has not begun since. */
export const isMissed: AppointmentRule = ({ nobodyCameAt, state }) =>
  nobodyCameAt !== null && (state === 'requested' || state === 'assigned' || state === 'en_route')
const isAnswered: AppointmentRule = (appointment, now, job) =>
  isMissed(appointment, now, job) && isSettling(appointment.nobodyCameAnswer)
const isOnTheWay: AppointmentRule = ({ state, performer }) => state === 'en_route' && performer !== null
/** Their departure was undone, and they have not left since. */
const isStillToLeave: AppointmentRule = ({ performer, state }) => state === 'assigned' && performer !== null
/** The hour that was told is still the one of this letter. */
const isLate: AppointmentRule = ({ performer, runningLate }, _, job) =>
  performer !== null && runningLate?.until.toISOString() === (job.was?.startsAt ?? null)
const isNoShow: AppointmentRule = ({ state }) => state === 'no_show'
/** The start is still the one that the reminder was made for. */
const isUnmoved: AppointmentRule = (appointment, now, job) =>
  waits(appointment, now, job) && job.was?.startsAt === appointment.startsAt.toISOString()
const hasOutcome =
  (...wanted: readonly Outcome[]): AppointmentRule =>
  ({ outcome, state }) =>
    state === 'done' && outcome !== null && wanted.includes(outcome)

const inCalendar = { calendar: 'REQUEST', asksToVerify: true } as const

const customer: Record<CustomersKind, AppointmentEmail> = {
  booked: toCustomer(waits, { ...inCalendar, load: loadWithFee }, (appointment, context) => ({
    heading: `Tu ${serviceName(appointment)} quedó agendada`,
    paragraphs: [
      appointment.performer === null
        ? 'Te avisamos en cuanto sepamos quién te atiende.'
        : 'Si hay algún cambio, te avisamos por este medio.',
    ],
    facts: [...details(appointment, context), ...chargesFacts(appointment.owed)],
    links: payLinks(appointment.owed, context),
  })),
  assigned: toCustomer(isConfirmed, inCalendar, (appointment, context) => ({
    subject: `Ya sabemos quién te atiende en tu ${serviceName(appointment)}`,
    heading: `${performerName(appointment)} te atiende en tu ${serviceName(appointment)}`,
    paragraphs: ['Si hay algún cambio, te avisamos por este medio.'],
    facts: [...details(appointment, context), carFact(appointment)],
  })),
  changed: toCustomer(waits, inCalendar, (appointment, context) => ({
    subject: movedInTime(appointment)
      ? `Tu ${serviceName(appointment)} cambió de horario`
      : `Tu ${serviceName(appointment)} cambió`,
    heading: movedInTime(appointment)
      ? `Tu ${serviceName(appointment)} tiene un horario nuevo`
      : `Cambió tu ${serviceName(appointment)}`,
    paragraphs: [
      appointment.performer === null ? 'Te avisamos en cuanto sepamos quién te atiende.' : 'Así queda ahora:',
    ],
    facts: [
      ...details(appointment, context),
      formerTimeFact(appointment, context.settings.arrivalWindowMinutes),
    ],
  })),
  cancelled: toCustomer(isCancelled, { calendar: 'CANCEL' }, (appointment, context) => ({
    heading: `Tu ${serviceName(appointment)} se canceló`,
    paragraphs: ['Tu cita quedó cancelada. Puedes agendar otra cuando quieras.'],
    facts: [dayFact(appointment), timeFact(appointment, context), reasonFact(appointment)],
  })),
  on_the_way: toCustomer(isOnTheWay, { load: loadOnTheWay }, (appointment, context) => ({
    subject: `Vamos en camino a tu ${serviceName(appointment)}`,
    heading: `${performerName(appointment)} va en camino`,
    paragraphs: ['Ten a la mano tu recibo de luz y deja libre el paso a tu medidor y a tu estacionamiento.'],
    facts: [
      arrivalFact(appointment),
      performerFact(appointment),
      carFact(appointment),
      addressFact(appointment),
      ['Oficina', formatPhone(context.settings.support.phone)],
    ],
    portrait: appointment.portrait ?? null,
  })),
  way_undone: toCustomer(isStillToLeave, {}, (appointment, context) => ({
    subject: `Tu técnico todavía no sale a tu ${serviceName(appointment)}`,
    heading: 'Tu técnico todavía no sale',
    paragraphs: ['Te avisamos antes de tiempo. Tu cita sigue en pie: te escribimos en cuanto salga.'],
    facts: [
      performerFact(appointment),
      dayFact(appointment),
      timeFact(appointment, context),
      ['Oficina', formatPhone(context.settings.support.phone)],
    ],
  })),
  running_late: toCustomer(isLate, {}, (appointment) => ({
    subject: `Tu técnico llega más tarde a tu ${serviceName(appointment)}`,
    heading: 'Tu técnico va tarde',
    paragraphs: [...[appointment.runningLate ?? []].flat().map(runningLateWords), 'Perdona la espera.'],
    facts: [performerFact(appointment), dayFact(appointment), addressFact(appointment)],
  })),
  no_person: toCustomer(isUnassigned, { calendar: 'REQUEST' }, (appointment, context) => ({
    subject: `Buscamos quién te atienda en tu ${serviceName(appointment)}`,
    heading: 'Buscamos quién te atienda',
    paragraphs: [
      `La persona que tenía tu ${serviceName(appointment)} ya no puede a esa hora. Buscamos a alguien más o te llamamos para acordar otra hora: no tienes que hacer nada.`,
      'Si prefieres otro día, escríbenos.',
    ],
    facts: [dayFact(appointment), timeFact(appointment, context)],
  })),
  let_go: toCustomer(isCancelled, { calendar: 'CANCEL' }, (appointment, context) => ({
    heading: `Tu ${serviceName(appointment)} se canceló`,
    paragraphs: [
      'Como no confirmaste tu correo a tiempo, liberamos tu lugar.',
      'Confirma tu correo en tu cuenta y agenda otra vez cuando quieras.',
    ],
    facts: [dayFact(appointment), timeFact(appointment, context)],
  })),
  called_off: toCustomer(isCancelled, { calendar: 'CANCEL' }, (appointment, context) => ({
    subject: `Hoy no pudimos hacer tu ${serviceName(appointment)}`,
    heading: `No pudimos hacer tu ${serviceName(appointment)}`,
    paragraphs: ['Lo sentimos. Elige otro horario en tu cuenta, o escríbenos y lo buscamos contigo.'],
    facts: [dayFact(appointment), timeFact(appointment, context), reasonFact(appointment, true)],
  })),
  analyst_missed: toCustomer(
    isCancelled,
    { calendar: 'CANCEL', load: loadWithSlots },
    (appointment, context) => ({
      subject: 'Te pedimos una disculpa: nadie llegó a tu asesoría',
      heading: 'Te pedimos una disculpa',
      paragraphs: [
        'Entraste a tu asesoría y nadie te atendió. No debió pasar, y la cancelamos para que no esperes más.',
        appointment.slots?.length
          ? `Elige otro horario con un toque (en ${centralZone}), o uno distinto en tu cuenta. También te llamamos para disculparnos.`
          : 'Te llamamos para disculparnos y acordar otro horario.',
      ],
      facts: [dayFact(appointment), timeFact(appointment, context)],
      links: (appointment.slots ?? []).map((start) => ({
        label: longDateTime(start),
        href: context.baseUrl + slotPath(start),
      })),
    }),
  ),
  reminder_24h: toCustomer(isUnmoved, { asksToVerify: true }, (appointment, context) => ({
    subject: `Recordatorio: tu ${serviceName(appointment)} del ${dayFact(appointment)[1]}`,
    heading: `Te recordamos tu ${serviceName(appointment)}`,
    paragraphs: [
      appointment.performer === null
        ? 'Pronto te decimos quién te atiende. Si no puedes ese día, avísanos cuanto antes.'
        : 'Si no puedes ese día, avísanos cuanto antes.',
    ],
    facts: details(appointment, context),
  })),
  // It may be sent the evening before, so it names the day.
  reminder_2h: toCustomer(isUnmoved, {}, (appointment, context) => ({
    subject: `Tu ${serviceName(appointment)} es el ${longMomentFor(appointment, context.settings.arrivalWindowMinutes)}`,
    heading: `Ya se acerca tu ${serviceName(appointment)}`,
    paragraphs: ['Si algo cambió de tu lado, avísanos ahora.'],
    facts: details(appointment, context),
  })),
  finished: toCustomer(isDone, { load: loadFinished }, (appointment, context) => ({
    heading:
      appointment.service === 'installation'
        ? 'Tu cargador ya funciona'
        : `Tu ${serviceName(appointment)} quedó lista`,
    ...(appointment.service === 'installation'
      ? {
          paragraphs: [
            'Aquí están tu documento de entrega, con las fotos y las pruebas, y hasta cuándo dura tu garantía.',
            'Si algo falla, repórtalo desde tu cuenta y vamos.',
            ...(appointment.owed?.charges.length ? ['Solo falta tu finiquito:'] : []),
          ],
          links: [
            {
              label: 'Abrir mi documento de entrega',
              href: `${context.baseUrl}/handover/${appointment.id}.pdf`,
            },
            ...payLinks(appointment.owed, context),
          ],
        }
      : {
          paragraphs: [
            'Ahora revisamos lo que encontró tu técnico y te decimos qué sigue. No tienes que hacer nada.',
          ],
        }),
    facts: [
      performerFact(appointment),
      dayFact(appointment),
      addressFact(appointment),
      appointment.warrantyUntil ? ['Garantía hasta', longDate(appointment.warrantyUntil)] : null,
      ...chargesFacts(appointment.owed),
    ],
  })),
  call_summary: toCustomer(isDone, {}, (appointment) => ({
    subject: 'Lo que hablamos en tu asesoría virtual',
    heading: 'Gracias por tu llamada',
    paragraphs: ['Aquí está lo que hablamos y lo que sigue. También lo encuentras en tu cuenta.'],
    facts: [
      dayFact(appointment),
      performerFact(appointment),
      appointment.summary ? ['De qué hablamos', appointment.summary] : null,
      appointment.nextSteps ? ['Qué sigue', appointment.nextSteps] : null,
    ],
  })),
  not_possible: toCustomer(hasOutcome('not_possible'), {}, (appointment, context) => ({
    heading: `No fue posible hacer tu ${serviceName(appointment)}`,
    paragraphs: [
      'Lo sentimos. Te llamamos para ver contigo qué falta y cómo seguimos.',
      'Si ya está resuelto, agenda otra desde ahora.',
    ],
    facts: [dayFact(appointment), performerFact(appointment), reasonFact(appointment), noteFact(appointment)],
    links: [bookAgain(appointment, context)],
  })),
  half_done: toCustomer(hasOutcome('partial'), {}, (appointment, context) => ({
    heading: `Tu ${serviceName(appointment)} quedó incompleta`,
    paragraphs: [
      'Falta una parte para terminar. Te llamamos para acordar cuándo seguimos.',
      'Si prefieres, elige tú el horario desde ahora.',
    ],
    facts: [dayFact(appointment), performerFact(appointment), reasonFact(appointment), noteFact(appointment)],
    links: [bookAgain(appointment, context)],
  })),
  left_unsafe: toCustomer(hasOutcome('partial', 'not_possible'), {}, (appointment, context) => ({
    subject: `No uses tu cargador: tu ${serviceName(appointment)} no está terminada`,
    heading: 'No uses tu cargador todavía',
    paragraphs: [
      'No pasó una de las pruebas de seguridad. La energía de tu cargador queda cortada hasta que volvamos: no subas la pastilla «Cargador».',
      'Te llamamos para acordar cuándo lo terminamos. Si prefieres, elige tú el horario desde ahora.',
    ],
    facts: [dayFact(appointment), performerFact(appointment), reasonFact(appointment), noteFact(appointment)],
    links: [bookAgain(appointment, context)],
  })),
  no_show: toCustomer(isNoShow, {}, (appointment, context) => ({
    subject: `No te encontramos en tu ${serviceName(appointment)}`,
    heading: 'No te encontramos',
    paragraphs: [
      appointment.service === 'videocall'
        ? 'Te esperamos en tu asesoría, te llamamos y no pudimos hablar contigo.'
        : 'Fuimos a tu domicilio a la hora acordada, te llamamos y no pudimos encontrarte.',
      'No pasa nada: elige otro horario. Si sí estabas, dinos qué pasó en tu cuenta y lo revisamos.',
    ],
    facts: [dayFact(appointment), timeFact(appointment, context), noteFact(appointment)],
    links: [bookAgain(appointment, context)],
  })),
  nobody_came: toCustomer(isMissed, {}, (appointment, context) => ({
    subject: `Ya sabemos que nadie llegó a tu ${serviceName(appointment)}`,
    heading: 'Te pedimos una disculpa: nadie llegó',
    paragraphs: [
      'No debió pasar. La gerencia ya lo sabe y te llama para acordar contigo qué sigue: no tienes que hacer nada.',
    ],
    facts: [dayFact(appointment), timeFact(appointment, context)],
  })),
  nobody_answered: toCustomer(isAnswered, {}, (appointment, context) => ({
    ...settledWords(appointment.nobodyCameAnswer, serviceName(appointment)),
    facts: [performerFact(appointment), dayFact(appointment), timeFact(appointment, context)],
  })),
  fault_received: toCustomer(isDone, {}, (appointment) => ({
    heading: 'Recibimos tu reporte de falla',
    paragraphs: [
      'Te llamamos para ver qué pasa. Si prefieres, agenda desde ahora la visita de garantía en tu cuenta: no tiene costo.',
      'Mientras tanto no uses el cargador. Si huele a quemado o ves chispas, baja la pastilla «Cargador».',
    ],
    facts: [['Instalado el', longDate(appointment.startsAt)], addressFact(appointment)],
  })),
}
/** The e-mails to an appointment's customer. */
export const appointmentEmails = { customer }

type Options = {
  /** Its effect on the customer's calendar. */
  calendar?: CalendarAttachment['method']
  /** Whether it asks an unverified reader to verify their address to keep the appointment. */
  asksToVerify?: boolean
  load?: AppointmentEmail['load']
}

/** To an unverified mailbox it carries no name, address or phone. */
function toCustomer(
  isRelevant: AppointmentRule,
  { calendar, asksToVerify = false, load = loadAppointment }: Options,
  compose: (appointment: AppointmentEmailData, context: EmailContext) => EmailBody,
): AppointmentEmail {
  return {
    load,
    isRelevant,
    recipients: activeCustomer,
    compose(appointment, reader, context) {
      const body = withFollowing(withFolio(compose(appointment, context), appointment), appointment, context)
      const withheld = reader.emailVerified ? [] : withheldBecause(appointment, asksToVerify)
      return {
        ...body,
        paragraphs: [...body.paragraphs, ...withheld],
        link: { label: 'Ver mi cita', href: context.baseUrl + servicePages[appointment.service] },
        ...(calendar && { calendar: customersCalendar(calendar, appointment, reader, context) }),
      }
    },
  }
}

/** The beginning of every e-mail about an appointment. */
export const withFolio = (body: EmailBody, { folio, service }: AppointmentEmailData) => ({
  ...body,
  folio,
  facts: [
    ['Folio', folio],
    ['Servicio', serviceFacts[service].label],
    ...body.facts,
  ] satisfies (Fact | null)[],
})

const agendas: Record<Service, string> = {
  technical_visit: '/agenda-technics-visit',
  installation: '/agenda-installation',
  videocall: '/agenda-videocall',
}
const bookAgain = ({ service }: AppointmentEmailData, { baseUrl }: EmailContext) => ({
  label: 'Elegir otro horario',
  href: baseUrl + agendas[service],
})

/** The URL of a chosen slot in the agenda of calls. */
const slotPath = (start: Date) =>
  `${agendas.videocall}?dia=${localDate(toMinutes(start))}&hora=${encodeURIComponent(start.toISOString())}`

type Timed = Pick<AppointmentEmailData, 'service' | 'startsAt'>

export const performerName = ({ performer }: Pick<AppointmentEmailData, 'performer'>) =>
  performer ?? 'Nuestro equipo'
export const serviceName = ({ service }: Pick<Timed, 'service'>) => serviceFacts[service].label.toLowerCase()
export const dayFact = ({ startsAt }: Pick<Timed, 'startsAt'>): Fact => ['Día', longDate(startsAt)]
export const addressFact = ({ address }: AppointmentEmailData): Fact | null =>
  address && ['Domicilio', addressLine(address)]
export const performerFact = ({ service, performer }: AppointmentEmailData): Fact | null =>
  performer === null ? null : [kindLabels[serviceFacts[service].by], performer]
const reasonFact = (
  { closingReason, service, state }: AppointmentEmailData,
  isAtDoor = state === 'done',
): Fact | null =>
  closingReason === null ? null : ['Motivo', reasonToCustomer(closingReason, isAtDoor ? service : null)]
const noteFact = ({ closingNote }: AppointmentEmailData): Fact | null =>
  closingNote === null ? null : ['Nota', closingNote]
const details = (appointment: AppointmentEmailData, context: EmailContext) => [
  performerFact(appointment),
  dayFact(appointment),
  timeFact(appointment, context),
  addressFact(appointment),
]

const movedInTime = ({ startsAt, was }: AppointmentEmailData) =>
  was.startsAt !== null && was.startsAt.getTime() !== startsAt.getTime()
export const formerTimeFact = (appointment: AppointmentEmailData, window: ReaderWindow): Fact | null =>
  movedInTime(appointment)
    ? ['Antes', longMomentFor({ service: appointment.service, startsAt: appointment.was.startsAt! }, window)]
    : null
