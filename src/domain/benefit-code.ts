/** The code in what somebody typed or a link carries, in capitals: 6 to 12 of A-Z and 2-9 without I and O; null when it has not that shape. Spaces and hyphens are forgiven. */
export function codeIn(typed: string | null): string | null {
  const code = typed?.slice(0, 100).replace(/[\s-]/g, '').toUpperCase() ?? ''
  return /^[A-HJ-NP-Z2-9]{6,12}$/.test(code) ? code : null
}
