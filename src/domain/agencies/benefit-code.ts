/** The code in typed text or a link, in capitals: 6 to 12 characters of A-Z and 2-9 without I and O, or null. Spaces and hyphens are ignored. */
export function codeIn(typed: string | null): string | null {
  const code = typed?.slice(0, 100).replace(/[\s-]/g, '').toUpperCase() ?? ''
  return /^[A-HJ-NP-Z2-9]{6,12}$/.test(code) ? code : null
}
