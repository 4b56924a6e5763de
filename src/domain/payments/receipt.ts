/** The IVA that every service of the house carries, in percent. */
const usualIva = 16

/** Centavos of a payment before IVA and of IVA. */
export type ReceiptSums = { net: number; iva: number }

/**
 * The IVA within a payment, in proportion to what it is paid for, half-up; of what belongs to no quote, and of one that
 * comes to nothing, the usual rate. What is given back is negative.
 */
export function receiptSums(amount: number, paidFor: { iva: number; total: number } | null): ReceiptSums {
  const { iva, total } = paidFor && paidFor.total > 0 ? paidFor : { iva: usualIva, total: 100 + usualIva }
  const [part, whole] = [BigInt(Math.abs(amount)) * BigInt(iva), BigInt(total)]
  const size = Number((2n * part + whole) / (2n * whole))
  const within = amount < 0 ? -size : size
  return { net: amount - within, iva: within }
}
