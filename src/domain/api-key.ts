import { z } from 'zod'
import { requiredText } from './text.ts'
import { tidy } from './tidy.ts'

/** What a key of a dealership's system opens; the values are stored, and said in the interface's document. */
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
type Life = keyof typeof keyLives
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

const box = z.unknown().optional()
const boxes: Record<ApiScope, typeof box> = {
  ...{ 'clients:write': box, 'clients:read': box, 'codes:read': box },
  ...{ 'events:read': box, 'events:replay': box },
}

/** The form of a new key: what it is for, a box for each scope, and how long it serves. */
export const apiKeyInput = z
  .object({
    name: requiredText('Escribe para qué sistema es la llave.', 80),
    life: z.preprocess(tidy, z.enum(Object.keys(keyLives) as Life[], 'Elige cuánto dura.')),
    ...boxes,
  })
  .transform(({ name, life, ...ticked }, ctx) => {
    const scopes = scopeNames.filter((scope) => ticked[scope] !== undefined)
    if (scopes.length === 0)
      ctx.addIssue({ code: 'custom', path: [scopeNames[0]!], message: 'Elige al menos un permiso.' })
    return { name, life, scopes }
  })
export type NewApiKey = z.output<typeof apiKeyInput>
