import type { Place } from './postal.ts'

/** Sí, Todavía no, Por verificar: whether we get to a postal code. */
export type Coverage = 'yes' | 'not_yet' | 'to_verify'

/**
 * Whether we get to a place. Its code alone says yes or not yet; in Estado de México, where the ranges of codes are rough,
 * whoever lives there may say that it is one of the four municipalities served, as at /address: then somebody calls.
 */
export function coverageOf({ area }: Place, claimed: boolean): Coverage {
  if (area === 'served') return 'yes'
  return area === 'edomex' && claimed ? 'to_verify' : 'not_yet'
}

/** Whether that claim can be made of a place at all. */
export const canBeClaimed = ({ area }: Place) => area === 'edomex'
