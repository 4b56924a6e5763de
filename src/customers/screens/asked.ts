import type { Db } from '../../platform/database/client.ts'
import { placeOfCode } from '../../projects/postal-list.ts'
import { canBeClaimed, coverageOf } from '../../projects/rules/address.ts'
import { estimateOf, mostMetres, plausibleMetresOf } from '../../projects/rules/pipeline.ts'
import { faultOfCode } from '../../projects/rules/postal-codes.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { municipalityLabel } from '../../shared/places.ts'

/** What the address of the page asks about coverage; null when it asks nothing. */
export async function askedCoverage(db: Db, query: URLSearchParams) {
  const typed = query.get('cp')
  if (typed === null) return null
  const postalCode = typed.replace(/[\s-]/g, '').slice(0, 10)
  const error = faultOfCode(postalCode)
  if (error) return { postalCode, error, answer: null, name: '', canClaim: false }
  const place = await placeOfCode(db, postalCode)
  const answer = coverageOf(place, query.has('mio'))
  return {
    postalCode,
    error: undefined,
    answer,
    name: place.area === 'served' ? municipalityLabel(place.municipality) : '',
    canClaim: answer === 'not_yet' && canBeClaimed(place),
  }
}

/** What it asks to be estimated, and the range; the base price where it asks nothing. */
export function askedEstimate(query: URLSearchParams, prices: Settings['estimate']) {
  const typed = query.get('metros') ?? String(prices.baseMetres)
  const metres = plausibleMetresOf(typed)
  const wanted = { secondMeter: query.has('medidor'), charger: query.has('cargador') }
  return {
    ...wanted,
    metres: typed.slice(0, 10),
    error: metres === null ? `Escribe los metros, de 0 a ${mostMetres}.` : undefined,
    range: metres === null ? null : estimateOf({ ...wanted, metres }, prices),
  }
}
