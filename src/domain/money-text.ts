/** "$12,345.00", of whole centavos; for texts that are kept. Screens write amounts by web/format.ts. */
export function moneyText(centavos: number): string {
  const size = Math.abs(centavos)
  const pesos = String(Math.floor(size / 100)).replace(/\B(?=(\d{3}){1,6}$)/g, ',')
  return `${centavos < 0 ? '-' : ''}$${pesos}.${String(size % 100).padStart(2, '0')}`
}
