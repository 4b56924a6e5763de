/** The scopes of an API key; the values are stored, and published in the API document. */
export const apiScopes = {
  'clients:write': 'Registrar clientes',
  'clients:read': 'Consultar en qué van sus clientes',
  'codes:read': 'Consultar sus códigos',
  'events:read': 'Consultar los avisos',
  'events:replay': 'Volver a enviar avisos',
} as const
export type ApiScope = keyof typeof apiScopes
export const scopeNames = Object.keys(apiScopes) as ApiScope[]

/** How long a new key may serve. */
export const keyLives = { never: 'Sin vencimiento', year: '1 año', quarter: '90 días' } as const
export type Life = keyof typeof keyLives
const days: Record<Life, number | null> = { never: null, year: 365, quarter: 90 }

type KeyLife = { revokedAt: Date | null; expiresAt: Date | null }
export type KeyState = 'active' | 'expired' | 'revoked'

/** Whether a key serves at a moment. */
export function keyState({ revokedAt, expiresAt }: KeyLife, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** The end of a key made now, or null. */
export function keyEnd(life: Life, now: Date): Date | null {
  const lasts = days[life]
  return lasts === null ? null : new Date(now.getTime() + lasts * 24 * 60 * 60 * 1000)
}
