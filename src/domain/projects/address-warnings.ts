import type { Address } from './address.ts'

/** Warnings about an address, by field; they never block saving. */
export function warnings({ cfeServiceNumber }: Pick<Address, 'cfeServiceNumber'>): {
  cfeServiceNumber?: string
} {
  if (!cfeServiceNumber || /^\d{12}$/.test(cfeServiceNumber)) return {}
  return { cfeServiceNumber: 'El número de servicio de CFE tiene 12 dígitos; revísalo en tu recibo.' }
}
