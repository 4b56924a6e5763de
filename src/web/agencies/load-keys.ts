import { keyState } from '../../domain/agencies/integrations.ts'
import { keysOf } from '../../server/integrations/public-api/keys.ts'
import type { PartAsked } from './agency-part.ts'

/** What ?seccion=integracion shows of the keys: those that serve before the others. */
export async function loadKeys({ db, actor, agency, now }: PartAsked) {
  const keys = await keysOf(db, actor, agency.id)
  const told = keys.map((key) => ({ ...key, state: keyState(key, now) }))
  const serving = told.filter(({ state }) => state === 'active')
  return { serving, ended: told.filter(({ state }) => state !== 'active'), now }
}
