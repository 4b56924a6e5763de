import { kindLabels } from '../../domain/actor.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { type Service, serviceFacts } from '../../domain/services.ts'
import type { Settings } from '../../domain/settings.ts'
import { keptUntilHours } from '../../domain/unverified.ts'
import type { AddressSnapshot } from '../database/schema.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { asHtml, asText, type Content } from './layout.ts'
import type { Letter } from './post.ts'
import { addressLine, arrivalWindow, day, phone, time } from './words.ts'

export type LetterKind = Jobs['letter']['letter']

/** The appointment a letter tells of; `performer` is null while nobody is confirmed. */
export type Told = {
  id: string
  folio: string
  service: Service
  startsAt: Date
  municipality: string | null
  address: AddressSnapshot | null
  performer: string | null
}
/** Who reads it. An unverified e-mail may be somebody else's mailbox. */
export type Reader = { name: string | null; emailVerified: boolean }
export type House = {
  brand: string
  baseUrl: string
  settings: Pick<Settings, 'arrivalWindowMinutes' | 'support'>
}

type Written = Pick<Letter, 'subject' | 'text' | 'html'>
type Fact = readonly [label: string, value: string]
type Words = {
  subject: string
  heading: string
  paragraphs: readonly string[]
  facts: readonly (Fact | null)[]
}

const pages: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}

const toCustomer: Record<LetterKind, (told: Told, house: House) => Words> = {
  booked: (told, house) => ({
    subject: `Tu ${serviceName(told)} quedó apartada`,
    heading: `Tu ${serviceName(told)} quedó apartada`,
    paragraphs: ['Te avisamos en cuanto sepamos quién te atiende.'],
    facts: [when(told), hour(told, house), place(told)],
  }),
  assigned: (told, house) => ({
    subject: `Ya sabemos quién te atiende en tu ${serviceName(told)}`,
    heading: `${named(told)} te atiende en tu ${serviceName(told)}`,
    paragraphs: ['Si hay algún cambio, te avisamos por este medio.'],
    facts: [performer(told), when(told), hour(told, house), place(told)],
  }),
  on_the_way: (told) => ({
    subject: `Vamos en camino a tu ${serviceName(told)}`,
    heading: `${named(told)} va en camino`,
    paragraphs: ['Ten a la mano tu recibo de luz y deja libre el paso a tu medidor y a tu estacionamiento.'],
    facts: [performer(told), place(told)],
  }),
  no_person: (told, house) => ({
    subject: `Buscamos quién te atienda en tu ${serviceName(told)}`,
    heading: 'Buscamos quién te atienda',
    paragraphs: [
      `La persona que tenía tu ${serviceName(told)} ya no puede a esa hora. Buscamos a alguien más y te avisamos en cuanto lo sepamos: no tienes que hacer nada.`,
      'Si prefieres otro día, escríbenos.',
    ],
    facts: [when(told), hour(told, house)],
  }),
  let_go: (told, house) => ({
    subject: `Tu ${serviceName(told)} se canceló`,
    heading: `Tu ${serviceName(told)} se canceló`,
    paragraphs: [
      'Como no confirmaste tu correo a tiempo, liberamos tu lugar.',
      'Confirma tu correo en tu cuenta y agenda otra vez cuando quieras.',
    ],
    facts: [when(told), hour(told, house)],
  }),
}

/** A customer's letter. To an unverified e-mail it carries no name, address or phone. */
export function letterToCustomer(kind: LetterKind, told: Told, reader: Reader, house: House): Written {
  const words = toCustomer[kind](told, house)
  const withheld = reader.emailVerified ? [] : withheldBecause(kind)
  return written(words, told, reader, house, {
    paragraphs: [...words.paragraphs, ...withheld],
    link: { label: 'Ver mi cita', href: house.baseUrl + pages[told.service] },
  })
}

/** What an unverified reader is told besides: why so little, and what happens to the appointment. */
const withheldBecause = (kind: LetterKind) => [
  'Por tu seguridad, los demás datos solo se ven en tu cuenta.',
  ...(kind === 'booked' || kind === 'assigned'
    ? [
        `Confirma tu correo desde tu cuenta: si sigue sin confirmar ${keptUntilHours} horas antes, tu cita se libera.`,
      ]
    : []),
]

/** Tells a manager that an appointment has nobody to carry it out. */
export function noPersonToManager(told: Told, reader: Reader, house: House): Written {
  const words: Words = {
    subject: `Cita sin persona: ${day(told.startsAt)}, ${time(told.startsAt)}`,
    heading: 'Una cita se quedó sin persona',
    paragraphs: ['Nadie puede tomarla a su hora. Elige a alguien o acuerda otro horario con el cliente.'],
    facts: [when(told), ['Hora', time(told.startsAt)], zone(told)],
  }
  return written(words, told, reader, house, {
    paragraphs: words.paragraphs,
    link: { label: 'Abrir la cita', href: `${house.baseUrl}/admin/assignations/${told.id}` },
  })
}

function written(
  words: Words,
  told: Told,
  reader: Reader,
  house: House,
  rest: Pick<Content, 'paragraphs' | 'link'>,
): Written {
  const known: Fact[] = [
    ['Folio', told.folio],
    ['Servicio', serviceFacts[told.service].label],
  ]
  const hidden = reader.emailVerified ? [] : [placeLabel, zoneLabel]
  const facts = words.facts.filter((fact) => fact !== null).filter(([label]) => !hidden.includes(label))
  const content: Content = {
    heading: words.heading,
    // The name is whatever somebody typed at sign-up: to a mailbox that nobody proved it could carry anybody's advertisement.
    greeting: reader.name && reader.emailVerified ? `Hola, ${reader.name}:` : 'Hola:',
    facts: [...known, ...facts],
    help: helpFor(reader, house),
    brand: house.brand,
    ...rest,
  }
  return { subject: `${words.subject} (${told.folio})`, text: asText(content), html: asHtml(content) }
}

const placeLabel = 'Domicilio'
const zoneLabel = 'Zona'
const named = ({ performer }: Told) => performer ?? 'Nuestro equipo'
const serviceName = ({ service }: Told) => serviceFacts[service].label.toLowerCase()
const when = ({ startsAt }: Told): Fact => ['Día', day(startsAt)]
const place = ({ address }: Told): Fact | null => address && [placeLabel, addressLine(address)]
const zone = ({ municipality }: Told): Fact | null =>
  municipality === null ? null : [zoneLabel, municipalityLabel(municipality)]
const performer = ({ service, performer }: Told): Fact | null =>
  performer === null ? null : [kindLabels[serviceFacts[service].by], performer]

/** A visit promises a window; a call starts on the minute. */
function hour({ service, startsAt }: Told, { settings }: House): Fact {
  const promised = serviceFacts[service].needsTravel && settings.arrivalWindowMinutes > 0
  return ['Hora', promised ? arrivalWindow(startsAt, settings.arrivalWindowMinutes) : time(startsAt)]
}

function helpFor({ emailVerified }: Reader, { settings: { support } }: House) {
  const write = `¿Necesitas ayuda? Escribe a ${support.email}`
  return emailVerified && support.phone
    ? `${write} o llama al ${phone(support.phone)} (${support.hours}).`
    : `${write}.`
}
