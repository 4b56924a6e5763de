/** The code that an address carries, in capitals: 6 to 12 of A-Z and 2-9 without I and O; null when it has not that shape. */
export function codeIn(typed: string | null): string | null {
  const code = typed?.trim().toUpperCase() ?? ''
  return /^[A-HJ-NP-Z2-9]{6,12}$/.test(code) ? code : null
}
