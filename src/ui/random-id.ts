/** A random UUID. `crypto.randomUUID` is missing over plain HTTP, where at least the chat has to work. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  // Version 4 and variant 10, as RFC 9562 requires.
  const variant = '89ab'[bytes[8]! % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
