import { z } from 'zod'
import { staleForm } from '../shared/seen-version.ts'
import { requiredText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { type ApiScope, keyLives, type Life, scopeNames } from './api-key.ts'

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

/** Which key serves no longer. */
export const revokeKeyInput = z.object({ keyId: z.uuid(staleForm) })
