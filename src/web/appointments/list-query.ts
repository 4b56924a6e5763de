import { appointmentStates, services } from '../../domain/appointments/appointment.ts'
import { viewNames } from '../../domain/appointments/list.ts'
import { isMunicipality } from '../../domain/shared/places.ts'
import { aMonth, anId, aYear, matching, oneOf, readFilters, searched } from '../lib/lists.tsx'

const filterSchema = {
  month: aMonth,
  year: aYear,
  day: aDate,
  view: oneOf(viewNames),
  service: oneOf(services),
  state: oneOf(appointmentStates),
  zone: (text: string) => (isMunicipality(text) ? text : undefined),
  person: anId,
  text: searched(),
}

/** The filters of an address, and the place in the list: a start and an id. */
export const appointmentFiltersOf = (url: URL) => readFilters(filterSchema, url, matching(/^.{1,60}$/))

function aDate(text: string) {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}
