import { type AppointmentState, type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { addressLine } from '../../domain/projects/address.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { arrivalWindow } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { AddressSnapshot } from '../platform/database/schema/project-schema.ts'
import type { Entry } from './file.ts'

/** An appointment as the entries tell it. */
export type Dated = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  sequence: number
  updatedAt: Date
  municipality: string | null
  address: AddressSnapshot | null
  performer: string | null
}
type House = { brand: string; baseUrl: string; settings: Pick<Settings, 'arrivalWindowMinutes'> }

/** Where a customer sees what they booked of a service. */
export const servicePages: Record<Service, string> = {
  technical_visit: '/technics-visit',
  installation: '/installation',
  videocall: '/videocall',
}

/**
 * What a customer's calendar says. It begins with the window they were promised and lasts until the work ends even if
 * it begins with the window's end. `whole` also tells where and who comes: for letters and files that only they open.
 */
export function customersEntry(dated: Dated, { whole }: { whole: boolean }, house: House): Entry {
  const window = windowOf(dated, house)
  const { service, startsAt } = dated
  return {
    ...sameForAll(dated),
    endsAt: later(startsAt, dated.minutes + window),
    summary: `${serviceFacts[service].label} · ${house.brand}`,
    lines: [
      ...(window > 0 ? [arrivalWindow(startsAt, window)] : []),
      ...(whole && dated.performer ? [`Te atiende ${dated.performer}`] : []),
      `Folio ${dated.folio}`,
      `Ver mi cita: ${house.baseUrl}${servicePages[service]}`,
    ],
    location: whole ? dated.address && addressLine(dated.address) : areaOf(dated),
    href: house.baseUrl + servicePages[service],
  }
}

/** What the calendar of whoever carries it out says: the exact time, for whom, and, when `whole`, the door. */
export function performersEntry(
  dated: Dated & { customer: string | null },
  { whole }: { whole: boolean },
  house: House,
): Entry {
  const href = house.baseUrl + appointmentPath('pending', dated)
  return {
    ...sameForAll(dated),
    endsAt: later(dated.startsAt, dated.minutes),
    summary: [serviceFacts[dated.service].label, dated.customer].filter(Boolean).join(' · '),
    lines: [`Folio ${dated.folio}`, `Abrir la cita: ${href}`],
    location: whole ? dated.address && addressLine(dated.address) : areaOf(dated),
    href,
  }
}

const sameForAll = ({ id, sequence, state, startsAt, updatedAt }: Dated) => ({
  ...{ id, sequence, state, startsAt, updatedAt },
})

const windowOf = ({ service }: Dated, { settings }: House) =>
  serviceFacts[service].needsTravel ? settings.arrivalWindowMinutes : 0
const later = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000)
/** The part of town, which is no address. */
const areaOf = ({ municipality }: Dated) => municipality && municipalityLabel(municipality)
