import {
  isMunicipality,
  type MunicipalitySlug,
  municipalities,
  municipalityLabel,
  type RegionGroup,
} from '../shared/regions.ts'
import { type StateSlug, stateLabel } from '../shared/states.ts'
import type { Place } from './postal.ts'

/** Where an address lies, and so what can be offered there: visits only where its area is `served`. */
export type Locality =
  | { area: 'served'; regionGroup: RegionGroup; municipality: MunicipalitySlug; state: RegionGroup }
  /** Its person says that it is in Toluca, Lerma, Huixquilucan or Naucalpan; its code does not. */
  | { area: 'to_verify'; regionGroup: 'edomex'; municipality: MunicipalitySlug; state: 'edomex' }
  /** Not reached yet: the municipality is kept as it was typed. */
  | { area: 'outside'; regionGroup: 'edomex' | null; municipality: string; state: StateSlug }

export type Area = Locality['area']

/** The message for each area; none where the place is served. */
export const areaNotices: Record<Area, string | null> = {
  served: null,
  to_verify: 'Por verificar: te llamamos para confirmar si llegamos a tu domicilio.',
  outside: 'Todavía no llegamos a este código postal.',
}

/** A place as a form sends it. Only the postal code is always present; it preselects the rest. */
export type TypedPlace = {
  postalCode: string
  regionGroup: RegionGroup | null
  municipality: string
  state: StateSlug | null
  confirmInArea: boolean
}

/** Why a place cannot be saved, and the field of the message. */
export type Clash = { field: 'regionGroup' | 'municipality' | 'state'; message: string }

/** Resolves the area of an address, or names the field that contradicts its postal code. */
export function localityOf(typed: TypedPlace, place: Place): Locality | Clash {
  if (place.area === 'served') return served(typed, place.municipality)
  if (place.area === 'elsewhere') return elsewhere(typed)
  return typed.confirmInArea ? toVerify(typed) : outsideInEdomex(typed)
}

function served(typed: TypedPlace, slug: MunicipalitySlug): Locality | Clash {
  const { group, label } = municipalities.find((municipality) => municipality.slug === slug)!
  const isOf = (name: string) => `El código postal ${typed.postalCode} es de ${name}. Cambia uno de los dos.`
  if (!['', slug, label].includes(typed.municipality)) return { field: 'municipality', message: isOf(label) }
  if (typed.regionGroup && typed.regionGroup !== group) {
    return { field: 'regionGroup', message: isOf(stateLabel(group)) }
  }
  if (typed.state && typed.state !== group) return { field: 'state', message: isOf(stateLabel(group)) }
  return { area: 'served', regionGroup: group, municipality: slug, state: group }
}

function toVerify({ municipality, state }: TypedPlace): Locality | Clash {
  const claimed = municipalities.find(({ slug, label }) => municipality === slug || municipality === label)
  if (claimed?.group !== 'edomex') {
    return { field: 'municipality', message: 'Elige Toluca, Lerma, Huixquilucan o Naucalpan.' }
  }
  if (state && state !== 'edomex')
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  return { area: 'to_verify', regionGroup: 'edomex', municipality: claimed.slug, state: 'edomex' }
}

function outsideInEdomex(typed: TypedPlace): Locality | Clash {
  if (typed.state && typed.state !== 'edomex') {
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  }
  return outside(typed, 'edomex', 'edomex')
}

function elsewhere(typed: TypedPlace): Locality | Clash {
  const { postalCode, state } = typed
  if (!state) return { field: 'state', message: 'Elige tu estado.' }
  if (state !== 'cdmx' && state !== 'edomex') return outside(typed, null, state)
  const message = `El código postal ${postalCode} no es de ${stateLabel(state)}. Cambia uno de los dos.`
  return { field: 'state', message }
}

function outside(typed: TypedPlace, regionGroup: 'edomex' | null, state: StateSlug): Locality | Clash {
  const { postalCode, municipality } = typed
  if (!municipality) return { field: 'municipality', message: 'Escribe tu municipio.' }
  // A slug was picked from the list of those served: another municipality of the same name is typed as text.
  if (isMunicipality(municipality)) {
    const message = `El código postal ${postalCode} no es de ${municipalityLabel(municipality)}. Cambia uno de los dos.`
    return { field: 'municipality', message }
  }
  return { area: 'outside', regionGroup, municipality, state }
}
