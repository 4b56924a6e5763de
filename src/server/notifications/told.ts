import { kindLabels } from '../../domain/actor.ts'
import { addressLine } from '../../domain/home.ts'
import { type ClosingReason, closingReasons, reasonsToCustomer } from '../../domain/reasons.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { serviceFacts } from '../../domain/services.ts'
import type { Settings } from '../../domain/settings.ts'
import { arrivalWindow, formatPhone, longDate, longDateTime, time } from '../../domain/shared/format.ts'
import type { Dated } from '../calendar/entries.ts'

/** The appointment a letter tells of; `performer` is null while nobody is confirmed. */
export type Told = Dated & {
  closingReason: ClosingReason | null
  /** What whoever ended it wrote, which its customer reads too. */
  closingNote: string | null
  /** Why the sheet of an appointment was returned to its author. */
  returnReason: string | null
  /** Why it was not reopened for what its technician had done when it was taken from them. */
  claimRefusal: string | null
  /** Until when it is kept for a mailbox that nobody proved. */
  keptUntil: Date
  was: { startsAt: Date | null; municipality: string | null }
  /** Free starts that may be chosen instead. */
  slots?: readonly Date[]
}
/** Who reads it. An unverified e-mail may be somebody else's mailbox. */
export type Reader = { name: string | null; emailVerified: boolean }
export type House = {
  brand: string
  baseUrl: string
  /** The sender, whom calendars name as the organizer. */
  from: string
  settings: Pick<Settings, 'arrivalWindowMinutes' | 'support'>
}
export type Fact = readonly [label: string, value: string]

const placeLabel = 'Domicilio'
const zoneLabel = 'Zona'
const noteLabel = 'Nota'
/** What a mailbox that nobody proved is not told. */
export const hiddenFacts: readonly string[] = [placeLabel, zoneLabel, noteLabel, 'Total', 'Anticipo']

export const named = ({ performer }: Pick<Told, 'performer'>) => performer ?? 'Nuestro equipo'
export const serviceName = ({ service }: Pick<Told, 'service'>) => serviceFacts[service].label.toLowerCase()
export const when = ({ startsAt }: Pick<Told, 'startsAt'>): Fact => ['Día', longDate(startsAt)]
export const place = ({ address }: Told): Fact | null => address && [placeLabel, addressLine(address)]
export const zone = ({ municipality }: Told): Fact | null =>
  municipality === null ? null : [zoneLabel, municipalityLabel(municipality)]
export const performer = ({ service, performer }: Told): Fact | null =>
  performer === null ? null : [kindLabels[serviceFacts[service].by], performer]
export const reason = ({ closingReason }: Told): Fact | null =>
  closingReason === null ? null : ['Motivo', closingReasons[closingReason]]
export const reasonToCustomer = ({ closingReason }: Told): Fact | null =>
  closingReason === null ? null : ['Motivo', reasonsToCustomer[closingReason]]

export const note = ({ closingNote }: Told): Fact | null =>
  closingNote === null ? null : [noteLabel, closingNote]

/** A visit promises a window; a call starts on the minute. */
export function hour({ service, startsAt }: Pick<Told, 'service' | 'startsAt'>, { settings }: House): Fact {
  const promised = serviceFacts[service].needsTravel && settings.arrivalWindowMinutes > 0
  return ['Hora', promised ? arrivalWindow(startsAt, settings.arrivalWindowMinutes) : time(startsAt)]
}

/** The exact minute, which those who work here go by. */
export const minute = ({ startsAt }: Pick<Told, 'startsAt'>): Fact => ['Hora', time(startsAt)]

/** Whether it was at another time. */
export const movedInTime = ({ startsAt, was }: Told) =>
  was.startsAt !== null && was.startsAt.getTime() !== startsAt.getTime()

export const formerTime = (told: Told): Fact | null =>
  movedInTime(told) ? ['Antes', longDateTime(told.was.startsAt!)] : null
export const formerZone = ({ was, municipality }: Told): Fact | null =>
  was.municipality === null || was.municipality === municipality
    ? null
    : ['Zona anterior', municipalityLabel(was.municipality)]

export function helpFor({ emailVerified }: Reader, { settings: { support } }: House) {
  const write = `¿Necesitas ayuda? Escribe a ${support.email}`
  return emailVerified && support.phone
    ? `${write} o llama al ${formatPhone(support.phone)} (${support.hours}).`
    : `${write}.`
}
