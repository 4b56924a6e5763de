import { counted } from '../../domain/shared/format.ts'
import type { HoldingCounts } from '../../server/agencies/attributions.ts'

/** "12 clientes y 3 códigos", of what is under a person's name. */
export const heldWords = ({ clients, codes }: HoldingCounts) =>
  [clients > 0 && counted(clients, 'cliente', 'clientes'), codes > 0 && counted(codes, 'código', 'códigos')]
    .filter(Boolean)
    .join(' y ')
