import { Link } from 'react-router'
import type { Held } from '../../server/agencies/hand-over.ts'
import { Alert } from '../ui/alert.tsx'
import { heldWords } from './held-words.ts'

/** What an ally leaves behind, said before they are taken off: it stays with the agency, under their name, until somebody gets it. */
export function HeldNotice({ held }: { held: readonly Held[] }) {
  return held.map(({ agency, agencyId, ...holding }) => (
    <Alert key={agencyId} tone="info" title={`Lleva ${heldWords(holding)} de ${agency}`}>
      Si se va, o cambia de rol o de concesionaria, se quedan ahí a su nombre y sus códigos dejan de servir.{' '}
      <Link to={`/admin/agency/${agencyId}?seccion=clientes`}>Pasarlos a otra persona</Link>
    </Alert>
  ))
}
